export { createForm, listForms } from './forms.service.ts';
export { getSubmission, listSubmissions, submitForm } from './submissions.service.ts';

export { createForm, getForm, listForms, updateForm } from './forms.service.ts';
export { getSubmission, listSubmissions, submitForm } from './submissions.service.ts';

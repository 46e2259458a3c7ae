import { z } from 'zod';
import { FormKeyRef, SubmissionId, SubmissionView } from '../../../domain/contracts/forms.ts';
import { getSubmission } from '../../../domain/forms/index.ts';
import { operation } from '../../operation.ts';

export const getFormSubmissionOperation = operation({
  name: 'get-form-submission',
  title: 'Get a submission',
  description: 'Returns one submission of a form, with the contents of its files in base64.',
  area: 'Forms',
  scopes: ['forms:read'],
  input: z.strictObject({ form_key: FormKeyRef, submission_id: SubmissionId }),
  output: SubmissionView,
  effects: 'read',
  route: {
    method: 'get',
    path: '/api/v1/forms/{form_key}/submissions/{submission_id}',
    auth: ['jwt', 'oauth'],
    params: ['form_key', 'submission_id'],
  },
  errors: ['NOT_FOUND'],
  run: async ({ tx }, { form_key, submission_id }) => ({ data: await getSubmission(tx, form_key, submission_id) }),
});

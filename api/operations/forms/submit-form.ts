import { SubmissionView, SubmitForm } from '../../../domain/contracts/forms.ts';
import { submitForm } from '../../../domain/forms/index.ts';
import { operation } from '../../operation.ts';

/** Several files of 1 MiB each, in base64. */
const MAX_BODY_BYTES = 8 * 1_048_576;

export const submitFormOperation = operation({
  name: 'submit-form',
  title: 'Submit a form',
  description:
    'Takes a filled-in form. Required fields must be there and every value must fit its field. The answer has no body; its header Location names the submission.',
  area: 'Forms',
  scopes: ['forms:write'],
  input: SubmitForm,
  output: SubmissionView,
  effects: 'write',
  route: {
    method: 'post',
    path: '/api/v1/forms/submissions',
    auth: ['jwt'],
    status: 201,
    answers: 'empty',
    maxBodyBytes: MAX_BODY_BYTES,
  },
  errors: ['NOT_FOUND', 'UNPROCESSABLE_ENTITY'],
  run: async ({ caller, tx }, input) => {
    const data = await submitForm(tx, caller, input);
    const path = `/api/v1/forms/${encodeURIComponent(data.form_key)}/submissions/${String(data.id)}`;
    return { data, headers: { Location: path } };
  },
});

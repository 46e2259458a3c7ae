import { z } from 'zod';
import { ListSubmissions, SubmissionView } from '../../../domain/contracts/forms.ts';
import { listSubmissions } from '../../../domain/forms/index.ts';
import { operation } from '../../operation.ts';

export const listFormSubmissionsOperation = operation({
  name: 'list-form-submissions',
  title: 'List the submissions of a form',
  description:
    'Lists what was submitted to a form, newest first. Files are told by name, size and SHA-256; a single read has their contents.',
  area: 'Forms',
  scopes: ['forms:read'],
  input: ListSubmissions,
  output: z.array(SubmissionView),
  paginated: true,
  effects: 'read',
  route: {
    method: 'get',
    path: '/api/v1/forms/{form_key}/submissions',
    auth: ['jwt', 'oauth'],
    params: ['form_key'],
  },
  errors: ['NOT_FOUND'],
  run: async ({ tx }, input) => {
    const { submissions, pagination } = await listSubmissions(tx, input);
    return { data: submissions, pagination };
  },
});

import { z } from 'zod';
import { FormView, ListForms } from '../../../domain/contracts/forms.ts';
import { listForms } from '../../../domain/forms/index.ts';
import { operation } from '../../operation.ts';

export const listFormsOperation = operation({
  name: 'list-forms',
  title: 'List forms',
  description: 'Lists the forms of the client, newest first, with their fields and how often each was submitted.',
  area: 'Forms',
  scopes: ['forms:read'],
  input: ListForms,
  output: z.array(FormView),
  paginated: true,
  effects: 'read',
  route: { method: 'get', path: '/api/v1/forms', auth: ['jwt', 'oauth'] },
  run: async ({ tx }, input) => {
    const { forms, pagination } = await listForms(tx, input);
    return { data: forms, pagination };
  },
});

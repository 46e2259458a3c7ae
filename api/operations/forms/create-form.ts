import { CreateForm, FormView } from '../../../domain/contracts/forms.ts';
import { createForm } from '../../../domain/forms/index.ts';
import { operation } from '../../operation.ts';

export const createFormOperation = operation({
  name: 'create-form',
  title: 'Create a form',
  description:
    'Creates a form with its fields. Its form_key is what submissions name it by, and unique within the client.',
  area: 'Forms',
  scopes: ['forms:write'],
  input: CreateForm,
  output: FormView,
  effects: 'write',
  route: { method: 'post', path: '/api/v1/forms', auth: ['jwt'], status: 201 },
  errors: ['CONFLICT'],
  run: async ({ caller, tx }, input) => ({ data: await createForm(tx, caller, input) }),
});

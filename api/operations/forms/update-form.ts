import { FormView, UpdateForm } from '../../../domain/contracts/forms.ts';
import { updateForm } from '../../../domain/forms/index.ts';
import { operation } from '../../operation.ts';

export const updateFormOperation = operation({
  name: 'update-form',
  title: 'Change a form',
  description:
    'Changes the given parts of a form and returns the whole of it; is_active false closes it to submissions. Its form_key stays. Fields, when given, replace all fields; what was submitted before stays as it is.',
  area: 'Forms',
  scopes: ['forms:write'],
  input: UpdateForm,
  output: FormView,
  effects: 'write',
  idempotent: true,
  route: { method: 'patch', path: '/api/v1/forms/{form_key}', auth: ['jwt'], params: ['form_key'] },
  errors: ['NOT_FOUND'],
  run: async ({ caller, tx }, input) => ({ data: await updateForm(tx, caller, input) }),
});

import { z } from 'zod';
import { FormKeyRef, FormView } from '../../../domain/contracts/forms.ts';
import { getForm } from '../../../domain/forms/index.ts';
import { operation } from '../../operation.ts';

export const getFormOperation = operation({
  name: 'get-form',
  title: 'Get a form',
  description: 'Returns one form with its fields and how often it was submitted, also one that takes no submissions.',
  area: 'Forms',
  scopes: ['forms:read'],
  input: z.strictObject({ form_key: FormKeyRef }),
  output: FormView,
  effects: 'read',
  route: { method: 'get', path: '/api/v1/forms/{form_key}', auth: ['jwt', 'oauth'], params: ['form_key'] },
  errors: ['NOT_FOUND'],
  run: async ({ tx }, { form_key }) => ({ data: await getForm(tx, form_key) }),
});

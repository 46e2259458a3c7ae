import { ContactView, UpdateContact } from '../../../domain/contracts/contacts.ts';
import { updateContact } from '../../../domain/contacts/index.ts';
import { operation } from '../../operation.ts';

export const updateContactOperation = operation({
  name: 'update-contact',
  title: 'Change a contact',
  description:
    'Changes the given fields of a contact and returns the whole of it. Fields left out stay as they are; null clears one.',
  area: 'Contacts',
  scopes: ['contacts:write'],
  input: UpdateContact,
  output: ContactView,
  effects: 'write',
  idempotent: true,
  action: true,
  route: { method: 'patch', path: '/api/v1/contacts/{contact_id}', auth: ['jwt', 'oauth'], params: ['contact_id'] },
  errors: ['NOT_FOUND'],
  run: async ({ caller, tx }, input) => ({ data: await updateContact(tx, caller, input) }),
});

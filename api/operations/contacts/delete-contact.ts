import { ContactView, GetContact } from '../../../domain/contracts/contacts.ts';
import { deleteContact } from '../../../domain/contacts/index.ts';
import { operation } from '../../operation.ts';

export const deleteContactOperation = operation({
  name: 'delete-contact',
  title: 'Delete a contact',
  description:
    'Deletes a contact and returns it as it was left. It is not found any more; work items and documents that name it keep what they say of it. To keep it in sight but out of use, set is_active to false instead.',
  area: 'Contacts',
  scopes: ['contacts:write'],
  input: GetContact,
  output: ContactView,
  effects: 'destructive',
  route: { method: 'delete', path: '/api/v1/contacts/{contact_id}', auth: ['jwt', 'oauth'], params: ['contact_id'] },
  errors: ['NOT_FOUND'],
  run: async ({ caller, tx }, { contact_id }) => ({ data: await deleteContact(tx, caller, contact_id) }),
});

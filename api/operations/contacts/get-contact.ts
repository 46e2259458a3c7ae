import { ContactView, GetContact } from '../../../domain/contracts/contacts.ts';
import { getContact } from '../../../domain/contacts/index.ts';
import { operation } from '../../operation.ts';

export const getContactOperation = operation({
  name: 'get-contact',
  title: 'Get a contact',
  description: 'Returns one customer or supplier with all its fields, by its id. list-contacts finds the id by name.',
  area: 'Contacts',
  scopes: ['contacts:read'],
  input: GetContact,
  output: ContactView,
  effects: 'read',
  action: true,
  route: { method: 'get', path: '/api/v1/contacts/{contact_id}', auth: ['jwt', 'oauth'], params: ['contact_id'] },
  errors: ['NOT_FOUND'],
  run: async ({ tx }, { contact_id }) => ({ data: await getContact(tx, contact_id) }),
});

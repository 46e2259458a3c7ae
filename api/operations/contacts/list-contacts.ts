import { ContactList, ListContacts } from '../../../domain/contracts/contacts.ts';
import { listContacts } from '../../../domain/contacts/index.ts';
import { operation } from '../../operation.ts';

export const listContactsOperation = operation({
  name: 'list-contacts',
  title: 'List contacts',
  description:
    'Lists customers and suppliers, newest first, optionally those of one type, those in use, or those that a search finds. Use it to find the contact_id that other actions take. total counts up to 10,000, in a search up to 1,000 and of common words only those looked at; where more match total_is_exact is false.',
  area: 'Contacts',
  scopes: ['contacts:read'],
  input: ListContacts,
  output: ContactList,
  paginated: true,
  effects: 'read',
  action: true,
  route: { method: 'get', path: '/api/v1/contacts', auth: ['jwt', 'oauth'], unwrap: 'contacts' },
  run: async ({ tx }, input) => {
    const { contacts, pagination } = await listContacts(tx, input);
    return { data: { contacts }, pagination };
  },
});

import { ContactView, CreateContact } from '../../../domain/contracts/contacts.ts';
import { createContact } from '../../../domain/contacts/index.ts';
import { operation } from '../../operation.ts';

export const createContactOperation = operation({
  name: 'create-contact',
  title: 'Create a contact',
  description:
    'Creates a customer, a supplier, or one that is both, and returns it. Each call makes a new contact; look with list-contacts first whether there is one already.',
  area: 'Contacts',
  scopes: ['contacts:write'],
  input: CreateContact,
  output: ContactView,
  effects: 'write',
  action: true,
  route: { method: 'post', path: '/api/v1/contacts', auth: ['jwt', 'oauth'], status: 201 },
  run: async ({ caller, tx }, input) => ({ data: await createContact(tx, caller, input) }),
});

export { createContact, deleteContact, getContact, updateContact } from './contacts.service.ts';
export { listContacts } from './list.service.ts';

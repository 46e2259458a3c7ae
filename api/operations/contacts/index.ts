import type { Operation } from '../../operation.ts';
import { createContactOperation } from './create-contact.ts';
import { deleteContactOperation } from './delete-contact.ts';
import { getContactOperation } from './get-contact.ts';
import { listContactsOperation } from './list-contacts.ts';
import { updateContactOperation } from './update-contact.ts';

export const contactOperations: readonly Operation[] = [
  listContactsOperation,
  getContactOperation,
  createContactOperation,
  updateContactOperation,
  deleteContactOperation,
];

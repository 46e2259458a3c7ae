export { createContact, deleteContact, getContact, updateContact } from './contacts.service.ts';
export { listContacts } from './list.service.ts';
export { patternsOf } from './search.rules.ts';
export { findContactIdsByEmail, findContactIdByTaxNumber } from './find-contacts.ts';
export { findSupplier } from './find-supplier.service.ts';
export type { SupplierMatch } from './find-supplier.service.ts';

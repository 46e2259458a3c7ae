export { createTimeEntry, listTimeEntries } from './time-entries.service.ts';

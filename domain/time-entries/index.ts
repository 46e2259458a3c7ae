export { deleteTimeEntry, updateTimeEntry } from './change.service.ts';
export { createTimeEntry, listTimeEntries } from './time-entries.service.ts';

import { createTimeEntryOperation } from './create-time-entry.ts';
import { deleteTimeEntryOperation } from './delete-time-entry.ts';
import { getWorkItemTimeEntriesOperation } from './get-work-item-time-entries.ts';
import { updateTimeEntryOperation } from './update-time-entry.ts';
import type { Operation } from '../../operation.ts';

export const timeEntryOperations: readonly Operation[] = [
  createTimeEntryOperation,
  getWorkItemTimeEntriesOperation,
  updateTimeEntryOperation,
  deleteTimeEntryOperation,
];

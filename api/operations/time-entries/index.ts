import { createTimeEntryOperation } from './create-time-entry.ts';
import { getWorkItemTimeEntriesOperation } from './get-work-item-time-entries.ts';
import type { Operation } from '../../operation.ts';

export const timeEntryOperations: readonly Operation[] = [createTimeEntryOperation, getWorkItemTimeEntriesOperation];

import { DeleteTimeEntry, DeletedTimeEntry } from '../../../domain/contracts/time-entries.ts';
import { deleteTimeEntry } from '../../../domain/time-entries/index.ts';
import { operation } from '../../operation.ts';

export const deleteTimeEntryOperation = operation({
  name: 'delete-time-entry',
  title: 'Delete a time entry',
  description:
    "Takes a time entry away: it is no longer listed nor counted. It can not be undone; the activity of the work item keeps a note of it. Members delete their own time only (403), owners and admins anybody's. One that is deleted already stays so, and the call succeeds. Find the id with get-work-item-time-entries.",
  area: 'Time entries',
  scopes: ['work_items:write'],
  input: DeleteTimeEntry,
  output: DeletedTimeEntry,
  effects: 'destructive',
  idempotent: true,
  action: true,
  route: {
    method: 'delete',
    path: '/api/v1/time-entries/{time_entry_id}',
    auth: ['jwt', 'oauth'],
    params: ['time_entry_id'],
  },
  errors: ['NOT_FOUND', 'FORBIDDEN'],
  run: async ({ caller, tx }, { time_entry_id: id }) => ({ data: await deleteTimeEntry(tx, caller, id) }),
});

import { TimeEntryView, UpdateTimeEntry } from '../../../domain/contracts/time-entries.ts';
import { updateTimeEntry } from '../../../domain/time-entries/index.ts';
import { operation } from '../../operation.ts';

export const updateTimeEntryOperation = operation({
  name: 'update-time-entry',
  title: 'Correct a time entry',
  description:
    "Changes the given fields of a time entry and leaves all others as they are. started_at alone moves it, ended_at or duration_minutes alone changes how long it took. Members correct their own time only (403), owners and admins anybody's. Find the id with get-work-item-time-entries. Returns the entry after the change.",
  area: 'Time entries',
  scopes: ['work_items:write'],
  input: UpdateTimeEntry,
  output: TimeEntryView,
  effects: 'write',
  idempotent: true,
  action: true,
  route: {
    method: 'patch',
    path: '/api/v1/time-entries/{time_entry_id}',
    auth: ['jwt', 'oauth'],
    params: ['time_entry_id'],
  },
  errors: ['NOT_FOUND', 'FORBIDDEN'],
  run: async ({ caller, tx, services }, input) => ({
    data: await updateTimeEntry(tx, caller, input, services.clock.now()),
  }),
});

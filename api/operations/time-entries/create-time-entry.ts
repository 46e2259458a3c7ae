import { CreateTimeEntry, TimeEntryView } from '../../../domain/contracts/time-entries.ts';
import { createTimeEntry } from '../../../domain/time-entries/index.ts';
import { operation } from '../../operation.ts';

export const createTimeEntryOperation = operation({
  name: 'create-time-entry',
  title: 'Log time on a work item',
  description:
    'Notes time that somebody spent on a work item: from started_at to ended_at, or duration_minutes from started_at on (up to now, where started_at is left out). Find the work_item_id with list-work-items and a user_id with get-active-users. Members book their own time only (403), owners and admins that of anybody. A wrong entry is corrected with update-time-entry or deleted with delete-time-entry.',
  area: 'Time entries',
  scopes: ['work_items:write'],
  input: CreateTimeEntry,
  output: TimeEntryView,
  effects: 'write',
  action: true,
  route: {
    method: 'post',
    path: '/api/v1/work-items/{work_item_id}/time-entries',
    auth: ['jwt', 'oauth'],
    params: ['work_item_id'],
    status: 201,
  },
  errors: ['NOT_FOUND', 'FORBIDDEN'],
  run: async ({ caller, tx, services }, input) => ({
    data: await createTimeEntry(tx, caller, input, services.clock.now()),
  }),
});

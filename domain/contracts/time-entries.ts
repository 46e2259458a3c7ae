import { z } from 'zod';
import { bigIdField, dateOrMomentField, emptiable, idField, Moment, textField, windowFields } from './common.ts';
import { ActorView, WorkItemRef } from './work-items.ts';

/** A week: longer is a mistake. */
export const MAX_DURATION_MINUTES = 10_080;

export const CreateTimeEntry = z.strictObject({
  work_item_id: WorkItemRef,
  user_id: idField(
    'User who worked; the user of the token or API key when left out. Owners and admins may name another (get-active-users)',
  ).optional(),
  started_at: dateOrMomentField(
    'When the work began, at most 24 hours from now; when left out, duration_minutes before now',
  )
    .meta({ example: '2026-11-21T08:00:00+02:00' })
    .optional(),
  ended_at: dateOrMomentField('When it ended. Give this, with started_at, or duration_minutes, not both')
    .meta({ example: '2026-11-21T09:30:00+02:00' })
    .optional(),
  duration_minutes: z
    .int()
    .min(1)
    .max(MAX_DURATION_MINUTES)
    .describe('Minutes worked. Give this or ended_at, not both')
    .meta({ example: 90 })
    .optional(),
  description: textField(2_000, 'What was done').meta({ example: 'Replaced the seals' }).optional(),
  is_billable: z.boolean().default(false).describe('The customer pays for it'),
});
export type CreateTimeEntryInput = z.output<typeof CreateTimeEntry>;

const timeEntryId = bigIdField('Integer id of the time entry, from get-work-item-time-entries').meta({ example: 31 });

/** Any of these beside time_entry_id; at least one. What is left out stays as it is. */
export const UpdateTimeEntry = z.strictObject({
  time_entry_id: timeEntryId,
  user_id: idField('User who worked, from get-active-users; owners and admins may name another than it is').optional(),
  started_at: dateOrMomentField('When the work began; alone it moves the entry, which stays as long as it was')
    .meta({ example: '2026-11-21T08:00:00+02:00' })
    .optional(),
  ended_at: dateOrMomentField('When it ended. Give this or duration_minutes, not both')
    .meta({ example: '2026-11-21T10:00:00+02:00' })
    .optional(),
  duration_minutes: z
    .int()
    .min(1)
    .max(MAX_DURATION_MINUTES)
    .describe('Minutes worked, from started_at on. Give this or ended_at, not both')
    .meta({ example: 120 })
    .optional(),
  description: emptiable(textField(2_000, 'What was done').meta({ example: 'Replaced the seals' })),
  is_billable: z.boolean().describe('The customer pays for it').optional(),
});
export type UpdateTimeEntryInput = z.output<typeof UpdateTimeEntry>;

export const DeleteTimeEntry = z.strictObject({ time_entry_id: timeEntryId });

export const DeletedTimeEntry = z
  .object({ id: z.int().describe('Integer id'), deleted: z.literal(true), deleted_at: Moment })
  .meta({ id: 'DeletedTimeEntry' });
export type DeletedTimeEntry = z.output<typeof DeletedTimeEntry>;

export const ListTimeEntries = z.strictObject({ work_item_id: WorkItemRef, ...windowFields() });
export type ListTimeEntriesInput = z.output<typeof ListTimeEntries>;

export const TimeEntryView = z
  .object({
    id: z.int().describe('Integer id').meta({ example: 31 }),
    work_item_id: z.uuid().describe('UUID of the work item'),
    user_id: z.int().nullable().describe('Who worked'),
    user_name: z.string().nullable().meta({ example: 'Thandi Mokoena' }),
    started_at: Moment,
    ended_at: Moment,
    duration_minutes: z.int().meta({ example: 90 }),
    description: z.string().nullable().meta({ example: 'Replaced the seals' }),
    is_billable: z.boolean(),
    created_by: ActorView.describe('Who wrote the entry'),
    created_at: Moment,
    updated_at: Moment,
  })
  .meta({ id: 'TimeEntry' });
export type TimeEntry = z.output<typeof TimeEntryView>;

export const TimeEntryList = z.object({
  time_entries: z.array(TimeEntryView),
  total_minutes: z.int().describe('Of all entries of the work item, not only those returned').meta({ example: 240 }),
  billable_minutes: z.int().describe('Of those, the ones that the customer pays for').meta({ example: 180 }),
});

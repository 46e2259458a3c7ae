import { z } from 'zod';
import { dateOrMomentField, idField, Moment, textField, windowFields } from './common.ts';
import { WorkItemRef } from './work-items.ts';

/** A week: longer is a mistake. */
export const MAX_DURATION_MINUTES = 10_080;

export const CreateTimeEntry = z.strictObject({
  work_item_id: WorkItemRef,
  user_id: idField('User who worked; the user of the token or API key when left out').optional(),
  started_at: dateOrMomentField('When the work began; when left out, duration_minutes before now')
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
    created_at: Moment,
  })
  .meta({ id: 'TimeEntry' });
export type TimeEntry = z.output<typeof TimeEntryView>;

export const TimeEntryList = z.object({
  time_entries: z.array(TimeEntryView),
  total_minutes: z.int().describe('Of all entries of the work item, not only those returned').meta({ example: 240 }),
  billable_minutes: z.int().describe('Of those, the ones that the customer pays for').meta({ example: 180 }),
});

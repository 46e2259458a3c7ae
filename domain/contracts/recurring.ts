import { z } from 'zod';
import { dateOrMomentField, Day, dayField, Moment, textField as text, windowFields } from './common.ts';
import { CreateWorkItem, ITEM_TYPES, WorkItemView } from './work-items.ts';

export const FREQUENCIES = ['daily', 'weekly', 'monthly', 'cron'] as const;
/** Monday first, as ISO 8601 counts. */
export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
export type Weekday = (typeof WEEKDAYS)[number];
export const RECURRING_STATUSES = ['active', 'paused', 'completed'] as const;

/** How far ahead `get-recurring-job` looks. */
export const NEXT_OCCURRENCES = 5;

const Schedule = z
  .strictObject({
    frequency: z
      .enum(FREQUENCIES)
      .describe('daily, weekly, monthly, or cron for an expression of your own')
      .meta({ example: 'weekly' }),
    interval: z
      .int()
      .min(1)
      .max(366)
      .describe('Every how many days, weeks or months, counted from start_date; 1 unless given. Not with cron')
      .optional(),
    days_of_week: z
      .array(z.enum(WEEKDAYS))
      .min(1)
      .max(7)
      .describe('Weekly only: the days; the weekday of start_date unless given')
      .meta({ example: ['monday', 'thursday'] })
      .optional(),
    day_of_month: z
      .int()
      .min(1)
      .max(31)
      .describe(
        'Monthly only: the day; that of start_date unless given. In a month that is shorter, its last day: 31 is always the last',
      )
      .optional(),
    time: z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day as HH:MM')
      .describe('Time of day as HH:MM in timezone; 00:00 unless given. Not with cron')
      .meta({ example: '08:00' })
      .optional(),
    cron: text(200, 'Cron only: minute, hour, day of month, month, day of week; e.g. `30 7 1,15 * *`').optional(),
    timezone: text(64, 'IANA time zone that days and times are in; that of the client unless given')
      .meta({ example: 'Africa/Johannesburg' })
      .optional(),
  })
  .describe('When it recurs');
export type ScheduleInput = z.output<typeof Schedule>;

/** Without the default of a new item: a template is kept as it was given. */
const priority = CreateWorkItem.shape.priority.unwrap().describe('Urgency; medium unless given');
const Template = CreateWorkItem.extend({ priority })
  .partial()
  .describe(
    'What each generated work item is like: any field of create-work-item. title and item_type are those of the recurring job unless given here. Dates are those of an item for start_date, and are moved by as many days as its occurrence lies after it; without scheduled_start and scheduled_end, scheduled_start is the occurrence',
  );
export type RecurringTemplate = z.output<typeof Template>;

const startDate = dayField('First day, in the timezone of the schedule').meta({
  example: '2026-12-01',
});
const endDate = dayField('Last day, itself included').meta({ example: '2027-11-30' });
const maxOccurrences = z.int().min(1).max(100_000).describe('Ends after so many generated items');
const itemType = z.enum(ITEM_TYPES).describe('Kind of work item that is generated').meta({ example: 'job' });
const title = text(500, 'Name of the recurring job, and title of its work items').meta({
  example: 'Weekly pump inspection',
});
const recurringJobId = z
  .uuid()
  .describe('UUID of the recurring job, from create-recurring-job or list-recurring-jobs')
  .meta({ example: '0b0f4a3e-7b6e-4a55-9f57-6f2c7e1d9a10' });

export const CreateRecurringJob = z.strictObject({
  title,
  item_type: itemType.default('job'),
  schedule: Schedule,
  start_date: startDate.optional(),
  end_date: endDate.optional(),
  max_occurrences: maxOccurrences.optional(),
  template: Template.optional(),
});
export type CreateRecurringJobInput = z.output<typeof CreateRecurringJob>;

export const UpdateRecurringJob = z.strictObject({
  recurring_job_id: recurringJobId,
  title: title.optional(),
  item_type: itemType.optional(),
  schedule: Schedule.describe(
    'When it recurs; replaces the whole schedule, but the time zone stays unless given',
  ).optional(),
  start_date: startDate.optional(),
  end_date: endDate.nullable().describe('Last day (ISO 8601 date), itself included; null for no end').optional(),
  max_occurrences: maxOccurrences
    .nullable()
    .describe('Ends after so many generated items; null for no limit')
    .optional(),
  template: Template.optional(),
});
export type UpdateRecurringJobInput = z.output<typeof UpdateRecurringJob>;

export const GetRecurringJob = z.strictObject({ recurring_job_id: recurringJobId });

export const ChangeRecurringState = z.strictObject({
  recurring_job_id: recurringJobId,
  reason: text(500, 'Why, for the audit trail').optional(),
});

export const GenerateRecurringJob = z.strictObject({
  recurring_job_id: recurringJobId,
  scheduled_for: dateOrMomentField(
    'The occurrence to generate, the next one unless given. A date means the occurrence of that day, and is refused if it has none; a moment that is no occurrence makes an extra one. Up to ten years ahead',
  )
    .meta({ example: '2026-12-07' })
    .optional(),
});
export type GenerateRecurringJobInput = z.output<typeof GenerateRecurringJob>;

export const ListRecurringJobs = z.strictObject({
  status: z.enum(RECURRING_STATUSES).describe('Only jobs in this state').optional(),
  item_type: z.enum(ITEM_TYPES).describe('Only jobs that generate this kind of work item').optional(),
  search: text(200, 'Only jobs whose title holds this text, in any case').meta({ example: 'inspection' }).optional(),
  ...windowFields(),
});
export type ListRecurringJobsInput = z.output<typeof ListRecurringJobs>;

/** A schedule as it is kept: with every default filled in. */
export const ScheduleView = z
  .object({
    frequency: z.enum(FREQUENCIES),
    interval: z.int(),
    days_of_week: z.array(z.enum(WEEKDAYS)).nullable(),
    day_of_month: z.int().nullable(),
    time: z.string().nullable().meta({ example: '08:00' }),
    cron: z.string().nullable(),
    timezone: z.string().meta({ example: 'Africa/Johannesburg' }),
  })
  .meta({ id: 'RecurringSchedule' });
export type RecurringSchedule = z.output<typeof ScheduleView>;

export const RecurringJobView = z
  .object({
    recurring_job_id: z.uuid(),
    client_id: z.int(),
    title: z.string().meta({ example: 'Weekly pump inspection' }),
    item_type: z.enum(ITEM_TYPES),
    status: z.enum(RECURRING_STATUSES).describe('completed: no occurrence is left, by end_date or max_occurrences'),
    schedule: ScheduleView,
    start_date: Day,
    end_date: Day.nullable(),
    max_occurrences: z.int().nullable(),
    template: z.record(z.string(), z.unknown()).describe('Fields of the work items, as they were given'),
    occurrences_generated: z.int().describe('Work items generated so far'),
    next_occurrence_at: Moment.nullable().describe(
      'The next occurrence that has no work item yet; null unless active, and when all that are left were generated ahead',
    ),
    paused_at: Moment.nullable(),
    pause_reason: z.string().nullable(),
    created_at: Moment,
    updated_at: Moment,
  })
  .meta({ id: 'RecurringJob' });
export type RecurringJob = z.output<typeof RecurringJobView>;

export const RecurringRunView = z
  .object({
    scheduled_for: Moment.describe('The occurrence'),
    status: z.enum(['generated', 'failed']),
    work_item_id: z.uuid().nullable().describe('The work item; null for a failed run'),
    error: z.string().nullable().describe('Why no item could be made; generate-recurring-job tries it again'),
    at: Moment.describe('When it was run'),
  })
  .meta({ id: 'RecurringRun' });
export type RecurringRun = z.output<typeof RecurringRunView>;

export const RecurringJobDetail = RecurringJobView.extend({
  next_occurrences: z
    .array(Moment)
    .describe(`The next ${String(NEXT_OCCURRENCES)} that have no work item yet; empty unless active`),
  last_run: RecurringRunView.nullable(),
  schedule_error: z
    .string()
    .nullable()
    .describe(
      'Why the scheduler refuses the schedule: items are then made some minutes late. Change the schedule; null when all is well',
    ),
}).meta({ id: 'RecurringJobDetail' });

export const DeletedRecurringJob = z.object({ recurring_job_id: z.uuid(), deleted: z.literal(true) });

export const RecurringJobList = z.object({ recurring_jobs: z.array(RecurringJobView) });

export const GeneratedOccurrence = z
  .object({
    recurring_job: RecurringJobView,
    work_item: WorkItemView,
    scheduled_for: Moment.describe('The occurrence that the item is for'),
    already_generated: z.boolean().describe('true when the item existed before this call'),
  })
  .meta({ id: 'GeneratedOccurrence' });

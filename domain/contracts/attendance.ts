import { z } from 'zod';
import { Day, dayField, idField, Moment, textField, windowFields } from './common.ts';
import { WorkItemRef } from './work-items.ts';

export const CLOCK_ACTIONS = ['clock_in', 'clock_out', 'break_start', 'break_end'] as const;
export type ClockAction = (typeof CLOCK_ACTIONS)[number];

const Location = z.strictObject({
  lat: z.number().min(-90).max(90).describe('Latitude in degrees').meta({ example: -25.47 }),
  lng: z.number().min(-180).max(180).describe('Longitude in degrees').meta({ example: 30.97 }),
});

export const Clock = z.strictObject({
  action: z
    .enum(CLOCK_ACTIONS)
    .describe('The move: clock_in and clock_out, and between them break_start and break_end')
    .meta({ example: 'clock_in' }),
  timestamp: z.iso
    .datetime({ offset: true })
    .optional()
    .describe('When it happened, now when left out: at most 24 hours ago, not in the future, not before your last log'),
  location: Location.optional().describe('Where you are'),
  notes: textField(2_000, 'A remark').optional(),
  work_item_id: WorkItemRef.optional().describe('The work item you are on: its UUID, integer id or item number'),
});
export type ClockInput = z.output<typeof Clock>;

export const Clocked = z
  .object({ log_id: z.int().meta({ example: 4711 }), action: z.enum(CLOCK_ACTIONS), timestamp: Moment })
  .meta({ id: 'ClockedMove' });
export type Clocked = z.output<typeof Clocked>;

/** An attendance log as reads and events show it. */
export const AttendanceLogView = z
  .object({
    log_id: z.int().meta({ example: 4711 }),
    client_id: z.int(),
    user_id: z.int().describe('Who made the move').meta({ example: 7 }),
    employee_id: z.int().nullable().describe("The user's employee record at that moment; null when it had none"),
    action: z.enum(CLOCK_ACTIONS),
    timestamp: Moment,
    location: z.object({ lat: z.number(), lng: z.number() }).nullable(),
    notes: z.string().nullable(),
    work_item_id: z.uuid().nullable(),
    created_at: Moment,
  })
  .meta({ id: 'AttendanceLog' });
export type AttendanceLogView = z.output<typeof AttendanceLogView>;

const who = {
  employee_id: idField('Only this employee; not together with user_id').optional(),
  user_id: idField('Only this user; not together with employee_id').optional(),
};

export const GetAttendanceLogs = z.strictObject({
  ...who,
  date_from: dayField("First day, in the client's time zone").optional(),
  date_to: dayField("Last day, inclusive, in the client's time zone").optional(),
  ...windowFields(100, 500),
});
export type GetAttendanceLogsInput = z.output<typeof GetAttendanceLogs>;

export const AttendanceLogList = z.object({ attendance_logs: z.array(AttendanceLogView) });

/** The longest span of a timesheet, in days. */
export const MAX_TIMESHEET_DAYS = 92;
/** Days that a timesheet goes back where date_from is left out. */
export const DEFAULT_TIMESHEET_DAYS = 31;

export const GetTimesheets = z.strictObject({
  ...who,
  date_from: dayField(
    `First day, in the client's time zone; ${String(DEFAULT_TIMESHEET_DAYS - 1)} days before date_to when left out, at most ${String(MAX_TIMESHEET_DAYS - 1)}`,
  ).optional(),
  date_to: dayField("Last day, inclusive, in the client's time zone; today when left out").optional(),
  group_by: z.enum(['day', 'week']).default('day').describe('Length of the periods; a week begins on Monday'),
  ...windowFields(50, 100),
});
export type GetTimesheetsInput = z.output<typeof GetTimesheets>;

const worked = {
  minutes_worked: z.int().describe('Minutes between clock-in and clock-out, without breaks').meta({ example: 480 }),
  break_minutes: z.int().describe('Minutes of breaks').meta({ example: 30 }),
  is_open: z.boolean().describe('Somebody is still clocked in: counted up to now'),
  missing_clock_out: z
    .boolean()
    .describe(
      'A session was never clocked out, and is counted up to its last log only, or was after more than 24 hours, and is counted whole: somebody should look at it',
    ),
};

const TimesheetPeriod = z
  .object({
    period_start: Day.describe('First day of the period'),
    period_end: Day.describe('Last day of the period, inclusive'),
    ...worked,
    sessions: z.int().describe('Sessions that began in the period or reach into it').meta({ example: 1 }),
  })
  .meta({ id: 'TimesheetPeriod' });

/** One person's time over the days asked for. */
export const TimesheetView = z
  .object({
    user_id: z.int().meta({ example: 7 }),
    employee_id: z.int().nullable(),
    employee_number: z.string().nullable(),
    name: z.string().nullable().describe("The employee's name, else the user's").meta({ example: 'Thandi Nkosi' }),
    date_from: Day,
    date_to: Day,
    timezone: z.string().describe("The client's, by which days begin").meta({ example: 'Africa/Johannesburg' }),
    ...worked,
    periods: z.array(TimesheetPeriod).describe('Those in which the person was clocked in, oldest first'),
  })
  .meta({ id: 'Timesheet' });
export type TimesheetView = z.output<typeof TimesheetView>;

export const TimesheetList = z.object({ timesheets: z.array(TimesheetView) });

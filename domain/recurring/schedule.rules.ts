import { Temporal } from 'temporal-polyfill';
import { isTimeZone } from '../contracts/common.ts';
import { ApiError } from '../contracts/errors.ts';
import type { FieldIssue } from '../contracts/errors.ts';
import { WEEKDAYS } from '../contracts/recurring.ts';
import type { RecurringSchedule, ScheduleInput } from '../contracts/recurring.ts';
import { cronIssue } from './cron.rules.ts';
import { nextOccurrence } from './occurrences.rules.ts';
import type { Recurrence } from './occurrences.rules.ts';

const FIRST_DATE = '2000-01-01';
const LAST_DATE = '2199-12-31';
/** Fields that only some frequencies have. */
const FIELDS: Readonly<Record<ScheduleInput['frequency'], readonly (keyof ScheduleInput)[]>> = {
  daily: ['interval', 'time'],
  weekly: ['interval', 'time', 'days_of_week'],
  monthly: ['interval', 'time', 'day_of_month'],
  cron: ['cron'],
};
const LIMITED = ['interval', 'time', 'days_of_week', 'day_of_month', 'cron'] as const;

/** A schedule with every default filled in; refuses one that contradicts itself. */
export function completeSchedule(
  input: ScheduleInput,
  defaults: { timezone: string; startDate: string },
): RecurringSchedule {
  const timezone = timezoneNamed(input.timezone ?? defaults.timezone);
  const issues = [...strayFields(input), ...cronIssues(input)];
  if (timezone === undefined) issues.push({ field: 'schedule.timezone', issue: 'is not an IANA time zone' });
  if (timezone === undefined || issues.length > 0) throw ApiError.ofFields(issues);
  const start = Temporal.PlainDate.from(defaults.startDate);
  const { frequency } = input;
  const weekday = WEEKDAYS[start.dayOfWeek - 1] ?? 'monday';
  return {
    frequency,
    interval: input.interval ?? 1,
    days_of_week: frequency === 'weekly' ? sorted(input.days_of_week ?? [weekday]) : null,
    day_of_month: frequency === 'monthly' ? (input.day_of_month ?? start.day) : null,
    time: frequency === 'cron' ? null : (input.time ?? '00:00'),
    cron: frequency === 'cron' ? (input.cron ?? null) : null,
    timezone,
  };
}

/** Refuses days that no calendar of ours reaches, and a recurrence without a single occurrence. */
export function checkRecurrence(recurrence: Recurrence): void {
  const { start_date, end_date } = recurrence;
  checkDay('start_date', start_date);
  if (end_date !== null) {
    checkDay('end_date', end_date);
    if (end_date < start_date) throw ApiError.invalid('end_date', 'must not be before start_date');
  }
  const dawn = Date.parse(start_date) - 2 * 86_400_000;
  if (nextOccurrence({ ...recurrence, end_date: null }, dawn) === undefined) {
    throw ApiError.invalid('schedule.cron', 'never comes true');
  }
  if (nextOccurrence(recurrence, dawn) === undefined) {
    throw ApiError.invalid('end_date', 'leaves no occurrence after start_date');
  }
}

/**
 * The IANA time zone of a name, spelled as IANA does: the server that fires the schedule knows no other spelling.
 * Undefined where there is none.
 */
export function timezoneNamed(name: string): string | undefined {
  if (!isTimeZone(name)) return undefined;
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId;
  } catch {
    // `PST` and its like: abbreviations that JavaScript knows and IANA does not.
    return undefined;
  }
}

function checkDay(field: string, day: string): void {
  if (day < FIRST_DATE || day > LAST_DATE)
    throw ApiError.invalid(field, `must be within ${FIRST_DATE} to ${LAST_DATE}`);
}

function strayFields(input: ScheduleInput): FieldIssue[] {
  const allowed = FIELDS[input.frequency];
  return LIMITED.filter((field) => input[field] !== undefined && !allowed.includes(field)).map((field) => ({
    field: `schedule.${field}`,
    issue: `has no meaning in a ${input.frequency} schedule`,
  }));
}

function cronIssues({ frequency, cron }: ScheduleInput): FieldIssue[] {
  if (frequency !== 'cron') return [];
  const issue = cron === undefined ? 'is needed when frequency is cron' : cronIssue(cron);
  return issue === undefined ? [] : [{ field: 'schedule.cron', issue }];
}

function sorted(days: readonly (typeof WEEKDAYS)[number][]): (typeof WEEKDAYS)[number][] {
  return WEEKDAYS.filter((day) => days.includes(day));
}

import { DEFAULT_TIMESHEET_DAYS, MAX_TIMESHEET_DAYS } from '../contracts/attendance.ts';
import type { ClockAction, GetTimesheetsInput, TimesheetView } from '../contracts/attendance.ts';
import type { Page } from '../contracts/common.ts';
import { ApiError } from '../contracts/errors.ts';
import { longStatement, statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { sessionsOf, workedIn } from './attendance.rules.ts';
import type { Log, Session } from './attendance.rules.ts';
import { addDays, dayAt, daysBetween, periodsOf, startOfDay } from './calendar.ts';
import type { Period } from './calendar.ts';
import { FORGOTTEN_AFTER_MS } from './moves.rules.ts';
import { namedUser } from './person.ts';

/**
 * Who clocked around the span ($2 to $3): the last log lies in it or after it, or left a session open that may reach into
 * it ($4: sessions open since then are not forgotten).
 */
const AROUND = `s.client_id = $1 and s.first_at < $3
  and (s.last_at >= $2 or (s.last_action <> 'clock_out' and s.session_started_at >= $4))`;
const peopleFor = (whose: string) => {
  const next = whose === '' ? 5 : 6;
  return {
    list: statement(`
      select s.user_id, e.id as employee_id, e.employee_number, coalesce(e.first_name || ' ' || e.last_name, u.name) as name
      from attendance_states s
        left join users u on u.client_id = s.client_id and u.id = s.user_id
        left join lateral (select * from employees where client_id = s.client_id and user_id = s.user_id
          order by is_active desc, id limit 1) e on true
      where ${AROUND} ${whose} order by s.user_id limit $${String(next)} offset $${String(next + 1)}`),
    count: statement(`select count(*) as total from attendance_states s where ${AROUND} ${whose}`),
  };
};
const EVERYONE = peopleFor('');
const ONE = peopleFor('and s.user_id = $5');

/**
 * The logs of whole sessions: all that began in the span, and before it the last one of each person, which alone can reach
 * into it, as a person's sessions don't overlap.
 */
const LOGS = longStatement(`
  select l.user_id, l.action, l."timestamp" as at
  from unnest($2::int[]) as person (user_id)
    cross join lateral (select coalesce((select session_started_at from attendance_logs
      where client_id = $1 and user_id = person.user_id and "timestamp" < $3
      order by "timestamp" desc, id desc limit 1), $3) as since) first_session
    join attendance_logs l on l.client_id = $1 and l.user_id = person.user_id
      and l.session_started_at >= first_session.since and l.session_started_at < $4
  order by l.user_id, l."timestamp", l.id`);

interface PersonRow extends Record<string, unknown> {
  user_id: number;
  employee_id: number | null;
  employee_number: string | null;
  name: string | null;
}

interface Span {
  from: string;
  to: string;
}

/** One timesheet per person who clocked around the days asked for. */
export async function getTimesheets(
  tx: TenantTransaction,
  input: GetTimesheetsInput,
  { timezone, now }: { timezone: string; now: number },
): Promise<{ timesheets: TimesheetView[]; pagination: Page }> {
  const { limit, offset } = input;
  const span = spanOf(input, dayAt(now, timezone));
  const user = await namedUser(tx, input);
  if (user === null) return { timesheets: [], pagination: { total: 0, limit, offset } };
  const periods = periodsOf(span, input.group_by, timezone);
  const [begin, end] = [startOfDay(span.from, timezone), startOfDay(addDays(span.to, 1), timezone)].map(
    (at) => new Date(at),
  );
  const around = [tx.clientId, begin, end, new Date(now - FORGOTTEN_AFTER_MS), ...(user === undefined ? [] : [user])];
  const { list, count } = user === undefined ? EVERYONE : ONE;
  const [people, [counted]] = await Promise.all([
    tx.query<PersonRow>(list, [...around, limit, offset]),
    tx.query<{ total: number }>(count, around),
  ]);
  const ids = people.map((person) => person.user_id);
  const rows = await tx.query<LogRow>(LOGS, [tx.clientId, ids, begin, end]);
  const logsOf = Map.groupBy(rows, (row) => row.user_id);
  return {
    timesheets: people.map((person) => {
      const logs = (logsOf.get(person.user_id) ?? []).map(({ action, at }): Log => ({ action, at: at.getTime() }));
      return sheetOf(person, sessionsOf(logs, now), { span, periods, timezone });
    }),
    pagination: { total: counted?.total ?? 0, limit, offset },
  };
}

interface LogRow extends Record<string, unknown> {
  user_id: number;
  action: ClockAction;
  at: Date;
}

function spanOf({ date_from, date_to }: GetTimesheetsInput, today: string): Span {
  const to = date_to ?? today;
  const from = date_from ?? addDays(to, 1 - DEFAULT_TIMESHEET_DAYS);
  if (to < from)
    throw ApiError.invalid(date_to === undefined ? 'date_from' : 'date_to', 'date_to must not be before date_from');
  if (daysBetween(from, to) >= MAX_TIMESHEET_DAYS) {
    throw ApiError.invalid('date_from', `a timesheet spans at most ${String(MAX_TIMESHEET_DAYS)} days`);
  }
  return { from, to };
}

function sheetOf(
  { user_id, employee_id, employee_number, name }: PersonRow,
  sessions: readonly Session[],
  { span, periods, timezone }: { span: Span; periods: readonly Period[]; timezone: string },
): TimesheetView {
  const worked = periods
    .map((period) => ({ period_start: period.firstDay, period_end: period.lastDay, ...workedIn(sessions, period) }))
    .filter((period) => period.sessions > 0);
  const sum = (field: 'minutes_worked' | 'break_minutes'): number =>
    worked.reduce((total, period) => total + period[field], 0);
  return {
    user_id,
    employee_id,
    employee_number,
    name,
    date_from: span.from,
    date_to: span.to,
    timezone,
    minutes_worked: sum('minutes_worked'),
    break_minutes: sum('break_minutes'),
    is_open: worked.some((period) => period.is_open),
    missing_clock_out: worked.some((period) => period.missing_clock_out),
    periods: worked,
  };
}

import { audit } from '../audit/index.ts';
import type { AttendanceLogView, Clocked, ClockAction, ClockInput } from '../contracts/attendance.ts';
import type { Caller } from '../contracts/caller.ts';
import { ApiError } from '../contracts/errors.ts';
import { recordEvent } from '../events/index.ts';
import { namedWorkItem } from '../work-items/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { COLUMNS, viewOf } from './log.view.ts';
import type { LogRow } from './log.view.ts';
import { movesAfter } from './moves.rules.ts';

/** How far back a move may be dated. */
const MAX_BACK_MS = 24 * 3_600_000;

const TAKE_STATE = statement(`
  insert into attendance_states (client_id, user_id) values ($1, $2) on conflict do nothing`);
const LOCK_STATE = statement(`
  select last_action, last_at, session_started_at from attendance_states
  where client_id = $1 and user_id = $2 for no key update`);
const EMPLOYEE = statement(`
  select id from employees where client_id = $1 and user_id = $2 order by is_active desc, id limit 1`);
const INSERT = statement(`
  insert into attendance_logs (client_id, user_id, employee_id, action, "timestamp", session_started_at, location, notes,
    work_item_id) values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning ${COLUMNS}`);
const SET_STATE = statement(`
  update attendance_states set last_action = $3, last_at = $4, session_started_at = $5, first_at = coalesce(first_at, $4)
  where client_id = $1 and user_id = $2`);

interface StateRow extends Record<string, unknown> {
  last_action: ClockAction | null;
  last_at: Date | null;
  session_started_at: Date | null;
}

/** Clocks the signed-in user in or out, or a break of it; 409 for a move that can't follow the last one. */
export async function clock(
  tx: TenantTransaction,
  caller: Caller,
  input: ClockInput,
  { now }: { now: number },
): Promise<Clocked> {
  const { userId } = caller;
  if (userId === null) throw new ApiError('FORBIDDEN', 'Only a person can clock in.');
  // The row is locked, so that of two moves at once the second is judged by what the first has left.
  tx.write(TAKE_STATE, [tx.clientId, userId]);
  const [[state], [employee], workItem] = await Promise.all([
    tx.query<StateRow>(LOCK_STATE, [tx.clientId, userId]),
    tx.query<{ id: number }>(EMPLOYEE, [tx.clientId, userId]),
    input.work_item_id === undefined ? undefined : namedWorkItem(tx, 'work_item_id', input.work_item_id),
  ]);
  const at = momentOfMove(input, state?.last_at?.getTime() ?? null, now);
  const sessionStartedAt = sessionOf(input.action, state, at);
  const { location = null, notes = null } = input;
  const [row] = await tx.query<LogRow>(INSERT, [
    tx.clientId,
    userId,
    employee?.id ?? null,
    input.action,
    new Date(at),
    new Date(sessionStartedAt),
    location === null ? null : JSON.stringify(location),
    notes,
    workItem?.work_item_id ?? null,
  ]);
  if (row === undefined) throw new Error('insert into attendance_logs returned no row');
  tx.write(SET_STATE, [tx.clientId, userId, input.action, new Date(at), new Date(sessionStartedAt)]);
  return report(tx, caller, viewOf(row), workItem?.id ?? null);
}

function report(tx: TenantTransaction, caller: Caller, log: AttendanceLogView, itemId: number | null): Clocked {
  const { log_id, action, timestamp } = log;
  const subject = { subjectType: 'attendance_log', subjectId: String(log_id) };
  audit(tx, caller, { action: `attendance.${action}`, ...subject, details: { timestamp } });
  recordEvent(tx, { name: `attendance.${action}`, data: { log }, workItemId: itemId });
  return { log_id, action, timestamp };
}

function momentOfMove({ timestamp }: ClockInput, lastAt: number | null, now: number): number {
  // Two processes' clocks may differ: a move that happens now is never before the last one.
  if (timestamp === undefined) return Math.max(now, lastAt ?? now);
  const at = Date.parse(timestamp);
  if (at > now) throw ApiError.invalid('timestamp', 'must not be in the future');
  if (at < now - MAX_BACK_MS) throw ApiError.invalid('timestamp', 'must not be more than 24 hours ago');
  if (lastAt !== null && at < lastAt) {
    throw ApiError.invalid('timestamp', `must not be before your last log, ${new Date(lastAt).toISOString()}`);
  }
  return at;
}

/** When the session began that the move belongs to. */
function sessionOf(action: ClockAction, state: StateRow | undefined, at: number): number {
  const { last_action: last = null, session_started_at: started = null } = state ?? {};
  const lastLog = last === null || started === null ? undefined : { action: last, sessionStartedAt: started.getTime() };
  const possible = movesAfter(lastLog, at);
  if (!possible.includes(action)) {
    const where = last === null ? 'You have not clocked in yet' : `Your last log is ${last}`;
    throw new ApiError('CONFLICT', `${where}: ${action} can't follow. Possible now: ${possible.join(', ')}.`);
  }
  return action === 'clock_in' || lastLog === undefined ? at : lastLog.sessionStartedAt;
}

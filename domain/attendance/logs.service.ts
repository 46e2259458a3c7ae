import type { AttendanceLogView, GetAttendanceLogsInput } from '../contracts/attendance.ts';
import { MAX_COUNTED, pageOf } from '../contracts/common.ts';
import type { Page } from '../contracts/common.ts';
import { ApiError } from '../contracts/errors.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { addDays, startOfDay } from './calendar.ts';
import { COLUMNS, viewOf } from './log.view.ts';
import type { LogRow } from './log.view.ts';
import { namedUser } from './person.ts';

/** Of everyone, or of one user: each has an index of its own. */
const statementsFor = (whose: string) => {
  const where = `client_id = $1 and "timestamp" >= $2 and "timestamp" < $3 ${whose}`;
  const next = whose === '' ? 4 : 5;
  return {
    list: statement(`select ${COLUMNS} from attendance_logs where ${where}
      order by "timestamp" desc, id desc limit $${String(next)} offset $${String(next + 1)}`),
    count: statement(`select count(*) as total from (
      select from attendance_logs where ${where} limit ${String(MAX_COUNTED + 1)}) counted`),
  };
};
const OF_ALL = statementsFor('');
const OF_USER = statementsFor('and user_id = $4');

/** Newest first. */
export async function listAttendanceLogs(
  tx: TenantTransaction,
  input: GetAttendanceLogsInput,
  timezone: string,
): Promise<{ logs: AttendanceLogView[]; pagination: Page }> {
  const { date_from: from, date_to: to, limit, offset } = input;
  if (from !== undefined && to !== undefined && to < from) {
    throw ApiError.invalid('date_to', 'must not be before date_from');
  }
  const user = await namedUser(tx, input);
  if (user === null) return { logs: [], pagination: pageOf(0, input) };
  const filter = [
    tx.clientId,
    from === undefined ? '-infinity' : new Date(startOfDay(from, timezone)),
    to === undefined ? 'infinity' : new Date(startOfDay(addDays(to, 1), timezone)),
    ...(user === undefined ? [] : [user]),
  ];
  const { list, count } = user === undefined ? OF_ALL : OF_USER;
  const [rows, [counted]] = await Promise.all([
    tx.query<LogRow>(list, [...filter, limit, offset]),
    tx.query<{ total: number }>(count, filter),
  ]);
  return { logs: rows.map(viewOf), pagination: pageOf(counted?.total ?? 0, input) };
}

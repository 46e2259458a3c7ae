import { addDays, startOfDay } from '../attendance/index.ts';
import type { Appointment, ListAppointmentsInput } from '../contracts/appointments.ts';
import { isDateAlone, momentOf } from '../contracts/common.ts';
import type { Page } from '../contracts/common.ts';
import { findWorkItem } from '../work-items/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { COLUMNS, viewOf } from './appointment.view.ts';
import type { AppointmentRow } from './appointment.view.ts';

/**
 * What a list may be narrowed by. Only the conditions in use are in a statement, so that each has the plan it deserves.
 * A span has its beginning and not its end: what ends as it begins is outside, a mere point of time at its beginning inside.
 */
const CONDITIONS = {
  work_item_id: (value: string) => `a.work_item_id = ${value}`,
  assigned_to: (value: string) => `a.assigned_to = ${value}`,
  from: (value: string) => `a.ends_at >= ${value} and (a.ends_at > ${value} or a.scheduled_start >= ${value})`,
  to: (value: string) => `a.scheduled_start < ${value}`,
} as const;

type Filter = Partial<Record<keyof typeof CONDITIONS, unknown>>;

/** In the order in which they take place. */
export async function listAppointments(
  tx: TenantTransaction,
  { work_item_id, assigned_to, from, to, limit, offset }: ListAppointmentsInput,
  timezone: string,
): Promise<{ appointments: Appointment[]; pagination: Page }> {
  const { where, values } = matching(tx, {
    ...(work_item_id === undefined ? {} : { work_item_id: (await findWorkItem(tx, work_item_id)).id }),
    ...(assigned_to === undefined ? {} : { assigned_to }),
    ...(from === undefined ? {} : { from: isDateAlone(from) ? beginOf(from, timezone) : momentOf(from) }),
    ...(to === undefined ? {} : { to: isDateAlone(to) ? beginOf(addDays(to, 1), timezone) : momentOf(to) }),
  });
  const list = statement(`
    select ${COLUMNS} from appointments a where ${where} order by a.scheduled_start, a.id
    limit $${String(values.length + 1)} offset $${String(values.length + 2)}`);
  const count = statement(`select count(*) as total from appointments a where ${where}`);
  const [rows, [counted]] = await Promise.all([
    tx.query<AppointmentRow>(list, [...values, limit, offset]),
    tx.query<{ total: number }>(count, values),
  ]);
  return { appointments: rows.map(viewOf), pagination: { total: counted?.total ?? 0, limit, offset } };
}

function beginOf(day: string, timezone: string): Date {
  return new Date(startOfDay(day, timezone));
}

function matching(tx: TenantTransaction, filter: Filter): { where: string; values: unknown[] } {
  const given = Object.entries(filter) as [keyof typeof CONDITIONS, unknown][];
  const conditions = given.map(([name], index) => CONDITIONS[name](`$${String(index + 2)}`));
  return {
    where: ['a.client_id = $1', 'a.deleted_at is null', ...conditions].join(' and '),
    values: [tx.clientId, ...given.map(([, value]) => value)],
  };
}

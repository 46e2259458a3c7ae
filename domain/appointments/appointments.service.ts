import { audit } from '../audit/index.ts';
import type { Appointment, CreateAppointmentInput, ListAppointmentsInput } from '../contracts/appointments.ts';
import type { Caller } from '../contracts/caller.ts';
import { isoMoment, momentOf } from '../contracts/common.ts';
import type { Page } from '../contracts/common.ts';
import { ApiError } from '../contracts/errors.ts';
import type { WorkItem } from '../contracts/work-items.ts';
import { recordEvent } from '../events/index.ts';
import { findWorkItem, findWorkItemIfAny, issuesOfReferences } from '../work-items/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';

const COLUMNS = `a.id, a.title, a.scheduled_start, a.scheduled_end, a.contact_id, a.assigned_to, a.location_name, a.notes,
  a.created_at, a.updated_at,
  (select w.work_item_id from work_items w where w.client_id = a.client_id and w.id = a.work_item_id) as work_item_id`;
const INSERT = statement(`
  insert into appointments as a (client_id, work_item_id, title, scheduled_start, scheduled_end, contact_id, assigned_to,
    location_name, notes, created_by_type, created_by_id)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning ${COLUMNS}`);

/** What a list may be narrowed by. Only the conditions in use are in a statement, so that each has the plan it deserves. */
const CONDITIONS = {
  work_item_id: 'a.work_item_id =',
  assigned_to: 'a.assigned_to =',
  from: 'a.scheduled_start >=',
  to: 'a.scheduled_start <',
} as const;

type Filter = Partial<Record<keyof typeof CONDITIONS, unknown>>;

type MomentField = 'scheduled_start' | 'created_at' | 'updated_at';
type AppointmentRow = Omit<Appointment, MomentField | 'scheduled_end'> &
  Record<MomentField, Date> & { scheduled_end: Date | null };

export async function createAppointment(
  tx: TenantTransaction,
  caller: Caller,
  input: CreateAppointmentInput,
): Promise<Appointment> {
  const start = momentOf(input.scheduled_start);
  const end = input.scheduled_end === undefined ? null : momentOf(input.scheduled_end);
  if (end !== null && end < start) throw ApiError.invalid('scheduled_end', 'must not be before scheduled_start');
  const item = await checkReferences(tx, input);
  const [row] = await tx.query<AppointmentRow>(INSERT, [
    tx.clientId,
    item?.id ?? null,
    input.title,
    start,
    end,
    input.contact_id ?? null,
    input.assigned_to ?? null,
    input.location_name ?? null,
    input.notes ?? null,
    caller.actor.type,
    caller.actor.id,
  ]);
  if (row === undefined) throw new Error('insert into appointments returned no row');
  const appointment = viewOf(row);
  note(tx, caller, appointment, item);
  return appointment;
}

/** In the order in which they take place. */
export async function listAppointments(
  tx: TenantTransaction,
  { work_item_id, assigned_to, from, to, limit, offset }: ListAppointmentsInput,
): Promise<{ appointments: Appointment[]; pagination: Page }> {
  const { where, values } = matching(tx, {
    ...(work_item_id === undefined ? {} : { work_item_id: (await findWorkItem(tx, work_item_id)).id }),
    ...(assigned_to === undefined ? {} : { assigned_to }),
    ...(from === undefined ? {} : { from: momentOf(from) }),
    ...(to === undefined ? {} : { to: momentOf(to) }),
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

function matching(tx: TenantTransaction, filter: Filter): { where: string; values: unknown[] } {
  const given = Object.entries(filter) as [keyof typeof CONDITIONS, unknown][];
  const conditions = given.map(([name], index) => `${CONDITIONS[name]} $${String(index + 2)}`);
  return {
    where: ['a.client_id = $1', 'a.deleted_at is null', ...conditions].join(' and '),
    values: [tx.clientId, ...given.map(([, value]) => value)],
  };
}

/** The records that the input names must exist; answers with its work item. */
/** The item, if one is named. Whatever is named and not there is told, field by field. */
async function checkReferences(tx: TenantTransaction, input: CreateAppointmentInput): Promise<WorkItem | undefined> {
  const { work_item_id, contact_id, assigned_to } = input;
  const [item, issues] = await Promise.all([
    work_item_id === undefined ? undefined : findWorkItemIfAny(tx, work_item_id),
    issuesOfReferences(tx, { contact_id, assigned_to }),
  ]);
  if (work_item_id !== undefined && item === undefined) {
    issues.unshift({ field: 'work_item_id', issue: `there is no work item ${work_item_id}` });
  }
  if (issues.length > 0) throw ApiError.ofFields(issues);
  return item;
}

function note(tx: TenantTransaction, caller: Caller, appointment: Appointment, item: WorkItem | undefined): void {
  const { id, title, scheduled_start } = appointment;
  audit(tx, caller, { action: 'appointment.created', subjectType: 'appointment', subjectId: String(id) });
  if (item !== undefined) {
    audit(tx, caller, {
      action: 'work_item.appointment_created',
      subjectType: 'work_item',
      subjectId: item.work_item_id,
      details: { appointment_id: id, title, scheduled_start },
    });
  }
  recordEvent(tx, {
    name: 'appointment.created',
    data: { appointment, ...(item === undefined ? {} : { work_item: item }) },
    workItemId: item?.id ?? null,
  });
}

function viewOf(row: AppointmentRow): Appointment {
  return {
    id: row.id,
    title: row.title,
    scheduled_start: isoMoment(row.scheduled_start),
    scheduled_end: isoMoment(row.scheduled_end),
    work_item_id: row.work_item_id,
    contact_id: row.contact_id,
    assigned_to: row.assigned_to,
    location_name: row.location_name,
    notes: row.notes,
    created_at: isoMoment(row.created_at),
    updated_at: isoMoment(row.updated_at),
  };
}

import { audit } from '../audit/index.ts';
import type { Appointment, CancelledAppointment, UpdateAppointmentInput } from '../contracts/appointments.ts';
import type { Caller } from '../contracts/caller.ts';
import { isoMoment, momentOf } from '../contracts/common.ts';
import { ApiError } from '../contracts/errors.ts';
import { joinStructure } from '../work-items/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { COLUMNS, viewOf } from './appointment.view.ts';
import type { AppointmentRow } from './appointment.view.ts';
import { checkReferences } from './references.ts';

const FIELDS = [
  'title',
  'scheduled_start',
  'scheduled_end',
  'work_item_id',
  'contact_id',
  'assigned_to',
  'location_name',
  'notes',
] as const satisfies readonly (keyof Appointment)[];

// Of a deleted work item none is left, whether it was cancelled before or not.
const LOCK = statement(`
  select ${COLUMNS}, a.work_item_id as item_id, a.deleted_at from appointments a
  where a.client_id = $1 and a.id = $2 and (a.work_item_id is null or exists (
    select from work_items w where w.client_id = $1 and w.id = a.work_item_id and w.deleted_at is null))
  for no key update of a`);
const UPDATE = statement(`
  update appointments a set title = $3, scheduled_start = $4, scheduled_end = $5, work_item_id = $6, contact_id = $7,
    assigned_to = $8, location_name = $9, notes = $10, updated_at = clock_timestamp()
  where a.client_id = $1 and a.id = $2 returning ${COLUMNS}`);
const CANCEL = statement(`
  update appointments a set deleted_at = clock_timestamp(), deleted_by = $3, updated_at = clock_timestamp()
  where a.client_id = $1 and a.id = $2 returning a.deleted_at`);

type LockedRow = AppointmentRow & { item_id: number | null; deleted_at: Date | null };

/** Sets the fields that are given; null empties one. What changes nothing is success, and leaves no trace. */
export async function updateAppointment(
  tx: TenantTransaction,
  caller: Caller,
  { appointment_id: id, ...input }: UpdateAppointmentInput,
): Promise<Appointment> {
  if (Object.values(input).every((value) => value === undefined)) {
    throw ApiError.badRequest('body', 'must hold at least one field to change');
  }
  // Before the row's lock, as a deletion of the work item takes them in this order.
  joinStructure(tx);
  const row = await lock(tx, id);
  if (row.deleted_at !== null) throw ApiError.notFound('appointment', id);
  const before = viewOf(row);
  const item = await checkReferences(tx, {
    work_item_id: input.work_item_id,
    contact_id: input.contact_id === before.contact_id ? undefined : input.contact_id,
    assigned_to: input.assigned_to === before.assigned_to ? undefined : input.assigned_to,
  });
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  const after: Appointment = { ...before, ...given, ...timeOf(before, input) };
  if (item !== undefined) after.work_item_id = item.work_item_id;
  const changed = FIELDS.filter((field) => after[field] !== before[field]);
  if (changed.length === 0) return before;
  const itemId = after.work_item_id === before.work_item_id ? row.item_id : (item?.id ?? null);
  const values = FIELDS.map((field) => (field === 'work_item_id' ? itemId : after[field]));
  const [saved] = await tx.query<AppointmentRow>(UPDATE, [tx.clientId, id, ...values]);
  if (saved === undefined) throw new Error('the locked appointment is gone');
  const changes = Object.fromEntries(changed.map((field) => [field, { from: before[field], to: after[field] }]));
  note(tx, caller, { id, what: 'updated', items: [before.work_item_id, after.work_item_id], details: { changes } });
  return viewOf(saved);
}

/** It takes place no more. A repetition changes nothing and succeeds. */
export async function cancelAppointment(
  tx: TenantTransaction,
  caller: Caller,
  id: number,
): Promise<CancelledAppointment> {
  const row = await lock(tx, id);
  if (row.deleted_at !== null) return { id, cancelled: true, cancelled_at: isoMoment(row.deleted_at) };
  const { actor } = caller;
  const [cancelled] = await tx.query<{ deleted_at: Date }>(CANCEL, [tx.clientId, id, `${actor.type}:${actor.id}`]);
  if (cancelled === undefined) throw new Error('the locked appointment is gone');
  const { title, scheduled_start, work_item_id } = viewOf(row);
  note(tx, caller, { id, what: 'cancelled', items: [work_item_id], details: { title, scheduled_start } });
  return { id, cancelled: true, cancelled_at: isoMoment(cancelled.deleted_at) };
}

async function lock(tx: TenantTransaction, id: number): Promise<LockedRow> {
  const [row] = await tx.query<LockedRow>(LOCK, [tx.clientId, id]);
  if (row === undefined) throw ApiError.notFound('appointment', id);
  return row;
}

/** One that is moved by its beginning alone stays as long as it was. */
function timeOf(
  before: Appointment,
  { scheduled_start, scheduled_end }: Omit<UpdateAppointmentInput, 'appointment_id'>,
): Pick<Appointment, 'scheduled_start' | 'scheduled_end'> {
  const oldStart = new Date(before.scheduled_start);
  const start = scheduled_start === undefined ? oldStart : momentOf(scheduled_start);
  const oldEnd = before.scheduled_end === null ? null : new Date(before.scheduled_end);
  const kept = oldEnd === null ? null : new Date(oldEnd.getTime() + start.getTime() - oldStart.getTime());
  const given = typeof scheduled_end === 'string' ? momentOf(scheduled_end) : scheduled_end;
  const end = given === undefined ? kept : given;
  if (end !== null && end < start) throw ApiError.invalid('scheduled_end', 'must not be before scheduled_start');
  return { scheduled_start: isoMoment(start), scheduled_end: isoMoment(end) };
}

interface Noted {
  id: number;
  what: 'updated' | 'cancelled';
  /** The work items in whose activity it is told, too. */
  items: readonly (string | null)[];
  details: Record<string, unknown>;
}

function note(tx: TenantTransaction, caller: Caller, { id, what, items, details }: Noted): void {
  audit(tx, caller, { action: `appointment.${what}`, subjectType: 'appointment', subjectId: String(id), details });
  for (const uuid of new Set(items.filter((item) => item !== null))) {
    audit(tx, caller, {
      action: `work_item.appointment_${what}`,
      subjectType: 'work_item',
      subjectId: uuid,
      details: { appointment_id: id, ...details },
    });
  }
}

import { audit } from '../audit/index.ts';
import type { Appointment, CreateAppointmentInput } from '../contracts/appointments.ts';
import type { Caller } from '../contracts/caller.ts';
import { momentOf } from '../contracts/common.ts';
import { ApiError } from '../contracts/errors.ts';
import type { WorkItem } from '../contracts/work-items.ts';
import { recordEvent } from '../events/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { COLUMNS, viewOf } from './appointment.view.ts';
import type { AppointmentRow } from './appointment.view.ts';
import { checkReferences } from './references.ts';

const INSERT = statement(`
  insert into appointments as a (client_id, work_item_id, title, scheduled_start, scheduled_end, contact_id, assigned_to,
    location_name, notes, created_by_type, created_by_id)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning ${COLUMNS}`);

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

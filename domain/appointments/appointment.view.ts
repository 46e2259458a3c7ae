import type { Appointment } from '../contracts/appointments.ts';
import { isoMoment } from '../contracts/common.ts';

/** The columns that {@link viewOf} turns into the wire form, of `appointments a`. */
export const COLUMNS = `a.id, a.title, a.scheduled_start, a.scheduled_end, a.contact_id, a.assigned_to, a.location_name, a.notes,
  a.created_at, a.updated_at,
  (select w.work_item_id from work_items w where w.client_id = a.client_id and w.id = a.work_item_id) as work_item_id`;

type MomentField = 'scheduled_start' | 'created_at' | 'updated_at';
export type AppointmentRow = Omit<Appointment, MomentField | 'scheduled_end'> &
  Record<MomentField, Date> & { scheduled_end: Date | null };

export function viewOf(row: AppointmentRow): Appointment {
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

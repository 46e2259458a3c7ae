import { isoMoment } from '../contracts/common.ts';
import type { ItemType, WorkItem } from '../contracts/work-items.ts';

/** The columns that {@link viewOf} turns into the wire form. */
export const COLUMNS = `id, work_item_id, item_number, item_type, item_subtype, module_context, title, description, status,
  priority, client_id, contact_id, contact_name, contact_email, contact_phone, contact_person_id, contact_person,
  location_id, location_name, location_address, location_coordinates, reporter_id, reporter_name, reporter_email,
  reporter_phone, assigned_to, assigned_team, scheduled_start, scheduled_end, start_date, due_date, estimated_hours,
  tags, custom_fields, notes, completed_at, closed_at, created_at, updated_at`;

type MomentField =
  | 'scheduled_start'
  | 'scheduled_end'
  | 'start_date'
  | 'due_date'
  | 'completed_at'
  | 'closed_at'
  | 'created_at'
  | 'updated_at';

export type WorkItemRow = Omit<WorkItem, MomentField | 'estimated_hours' | 'item_type'> &
  Record<Exclude<MomentField, 'created_at' | 'updated_at'>, Date | null> &
  Record<'created_at' | 'updated_at', Date> & { estimated_hours: string | null; item_type: ItemType };

/** A row as every read, answer and event shows it. Fields are named one by one: a new column is not leaked by accident. */
export function viewOf(row: WorkItemRow): WorkItem {
  return {
    id: row.id,
    work_item_id: row.work_item_id,
    item_number: row.item_number,
    item_type: row.item_type,
    item_subtype: row.item_subtype,
    module_context: row.module_context,
    title: row.title,
    description: row.description,
    status: row.status,
    priority: row.priority,
    client_id: row.client_id,
    contact_id: row.contact_id,
    contact_name: row.contact_name,
    contact_email: row.contact_email,
    contact_phone: row.contact_phone,
    contact_person_id: row.contact_person_id,
    contact_person: row.contact_person,
    location_id: row.location_id,
    location_name: row.location_name,
    location_address: row.location_address,
    location_coordinates: row.location_coordinates,
    reporter_id: row.reporter_id,
    reporter_name: row.reporter_name,
    reporter_email: row.reporter_email,
    reporter_phone: row.reporter_phone,
    assigned_to: row.assigned_to,
    assigned_team: row.assigned_team,
    scheduled_start: isoMoment(row.scheduled_start),
    scheduled_end: isoMoment(row.scheduled_end),
    start_date: isoMoment(row.start_date),
    due_date: isoMoment(row.due_date),
    estimated_hours: row.estimated_hours === null ? null : Number(row.estimated_hours),
    tags: row.tags,
    custom_fields: row.custom_fields,
    notes: row.notes,
    completed_at: isoMoment(row.completed_at),
    closed_at: isoMoment(row.closed_at),
    created_at: isoMoment(row.created_at),
    updated_at: isoMoment(row.updated_at),
  };
}

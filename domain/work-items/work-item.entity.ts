import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';
import { workItemIndexes } from './work-item.indexes.ts';

/** A job, task, ticket, project or milestone. `id` is the REST id, `work_item_id` the Public Data one: the same row. */
export const WorkItem = defineEntity({
  name: 'WorkItem',
  tableName: 'work_items',
  properties: {
    id: column.bigId(),
    work_item_id: p.uuid(),
    client_id: column.clientId(),
    item_number: p.text(),
    item_type: p.text(),
    item_subtype: p.text().nullable(),
    module_context: p.text().nullable(),
    title: p.text(),
    description: p.text().nullable(),
    status: p.text(),
    priority: p.text(),
    contact_id: p.integer().nullable(),
    contact_name: p.text().nullable(),
    contact_email: p.text().nullable(),
    contact_phone: p.text().nullable(),
    contact_person_id: p.integer().nullable(),
    contact_person: p.text().nullable(),
    location_id: p.integer().nullable(),
    location_name: p.text().nullable(),
    location_address: p.text().nullable(),
    location_coordinates: p.json<{ lat: number; lng: number }>().nullable(),
    reporter_id: p.integer().nullable(),
    reporter_name: p.text().nullable(),
    reporter_email: p.text().nullable(),
    reporter_phone: p.text().nullable(),
    assigned_to: p.integer().nullable(),
    assigned_team: p.uuid().nullable(),
    scheduled_start: column.moment().nullable(),
    scheduled_end: column.moment().nullable(),
    start_date: column.moment().nullable(),
    due_date: column.moment().nullable(),
    estimated_hours: p.decimal('number').columnType('numeric(12,2)').nullable(),
    tags: column.textArray(),
    custom_fields: p.json<Record<string, unknown>>().defaultRaw(`'{}'`),
    notes: p.text().nullable(),
    created_by_type: p.text(),
    created_by_id: p.text(),
    completed_at: column.moment().nullable(),
    closed_at: column.moment().nullable(),
    deleted_at: column.moment().nullable(),
    deleted_by: p.text().nullable(),
    /** What the item is found by; never read into the process. */
    search: p
      .string()
      .columnType('tsvector')
      .nullable()
      .generated(
        '(work_item_lexemes(client_id, item_number, title, description, contact_name, tags, module_context)) stored',
      )
      .lazy()
      .hidden(),
    created_at: column.createdAt(),
    updated_at: column.updatedAt(),
  },
  uniques: [
    { name: 'work_items_uuid_unique', properties: ['work_item_id'] },
    { name: 'work_items_number_unique', properties: ['client_id', 'item_type', 'item_number'] },
  ],
  indexes: workItemIndexes,
});

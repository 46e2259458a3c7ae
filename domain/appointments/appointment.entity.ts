import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/** A time at which somebody is to be somewhere, for a work item or on its own. */
export const Appointment = defineEntity({
  name: 'Appointment',
  tableName: 'appointments',
  properties: {
    id: column.bigId(),
    client_id: column.clientId(),
    work_item_id: p.bigint('number').nullable(),
    title: p.text(),
    scheduled_start: column.moment(),
    scheduled_end: column.moment().nullable(),
    /** When it is over: of one without an end, when it begins. */
    ends_at: column.moment().nullable().generated('(coalesce(scheduled_end, scheduled_start)) stored'),
    contact_id: p.integer().nullable(),
    assigned_to: p.integer().nullable(),
    location_name: p.text().nullable(),
    notes: p.text().nullable(),
    created_by_type: p.text(),
    created_by_id: p.text(),
    deleted_at: column.moment().nullable(),
    deleted_by: p.text().nullable(),
    created_at: column.createdAt(),
    updated_at: column.updatedAt(),
  },
  indexes: [
    {
      name: 'appointments_start_index',
      properties: ['client_id', 'scheduled_start', 'id'],
      where: '"deleted_at" is null',
    },
    {
      name: 'appointments_assignee_index',
      properties: ['client_id', 'assigned_to', 'scheduled_start', 'id'],
      where: '"deleted_at" is null',
    },
    {
      name: 'appointments_end_index',
      properties: ['client_id', 'ends_at', 'scheduled_start', 'id'],
      where: '"deleted_at" is null',
    },
    {
      name: 'appointments_assignee_end_index',
      properties: ['client_id', 'assigned_to', 'ends_at', 'scheduled_start', 'id'],
      where: '"deleted_at" is null',
    },
    { name: 'appointments_item_index', properties: ['work_item_id', 'id'], where: '"deleted_at" is null' },
  ],
});

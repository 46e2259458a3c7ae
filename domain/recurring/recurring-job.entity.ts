import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/**
 * Work that comes again and again. The row is what the client asked for; a Temporal Schedule that fires is made of it
 * afterwards, and `schedule_synced_revision` tells up to which change it follows the row.
 */
export const RecurringJobEntity = defineEntity({
  name: 'RecurringJob',
  tableName: 'recurring_jobs',
  properties: {
    id: column.id(),
    recurring_job_id: p.uuid(),
    client_id: column.clientId(),
    title: p.text(),
    item_type: p.text(),
    status: p.text().default('active'),
    schedule: p.json<Record<string, unknown>>(),
    start_date: p.date(),
    end_date: p.date().nullable(),
    max_occurrences: p.integer().nullable(),
    template: p.json<Record<string, unknown>>(),
    occurrences_generated: p.integer().default(0),
    /** First occurrence that nothing was decided about yet. */
    next_occurrence_at: column.moment().nullable(),
    paused_at: column.moment().nullable(),
    pause_reason: p.text().nullable(),
    created_by_type: p.text(),
    created_by_id: p.text(),
    revision: p.integer().default(1),
    schedule_synced_revision: p.integer().default(0),
    schedule_synced_at: column.moment().nullable(),
    schedule_error: p.text().nullable(),
    created_at: column.createdAt(),
    updated_at: column.updatedAt(),
  },
  uniques: [{ name: 'recurring_jobs_uuid_unique', properties: ['recurring_job_id'] }],
  indexes: [
    { name: 'recurring_jobs_client_index', properties: ['client_id', 'id'] },
    { name: 'recurring_jobs_due_index', properties: ['next_occurrence_at'], where: `status = 'active'` },
  ],
});

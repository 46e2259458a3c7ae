import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/** One occurrence of a recurring job that was run, and the work item it came to. */
export const RecurringJobOccurrence = defineEntity({
  name: 'RecurringJobOccurrence',
  tableName: 'recurring_job_occurrences',
  properties: {
    id: column.bigId(),
    client_id: column.clientId(),
    recurring_job_id: p.integer(),
    scheduled_for: column.moment(),
    status: p.text(),
    work_item_id: p.bigint('number').nullable(),
    error: p.text().nullable(),
    at: column.createdAt(),
  },
  uniques: [{ name: 'recurring_job_occurrences_unique', properties: ['recurring_job_id', 'scheduled_for'] }],
  indexes: [
    { name: 'recurring_job_occurrences_at_index', properties: ['recurring_job_id', 'at'] },
    { name: 'recurring_job_occurrences_item_index', properties: ['work_item_id'] },
  ],
});

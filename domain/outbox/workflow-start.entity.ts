import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/**
 * A workflow that must start because of a committed change, written in that change's transaction. The relay starts it
 * (duplicates rejected by workflow id) and deletes the row once Temporal has acknowledged; while Temporal is away the
 * row waits.
 */
export const WorkflowStart = defineEntity({
  name: 'WorkflowStart',
  tableName: 'workflow_starts',
  properties: {
    id: column.bigId(),
    client_id: column.clientId(),
    workflow_id: p.text(),
    workflow_type: p.text(),
    task_queue: p.text(),
    input: p.json<Record<string, unknown>>(),
    available_at: column.createdAt(),
    attempts: p.integer().default(0),
    last_error: p.text().nullable(),
    created_at: column.createdAt(),
  },
  uniques: [{ name: 'workflow_starts_workflow_unique', properties: ['workflow_id'] }],
  indexes: [{ name: 'workflow_starts_available_index', properties: ['available_at'] }],
});

import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/** One run of a template: the steps as they were when it started, and the data that placeholders read. */
export const WorkflowRun = defineEntity({
  name: 'WorkflowRun',
  tableName: 'workflow_runs',
  properties: {
    id: column.bigId(),
    run_id: p.uuid(),
    client_id: column.clientId(),
    template_id: p.integer(),
    trigger: p.text(),
    event_id: p.uuid().nullable(),
    work_item_id: p.bigint('number').nullable(),
    status: p.text().default('queued'),
    steps: p.json<unknown[]>(),
    data: p.json<Record<string, unknown>>(),
    automation_path: p.array().columnType('int[]').defaultRaw(`'{}'`),
    error: p.text().nullable(),
    /** From then on no step begins. */
    cancel_requested_at: column.moment().nullable(),
    started_at: column.moment().nullable(),
    finished_at: column.moment().nullable(),
    created_at: column.createdAt(),
  },
  uniques: [
    { name: 'workflow_runs_run_unique', properties: ['run_id'] },
    { name: 'workflow_runs_event_unique', properties: ['template_id', 'event_id'] },
  ],
  indexes: [{ name: 'workflow_runs_template_index', properties: ['client_id', 'template_id', 'id'] }],
});

import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/** A step that was done, written in the transaction of what it did: a repeated activity finds it and does nothing. */
export const WorkflowRunStep = defineEntity({
  name: 'WorkflowRunStep',
  tableName: 'workflow_run_steps',
  properties: {
    run_id: p.bigint('number').primary(),
    path: p.text().primary(),
    client_id: column.clientId(),
    type: p.text(),
    name: p.text().nullable(),
    result: p.json<Record<string, unknown>>().defaultRaw(`'{}'`),
    at: column.createdAt(),
  },
});

import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/** What a client wants done by itself (spec, "Workflow template"). `trigger_event` is the event that starts a run. */
export const WorkflowTemplate = defineEntity({
  name: 'WorkflowTemplate',
  tableName: 'workflow_templates',
  properties: {
    id: column.id(),
    client_id: column.clientId(),
    name: p.text(),
    description: p.text().nullable(),
    module: p.text(),
    type: p.text(),
    trigger_type: p.text(),
    trigger_event: p.text().nullable(),
    status: p.text(),
    config: p.json<Record<string, unknown>>(),
    solution_key: p.text().nullable(),
    /** Which of its solution's templates it is, whatever it is named by now. */
    solution_template: p.text().nullable(),
    /** Of a template with trigger_type schedule. */
    next_run_at: column.moment().nullable(),
    revision: p.integer().default(1),
    deleted_at: column.moment().nullable(),
    created_at: column.createdAt(),
    updated_at: column.updatedAt(),
  },
  uniques: [
    {
      name: 'workflow_templates_solution_unique',
      properties: ['client_id', 'solution_key', 'solution_template'],
      where: '"solution_key" is not null and "deleted_at" is null',
    },
  ],
  indexes: [
    { name: 'workflow_templates_client_index', properties: ['client_id', 'id'], where: '"deleted_at" is null' },
    {
      name: 'workflow_templates_due_index',
      properties: ['next_run_at'],
      where: `"status" = 'active' and "deleted_at" is null`,
    },
    {
      name: 'workflow_templates_trigger_index',
      properties: ['client_id', 'trigger_event'],
      where: `"status" = 'active' and "deleted_at" is null`,
    },
  ],
});

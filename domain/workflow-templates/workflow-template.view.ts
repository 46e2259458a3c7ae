import { isoMoment } from '../contracts/common.ts';
import type { WorkflowRun, WorkflowTemplate } from '../contracts/workflow-templates.ts';

/** The columns that {@link templateView} turns into the wire form. */
export const TEMPLATE_COLUMNS = `id, name, description, module, type, trigger_type, status, config, solution_key, client_id,
  created_at, updated_at`;

export type TemplateRow = Omit<WorkflowTemplate, 'created_at' | 'updated_at'> &
  Record<'created_at' | 'updated_at', Date> &
  Record<string, unknown>;

export function templateView(row: TemplateRow): WorkflowTemplate {
  const { id, name, description, module, type, trigger_type, status, config, solution_key, client_id } = row;
  return {
    id,
    name,
    description,
    module,
    type,
    trigger_type,
    status,
    config,
    solution_key,
    client_id,
    created_at: isoMoment(row.created_at),
    updated_at: isoMoment(row.updated_at),
  };
}

/** The columns of `workflow_runs` (alias r, its item as w) that {@link runView} turns into the wire form. */
export const RUN_COLUMNS = `r.id, r.run_id, r.template_id as workflow_id, r.status, r.trigger, w.work_item_id, r.error,
  r.cancel_requested_at, r.started_at, r.finished_at, r.created_at`;

type RunMoment = 'cancel_requested_at' | 'started_at' | 'finished_at' | 'created_at';
export type RunRow = Omit<WorkflowRun, RunMoment> &
  Record<Exclude<RunMoment, 'created_at'>, Date | null> &
  Record<string, unknown> & { id: number; created_at: Date };

export function runView(row: RunRow): WorkflowRun {
  const { run_id, workflow_id, status, trigger, work_item_id, error } = row;
  return {
    run_id,
    workflow_id,
    status,
    trigger,
    work_item_id,
    error,
    cancel_requested_at: isoMoment(row.cancel_requested_at),
    started_at: isoMoment(row.started_at),
    finished_at: isoMoment(row.finished_at),
    created_at: isoMoment(row.created_at),
  };
}

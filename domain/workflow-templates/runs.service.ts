import { randomUUID } from 'node:crypto';
import { audit } from '../audit/index.ts';
import type { Caller } from '../contracts/caller.ts';
import type { Page } from '../contracts/common.ts';
import { isoMoment, MAX_COUNTED, pageOf } from '../contracts/common.ts';
import { ApiError } from '../contracts/errors.ts';
import { checkJsonSize } from '../contracts/json-size.ts';
import { cancelTemplateRunWorkflowId, runTemplateWorkflowId, TASK_QUEUE, WORKFLOW } from '../contracts/workflows.ts';
import type { CancelTemplateRunInput, RunTemplateInput } from '../contracts/workflows.ts';
import type {
  ListWorkflowRunsInput,
  RunWorkflowTemplateInput,
  WorkflowRun,
  WorkflowRunWithSteps,
} from '../contracts/workflow-templates.ts';
import { requestWorkflowStart } from '../outbox/index.ts';
import type { WorkflowStartRequest } from '../outbox/index.ts';
import { namedWorkItem } from '../work-items/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { getTemplate, mayChangeTemplates } from './workflow-templates.service.ts';
import { RUN_COLUMNS, runView } from './workflow-template.view.ts';
import type { RunRow } from './workflow-template.view.ts';

/** Largest `data` of a run that is started by hand, as JSON text. */
const MAX_DATA_BYTES = 16_384;

const INSERT = statement(`
  insert into workflow_runs (run_id, client_id, template_id, trigger, work_item_id, steps, data)
  values ($1, $2, $3, $4, $5, $6, $7)`);
const FROM = `from workflow_runs r left join work_items w on w.id = r.work_item_id and w.client_id = r.client_id`;
const LIST = statement(`
  select ${RUN_COLUMNS} ${FROM} where r.client_id = $1 and r.template_id = $2 and ($3::text is null or r.status = $3)
  order by r.id desc limit $4 offset $5`);
const COUNT = statement(`
  select count(*) as total from (
    select from workflow_runs where client_id = $1 and template_id = $2 and ($3::text is null or status = $3)
    limit ${String(MAX_COUNTED + 1)}) counted`);
const GET = statement(`select ${RUN_COLUMNS} ${FROM} where r.client_id = $1 and r.template_id = $2 and r.run_id = $3`);
const LOCK = statement(`
  select id, cancel_requested_at, finished_at, status from workflow_runs
  where client_id = $1 and template_id = $2 and run_id = $3 for update`);
const CANCEL = statement(`update workflow_runs set cancel_requested_at = now() where client_id = $1 and id = $2`);
// A deleted template's runs stay readable: those that still wait can be found and cancelled.
const IS_TEMPLATE = statement(`select from workflow_templates where client_id = $1 and id = $2`);
const STEPS = statement(`
  select s.path, s.type, s.name, s.result, s.at
  from workflow_run_steps s join workflow_runs r on r.id = s.run_id and r.client_id = s.client_id
  where s.client_id = $1 and r.run_id = $2 order by s.at, s.path`);

/** Starts a run by hand, whatever the template's trigger; the workflow begins after the commit. For owners and admins. */
export async function runTemplate(
  tx: TenantTransaction,
  caller: Caller,
  templateId: number,
  { work_item_id, data = {} }: RunWorkflowTemplateInput,
): Promise<WorkflowRun> {
  mayChangeTemplates(caller);
  checkJsonSize('data', data, MAX_DATA_BYTES);
  const [template, item] = await Promise.all([
    getTemplate(tx, templateId),
    work_item_id === undefined ? undefined : namedWorkItem(tx, 'work_item_id', work_item_id),
  ]);
  if (template.status !== 'active') {
    throw ApiError.unprocessable(`The template is ${template.status}; only active templates run.`);
  }
  const runId = randomUUID();
  const steps = JSON.stringify(template.config.steps);
  tx.write(INSERT, [runId, tx.clientId, templateId, 'manual', item?.id ?? null, steps, JSON.stringify(data)]);
  requestWorkflowStart(tx, startOf({ ...template, trigger: 'manual' }, runId));
  noteRun(tx, caller, 'workflow_template.run', templateId, runId);
  return getRun(tx, templateId, runId);
}

/**
 * Cancels a run: from the commit on none of its steps begins, and a workflow asked for here cancels the run's own, which may
 * be waiting. Asked for again, it changes nothing. For owners and admins.
 */
export async function cancelRun(
  tx: TenantTransaction,
  caller: Caller,
  templateId: number,
  runId: string,
): Promise<WorkflowRun> {
  mayChangeTemplates(caller);
  const [run] = await tx.query<{
    id: number;
    cancel_requested_at: Date | null;
    finished_at: Date | null;
    status: string;
  }>(LOCK, [tx.clientId, templateId, runId]);
  if (run === undefined) throw ApiError.notFound('run', runId);
  if (run.finished_at !== null) throw new ApiError('CONFLICT', `The run is ${run.status} already.`);
  if (run.cancel_requested_at === null) {
    tx.write(CANCEL, [tx.clientId, run.id]);
    const input: CancelTemplateRunInput = { client_id: tx.clientId, run_id: runId, template_id: templateId };
    requestWorkflowStart(tx, {
      workflowType: WORKFLOW.cancelTemplateRun,
      workflowId: cancelTemplateRunWorkflowId(runId),
      taskQueue: TASK_QUEUE.platform,
      input,
    });
    noteRun(tx, caller, 'workflow_template.run_cancelled', templateId, runId);
  }
  return getRun(tx, templateId, runId);
}

function noteRun(tx: TenantTransaction, caller: Caller, action: string, templateId: number, runId: string): void {
  const subject = { subjectType: 'workflow_template', subjectId: String(templateId) };
  audit(tx, caller, { action, ...subject, details: { run_id: runId } });
}

/** How the workflow of a run is started: the relay does it, once. */
export function startOf(
  template: { id: number; name: string; client_id: number; trigger: string },
  runId: string,
): WorkflowStartRequest {
  const { id, name, client_id, trigger } = template;
  const input: RunTemplateInput = { client_id, run_id: runId, template_id: id, template_name: name, trigger };
  return {
    workflowType: WORKFLOW.runTemplate,
    workflowId: runTemplateWorkflowId(id, runId),
    taskQueue: TASK_QUEUE.platform,
    input,
  };
}

/** A template's runs, newest first. */
export async function listRuns(
  tx: TenantTransaction,
  templateId: number,
  { status, limit, offset }: ListWorkflowRunsInput,
): Promise<{ runs: WorkflowRun[]; pagination: Page }> {
  const filter = [tx.clientId, templateId, status ?? null];
  const [templates, rows, [count]] = await Promise.all([
    tx.query(IS_TEMPLATE, [tx.clientId, templateId]),
    tx.query<RunRow>(LIST, [...filter, limit, offset]),
    tx.query<{ total: number }>(COUNT, filter),
  ]);
  if (templates.length === 0) throw ApiError.notFound('workflow template', templateId);
  return { runs: rows.map(runView), pagination: pageOf(count?.total ?? 0, { limit, offset }) };
}

/** One run with the steps that were done. */
export async function getRunWithSteps(
  tx: TenantTransaction,
  templateId: number,
  runId: string,
): Promise<WorkflowRunWithSteps> {
  const [run, steps] = await Promise.all([
    getRun(tx, templateId, runId),
    tx.query<Omit<WorkflowRunWithSteps['steps'][number], 'at'> & { at: Date }>(STEPS, [tx.clientId, runId]),
  ]);
  return { ...run, steps: steps.map((step) => ({ ...step, at: isoMoment(step.at) })) };
}

async function getRun(tx: TenantTransaction, templateId: number, runId: string): Promise<WorkflowRun> {
  const [row] = await tx.query<RunRow>(GET, [tx.clientId, templateId, runId]);
  if (row === undefined) throw ApiError.notFound('run', runId);
  return runView(row);
}

import type { TemplateStepInput } from '../contracts/workflow-templates.ts';
import type { WorkItem } from '../contracts/work-items.ts';
import { findWorkItemIfAny } from '../work-items/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';

// Locked, so that an activity that was given up and its repetition don't do the step at the same time.
const LOCK = statement(`
  select r.id, r.template_id, r.trigger, r.event_id, r.work_item_id, r.status, r.steps, r.data, r.automation_path,
    r.cancel_requested_at, r.finished_at, t.name as template_name
  from workflow_runs r join workflow_templates t on t.id = r.template_id and t.client_id = r.client_id
  where r.client_id = $1 and r.run_id = $2 for update of r`);
const RESULTS = statement(`
  select path, name, result from workflow_run_steps where client_id = $1 and run_id = $2`);
const BEGIN = statement(`
  update workflow_runs set status = 'running', started_at = now() where client_id = $1 and id = $2 and status = 'queued'`);
const FINISH = statement(`
  update workflow_runs set status = $3, error = $4, finished_at = now() where client_id = $1 and id = $2 and finished_at is null`);
const NOTE_STEP = statement(`
  insert into workflow_run_steps (run_id, path, client_id, type, name, result) values ($1, $2, $3, $4, $5, $6)`);
const CARRY_PATH = statement(`select set_config('app.automation_path', $1, true)`);

export interface LockedRun extends Record<string, unknown> {
  id: number;
  template_id: number;
  template_name: string;
  trigger: string;
  event_id: string | null;
  work_item_id: number | null;
  status: string;
  steps: TemplateStepInput[];
  data: Record<string, unknown>;
  automation_path: number[];
  cancel_requested_at: Date | null;
  finished_at: Date | null;
}

/** The run does nothing more: someone has asked to cancel it, or it was ended while this step was on its way. */
export class RunCancelled extends Error {}

/** The run, held by this transaction alone. An error that is tried again where it is not there (see runIdOf). */
export async function lockRun(tx: TenantTransaction, runId: string): Promise<LockedRun> {
  const [run] = await tx.query<LockedRun>(LOCK, [tx.clientId, runId]);
  if (run === undefined) throw new Error(`there is no run ${runId} yet`);
  return run;
}

/** Marks a run as begun and answers its steps. */
export async function beginRun(tx: TenantTransaction, runId: string): Promise<readonly TemplateStepInput[]> {
  const run = await lockRun(tx, runId);
  mustGoOn(run);
  tx.write(BEGIN, [tx.clientId, run.id]);
  return run.steps;
}

/** Refuses what a run that is cancelled or at its end may not do any more. */
export function mustGoOn(run: LockedRun): void {
  if (run.cancel_requested_at !== null || run.finished_at !== null) {
    throw new RunCancelled(`the run ${String(run.id)} was cancelled`);
  }
}

export async function finishRun(
  tx: TenantTransaction,
  runId: string,
  status: 'completed' | 'failed' | 'cancelled',
  error: string | null,
): Promise<void> {
  const run = await lockRun(tx, runId);
  tx.write(FINISH, [tx.clientId, run.id, status, error?.slice(0, 1_000) ?? null]);
}

/** What placeholders and conditions of a run read, as it is now. */
export interface RunData {
  /** The event's data (or that of the one who started it), at the top level and as `data`. */
  [name: string]: unknown;
  /** The item as it is by now; as the event told it, once it is deleted. */
  work_item: unknown;
  /** What earlier steps made, by their names. */
  steps: Readonly<Record<string, unknown>>;
}

export interface RunState {
  data: RunData;
  /** The item that started the run, if it is still there. */
  item: WorkItem | undefined;
  /** What the steps that were done made, by their paths. */
  done: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
}

export async function stateOf(tx: TenantTransaction, run: LockedRun): Promise<RunState> {
  const [rows, item] = await Promise.all([
    tx.query<{ path: string; name: string | null; result: Record<string, unknown> }>(RESULTS, [tx.clientId, run.id]),
    run.work_item_id === null ? undefined : findWorkItemIfAny(tx, String(run.work_item_id)),
  ]);
  const results = rows.flatMap(({ name, result }) => (name === null ? [] : [[name, result] as const]));
  return {
    data: {
      ...run.data,
      data: run.data,
      trigger: run.trigger,
      template: { id: run.template_id, name: run.template_name },
      work_item: item ?? run.data['work_item'] ?? null,
      steps: Object.fromEntries(results),
    },
    item,
    done: new Map(rows.map(({ path, result }) => [path, result])),
  };
}

/** What the transaction records from here on is the run's doing: it starts none of the templates that led to it. */
export function actAs(tx: TenantTransaction, run: LockedRun): void {
  const path = run.automation_path.length === 0 ? [run.template_id] : run.automation_path;
  tx.write(CARRY_PATH, [`{${path.join(',')}}`]);
}

export function noteStep(
  tx: TenantTransaction,
  run: LockedRun,
  path: string,
  step: TemplateStepInput,
  result: Record<string, unknown>,
): void {
  tx.write(NOTE_STEP, [run.id, path, tx.clientId, step.type, step.name ?? null, JSON.stringify(result)]);
}

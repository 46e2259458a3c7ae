import type { z } from 'zod';
import type { Caller } from '../contracts/caller.ts';
import { CreateComment } from '../contracts/comments.ts';
import { ApiError } from '../contracts/errors.ts';
import { issueWords } from '../contracts/issue-words.ts';
import { CreateWorkItem, UpdateWorkItem } from '../contracts/work-items.ts';
import { NotifyMessage } from '../contracts/workflow-templates.ts';
import type { TemplateStepInput } from '../contracts/workflow-templates.ts';
import { createComment } from '../comments/index.ts';
import { interpolate, meets } from '../expressions/index.ts';
import { systemCaller } from '../tenancy/index.ts';
import { notifyUsers } from '../threads/index.ts';
import { createWorkItem, updateWorkItem } from '../work-items/index.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { withoutGaps } from './gaps.rules.ts';
import { actAs, lockRun, mustGoOn, noteStep, stateOf } from './run-state.ts';
import type { LockedRun, RunState } from './run-state.ts';

type Result = Record<string, unknown>;
type Filled<Type extends TemplateStepInput['type']> = Extract<TemplateStepInput, { type: Type }>;

/** Does the step at a path of the run's template and notes it, in one transaction; done before, it does nothing. */
export async function performStep(tx: TenantTransaction, runId: string, path: string): Promise<void> {
  const run = await lockRun(tx, runId);
  const [state, caller] = await Promise.all([
    stateOf(tx, run),
    systemCaller(tx, `workflow-template/${String(run.template_id)}`),
  ]);
  if (state.done.has(path)) return;
  mustGoOn(run);
  const step = stepAt(run, path);
  actAs(tx, run);
  noteStep(tx, run, path, step, await perform(tx, caller, interpolate(step, state.data) as TemplateStepInput, state));
}

/** Whether the condition of the branch at a path holds, by the work item as it is now; decided once. */
export async function branchHolds(tx: TenantTransaction, runId: string, path: string): Promise<boolean> {
  const run = await lockRun(tx, runId);
  const step = stepAt(run, path);
  if (step.type !== 'branch') throw new Error(`step ${path} of run ${runId} is no branch`);
  const state = await stateOf(tx, run);
  const decided = state.done.get(path);
  if (decided !== undefined) return decided['way'] === 'then';
  mustGoOn(run);
  const holds = meets(state.data, step.if);
  noteStep(tx, run, path, step, { way: holds ? 'then' : 'else' });
  return holds;
}

function perform(tx: TenantTransaction, caller: Caller, step: TemplateStepInput, state: RunState): Promise<Result> {
  switch (step.type) {
    case 'create_item':
      return createItem(tx, caller, step, state);
    case 'assign':
      return assign(tx, caller, step, state);
    case 'comment':
      return writeComment(tx, caller, step, state);
    case 'notify':
      return notify(tx, caller, step);
    case 'wait':
      // The workflow has waited; this notes it.
      return Promise.resolve({ seconds: step.seconds });
    default:
      throw new Error(`a ${step.type} is not done by an activity`);
  }
}

async function createItem(
  tx: TenantTransaction,
  caller: Caller,
  { item, is_child }: Filled<'create_item'>,
  state: RunState,
): Promise<Result> {
  const parent = is_child === true ? { parent_id: targetOf(undefined, state) } : {};
  const created = await createWorkItem(
    tx,
    caller,
    checked(CreateWorkItem, 'item', { ...parent, ...withoutGaps(item) }),
  );
  const { work_item_id, id, item_number } = created;
  return { work_item_id, id, item_number };
}

async function assign(
  tx: TenantTransaction,
  caller: Caller,
  { work_item, assigned_to, assigned_users, assigned_team }: Filled<'assign'>,
  state: RunState,
): Promise<Result> {
  const assignees = withoutGaps({ assigned_to, assigned_users, assigned_team });
  if (Object.keys(assignees).length === 0) throw ApiError.unprocessable('There is nobody to assign.');
  const input = { work_item_id: targetOf(work_item, state), ...assignees };
  const item = await updateWorkItem(tx, caller, checked(UpdateWorkItem, 'assign', input));
  return { work_item_id: item.work_item_id, assigned_to: item.assigned_to };
}

async function writeComment(
  tx: TenantTransaction,
  caller: Caller,
  { work_item, body, is_internal = true }: Filled<'comment'>,
  state: RunState,
): Promise<Result> {
  const input = { work_item_id: targetOf(work_item, state), body, is_internal };
  const comment = await createComment(tx, caller, checked(CreateComment, 'comment', input));
  return { comment_id: comment.id };
}

async function notify(
  tx: TenantTransaction,
  caller: Caller,
  { user_ids, subject, body }: Filled<'notify'>,
): Promise<Result> {
  const message = checked(NotifyMessage, 'notify', { user_ids, subject, body });
  const { thread } = await notifyUsers(tx, caller, message);
  return { thread_id: thread.thread_id };
}

/** The item that a step is about: the one it names, or that which started the run. */
function targetOf(named: string | undefined, { item }: RunState): string {
  const target = named ?? item?.work_item_id;
  if (target !== undefined) return target;
  throw ApiError.unprocessable('The run has no work item (any more), and the step needs one.');
}

/** What placeholders came to must still fit the fields. */
function checked<Schema extends z.ZodObject>(schema: Schema, what: string, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value, { error: issueWords });
  if (parsed.success) return parsed.data;
  throw ApiError.ofFields(
    parsed.error.issues.map((issue) => ({ field: [what, ...issue.path].join('.'), issue: issue.message })),
  );
}

/** The step at `1.then.0`. */
function stepAt(run: LockedRun, path: string): TemplateStepInput {
  let steps: readonly TemplateStepInput[] | undefined = run.steps;
  let found: TemplateStepInput | undefined;
  for (const part of path.split('.')) {
    if (part === 'then' || part === 'else') steps = found?.type === 'branch' ? found[part] : undefined;
    else found = steps?.[Number(part)];
  }
  if (found === undefined) throw new Error(`the run ${String(run.id)} has no step ${path}`);
  return found;
}

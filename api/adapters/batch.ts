import { z } from 'zod';
import type { Page } from '../../domain/contracts/common.ts';
import { ApiError } from '../../domain/contracts/errors.ts';
import { publicError } from '../http/errors.ts';
import { fingerprintOf } from '../http/idempotency.ts';
import { runClaimed } from '../idempotent.ts';
import type { Call, Outcome } from '../operation.ts';
import { validateInput } from '../validate.ts';
import { inLanes } from './lanes.ts';
import { runNamedAction } from './run-action.ts';

const MAX_OPERATIONS = 100;

const BatchOperation = z.strictObject({
  id: z.string().min(1).max(100).optional().describe('Your name for the operation; op-1, op-2, … by default'),
  action: z.string().describe('The action to run'),
  params: z.record(z.string(), z.unknown()).optional().describe('The parameters of the action'),
});

export const Batch = z.strictObject({
  operations: z
    .array(BatchOperation)
    .min(1)
    .max(MAX_OPERATIONS)
    .describe('1 to 100 operations; they run in parallel, each on its own'),
});

type Planned = z.output<typeof BatchOperation> & { id: string };

interface BatchResult {
  id: string;
  success: boolean;
  status: number;
  data?: unknown;
  /** Of a list: where it stands within all that matches. */
  meta?: { pagination: Page };
  error?: string;
  code?: string;
}

export interface BatchOutcome {
  results: BatchResult[];
  succeeded: number;
  failed: number;
  total: number;
}

/** Runs a batch. Each operation has its own transaction; the failure of one touches no other (decisions §5). */
export async function runBatch(call: Call, body: Record<string, unknown>): Promise<Outcome<BatchOutcome>> {
  const { operations } = validateInput(Batch, body, { isForOthers: areParams });
  const planned = plan(operations.map((operation, index) => ({ ...operation, ...paramsAsSent(body, index) })));
  const { idempotency } = call;
  if (idempotency === undefined) return { data: await runAll(call, planned) };
  const work = async (): Promise<Outcome<BatchOutcome>> => ({ data: await runAll(call, planned) });
  const outcome = await runClaimed(call, idempotency, work, { joins: false, keeps: isSettled });
  return outcome as Outcome<BatchOutcome>;
}

/** `operations[n].params`: what is wrong with those is the outcome of their operation, not of the batch. */
function areParams(path: readonly PropertyKey[]): boolean {
  return path.length === 3 && path[2] === 'params';
}

/** The parameters with all their keys: zod leaves out what can't be a property, which the operation is to refuse. */
function paramsAsSent(body: Record<string, unknown>, index: number): { params?: Record<string, unknown> } {
  const { params } = (body as z.input<typeof Batch>).operations[index] ?? {};
  return params === undefined ? {} : { params };
}

/** A batch with an operation that may succeed when tried again is not kept whole: the sub-keys keep what is done. */
function isSettled(outcome: Outcome<unknown>): boolean {
  const { results } = outcome.data as BatchOutcome;
  return results.every(({ status }) => status < 500 && status !== 429);
}

async function runAll(call: Call, planned: readonly Planned[]): Promise<BatchOutcome> {
  const results = await inLanes(planned, (operation) => runOne(call, operation));
  const succeeded = results.filter((result) => result.success).length;
  return { results, succeeded, failed: results.length - succeeded, total: results.length };
}

function plan(operations: readonly z.output<typeof BatchOperation>[]): Planned[] {
  const planned = operations.map((operation, index) => ({
    ...operation,
    id: operation.id ?? `op-${String(index + 1)}`,
  }));
  const seen = new Set<string>();
  planned.forEach(({ id }, index) => {
    if (seen.has(id))
      throw ApiError.invalid(
        `operations[${String(index)}].id`,
        `${JSON.stringify(id)} stands twice; ids must be unique`,
      );
    seen.add(id);
  });
  return planned;
}

async function runOne(call: Call, operation: Planned): Promise<BatchResult> {
  const { id, action, params = {} } = operation;
  // `<key>/<op id>` (decisions §10): what a batch had done before it died is not done again by its retry.
  const idempotency = call.idempotency && {
    key: call.idempotency.key,
    part: id,
    fingerprint: fingerprintOf(action, params),
  };
  try {
    const { data, pagination } = await runNamedAction({ ...call, idempotency }, action, params);
    return { id, success: true, status: 200, data, ...(pagination === undefined ? {} : { meta: { pagination } }) };
  } catch (error) {
    const refusal = publicError(error);
    if (refusal.code === 'INTERNAL_ERROR')
      call.services.log.error({ err: refusal.cause }, 'unexpected error in a batch operation');
    return {
      id,
      success: false,
      status: refusal.status,
      error: `${refusal.code}: ${refusal.message}`,
      code: refusal.code,
    };
  }
}

import { ApiError } from '../domain/contracts/errors.ts';
import type { Caller } from '../domain/contracts/caller.ts';
import { coversAny } from '../domain/contracts/scopes.ts';
import type { TenantTransaction } from '../platform/db/transaction.ts';
import { announceDeprecation } from './deprecation.ts';
import { runClaimed, runOnce } from './idempotent.ts';
import type { Call, DetachedOperation, Operation, Outcome, RequestFacts, TenantOperation } from './operation.ts';
import { validateInput } from './validate.ts';
import { downgraded } from './versions.ts';

/** Runs an operation for an authenticated caller: scope, then input, then the work in its unit of work, at most once. */
export async function execute(
  operation: TenantOperation | DetachedOperation,
  call: Call,
  rawInput: unknown,
): Promise<Outcome<unknown>> {
  announceDeprecation(operation, call);
  checkScope(operation, call.caller);
  const outcome = await run(operation, call, rawInput);
  await outcome.afterCommit?.();
  return downgraded(operation.name, call.request.version, outcome);
}

/** The scopes of an operation that the caller lacks end the call before its input is looked at. */
export function checkScope(operation: Operation, caller: Caller): void {
  if (operation.scopes === null || coversAny(caller.scopes, operation.scopes)) return;
  throw new ApiError('SCOPE_REQUIRED', `This call needs the scope ${operation.scopes.join(' or ')}.`);
}

const IS_TEST = process.env['NODE_ENV'] === 'test';

/** Under test every answer is held against the schema that the documentation shows; a drift is an error there. */
export function checked(operation: Operation, outcome: Outcome<unknown>): Outcome<unknown> {
  if (!IS_TEST) return outcome;
  const parsed = operation.output.safeParse(outcome.data);
  if (!parsed.success)
    throw new Error(`${operation.name} answered something else than it declares: ${parsed.error.message}`);
  return outcome;
}

function run(operation: TenantOperation | DetachedOperation, call: Call, rawInput: unknown): Promise<Outcome<unknown>> {
  const use = operation.effects === 'read' ? undefined : call.idempotency;
  if (operation.unit === 'detached') {
    const work = async (request: RequestFacts): Promise<Outcome<unknown>> => {
      const input = validateInput(operation.input, rawInput) as never;
      return checked(operation, await operation.run({ ...call, request }, input));
    };
    return use === undefined ? work(call.request) : runClaimed(call, use, work, { joins: operation.joinable === true });
  }
  if (use !== undefined) {
    const work = async (tx: TenantTransaction): Promise<Outcome<unknown>> => {
      const input = validateInput(operation.input, rawInput) as never;
      return checked(operation, await operation.run({ ...call, tx }, input));
    };
    return runOnce(call, use, work, { joins: operation.joins === true });
  }
  return runInTransaction(operation, call, validateInput(operation.input, rawInput));
}

async function runInTransaction(operation: TenantOperation, call: Call, input: unknown): Promise<Outcome<unknown>> {
  const { tenants } = call.services;
  const { clientId } = call.caller;
  const work = (tx: TenantTransaction): Promise<Outcome<unknown>> => operation.run({ ...call, tx }, input as never);
  if (operation.effects === 'read') return checked(operation, await work(tenants.reader(clientId)));
  const outcome = operation.joins === true ? tenants.joined(clientId, work) : tenants.transaction(clientId, work);
  return checked(operation, await outcome);
}

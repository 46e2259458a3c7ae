import { ApiError } from '../domain/contracts/errors.ts';
import type { Caller } from '../domain/contracts/caller.ts';
import { coversAny } from '../domain/contracts/scopes.ts';
import type { DetachedOperation, Operation, Outcome, RequestFacts, TenantOperation } from './operation.ts';
import type { Services } from './services.ts';
import { validateInput } from './validate.ts';

/** Runs an operation for an authenticated caller: scope, then input, then the work in its unit of work. */
export async function execute(
  operation: TenantOperation | DetachedOperation,
  context: { caller: Caller; services: Services; request: RequestFacts },
  rawInput: unknown,
): Promise<Outcome<unknown>> {
  checkScope(operation, context.caller);
  const input = validateInput(operation.input, rawInput) as never;
  if (operation.unit === 'detached') return checked(operation, await operation.run(context, input));
  const outcome = await context.services.tenants.transaction(context.caller.clientId, (tx) =>
    operation.run({ ...context, tx }, input),
  );
  return checked(operation, outcome);
}

/** The scopes of an operation that the caller lacks end the call before its input is looked at. */
export function checkScope(operation: Operation, caller: Caller): void {
  if (operation.scopes === null || coversAny(caller.scopes, operation.scopes)) return;
  throw new ApiError('SCOPE_REQUIRED', `This call needs the scope ${operation.scopes.join(' or ')}.`);
}

/** Under test every answer is held against the schema that the documentation shows; a drift is an error there. */
export function checked(operation: Operation, outcome: Outcome<unknown>): Outcome<unknown> {
  if (process.env['NODE_ENV'] !== 'test') return outcome;
  const parsed = operation.output.safeParse(outcome.data);
  if (!parsed.success)
    throw new Error(`${operation.name} answered something else than it declares: ${parsed.error.message}`);
  return outcome;
}

import type { ErrorCode, FieldIssue } from '../domain/contracts/errors.ts';
import { ApiError } from '../domain/contracts/errors.ts';
import { claimKey, keepAnswer, releaseKey, takeKey, whileLeased } from '../domain/idempotency/index.ts';
import type { KeptAnswer, KeyedRequest } from '../domain/idempotency/index.ts';
import type { TenantTransaction } from '../platform/db/transaction.ts';
import type { IdempotencyUse } from './http/request-context.ts';
import type { Call, Outcome, RequestFacts } from './operation.ts';

/** An answer as the record keeps it: what is needed to give it again, in whatever version it is asked for. */
type Answer =
  | { data: unknown; extras?: Record<string, unknown>; status?: number; headers?: Record<string, string> }
  | { code: ErrorCode; message: string; details?: readonly FieldIssue[] };

/**
 * Runs `work` at most once for its Idempotency-Key, where the whole effect is one transaction: effect and record are
 * committed together, a refusal is recorded after the effect was rolled back to a savepoint (decisions §10).
 */
export async function runOnce(
  call: Call,
  use: IdempotencyUse,
  work: (tx: TenantTransaction) => Promise<Outcome<unknown>>,
): Promise<Outcome<unknown>> {
  const { services } = call;
  const request = keyedRequest(call, use);
  const deps = { vault: services.vault, now: services.clock.now() };
  const result = await services.tenants.transaction(request.clientId, async (tx) => {
    const kept = await takeKey(tx, request, deps);
    if (kept !== undefined) return { kept };
    try {
      const outcome = await tx.savepoint(() => work(tx));
      keepAnswer(tx, request, answerOf(outcome), deps);
      return { outcome };
    } catch (error) {
      if (!isKeptRefusal(error)) throw error;
      keepAnswer(tx, request, refusalOf(error), deps);
      return { refusal: error };
    }
  });
  if (result.kept !== undefined) return replay(result.kept, use);
  if (result.refusal !== undefined) throw result.refusal;
  return result.outcome;
}

/**
 * Runs `work` for its Idempotency-Key where it has transactions of its own: a leased claim is committed first, the answer
 * after it. A retry of a run that died goes on under the same request id; `joins`: of one that still runs, too.
 */
export async function runClaimed(
  call: Call,
  use: IdempotencyUse,
  work: (request: RequestFacts) => Promise<Outcome<unknown>>,
  { joins, keeps = () => true }: { joins: boolean; keeps?: (outcome: Outcome<unknown>) => boolean },
): Promise<Outcome<unknown>> {
  const { services } = call;
  const wanted = keyedRequest(call, use);
  const { tenants, vault, clock } = services;
  const claim = await claimKey(tenants, wanted, { vault, now: clock.now(), joins });
  if (claim.kind === 'kept') return replay(claim.kept, use);
  const request = { ...wanted, requestId: claim.requestId };
  const keep = (answer: { status: number; answer: Answer }): Promise<void> =>
    tenants.transaction(request.clientId, (tx) => {
      keepAnswer(tx, request, answer, { vault, now: clock.now() });
      return Promise.resolve();
    });
  try {
    const outcome = await whileLeased(tenants, request, clock, () =>
      work({ ...call.request, requestId: request.requestId }),
    );
    if (keeps(outcome)) await keep(answerOf(outcome));
    else await releaseKey(tenants, request);
    return outcome;
  } catch (error) {
    if (isKeptRefusal(error)) await keep(refusalOf(error));
    // A joinable run goes on although its caller is told to come back: its request id must stay bound to the key.
    else if (!joins) await releaseKey(tenants, request).catch(() => undefined);
    throw error;
  }
}

function keyedRequest({ caller, request }: Call, { key, part, fingerprint }: IdempotencyUse): KeyedRequest {
  const principal = `${caller.actor.type}:${caller.actor.id}`;
  return { clientId: caller.clientId, key, part, principal, fingerprint, requestId: request.requestId };
}

/** Refusals of the request itself stay what they are; our own failures and limits may pass, so they are not kept. */
function isKeptRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status < 500 && error.status !== 429;
}

function answerOf({ data, extras, status, headers }: Outcome<unknown>): { status: number; answer: Answer } {
  const answer = {
    data,
    ...(extras === undefined ? {} : { extras }),
    ...(status === undefined ? {} : { status }),
    ...(headers === undefined ? {} : { headers }),
  };
  return { status: status ?? 200, answer };
}

function refusalOf({ code, message, details, status }: ApiError): { status: number; answer: Answer } {
  return { status, answer: { code, message, ...(details === undefined ? {} : { details }) } };
}

function replay(kept: KeptAnswer, use: IdempotencyUse): Outcome<unknown> {
  use.replayOf = kept.requestId;
  const answer = kept.answer as Answer;
  if (!('code' in answer)) return answer;
  throw new ApiError(answer.code, answer.message, answer.details === undefined ? {} : { details: answer.details });
}

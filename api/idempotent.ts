import { LRUCache } from 'lru-cache';
import type { ErrorCode, FieldIssue } from '../domain/contracts/errors.ts';
import { ApiError } from '../domain/contracts/errors.ts';
import { claimKey, keepAnswer, readKept, releaseKey, takeKey, whileLeased } from '../domain/idempotency/index.ts';
import { holdResult } from '../domain/vision/index.ts';
import type { KeptAnswer, KeyedRequest } from '../domain/idempotency/index.ts';
import type { TenantTransaction } from '../platform/db/transaction.ts';
import type { IdempotencyUse } from './http/request-context.ts';
import type { Call, Outcome, RequestFacts } from './operation.ts';

/** An answer as the record keeps it: what is needed to give it again, in whatever version it is asked for. */
type Answer =
  | { data: unknown; extras?: Record<string, unknown>; status?: number; headers?: Record<string, string> }
  | { code: ErrorCode; message: string; details?: readonly FieldIssue[] };

/**
 * Keys that this process has met lately: a request with one of them is most likely a repetition, so it is worth reading
 * the kept answer before a transaction is begun. No more than a guess; the database decides.
 */
const met = new LRUCache<string, true>({ max: 10_000 });

/**
 * Runs `work` at most once for its Idempotency-Key, where the whole effect is one transaction: effect and record are
 * committed together. A refusal is recorded once the effect was rolled back (decisions §10). `joins`: the transaction may be
 * shared with requests of other keys; with one of the same key it isn't, as their lock would not hold against each other.
 */
export async function runOnce(
  call: Call,
  use: IdempotencyUse,
  work: (tx: TenantTransaction) => Promise<Outcome<unknown>>,
  { joins }: { joins: boolean },
): Promise<Outcome<unknown>> {
  const { tenants, vault, clock } = call.services;
  const request = keyedRequest(call, use);
  const deps = { vault, now: clock.now() };
  const name = `${String(request.clientId)}/${request.part}/${request.key}`;
  const early = met.has(name) ? await readKept(tenants.reader(request.clientId), request, deps) : undefined;
  if (early !== undefined) return replay(early, use);
  met.set(name, true);
  let refusal: ApiError | undefined;
  const run = async (tx: TenantTransaction): Promise<Outcome<unknown> | KeptAnswer> => {
    refusal = undefined;
    const kept = await takeKey(tx, request, deps);
    if (kept !== undefined) return kept;
    try {
      const outcome = await work(tx);
      keepAnswer(tx, request, answerOf(outcome), deps);
      return outcome;
    } catch (error) {
      if (isKeptRefusal(error)) refusal = error;
      throw error;
    }
  };
  try {
    const result = await (joins
      ? tenants.joined(request.clientId, run, name)
      : tenants.transaction(request.clientId, run));
    return 'answer' in result ? replay(result, use) : result;
  } catch (error) {
    if (refusal === undefined || error !== refusal) throw error;
    return await keepRefusal(call, { use, request, refusal });
  }
}

/** Throws the refusal once it is recorded; another request that has had the key in the meantime gives its answer to both. */
async function keepRefusal(
  { services: { tenants, vault, clock } }: Call,
  { use, request, refusal }: { use: IdempotencyUse; request: KeyedRequest; refusal: ApiError },
): Promise<Outcome<unknown>> {
  const deps = { vault, now: clock.now() };
  const kept = await tenants.transaction(request.clientId, async (tx) => {
    const earlier = await takeKey(tx, request, deps);
    if (earlier === undefined) keepAnswer(tx, request, refusalOf(refusal), deps);
    return earlier;
  });
  if (kept !== undefined) return replay(kept, use);
  throw refusal;
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
  const keep = (answer: Kept): Promise<void> =>
    tenants.transaction(request.clientId, async (tx) => {
      const { tellsOf } = answer;
      const isErased = tellsOf !== undefined && !(await holdResult(tx, tellsOf));
      const kept = isErased ? refusalOf(ApiError.notFound('result', tellsOf)) : answer;
      keepAnswer(tx, request, kept, { vault, now: clock.now() });
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

function keyedRequest({ caller, request, services }: Call, { key, part, fingerprint }: IdempotencyUse): KeyedRequest {
  const { actor, application } = caller;
  // What an application does for a user is not what the user does.
  const through = application === undefined ? '' : `application:${String(application.id)}/`;
  const principal = `${through}${actor.type}:${actor.id}`;
  return {
    clientId: caller.clientId,
    key,
    part,
    principal,
    // Keyed: a body may hold a password, and a plain digest of it could be searched.
    fingerprint: services.vault.mac(fingerprint, 'idempotency_records.fingerprint'),
    requestId: request.requestId,
  };
}

/** Refusals of the request itself stay what they are; our own failures and limits may pass, so they are not kept. */
function isKeptRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status < 500 && error.status !== 429;
}

interface Kept {
  status: number;
  answer: Answer;
  tellsOf?: string | undefined;
}

function answerOf({ data, extras, status, headers, tellsOf }: Outcome<unknown>): Kept {
  const answer = {
    data,
    ...(extras === undefined ? {} : { extras }),
    ...(status === undefined ? {} : { status }),
    ...(headers === undefined ? {} : { headers }),
  };
  return { status: status ?? 200, answer, tellsOf };
}

function refusalOf({ code, message, details, status }: ApiError): Kept {
  return { status, answer: { code, message, ...(details === undefined ? {} : { details }) } };
}

function replay(kept: KeptAnswer, use: IdempotencyUse): Outcome<unknown> {
  use.replayOf = kept.requestId;
  const answer = kept.answer as Answer;
  if (!('code' in answer)) return answer;
  throw new ApiError(answer.code, answer.message, answer.details === undefined ? {} : { details: answer.details });
}

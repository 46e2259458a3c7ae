import { ApiError } from '../contracts/errors.ts';
import type { TenantDatabase } from '../../platform/db/database.ts';
import type { Vault } from '../../platform/crypto.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction, Transaction } from '../../platform/db/transaction.ts';

/** How long the first answer is kept (spec, "Idempotency record"). */
export const KEPT_MS = 24 * 3_600_000;

/** How long a request that manages its own transactions may be silent before its key counts as abandoned. */
const LEASE_MS = 10_000;
const RENEW_MS = 3_000;

const VAULT_CONTEXT = 'idempotency_records.answer';

/** One use of an Idempotency-Key by one caller. */
export interface KeyedRequest {
  clientId: number;
  key: string;
  /** The operation of a batch; '' for a request as a whole. */
  part: string;
  /** Who may have the answer again. */
  principal: string;
  fingerprint: Buffer;
  requestId: string;
}

/** An answer as it was first given. */
export interface KeptAnswer {
  requestId: string;
  status: number;
  answer: unknown;
}

interface RecordRow extends Record<string, unknown> {
  principal: string;
  fingerprint: Buffer;
  request_id: string;
  status: number | null;
  answer: Buffer | null;
  lease_until: Date | null;
}

export interface KeeperDeps {
  vault: Vault;
  now: number;
}

// Not waiting: whoever holds it is the first request with this key, and the answer to the second is «still running».
const TRY_LOCK = statement(`select pg_try_advisory_xact_lock(hashtextextended($1, 7206118)) as locked`);
// A statement of its own, after the lock: its snapshot sees what the last holder committed.
const FIND = statement(`
  select principal, fingerprint, request_id, status, answer, lease_until from idempotency_records
  where client_id = $1 and key = $2 and part = $3 and created_at > $4`);
const KEEP = statement(`
  insert into idempotency_records
    (client_id, key, part, principal, fingerprint, request_id, status, answer, lease_until, created_at, result_id)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
  on conflict (client_id, key, part) do update set principal = excluded.principal, fingerprint = excluded.fingerprint,
    request_id = excluded.request_id, status = excluded.status, answer = excluded.answer,
    lease_until = excluded.lease_until, created_at = excluded.created_at, result_id = excluded.result_id`);
const RENEW = statement(`
  update idempotency_records set lease_until = $4 where client_id = $1 and key = $2 and part = $3 and status is null`);
const ERASE = statement(`
  update idempotency_records i set answer = null from unnest($1::int[], $2::uuid[]) as gone (client_id, result_id)
  where i.client_id = gone.client_id and i.result_id = gone.result_id`);
const RELEASE = statement(
  `delete from idempotency_records where client_id = $1 and key = $2 and part = $3 and status is null`,
);

/** The answer that is already kept for the key, read without taking it; undefined where only {@link takeKey} can tell. */
export async function readKept(
  tx: TenantTransaction,
  request: KeyedRequest,
  deps: KeeperDeps,
): Promise<KeptAnswer | undefined> {
  const { clientId, key, part } = request;
  const [row] = await tx.query<RecordRow>(FIND, [clientId, key, part, new Date(deps.now - KEPT_MS)]);
  if (row === undefined || row.status === null || !isOf(row, request)) return undefined;
  return keptAnswer(row, row.status, deps.vault);
}

/**
 * Takes the key for the length of the transaction and answers what it was first answered with, or undefined when this is
 * the first time. CONFLICT while another request with the key runs, IDEMPOTENCY_CONFLICT for another request or caller.
 */
export async function takeKey(
  tx: TenantTransaction,
  request: KeyedRequest,
  deps: KeeperDeps,
): Promise<KeptAnswer | undefined> {
  const row = await lockedRecord(tx, request, deps.now);
  if (row === undefined) return undefined;
  if (row.status === null) {
    if (isLeased(row, deps.now)) throw stillRunning();
    return undefined;
  }
  return keptAnswer(row, row.status, deps.vault);
}

/** Keeps the answer, in the transaction of the effect itself: both are there after a crash, or neither. */
export function keepAnswer(
  tx: TenantTransaction,
  request: KeyedRequest,
  { status, answer, tellsOf }: { status: number; answer: unknown; tellsOf?: string | undefined },
  { vault, now }: KeeperDeps,
): void {
  const sealed = vault.seal(JSON.stringify(answer), VAULT_CONTEXT);
  tx.write(KEEP, recordValues(request, now, { status, answer: sealed, tellsOf }));
}

/** Erases the answers that show results of Document AI calls; who asks for one again is told that it is gone. */
export function eraseAnswers(tx: Transaction, calls: readonly { clientId: number; requestId: string }[]): void {
  tx.write(ERASE, [calls.map(({ clientId }) => clientId), calls.map(({ requestId }) => requestId)]);
}

/** What a claim came to: an answer to give again, or the id of the run to begin or, if resumable, to join. */
export type Claim = { kind: 'kept'; kept: KeptAnswer } | { kind: 'run'; requestId: string };

/**
 * Claims the key for work that isn't one transaction. The claim is committed first and held by a lease. A request that
 * finds the claim of a crashed one goes on under its request id; `joins`: also while that one still runs.
 */
export async function claimKey(
  tenants: TenantDatabase,
  request: KeyedRequest,
  deps: KeeperDeps & { joins: boolean },
): Promise<Claim> {
  return tenants.transaction(request.clientId, async (tx) => {
    const row = await lockedRecord(tx, request, deps.now);
    if (row !== undefined && row.status !== null)
      return { kind: 'kept', kept: keptAnswer(row, row.status, deps.vault) };
    if (row !== undefined && isLeased(row, deps.now) && !deps.joins) throw stillRunning();
    const requestId = row?.request_id ?? request.requestId;
    const leaseUntil = new Date(deps.now + LEASE_MS);
    tx.write(KEEP, recordValues({ ...request, requestId }, deps.now, { leaseUntil }));
    return { kind: 'run', requestId };
  });
}

/** Runs `work` while the lease of its claim is renewed. */
export async function whileLeased<T>(
  tenants: TenantDatabase,
  { clientId, key, part }: KeyedRequest,
  clock: { now(): number },
  work: () => Promise<T>,
): Promise<T> {
  const renewal = setInterval(() => {
    const leaseUntil = new Date(clock.now() + LEASE_MS);
    const renewed = tenants.transaction(clientId, (tx) => tx.query(RENEW, [clientId, key, part, leaseUntil]));
    // A renewal that fails is made good by the next; at worst the lease runs out and a retry joins in.
    renewed.catch(() => undefined);
  }, RENEW_MS);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
  }
}

/** Gives a claim up, so that the next request with the key begins anew: its answer is of a kind that isn't kept. */
export async function releaseKey(tenants: TenantDatabase, { clientId, key, part }: KeyedRequest): Promise<void> {
  await tenants.transaction(clientId, (tx) => tx.query(RELEASE, [clientId, key, part]));
}

async function lockedRecord(tx: TenantTransaction, request: KeyedRequest, now: number): Promise<RecordRow | undefined> {
  const { clientId, key, part } = request;
  const [[lock], [row]] = await Promise.all([
    tx.query<{ locked: boolean }>(TRY_LOCK, [JSON.stringify([clientId, key, part])]),
    tx.query<RecordRow>(FIND, [clientId, key, part, new Date(now - KEPT_MS)]),
  ]);
  // An answer that is kept is given to any number at once: whoever holds the lock is giving it, too.
  if (lock?.locked !== true && (row?.status ?? null) === null) throw stillRunning();
  if (row !== undefined && !isOf(row, request)) {
    throw new ApiError(
      'IDEMPOTENCY_CONFLICT',
      'This Idempotency-Key was used before with another body, method, path or credential; use a new key.',
    );
  }
  return row;
}

/** Whether the record is of this very request: the same caller, method, path and body. */
function isOf(row: RecordRow, { principal, fingerprint }: KeyedRequest): boolean {
  return row.principal === principal && row.fingerprint.equals(fingerprint);
}

function isLeased(row: RecordRow, now: number): boolean {
  return row.lease_until !== null && row.lease_until.getTime() > now;
}

function stillRunning(): ApiError {
  return new ApiError('CONFLICT', 'The first request with this Idempotency-Key is still running; try again.', {
    retryAfterSeconds: 1,
  });
}

function keptAnswer(row: RecordRow, status: number, vault: Vault): KeptAnswer {
  if (row.answer === null) {
    throw new ApiError('NOT_FOUND', 'The result that this Idempotency-Key was answered with has been erased.');
  }
  const answer: unknown = JSON.parse(vault.open(row.answer, VAULT_CONTEXT));
  return { requestId: row.request_id, status, answer };
}

function recordValues(
  request: KeyedRequest,
  now: number,
  state: { status?: number; answer?: Buffer; leaseUntil?: Date; tellsOf?: string | undefined },
): unknown[] {
  return [
    request.clientId,
    request.key,
    request.part,
    request.principal,
    request.fingerprint,
    request.requestId,
    state.status ?? null,
    state.answer ?? null,
    state.leaseUntil ?? null,
    new Date(now),
    state.tellsOf ?? null,
  ];
}

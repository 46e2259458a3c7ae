import { audit } from '../audit/index.ts';
import type { ApiKeyDetail, ApiKeyRecord, CreateApiKeyInput } from '../contracts/api-keys.ts';
import { canViewAllUsers } from '../contracts/caller.ts';
import type { Caller } from '../contracts/caller.ts';
import { ApiError } from '../contracts/errors.ts';
import type { Vault } from '../../platform/crypto.ts';
import { brokenConstraint } from '../../platform/db/errors.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { COLUMNS, viewOf } from './api-key.view.ts';
import type { ApiKeyRow } from './api-key.view.ts';
import { checkAllowlist, checkEnvironment, checkRateLimit, checkScopes } from './grants.ts';
import { checkQuota } from './quota.ts';
import { createSecret } from './secret.ts';

/** What work on keys needs besides the transaction. */
export interface ApiKeyDeps {
  vault: Vault;
  now: number;
}

const DAY_MS = 86_400_000;

const INSERT = statement(`
  insert into api_keys as k (client_id, user_id, key_name, description, environment, scopes, allowed_ips,
    rate_limit_per_minute, expires_at, key_hash, key_ciphertext, master_key_id, api_key_masked)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
  returning ${COLUMNS}`);
const VISIBLE = `k.client_id = $1 and ($2::int is null or k.user_id = $2)`;
const LIST = statement(`select ${COLUMNS} from api_keys k where ${VISIBLE} order by k.created_at desc, k.id desc`);
const GET = statement(`select ${COLUMNS} from api_keys k where ${VISIBLE} and k.id = $3`);
const LOCK = statement(`select ${COLUMNS} from api_keys k where ${VISIBLE} and k.id = $3 for update`);
const GET_WITH_USAGE = statement(`
  select ${COLUMNS}, k.total_requests, u.requests_24h, u.requests_7d
  from api_keys k, lateral (
    select coalesce(sum(requests) filter (where minute > $4::timestamptz - interval '24 hours'), 0) as requests_24h,
      coalesce(sum(requests), 0) as requests_7d
    from api_key_usage where api_key_id = k.id and minute > $4::timestamptz - interval '7 days') u
  where ${VISIBLE} and k.id = $3`);

/** Makes a key (spec, "Create rules"). The plain key of a production key is returned here and nowhere else. */
export async function createApiKey(
  tx: TenantTransaction,
  caller: Caller,
  input: CreateApiKeyInput,
  { vault, now }: ApiKeyDeps,
): Promise<{ record: ApiKeyRecord; apiKey: string }> {
  const scopes = Object.keys(input.permissions);
  checkScopes(caller, scopes);
  checkEnvironment(caller, input.environment);
  checkAllowlist(input.allowed_ips);
  checkRateLimit(caller, input.rate_limit_per_minute ?? null);
  await checkQuota(tx, caller, now);
  const secret = createSecret(vault);
  const expiresAt = input.expires_in_days === undefined ? null : new Date(now + input.expires_in_days * DAY_MS);
  const values = [
    caller.clientId,
    caller.userId,
    input.key_name,
    input.description ?? null,
    input.environment,
    scopes,
    input.allowed_ips,
    input.rate_limit_per_minute ?? null,
    expiresAt,
    secret.hash,
    secret.sealed,
    secret.keyId,
    secret.masked,
  ];
  const [row] = await tx.query<ApiKeyRow>(INSERT, values).catch(refuseTakenName(input.key_name));
  if (row === undefined) throw new Error('insert into api_keys returned no row');
  auditKey(tx, caller, row.id, 'api_key.created', { key_name: row.key_name, environment: row.environment, scopes });
  return { record: viewOf(row, caller, vault), apiKey: secret.apiKey };
}

/** Every key that the caller may see, newest first: all of its client's for an owner or admin, else those it created. */
export async function listApiKeys(tx: TenantTransaction, caller: Caller, vault: Vault): Promise<ApiKeyRecord[]> {
  const rows = await tx.query<ApiKeyRow>(LIST, visibleTo(tx, caller));
  return rows.map((row) => viewOf(row, caller, vault));
}

/** One key with its use; 404 for one that the caller may not see. */
export async function getApiKey(
  tx: TenantTransaction,
  caller: Caller,
  id: number,
  { vault, now }: ApiKeyDeps,
): Promise<ApiKeyDetail> {
  type Row = ApiKeyRow & { total_requests: number; requests_24h: number; requests_7d: number };
  const [row] = await tx.query<Row>(GET_WITH_USAGE, [...visibleTo(tx, caller), id, new Date(now)]);
  if (row === undefined) throw ApiError.notFound('API key', id);
  const { total_requests, requests_24h, requests_7d } = row;
  return { ...viewOf(row, caller, vault), usage_stats: { total_requests, requests_24h, requests_7d } };
}

/** The row of a key that the caller may see; `lock` holds it until the commit. */
export async function findApiKey(
  tx: TenantTransaction,
  caller: Caller,
  id: number,
  { lock }: { lock: boolean },
): Promise<ApiKeyRow> {
  const [row] = await tx.query<ApiKeyRow>(lock ? LOCK : GET, [...visibleTo(tx, caller), id]);
  if (row === undefined) throw ApiError.notFound('API key', id);
  return row;
}

/** BAD_REQUEST for the error of a key_name that another key of the client has. */
export function refuseTakenName(keyName: string): (error: unknown) => never {
  return (error) => {
    if (brokenConstraint(error) !== 'api_keys_name_unique') throw error;
    throw ApiError.badRequest('key_name', `a key named ${JSON.stringify(keyName)} exists already; choose another name`);
  };
}

/** Notes a change of a key, or a reveal, in the transaction that makes it. */
export function auditKey(
  tx: TenantTransaction,
  caller: Caller,
  id: number,
  action: string,
  details: Record<string, unknown>,
): void {
  audit(tx, caller, { action, subjectType: 'api_key', subjectId: String(id), details });
}

/** Whether the key authenticates now. */
export function isLive({ is_active, expires_at }: Pick<ApiKeyRow, 'is_active' | 'expires_at'>, now: number): boolean {
  return is_active && (expires_at === null || expires_at.getTime() > now);
}

function visibleTo(tx: TenantTransaction, caller: Caller): unknown[] {
  return [tx.clientId, canViewAllUsers(caller) ? null : (caller.userId ?? 0)];
}

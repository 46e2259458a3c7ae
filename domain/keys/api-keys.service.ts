import { ApiError } from '../contracts/errors.ts';
import type { ApiKeyRecord, CreateApiKeyInput } from '../contracts/api-keys.ts';
import { isoMoment } from '../contracts/common.ts';
import type { Caller } from '../contracts/caller.ts';
import { availableScopes, KNOWN_SCOPES, scopeIsWithinRole } from '../contracts/scopes.ts';
import { audit } from '../audit/index.ts';
import { rateLimitTier } from '../tenancy/index.ts';
import { createToken, sha256 } from '../../platform/crypto.ts';
import type { Vault } from '../../platform/crypto.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { statement } from '../../platform/db/statement.ts';
import { brokenConstraint } from '../../platform/db/errors.ts';
import { allowlistProblem } from './ip-allowlist.ts';

export const API_KEY_PREFIX = 'svc_sk_';

/** What binds a sealed key to its place (see `Vault`). */
export const API_KEY_VAULT_CONTEXT = 'api_keys.key';

const DAY_MS = 86_400_000;

const COLUMNS = `id, key_name, description, display_name, avatar_url, key_type, environment, is_active, scopes,
  allowed_ips, rate_limit_per_minute, last_used_at, expires_at, user_id, created_at, updated_at, api_key_masked`;

interface ApiKeyRow {
  id: number;
  key_name: string;
  description: string | null;
  display_name: string | null;
  avatar_url: string | null;
  key_type: string;
  environment: 'production' | 'testing';
  is_active: boolean;
  scopes: string[];
  allowed_ips: string[];
  rate_limit_per_minute: number | null;
  last_used_at: Date | null;
  expires_at: Date | null;
  user_id: number;
  created_at: Date;
  updated_at: Date;
  api_key_masked: string;
}

// Held until the commit, it makes «count, then insert» one step: two creates at once can't pass max_api_keys. The count
// is a statement of its own because it must see what the holder before committed.
const LOCK_QUOTA = statement(`select pg_advisory_xact_lock(hashtextextended('api_keys', $1))`);
const COUNT_ACTIVE = statement(`
  select count(*) as active from api_keys
  where client_id = $1 and is_active and (expires_at is null or expires_at > now())`);
const INSERT = statement(`
  insert into api_keys (client_id, user_id, key_name, description, environment, scopes, allowed_ips,
    rate_limit_per_minute, expires_at, key_hash, key_ciphertext, master_key_id, api_key_masked)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
  returning ${COLUMNS}`);

/** Makes a key (spec, "Create rules"). The plain key is returned here and nowhere else. */
export async function createApiKey(
  tx: TenantTransaction,
  caller: Caller,
  input: CreateApiKeyInput,
  { vault, now }: { vault: Vault; now: number },
): Promise<{ record: ApiKeyRecord; apiKey: string }> {
  const scopes = Object.keys(input.permissions);
  checkGrant(caller, input, scopes);
  await checkQuota(tx, caller);
  const apiKey = createToken(API_KEY_PREFIX);
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
    sha256(apiKey),
    vault.seal(apiKey, API_KEY_VAULT_CONTEXT),
    vault.keyId,
    `${apiKey.slice(0, 8)}...${apiKey.slice(-4)}`,
  ];
  const [row] = await tx.query<ApiKeyRow & Record<string, unknown>>(INSERT, values).catch((error: unknown) => {
    if (brokenConstraint(error) !== 'api_keys_name_unique') throw error;
    throw ApiError.badRequest(
      'key_name',
      `a key named ${JSON.stringify(input.key_name)} exists already; choose another name`,
    );
  });
  if (row === undefined) throw new Error('insert into api_keys returned no row');
  const details = { key_name: row.key_name, environment: row.environment, scopes };
  audit(tx, caller, { action: 'api_key.created', subjectType: 'api_key', subjectId: String(row.id), details });
  return { record: viewOf(row, row.environment === 'testing' ? apiKey : null), apiKey };
}

/** Create rules 2–6: scopes, environment, allowlist and limit against what the creator and its tier may grant. */
function checkGrant(caller: Caller, input: CreateApiKeyInput, scopes: readonly string[]): void {
  const offered = availableScopes(caller.client.finance_tier);
  const unknown = scopes.filter((scope) => !KNOWN_SCOPES.has(scope));
  if (unknown.length > 0)
    throw ApiError.ofFields(unknown.map((scope) => ({ field: `permissions.${scope}`, issue: 'is not a known scope' })));
  const beyondTier = scopes.find((scope) => !(scope in offered));
  if (beyondTier !== undefined) {
    throw ApiError.tierRestricted(
      `The scope ${beyondTier} needs a higher finance tier than ${caller.client.finance_tier}.`,
    );
  }
  const role = caller.role;
  const beyondRole = scopes.find((scope) => role === null || !scopeIsWithinRole(scope, role));
  if (beyondRole !== undefined) throw new ApiError('FORBIDDEN', `Your role may not grant the scope ${beyondRole}.`);
  if (input.environment === 'production' && !caller.client.production_api_enabled) {
    throw new ApiError('FORBIDDEN', 'Production API access is not enabled for this client; create a testing key.');
  }
  const badAddresses = input.allowed_ips.flatMap((entry, index) => {
    const issue = allowlistProblem(entry);
    return issue === undefined ? [] : [{ field: `allowed_ips[${String(index)}]`, issue }];
  });
  if (badAddresses.length > 0) throw ApiError.ofFields(badAddresses);
  const ceiling = rateLimitTier(caller.client).requests_per_minute;
  if ((input.rate_limit_per_minute ?? 0) > ceiling) {
    throw ApiError.unprocessable(
      `rate_limit_per_minute must not exceed ${String(ceiling)}, the ceiling of the ${caller.client.tier} tier.`,
      [{ field: 'rate_limit_per_minute', issue: `must be at most ${String(ceiling)}` }],
    );
  }
}

async function checkQuota(tx: TenantTransaction, caller: Caller): Promise<void> {
  const limit = rateLimitTier(caller.client).max_api_keys;
  const [, [count]] = await Promise.all([
    tx.query(LOCK_QUOTA, [caller.clientId]),
    tx.query<{ active: number }>(COUNT_ACTIVE, [caller.clientId]),
  ]);
  if ((count?.active ?? 0) >= limit) {
    throw ApiError.unprocessable(
      `The ${caller.client.tier} tier allows ${String(limit)} active API keys; deactivate one first.`,
    );
  }
}

function viewOf(row: ApiKeyRow, apiKeyFull: string | null): ApiKeyRecord {
  const { scopes, last_used_at, expires_at, created_at, updated_at, ...rest } = row;
  return {
    ...rest,
    permissions: { scopes },
    last_used_at: isoMoment(last_used_at),
    expires_at: isoMoment(expires_at),
    created_at: isoMoment(created_at),
    updated_at: isoMoment(updated_at),
    api_key_full: apiKeyFull,
  };
}

import { auditMany } from '../audit/index.ts';
import type { ApiKeyRecord, UpdateApiKeyInput } from '../contracts/api-keys.ts';
import type { Caller, Role } from '../contracts/caller.ts';
import { ApiError } from '../contracts/errors.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { COLUMNS, viewOf } from './api-key.view.ts';
import type { ApiKeyRow } from './api-key.view.ts';
import { auditKey, findApiKey, isLive, refuseTakenName } from './api-keys.service.ts';
import type { ApiKeyDeps } from './api-keys.service.ts';
import { checkAllowlist, checkEnvironment, checkOwnerScopes, checkRateLimit, checkScopes } from './grants.ts';
import { checkWidening, refusalToHold } from './own-key.ts';
import { checkQuota } from './quota.ts';
import { createSecret } from './secret.ts';

const HOUR_MS = 3_600_000;

/** What PATCH may set. */
const FIELDS = [
  'key_name',
  'description',
  'display_name',
  'avatar_url',
  'is_active',
  'scopes',
  'allowed_ips',
  'rate_limit_per_minute',
  'expires_at',
] as const;
type Settings = Pick<ApiKeyRow, (typeof FIELDS)[number]>;

const OWNER = statement(`select role, is_active from users where client_id = $1 and id = $2`);
// Deactivating ends a rotation's grace too: the old secret must not come back with the key.
const UPDATE = statement(`
  update api_keys k set key_name = $3, description = $4, display_name = $5, avatar_url = $6, is_active = $7, scopes = $8,
    allowed_ips = $9, rate_limit_per_minute = $10, expires_at = $11,
    deleted_at = case when $7 then null else deleted_at end,
    previous_key_hash = case when $7 then previous_key_hash end,
    previous_key_expires_at = case when $7 then previous_key_expires_at end, updated_at = $12
  where k.client_id = $1 and k.id = $2 returning ${COLUMNS}`);
const DELETE = statement(`
  update api_keys k set is_active = false, deleted_at = $3, previous_key_hash = null, previous_key_expires_at = null,
    updated_at = $3
  where k.client_id = $1 and k.id = $2 returning ${COLUMNS}`);
const DISABLE = statement(`
  update api_keys set is_active = false, previous_key_hash = null, previous_key_expires_at = null, updated_at = $3
  where client_id = $1 and user_id = $2 and is_active returning id`);
const AUDITED_AT_ONCE = 500;
const ROTATE = statement(`
  update api_keys k set previous_key_hash = case when $3::timestamptz is null then null else k.key_hash end,
    previous_key_expires_at = $3, key_hash = $4, key_ciphertext = $5, master_key_id = $6, api_key_masked = $7,
    updated_at = $8
  where k.client_id = $1 and k.id = $2 returning ${COLUMNS}`);

/** Changes the given fields of a key, by the rules that hold for a create (spec, "Create rules"). */
export async function updateApiKey(
  tx: TenantTransaction,
  caller: Caller,
  id: number,
  input: UpdateApiKeyInput,
  { vault, now }: ApiKeyDeps,
): Promise<ApiKeyRecord> {
  if (Object.values(input).every((value) => value === undefined)) {
    throw ApiError.badRequest('body', 'must hold at least one field to change');
  }
  const before = await findApiKey(tx, caller, id, { lock: true });
  const after = settingsAfter(before, input);
  await checkChange(tx, caller, { before, after, input, now });
  const changes = changesBetween(before, after);
  if (Object.keys(changes).length === 0) return viewOf(before, caller, vault);
  const values = [tx.clientId, id, ...FIELDS.map((field) => after[field]), new Date(now)];
  const [row] = await tx.query<ApiKeyRow>(UPDATE, values).catch(refuseTakenName(after.key_name));
  if (row === undefined) throw new Error('update of api_keys returned no row');
  auditKey(tx, caller, id, 'api_key.updated', { changes });
  return viewOf(row, caller, vault);
}

/** Revokes a key for good until PATCH activates it again; a repetition changes nothing and succeeds. */
export async function deleteApiKey(
  tx: TenantTransaction,
  caller: Caller,
  id: number,
  { vault, now }: ApiKeyDeps,
): Promise<ApiKeyRecord> {
  const before = await findApiKey(tx, caller, id, { lock: true });
  if (before.deleted_at !== null) return viewOf(before, caller, vault);
  const [row] = await tx.query<ApiKeyRow>(DELETE, [tx.clientId, id, new Date(now)]);
  if (row === undefined) throw new Error('update of api_keys returned no row');
  auditKey(tx, caller, id, 'api_key.deleted', { key_name: row.key_name });
  return viewOf(row, caller, vault);
}

/** Turns off the keys of somebody who has left (decisions §2): nobody's own act, and so each is noted. */
export async function disableKeysOf(tx: TenantTransaction, caller: Caller, userId: number, now: number): Promise<void> {
  const rows = await tx.query<{ id: number }>(DISABLE, [tx.clientId, userId, new Date(now)]);
  const details = { changes: { is_active: { from: true, to: false } }, because: 'user_deactivated' };
  for (let first = 0; first < rows.length; first += AUDITED_AT_ONCE) {
    const subjects = rows.slice(first, first + AUDITED_AT_ONCE).map(({ id }) => ({ id: String(id), details }));
    await auditMany(tx, caller, { action: 'api_key.updated', subjectType: 'api_key', subjects });
  }
}

/** Gives the caller's own key a new secret; the one before works for `graceHours` more, and one still older no longer. */
export async function rotateApiKey(
  tx: TenantTransaction,
  caller: Caller,
  { id, graceHours }: { id: number; graceHours: number },
  { vault, now }: ApiKeyDeps,
): Promise<{ record: ApiKeyRecord; apiKey: string }> {
  const before = await findApiKey(tx, caller, id, { lock: true });
  const refusal = refusalToHold(caller, before, 'rotate');
  if (refusal !== undefined) throw refusal;
  if (!isLive(before, now)) {
    throw new ApiError('CONFLICT', 'An inactive or expired key can not be rotated; activate it first.');
  }
  const secret = createSecret(vault);
  const graceEndsAt = graceHours === 0 ? null : new Date(now + graceHours * HOUR_MS);
  const stored = [secret.hash, secret.sealed, secret.keyId, secret.masked];
  const [row] = await tx.query<ApiKeyRow>(ROTATE, [tx.clientId, id, graceEndsAt, ...stored, new Date(now)]);
  if (row === undefined) throw new Error('update of api_keys returned no row');
  auditKey(tx, caller, id, 'api_key.rotated', { grace_hours: graceHours });
  return { record: viewOf(row, caller, vault), apiKey: secret.apiKey };
}

function settingsAfter(before: ApiKeyRow, input: UpdateApiKeyInput): Settings {
  const { permissions, expires_at, ...rest } = input;
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  return {
    ...before,
    ...given,
    ...(permissions === undefined ? {} : { scopes: Object.keys(permissions) }),
    ...(expires_at === undefined ? {} : { expires_at: expires_at === null ? null : new Date(expires_at) }),
  };
}

async function checkChange(
  tx: TenantTransaction,
  caller: Caller,
  { before, after, input, now }: { before: ApiKeyRow; after: Settings; input: UpdateApiKeyInput; now: number },
): Promise<void> {
  const isTurnedOn = isLive(after, now) && !isLive(before, now);
  if (input.permissions !== undefined || isTurnedOn) {
    const [owner] = await tx.query<{ role: Role; is_active: boolean }>(OWNER, [tx.clientId, before.user_id]);
    if (isTurnedOn && owner?.is_active !== true) {
      throw new ApiError('CONFLICT', 'The user that owns this key is deactivated; make a key of your own.');
    }
    if (input.permissions !== undefined) {
      checkScopes(caller, after.scopes);
      checkOwnerScopes(owner?.role ?? 'auditor', after.scopes);
      checkWidening(caller, before, after.scopes);
    }
  }
  if (input.allowed_ips !== undefined) checkAllowlist(after.allowed_ips);
  if (input.rate_limit_per_minute !== undefined) checkRateLimit(caller, after.rate_limit_per_minute);
  checkExpiry(before.expires_at, after.expires_at, now);
  if (isTurnedOn) {
    checkEnvironment(caller, before.environment);
    await checkQuota(tx, caller, now);
  }
}

/** A new expiry lies ahead, as with Stripe: a key is ended now by `is_active: false`. One sent back as it was may stay. */
function checkExpiry(before: Date | null, after: Date | null, now: number): void {
  if (after === null || after.getTime() === before?.getTime() || after.getTime() > now) return;
  throw ApiError.invalid('expires_at', 'must lie in the future; to end a key now set is_active to false');
}

/** What differs, for the audit trail. */
function changesBetween(before: ApiKeyRow, after: Settings): Record<string, { from: unknown; to: unknown }> {
  return Object.fromEntries(
    FIELDS.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field])).map((field) => [
      field === 'scopes' ? 'permissions' : field,
      { from: before[field], to: after[field] },
    ]),
  );
}

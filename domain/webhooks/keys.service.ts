import { audit } from '../audit/index.ts';
import { isoMoment } from '../contracts/common.ts';
import type { PublicKeyView } from '../contracts/webhook-keys.ts';
import { statement } from '../../platform/db/statement.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import type { Vault } from '../../platform/crypto.ts';
import { WEBHOOK_ED25519_CONTEXT, WEBHOOK_SECRET_CONTEXT } from './endpoint.ts';
import { createEd25519Pair, createSigningSecret, SHOWN_SECRET_CHARACTERS } from './signing.ts';

const INSERT = statement(`
  insert into webhook_keys (client_id, webhook_id, key_version, secret_ciphertext, secret_prefix, ed25519_ciphertext,
    ed25519_public)
  values ($1, $2, $3, $4, $5, $6, $7)`);
const ADD_PAIR = statement(`
  update webhook_keys k set ed25519_ciphertext = $3, ed25519_public = $4 from webhooks w
  where w.client_id = $1 and w.id = $2 and k.client_id = w.client_id and k.webhook_id = w.id
    and k.key_version = w.current_key_version and k.ed25519_ciphertext is null`);
const PUBLIC_KEYS = statement(`
  select k.key_version, k.ed25519_public as public_key, k.expires_at
  from webhook_keys k join webhooks w on w.id = k.webhook_id and w.client_id = k.client_id
  where k.client_id = $1 and k.webhook_id = $2 and w.ed25519_enabled and k.ed25519_public is not null
    and k.deactivated_at is null and (k.expires_at is null or k.expires_at > $3)
  order by k.key_version desc`);

/** Makes a version of a webhook's signing secret; answers the secret, which is kept nowhere in the clear. */
export function createKey(
  tx: TenantTransaction,
  webhookId: number,
  version: number,
  { vault, ed25519 }: { vault: Vault; ed25519: boolean },
): { secretKey: string; prefix: string } {
  const secretKey = createSigningSecret();
  const prefix = secretKey.slice(0, SHOWN_SECRET_CHARACTERS);
  const pair = ed25519 ? createEd25519Pair() : undefined;
  tx.write(INSERT, [
    tx.clientId,
    webhookId,
    version,
    vault.seal(secretKey, WEBHOOK_SECRET_CONTEXT),
    prefix,
    pair === undefined ? null : vault.seal(pair.seed, WEBHOOK_ED25519_CONTEXT),
    pair?.publicKey ?? null,
  ]);
  return { secretKey, prefix };
}

/** Gives the current key its ed25519 pair, unless it has one: switched off and on again, a webhook keeps its public key. */
export function ensureEd25519(tx: TenantTransaction, webhookId: number, vault: Vault): void {
  const { seed, publicKey } = createEd25519Pair();
  tx.write(ADD_PAIR, [tx.clientId, webhookId, vault.seal(seed, WEBHOOK_ED25519_CONTEXT), publicKey]);
}

/** The keys that `v1a` signatures of now can be checked with, the current one first. */
export async function publicKeys(tx: TenantTransaction, webhookId: number, now: number): Promise<PublicKeyView[]> {
  const rows = await tx.query<{ key_version: number; public_key: string; expires_at: Date | null }>(PUBLIC_KEYS, [
    tx.clientId,
    webhookId,
    new Date(now),
  ]);
  return rows.map(({ key_version, public_key, expires_at }) => ({
    key_version,
    algorithm: 'ed25519',
    public_key,
    expires_at: isoMoment(expires_at),
  }));
}

// What is locked is being deactivated by another. Webhooks are locked in the order of their ids, as everywhere.
const deactivate = (which: string) => `
  with due as (
    select webhook_id, key_version from webhook_keys
    where expires_at <= $1 and deactivated_at is null ${which}
    order by expires_at limit $2 for update skip locked),
  done as (
    update webhook_keys k set deactivated_at = $1 from due d
    where k.webhook_id = d.webhook_id and k.key_version = d.key_version
    returning k.client_id, k.webhook_id, k.key_version),
  locked as (
    select w.id from webhooks w where w.id in (select webhook_id from done) order by w.id for no key update),
  ended as (
    update webhooks w set grace_period_ends_at = null, updated_at = $1 from locked l
    where w.id = l.id and w.grace_period_ends_at <= $1)
  select client_id, webhook_id, key_version from done`;
const DEACTIVATE_ALL = statement(deactivate(''));
const DEACTIVATE_OF = statement(deactivate('and client_id = $3 and webhook_id = $4 and key_version < $5'));
const LAST_END = statement(`
  select max(expires_at) as at from webhook_keys
  where client_id = $1 and webhook_id = $2 and key_version < $3 and deactivated_at is null`);

/**
 * Deactivates keys whose grace period is over, at most `batch` of them; answers how many. They sign nothing since their
 * `expires_at`, whether or not this has run.
 */
export function deactivateExpiredKeys(db: SystemDatabase, now: number, batch = 500): Promise<number> {
  return db.transaction(async (tx) => {
    const keys = await tx.query<DeactivatedKey>(DEACTIVATE_ALL, [new Date(now), batch]);
    for (const key of keys) noteDeactivated(tx, key);
    return keys.length;
  });
}

/** The same for the keys of one webhook before a version; answers how many milliseconds the last of them has left. */
export function endKeysBefore(
  db: SystemDatabase,
  { clientId, webhookId, keyVersion }: { clientId: number; webhookId: number; keyVersion: number },
  now: number,
): Promise<number> {
  return db.transaction(async (tx) => {
    const of = [clientId, webhookId, keyVersion];
    const keys = await tx.query<DeactivatedKey>(DEACTIVATE_OF, [new Date(now), MAX_KEYS_OF_ONE, ...of]);
    for (const key of keys) noteDeactivated(tx, key);
    const [last] = await tx.query<{ at: Date | null }>(LAST_END, of);
    const at = last?.at ?? null;
    return at === null ? 0 : Math.max(1, at.getTime() - now);
  });
}

const MAX_KEYS_OF_ONE = 100;

interface DeactivatedKey extends Record<string, unknown> {
  client_id: number;
  webhook_id: number;
  key_version: number;
}

function noteDeactivated(tx: Parameters<typeof audit>[0], key: DeactivatedKey): void {
  const actor = { type: 'system', id: 'signing-key-rotation' } as const;
  audit(
    tx,
    { clientId: key.client_id, actor, address: null },
    {
      action: 'webhook.key_deactivated',
      subjectType: 'webhook',
      subjectId: String(key.webhook_id),
      details: { key_version: key.key_version },
    },
  );
}

import { ApiError } from '../contracts/errors.ts';
import type { InboundWebhookData } from '../contracts/inbound-webhooks.ts';
import type { Vault } from '../../platform/crypto.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';
import { statement } from '../../platform/db/statement.ts';
import { COLUMNS, viewOf } from './inbound-webhook.view.ts';
import type { InboundWebhookRow } from './inbound-webhook.view.ts';
import { isKeyOf, isSignedBy } from './secret.ts';
import type { SignatureHeaders } from './secret.ts';

// An inactive and a deleted one are not found by the same look-up that doesn't find what never was: the answers are the
// same, and so is the time they take.
const FIND = statement(`
  select w.client_id, w.key_hash, w.secret_ciphertext, w.previous_key_hash, w.previous_secret_ciphertext, ${COLUMNS}
  from inbound_webhooks w where w.id = $1 and w.is_active and w.deleted_at is null`);

interface ReceiverRow extends InboundWebhookRow, Record<string, unknown> {
  client_id: number;
  key_hash: Buffer | null;
  secret_ciphertext: Buffer | null;
  previous_key_hash: Buffer | null;
  previous_secret_ciphertext: Buffer | null;
}

/** An active webhook, as a call finds it. */
export interface Receiver {
  clientId: number;
  webhook: InboundWebhookData;
  /** Digests of the keys that open it, or its sealed secrets; the newest first. */
  keyHashes: readonly Buffer[];
  sealedSecrets: readonly Buffer[];
}

/** The active webhook at an address. */
export async function findReceiver(system: SystemDatabase, id: string, now: number): Promise<Receiver> {
  const [row] = await system.query<ReceiverRow>(FIND, [id]);
  if (row === undefined) throw ApiError.notFound('inbound webhook', id);
  const hasPrevious = row.previous_key_expires_at !== null && row.previous_key_expires_at.getTime() > now;
  const valid = (current: Buffer | null, previous: Buffer | null): Buffer[] =>
    [current, hasPrevious ? previous : null].filter((one) => one !== null);
  return {
    clientId: row.client_id,
    webhook: viewOf(row),
    keyHashes: valid(row.key_hash, row.previous_key_hash),
    sealedSecrets: valid(row.secret_ciphertext, row.previous_secret_ciphertext),
  };
}

/** What can be refused before the body is read: a wrong key. */
export function checkKey({ webhook, keyHashes }: Receiver, key: string | undefined): void {
  if (webhook.auth_method !== 'api_key') return;
  if (key !== undefined && isKeyOf(key, keyHashes)) return;
  throw new ApiError(
    'UNAUTHORIZED',
    'The header X-API-Key must hold the key of this webhook (it begins with svc_wh_).',
  );
}

/** The signature over the raw bytes of the body. */
export function checkSignature(
  { webhook, sealedSecrets }: Receiver,
  headers: SignatureHeaders,
  body: Buffer,
  { vault, now }: { vault: Vault; now: number },
): void {
  if (webhook.auth_method !== 'hmac') return;
  if (isSignedBy(headers, body, { sealed: sealedSecrets, vault, now })) return;
  throw new ApiError(
    'UNAUTHORIZED',
    'The body is not signed as it must be: X-Service-Signature is sha256= and the HMAC-SHA256 of the raw body in hex, keyed by the whole secret; or send webhook-id, webhook-timestamp (at most 5 minutes old) and webhook-signature.',
  );
}

import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

export const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;
/** Characters of a secret that lists show. */
export const SHOWN_SECRET_CHARACTERS = 10;

/** `whsec_` + base64 of 32 random bytes. */
export function createSigningSecret(): string {
  return `${SECRET_PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/** A signing secret made ready: `X-Service-Signature` is keyed by its whole text, `webhook-signature` by its bytes. */
export interface SigningKey {
  version: number;
  text: KeyObject;
  bytes: KeyObject;
  /** After this the key no longer signs (milliseconds since the epoch); null for the current one. */
  expiresAt: number | null;
}

export function signingKey(version: number, secret: string, expiresAt: number | null): SigningKey {
  return {
    version,
    text: createSecretKey(Buffer.from(secret, 'utf8')),
    bytes: createSecretKey(Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')),
    expiresAt,
  };
}

/** `sha256=<hex>` of the raw body. */
export function serviceSignature(key: KeyObject | string, body: string): string {
  return `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;
}

/** `v1,<base64>` over `id.timestamp.body` (standardwebhooks.com). */
export function standardSignature(key: SigningKey, id: string, timestamp: number, body: string): string {
  const content = `${id}.${String(timestamp)}.${body}`;
  return `v1,${createHmac('sha256', key.bytes).update(content).digest('base64')}`;
}

/**
 * Signature headers of one send. `keys` holds the newest first; during a grace period the one before signs beside it
 * (decisions §7).
 */
export function signatureHeaders(
  keys: readonly SigningKey[],
  message: { id: string; timestamp: number; body: string },
): Record<string, string> {
  const now = message.timestamp * 1_000;
  const valid = keys.filter((key) => key.expiresAt === null || key.expiresAt > now);
  const [current, previous] = valid;
  if (current === undefined) throw new Error('a webhook has no valid signing key');
  const headers: Record<string, string> = {
    'X-Service-Signature': serviceSignature(current.text, message.body),
    'X-Webhook-Key-Version': valid.map((key) => String(key.version)).join(','),
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestamp),
    'webhook-signature': valid
      .map((key) => standardSignature(key, message.id, message.timestamp, message.body))
      .join(' '),
  };
  if (previous !== undefined) headers['X-Service-Signature-Previous'] = serviceSignature(previous.text, message.body);
  return headers;
}

import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  generateKeyPairSync,
  randomBytes,
  sign,
} from 'node:crypto';
import type { KeyObject } from 'node:crypto';

export const SECRET_PREFIX = 'whsec_';
/** Of a public ed25519 key, as Standard Webhooks writes them. */
export const PUBLIC_KEY_PREFIX = 'whpk_';
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
  /** Makes the `v1a` signature beside the `v1`; null where the webhook has not asked for it. */
  ed25519: KeyObject | null;
  /** After this the key no longer signs (milliseconds since the epoch); null for the current one. */
  expiresAt: number | null;
}

export function signingKey(
  version: number,
  secret: string,
  expiresAt: number | null,
  ed25519Seed: string | null = null,
): SigningKey {
  return {
    version,
    text: createSecretKey(Buffer.from(secret, 'utf8')),
    bytes: createSecretKey(Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')),
    ed25519: ed25519Seed === null ? null : ed25519Key(ed25519Seed),
    expiresAt,
  };
}

/** What stands before the 32 bytes of a private ed25519 key in PKCS #8 (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');
const ED25519_BYTES = 32;

/** A new key pair: the private key's seed in base64, to be sealed, and the public key as `whpk_` + base64. */
export function createEd25519Pair(): { seed: string; publicKey: string } {
  const { privateKey } = generateKeyPairSync('ed25519');
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-ED25519_BYTES);
  const publicBytes = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-ED25519_BYTES);
  return { seed: seed.toString('base64'), publicKey: `${PUBLIC_KEY_PREFIX}${publicBytes.toString('base64')}` };
}

function ed25519Key(seed: string): KeyObject {
  const key = Buffer.concat([PKCS8_HEAD, Buffer.from(seed, 'base64')]);
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
}

/** `sha256=<hex>` of the raw body. */
export function serviceSignature(key: KeyObject | string, body: string): string {
  return `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;
}

/** `v1,<base64>` over `id.timestamp.body`, and `v1a,<base64>` beside it where the key has a pair (standardwebhooks.com). */
function standardSignatures(key: SigningKey, content: string): string[] {
  const signatures = [`v1,${createHmac('sha256', key.bytes).update(content).digest('base64')}`];
  if (key.ed25519 !== null) {
    signatures.push(`v1a,${sign(null, Buffer.from(content, 'utf8'), key.ed25519).toString('base64')}`);
  }
  return signatures;
}

/**
 * Signature headers of one send. `keys` holds the newest first; during a grace period the ones before sign beside it
 * (decisions §7). Where several of those are valid, `X-Service-Signature-Previous` is made with the oldest: the one that a
 * receiver which is not up to date holds (docs/decisions/0017).
 */
export function signatureHeaders(
  keys: readonly SigningKey[],
  message: { id: string; timestamp: number; body: string },
): Record<string, string> {
  const now = message.timestamp * 1_000;
  const valid = keys.filter((key) => key.expiresAt === null || key.expiresAt > now);
  const [current, ...earlier] = valid;
  if (current === undefined) throw new Error('a webhook has no valid signing key');
  const content = `${message.id}.${String(message.timestamp)}.${message.body}`;
  const headers: Record<string, string> = {
    'X-Service-Signature': serviceSignature(current.text, message.body),
    'X-Webhook-Key-Version': valid.map((key) => String(key.version)).join(','),
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestamp),
    'webhook-signature': valid.flatMap((key) => standardSignatures(key, content)).join(' '),
  };
  const oldest = earlier.at(-1);
  if (oldest !== undefined) headers['X-Service-Signature-Previous'] = serviceSignature(oldest.text, message.body);
  return headers;
}

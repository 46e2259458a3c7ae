import { createHmac, timingSafeEqual } from 'node:crypto';
import type { InboundAuthMethod } from '../contracts/inbound-webhooks.ts';
import { SIGNATURE_TOLERANCE_MS } from '../contracts/inbound-webhooks.ts';
import { createToken, sha256 } from '../../platform/crypto.ts';
import type { Vault } from '../../platform/crypto.ts';
import { createSigningSecret, SECRET_PREFIX } from '../webhooks/index.ts';

/** Apart from `svc_sk_`: the key of a webhook opens nothing else. */
export const INBOUND_KEY_PREFIX = 'svc_wh_';

const VAULT_CONTEXT = 'inbound_webhooks.secret_ciphertext';

/** What a webhook's row keeps of its key or secret. */
export interface StoredSecret {
  key_hash: Buffer | null;
  secret_ciphertext: Buffer | null;
}

/** The key or secret, shown once, as the create and rotate answers name it. */
export interface ShownSecret {
  api_key?: string;
  secret_key?: string;
}

/** A new key or secret for a method, in the form that its row keeps. */
export function createInboundSecret(
  method: InboundAuthMethod,
  vault: Vault,
): { stored: StoredSecret; shown: ShownSecret } {
  if (method === 'api_key') {
    const key = createToken(INBOUND_KEY_PREFIX);
    return { stored: { key_hash: sha256(key), secret_ciphertext: null }, shown: { api_key: key } };
  }
  if (method === 'hmac') {
    const secret = createSigningSecret();
    const sealed = vault.seal(secret, VAULT_CONTEXT);
    return { stored: { key_hash: null, secret_ciphertext: sealed }, shown: { secret_key: secret } };
  }
  return { stored: { key_hash: null, secret_ciphertext: null }, shown: {} };
}

/** Whether a key is one of those that a webhook keeps the digests of. */
export function isKeyOf(key: string, hashes: readonly Buffer[]): boolean {
  const digest = sha256(key);
  // Each is compared, whichever fits: the time tells nothing.
  return hashes.map((hash) => timingSafeEqual(digest, hash)).includes(true);
}

/** The headers that a signed call may carry. */
export interface SignatureHeaders {
  service: string | undefined;
  id: string | undefined;
  timestamp: string | undefined;
  standard: string | undefined;
}

/**
 * Whether the body is signed by one of the secrets: by `X-Service-Signature`, or by the three headers of Standard
 * Webhooks, whose timestamp must be of now. A call that carries both must have both right.
 */
export function isSignedBy(
  headers: SignatureHeaders,
  body: Buffer,
  { sealed, vault, now }: { sealed: readonly Buffer[]; vault: Vault; now: number },
): boolean {
  if (headers.service === undefined && headers.standard === undefined) return false;
  const secrets = sealed.map((ciphertext) => vault.open(ciphertext, VAULT_CONTEXT));
  const isServiceRight = headers.service === undefined || isServiceSignature(headers.service, body, secrets);
  const isStandardRight = headers.standard === undefined || isStandardSignature(headers, body, { secrets, now });
  return isServiceRight && isStandardRight;
}

/** `sha256=<hex>` of the raw body, keyed by the whole secret. */
function isServiceSignature(given: string, body: Buffer, secrets: readonly string[]): boolean {
  const hex = /^sha256=([0-9a-f]{64})$/i.exec(given.trim())?.[1];
  if (hex === undefined) return false;
  const signature = Buffer.from(hex, 'hex');
  return secrets
    .map((secret) => timingSafeEqual(signature, createHmac('sha256', secret).update(body).digest()))
    .includes(true);
}

/** `v1,<base64>` of `id.timestamp.body`, keyed by the bytes that the secret stands for; one of several is enough. */
function isStandardSignature(
  { id, timestamp, standard = '' }: SignatureHeaders,
  body: Buffer,
  { secrets, now }: { secrets: readonly string[]; now: number },
): boolean {
  if (id === undefined || id === '' || timestamp === undefined || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now - Number(timestamp) * 1_000) > SIGNATURE_TOLERANCE_MS) return false;
  const given = standard
    .split(' ')
    .filter((one) => one.startsWith('v1,'))
    .slice(0, 10)
    .map((one) => Buffer.from(one.slice('v1,'.length), 'base64'));
  const expected = secrets.map((secret) =>
    createHmac('sha256', Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64'))
      .update(`${id}.${timestamp}.`)
      .update(body)
      .digest(),
  );
  return expected
    .flatMap((right) => given.map((one) => one.length === right.length && timingSafeEqual(one, right)))
    .includes(true);
}

import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import type { KeyObject } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts small secrets at rest (AES-256-GCM). The key's id is kept beside each ciphertext so that keys can rotate. */
export interface Vault {
  readonly keyId: string;
  /** nonce ‖ tag ‖ ciphertext, bound to `context` (a table and column), so that it can't be moved to another place. */
  seal(plain: string, context: string): Buffer;
  /** The plain text; throws when the bytes were changed or stem from another key or context. */
  open(sealed: Buffer, context: string): string;
  /**
   * HMAC-SHA256 under a key of its own for each `context`: a digest that nobody without the master key can make, nor
   * find the text of by guessing.
   */
  mac(text: string | Uint8Array, context: string): Buffer;
}

export function createVault(masterKeyBase64: string): Vault {
  const bytes = Buffer.from(masterKeyBase64, 'base64');
  const keyId = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
  // A key object: Node takes twice as long to make a cipher from bytes.
  const key = createSecretKey(bytes);
  const macKeys = new Map<string, KeyObject>();
  return {
    keyId,
    seal(plain, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    open(sealed, context) {
      const nonce = sealed.subarray(0, NONCE_BYTES);
      const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
      // Without its length a shorter tag, easier to forge, would be taken too.
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(context)).setAuthTag(tag);
      return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString(
        'utf8',
      );
    },
    mac(text, context) {
      let macKey = macKeys.get(context);
      if (macKey === undefined) {
        macKey = createSecretKey(Buffer.from(hkdfSync('sha256', bytes, '', context, 32)));
        macKeys.set(context, macKey);
      }
      return createHmac('sha256', macKey).update(text).digest();
    },
  };
}

export function sha256(text: string | Uint8Array): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Compares two secrets in a time that tells nothing of where they differ, nor of their lengths. */
export function secretsEqual(a: string, b: string): boolean {
  return timingSafeEqual(sha256(a), sha256(b));
}

/** `prefix` + 256 random bits in base64url + a 6-character checksum, e.g. `svc_sk_…` (decisions §2). */
export function createToken(prefix: string): string {
  const body = randomBytes(32).toString('base64url');
  return `${prefix}${body}${checksum(prefix + body)}`;
}

const TOKEN_BODY = /^[A-Za-z0-9_-]{49}$/;

/** Whether `token` could have been made by {@link createToken} with this prefix: a typo is found without the database. */
export function isWellFormedToken(token: string, prefix: string): boolean {
  if (!token.startsWith(prefix) || !TOKEN_BODY.test(token.slice(prefix.length))) return false;
  return checksum(token.slice(0, -6)) === token.slice(-6);
}

function checksum(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 6);
}

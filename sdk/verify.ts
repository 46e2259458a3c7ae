/**
 * Checks that a webhook was sent by Business Platform. Web Crypto only: it runs in Node 20 and later, Deno, Bun, browsers
 * and edge workers, and depends on nothing.
 */

/** Why a message was refused. */
export type VerificationFailure =
  | 'missing_header'
  | 'invalid_header'
  | 'timestamp_too_old'
  | 'timestamp_too_new'
  | 'no_matching_signature'
  | 'invalid_key'
  | 'invalid_payload';

/** Thrown for a message that must not be trusted; `invalid_key` alone says that the receiver is set up wrongly. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly code: VerificationFailure;

  constructor(code: VerificationFailure, message: string) {
    super(message);
    this.code = code;
  }
}

/** A `Headers` object, or a plain one in any letter case (Node's `request.headers`). */
export type HeadersLike =
  { get(name: string): string | null } | Readonly<Record<string, string | readonly string[] | undefined>>;

interface Message {
  /** The raw body, byte for byte as it came: before any JSON parser. */
  payload: string | Uint8Array;
  headers: HeadersLike;
}

export interface VerifyServiceSignatureOptions extends Message {
  /** `secret_key` of the webhook. */
  secret?: string;
  /** Several of them, while a key is being replaced. */
  secrets?: readonly string[];
}

export interface VerifyWebhookOptions extends VerifyServiceSignatureOptions {
  /** `whpk_…` of a webhook with `ed25519_enabled`, in place of the secret or beside it. */
  publicKey?: string;
  publicKeys?: readonly string[];
  /** How far the message's time may lie from now, to either side. */
  toleranceSeconds?: number;
  /** The time now; for tests. */
  now?: Date;
}

export interface VerifyCallbackOptions extends Message {
  /** The API key (or the OAuth application's client secret) of the Document AI request. */
  apiKey: string;
}

/** What arrives, unless the webhook has a payload template. */
export interface WebhookEvent<Data = Record<string, unknown>> {
  event: string;
  version: string;
  timestamp: string;
  data: Data;
  metadata: { client_id: number; event_id: string; delivery_id: number; webhook_id: number };
}

const SECRET_PREFIX = 'whsec_';
const PUBLIC_KEY_PREFIX = 'whpk_';
const PUBLIC_KEY_BYTES = 32;
const TOLERANCE_SECONDS = 300;
/** We send at most one for each valid key. A header full of them must not cost a check of the body each. */
const MAX_ASYMMETRIC_SIGNATURES = 10;

/**
 * Checks `webhook-signature` (Standard Webhooks: v1, and v1a with a public key) and the time it covers; answers the parsed
 * body. `X-Service-Signature` is not taken in its place: it covers no time, so whoever once saw a message could send it
 * again with the other headers left out.
 */
export async function verifyWebhook<T = WebhookEvent>(options: VerifyWebhookOptions): Promise<T> {
  const body = bytesOf(options.payload);
  const secrets = listOf(options.secret, options.secrets);
  const publicKeys = listOf(options.publicKey, options.publicKeys);
  if (secrets.length + publicKeys.length === 0) throw invalidKey('neither a secret nor a public key was given');
  const secretBytes = secrets.map(bytesOfSecret);
  const publicBytes = publicKeys.map(bytesOfPublicKey);

  const id = requiredHeader(options.headers, 'webhook-id');
  const timestamp = requiredHeader(options.headers, 'webhook-timestamp');
  const signatures = requiredHeader(options.headers, 'webhook-signature').split(' ');
  checkTime(timestamp, options);

  const content = concat(utf8(`${id}.${timestamp}.`), body);
  const isGenuine =
    (await matchesSecret(secretBytes, signaturesOf(signatures, 'v1'), content)) ||
    (await matchesPublicKey(publicBytes, signaturesOf(signatures, 'v1a'), content));
  if (!isGenuine) throw noMatch();
  return parse<T>(body);
}

/**
 * Checks `X-Service-Signature` and, while a key is being replaced, `X-Service-Signature-Previous`; answers the parsed body.
 * Neither covers a time: a message that was seen can be sent again, so remember each `webhook-id`. Prefer
 * {@link verifyWebhook}.
 */
export async function verifyServiceSignature<T = WebhookEvent>(options: VerifyServiceSignatureOptions): Promise<T> {
  const body = bytesOf(options.payload);
  const secrets = listOf(options.secret, options.secrets);
  if (secrets.length === 0) throw invalidKey('no secret was given');
  // Keyed by the whole text: it is not decoded, but a secret that is none of ours is a mistake all the same.
  for (const secret of secrets) bytesOfSecret(secret);
  const given = [requiredHeader(options.headers, 'x-service-signature')];
  const previous = header(options.headers, 'x-service-signature-previous');
  if (previous !== undefined) given.push(previous);
  if (!(await matchesSecret(secrets.map(utf8), serviceSignatures(given), body))) throw noMatch();
  return parse<T>(body);
}

/** Checks the signature of a Document AI callback, which is made with the API key of the request; answers the parsed body. */
export async function verifyCallback<T = Record<string, unknown>>(options: VerifyCallbackOptions): Promise<T> {
  const body = bytesOf(options.payload);
  if (typeof options.apiKey !== 'string' || options.apiKey === '') throw invalidKey('no API key was given');
  const given = serviceSignatures([requiredHeader(options.headers, 'x-service-signature')]);
  if (!(await matchesSecret([utf8(options.apiKey)], given, body))) throw noMatch();
  return parse<T>(body);
}

type Bytes = Uint8Array<ArrayBuffer>;

function checkTime(timestamp: string, { toleranceSeconds = TOLERANCE_SECONDS, now }: VerifyWebhookOptions): void {
  if (!(toleranceSeconds >= 0)) throw new TypeError('toleranceSeconds must be a number that is not negative');
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new WebhookVerificationError('invalid_header', 'webhook-timestamp is not a time in seconds');
  }
  const age = Math.floor((now?.getTime() ?? Date.now()) / 1_000) - Number(timestamp);
  if (age > toleranceSeconds) throw new WebhookVerificationError('timestamp_too_old', 'the message is too old');
  // Said this way round, so that a `now` which is no date lets nothing through.
  if (!(age >= -toleranceSeconds)) {
    throw new WebhookVerificationError('timestamp_too_new', 'the message comes from the future');
  }
}

/** One HMAC for each key, however many signatures there are to compare it with. */
async function matchesSecret(
  keys: readonly Bytes[],
  given: readonly (Bytes | undefined)[],
  content: Bytes,
): Promise<boolean> {
  let isMatch = false;
  for (const bytes of keys) {
    const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
    const expected = new Uint8Array(await crypto.subtle.sign('HMAC', key, content));
    for (const signature of given) if (signature !== undefined && isEqual(signature, expected)) isMatch = true;
  }
  return isMatch;
}

async function matchesPublicKey(
  keys: readonly Bytes[],
  given: readonly (Bytes | undefined)[],
  content: Bytes,
): Promise<boolean> {
  const signatures = given.filter((signature) => signature !== undefined).slice(0, MAX_ASYMMETRIC_SIGNATURES);
  for (const bytes of keys) {
    const key = await crypto.subtle.importKey('raw', bytes, { name: 'Ed25519' }, false, ['verify']);
    for (const signature of signatures) {
      if (await crypto.subtle.verify({ name: 'Ed25519' }, key, signature, content)) return true;
    }
  }
  return false;
}

/** Takes as long for any two of the same length; the length of a signature is no secret. */
function isEqual(a: Bytes, b: Bytes): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (const [index, byte] of a.entries()) difference |= byte ^ (b[index] ?? 0);
  return difference === 0;
}

function signaturesOf(signatures: readonly string[], version: string): (Bytes | undefined)[] {
  const head = `${version},`;
  return signatures
    .filter((signature) => signature.startsWith(head))
    .map((signature) => fromBase64(signature.slice(head.length)));
}

function serviceSignatures(values: readonly string[]): (Bytes | undefined)[] {
  return values.map((value) => {
    const hex = /^sha256=([0-9a-f]{64})$/i.exec(value)?.[1];
    return hex === undefined
      ? undefined
      : Uint8Array.from({ length: 32 }, (_, index) => parseInt(hex.slice(index * 2, index * 2 + 2), 16));
  });
}

function bytesOfSecret(secret: string): Bytes {
  const bytes = keyBytes(secret, SECRET_PREFIX);
  if (bytes === undefined) throw invalidKey(`a secret must be ${SECRET_PREFIX} and base64, whole as it was answered`);
  return bytes;
}

function bytesOfPublicKey(publicKey: string): Bytes {
  const bytes = keyBytes(publicKey, PUBLIC_KEY_PREFIX);
  if (bytes?.length !== PUBLIC_KEY_BYTES) throw invalidKey(`a public key must be ${PUBLIC_KEY_PREFIX} and base64`);
  return bytes;
}

function keyBytes(text: unknown, prefix: string): Bytes | undefined {
  return typeof text === 'string' && text.startsWith(prefix) ? fromBase64(text.slice(prefix.length)) : undefined;
}

/** Undefined for what is no base64, and for nothing. */
function fromBase64(text: string): Bytes | undefined {
  if (text === '' || !/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) return undefined;
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

function requiredHeader(headers: HeadersLike, name: string): string {
  const value = header(headers, name);
  if (value === undefined || value === '') {
    throw new WebhookVerificationError('missing_header', `the header ${name} is missing`);
  }
  return value;
}

/** A header that came twice says two things: it is refused rather than chosen from. */
function header(headers: HeadersLike, name: string): string | undefined {
  if (isHeaders(headers)) return headers.get(name) ?? undefined;
  const values = Object.entries(headers)
    .filter(([key]) => key.toLowerCase() === name)
    .flatMap(([, value]) => value ?? []);
  if (values.length > 1) throw new WebhookVerificationError('invalid_header', `the header ${name} came more than once`);
  return values[0];
}

function isHeaders(headers: HeadersLike): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function';
}

function listOf(one: string | undefined, several: readonly string[] = []): string[] {
  return one === undefined ? [...several] : [one, ...several];
}

function bytesOf(payload: string | Uint8Array): Bytes {
  if (typeof payload === 'string') return utf8(payload);
  if (ArrayBuffer.isView(payload)) return concat(payload);
  throw new TypeError('payload must be the raw body: a string or bytes, not what a JSON parser made of it');
}

function utf8(text: string): Bytes {
  return new TextEncoder().encode(text);
}

function concat(...parts: readonly Uint8Array[]): Bytes {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function parse<T>(body: Bytes): T {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as T;
  } catch {
    throw new WebhookVerificationError('invalid_payload', 'the body is genuine, but is not JSON');
  }
}

function invalidKey(message: string): WebhookVerificationError {
  return new WebhookVerificationError('invalid_key', message);
}

function noMatch(): WebhookVerificationError {
  return new WebhookVerificationError('no_matching_signature', 'no signature matches the body');
}

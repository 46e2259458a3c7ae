import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createEd25519Pair, createSigningSecret, serviceSignature } from '../../domain/webhooks/signing.ts';
import { verifyCallback, verifyServiceSignature, verifyWebhook, WebhookVerificationError } from '../../sdk/verify.ts';
import type { VerifyWebhookOptions } from '../../sdk/verify.ts';
import { BODY, newKey, NOW, NOW_SECONDS, signed } from './messages.ts';

const key = newKey();
const old = newKey();
const { secret } = key;
const headers = signed([key]);
const event: unknown = JSON.parse(BODY);

const verify = (options: Partial<VerifyWebhookOptions> = {}) =>
  verifyWebhook({ payload: BODY, headers, now: NOW, ...('publicKey' in options ? {} : { secret }), ...options });
const refused = (code: string) => expect.objectContaining({ name: 'WebhookVerificationError', code });

describe('verifyWebhook takes', () => {
  it.each<[string, Partial<VerifyWebhookOptions>]>([
    ['a genuine message', {}],
    ['its bytes', { payload: Buffer.from(BODY) }],
    ['bytes within a larger buffer', { payload: new Uint8Array(Buffer.from(`x${BODY}x`)).subarray(1, -1) }],
    ['a Headers object', { headers: new Headers(headers) }],
    [
      'headers in lower case',
      { headers: Object.fromEntries(Object.entries(headers).map(([k, v]) => [k.toLowerCase(), v])) },
    ],
    [
      'headers in upper case, as lists',
      { headers: Object.fromEntries(Object.entries(headers).map(([k, v]) => [k.toUpperCase(), [v]])) },
    ],
    ['one of several secrets', { secret: old.secret, secrets: [secret] }],
    ['the new secret in a grace period', { headers: signed([key, old]) }],
    ['the old secret in a grace period', { headers: signed([key, old]), secret: old.secret }],
    ['the oldest of several', { headers: signed([newKey(), old, key]) }],
    ['a message at the edge of the tolerance', { headers: signed([key], { timestamp: NOW_SECONDS - 300 }) }],
    ['one as far in the future', { headers: signed([key], { timestamp: NOW_SECONDS + 300 }) }],
    ['a wider tolerance', { headers: signed([key], { timestamp: NOW_SECONDS - 3_600 }), toleranceSeconds: 3_600 }],
    [
      'a signature among many of other kinds',
      { headers: { ...headers, 'webhook-signature': `v2,abc v1a,AAAA v1,AAAA ${headers['webhook-signature']!} v9` } },
    ],
  ])('%s', async (_what, options) => {
    expect(await verify(options)).toEqual(event);
  });
});

describe('verifyWebhook refuses', () => {
  const signature = headers['webhook-signature']!;
  const withHeader = (name: string, value: string | string[] | undefined) => ({
    headers: { ...headers, [name]: value },
  });
  it.each<[string, Partial<VerifyWebhookOptions>, string]>([
    ['a changed body', { payload: `${BODY} ` }, 'no_matching_signature'],
    ['another secret', { secret: old.secret }, 'no_matching_signature'],
    ['the old secret after its time', { headers: signed([key]), secret: old.secret }, 'no_matching_signature'],
    ['another id than was signed', withHeader('webhook-id', 'evt_other'), 'no_matching_signature'],
    ['another time than was signed', withHeader('webhook-timestamp', String(NOW_SECONDS - 1)), 'no_matching_signature'],
    ['an old message played again', { headers: signed([key], { timestamp: NOW_SECONDS - 301 }) }, 'timestamp_too_old'],
    ['a message from the future', { headers: signed([key], { timestamp: NOW_SECONDS + 301 }) }, 'timestamp_too_new'],
    ['a clock that is no date', { now: new Date(NaN) }, 'timestamp_too_new'],
    ['a time that is no number', withHeader('webhook-timestamp', 'now'), 'invalid_header'],
    ['a time that only begins as one', withHeader('webhook-timestamp', `${String(NOW_SECONDS)}x`), 'invalid_header'],
    ['a truncated signature', withHeader('webhook-signature', signature.slice(0, -4)), 'no_matching_signature'],
    [
      'a signature cut within its base64',
      withHeader('webhook-signature', signature.slice(0, -1)),
      'no_matching_signature',
    ],
    ['a signature without its version', withHeader('webhook-signature', signature.slice(3)), 'no_matching_signature'],
    [
      'a signature under another version',
      withHeader('webhook-signature', signature.replace('v1,', 'v1a,')),
      'no_matching_signature',
    ],
    ['an empty signature', withHeader('webhook-signature', 'v1,'), 'no_matching_signature'],
    ['no signature', withHeader('webhook-signature', ''), 'missing_header'],
    ['no time', withHeader('webhook-timestamp', undefined), 'missing_header'],
    ['no headers', { headers: {} }, 'missing_header'],
    ['a header that came twice', withHeader('Webhook-Id', [headers['webhook-id']!, 'evt_other']), 'invalid_header'],
    ['a header in two letter cases', withHeader('WEBHOOK-ID', 'evt_other'), 'invalid_header'],
    [
      'the body-only signature alone',
      { headers: { 'X-Service-Signature': headers['X-Service-Signature'] } },
      'missing_header',
    ],
    ['a secret that was not copied whole', { secret: secret.slice(0, 20) }, 'invalid_key'],
    ['a secret of nothing', { secret: 'whsec_' }, 'invalid_key'],
    ['a masked secret', { secret: `${secret.slice(0, 10)}...` }, 'invalid_key'],
    ['an environment variable that is not set', { secrets: [undefined as unknown as string] }, 'invalid_key'],
    ['a public key that is a secret', { publicKey: secret }, 'invalid_key'],
    ['a genuine body that is no JSON', { payload: 'ok', headers: signed([key], { body: 'ok' }) }, 'invalid_payload'],
  ])('%s', async (_what, options, code) => {
    await expect(verify(options)).rejects.toEqual(refused(code));
  });

  it('a call without any key, and a body that was parsed', async () => {
    await expect(verifyWebhook({ payload: BODY, headers, now: NOW })).rejects.toEqual(refused('invalid_key'));
    await expect(verify({ payload: event as string })).rejects.toThrow(TypeError);
    await expect(verify({ toleranceSeconds: NaN })).rejects.toThrow(TypeError);
  });

  it('a header full of signatures without checking the body for each', async () => {
    const payload = 'x'.repeat(1_000_000);
    const many = Array.from({ length: 400 }, () => `v1,${Buffer.alloc(32, 1).toString('base64')}`).join(' ');
    const asymmetric = Array.from({ length: 200 }, () => `v1a,${Buffer.alloc(64, 1).toString('base64')}`).join(' ');
    const { publicKey } = createEd25519Pair();
    const startedAt = performance.now();
    const flooded = { ...headers, 'webhook-signature': `${many} ${asymmetric}` };
    await expect(verify({ payload, headers: flooded, secret, publicKey })).rejects.toEqual(
      refused('no_matching_signature'),
    );
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });
});

describe('verifyWebhook with a public key', () => {
  const pair = createEd25519Pair();
  const oldPair = createEd25519Pair();
  const both = signed([newKey(pair.seed), newKey(oldPair.seed)]);

  it('takes what the private key signed, the old one too in a grace period', async () => {
    expect(await verify({ headers: both, publicKey: pair.publicKey })).toEqual(event);
    expect(await verify({ headers: both, publicKey: oldPair.publicKey })).toEqual(event);
    const publicKeys = [oldPair.publicKey, pair.publicKey];
    const options = { payload: BODY, headers: signed([newKey(pair.seed)]), now: NOW, publicKeys };
    expect(await verifyWebhook(options)).toEqual(event);
  });

  it('refuses a changed body, another key, and a message that is not signed so', async () => {
    const { publicKey } = pair;
    for (const options of [
      { headers: both, publicKey, payload: `${BODY}\n` },
      { headers: both, publicKey: createEd25519Pair().publicKey },
      { headers: signed([newKey()]), publicKey },
    ]) {
      await expect(verify(options)).rejects.toEqual(refused('no_matching_signature'));
    }
  });
});

describe('verifyServiceSignature', () => {
  it('takes the new secret and, in a grace period, the old one', async () => {
    const grace = signed([key, old]);
    expect(await verifyServiceSignature({ payload: BODY, headers: grace, secret })).toEqual(event);
    expect(await verifyServiceSignature({ payload: BODY, headers: grace, secret: old.secret })).toEqual(event);
    expect(
      await verifyServiceSignature({ payload: BODY, headers: grace, secrets: [createSigningSecret(), secret] }),
    ).toEqual(event);
  });

  it.each<[string, Record<string, string>, string, string]>([
    ['a changed body', headers, `${BODY} `, 'no_matching_signature'],
    ['the old secret’s signature of before', signed([old]), BODY, 'no_matching_signature'],
    [
      'a truncated signature',
      { 'x-service-signature': headers['X-Service-Signature']!.slice(0, -1) },
      BODY,
      'no_matching_signature',
    ],
    [
      'a signature without sha256=',
      { 'x-service-signature': headers['X-Service-Signature']!.slice(7) },
      BODY,
      'no_matching_signature',
    ],
    ['no signature', {}, BODY, 'missing_header'],
  ])('refuses %s', async (_what, given, payload, code) => {
    await expect(verifyServiceSignature({ payload, headers: given, secret })).rejects.toEqual(refused(code));
  });
});

describe('verifyCallback', () => {
  const apiKey = 'svc_sk_example';
  const given = { 'X-Service-Signature': serviceSignature(apiKey, BODY) };

  it('takes what the API key signed and nothing else', async () => {
    expect(await verifyCallback({ payload: BODY, headers: given, apiKey })).toEqual(event);
    await expect(verifyCallback({ payload: `${BODY} `, headers: given, apiKey })).rejects.toEqual(
      refused('no_matching_signature'),
    );
    await expect(verifyCallback({ payload: BODY, headers: given, apiKey: 'svc_sk_other' })).rejects.toEqual(
      refused('no_matching_signature'),
    );
    await expect(verifyCallback({ payload: BODY, headers: given, apiKey: '' })).rejects.toEqual(refused('invalid_key'));
  });
});

describe('for any message', () => {
  const anyBody = fc.json();

  it('what was signed is taken, with any of the keys', async () => {
    const pair = createEd25519Pair();
    await fc.assert(
      fc.asyncProperty(anyBody, fc.integer({ min: 1, max: 4 }), fc.nat(3), async (body, count, which) => {
        const keys = Array.from({ length: count }, () => newKey(pair.seed));
        const signedBy = { payload: body, headers: signed(keys, { body }), now: NOW };
        expect(await verifyWebhook({ ...signedBy, secret: keys[which % count]!.secret })).toEqual(JSON.parse(body));
        expect(await verifyWebhook({ ...signedBy, publicKey: pair.publicKey })).toEqual(JSON.parse(body));
      }),
    );
  });

  it('one changed byte of the body is refused', async () => {
    await fc.assert(
      fc.asyncProperty(anyBody, fc.nat(), fc.integer({ min: 1, max: 255 }), async (body, at, flip) => {
        const payload = new Uint8Array(Buffer.from(body));
        payload[at % payload.length]! ^= flip;
        const options = { payload, headers: signed([key], { body }), now: NOW, secret };
        await expect(verifyWebhook(options)).rejects.toEqual(refused('no_matching_signature'));
      }),
    );
  });

  it('any headers at all lead to a refusal with a code', async () => {
    const text = fc.oneof(fc.string(), fc.constant(headers['webhook-signature']!), fc.constant(String(NOW_SECONDS)));
    await fc.assert(
      fc.asyncProperty(text, text, fc.string(), async (signature, timestamp, id) => {
        const given = { 'webhook-signature': signature, 'webhook-timestamp': timestamp, 'webhook-id': id };
        await expect(verify({ headers: given })).rejects.toBeInstanceOf(WebhookVerificationError);
      }),
    );
  });
});

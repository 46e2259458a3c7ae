import { describe, expect, it } from '@jest/globals';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createSigningSecret, signatureHeaders, signingKey } from '../../../domain/webhooks/signing.ts';

const message = { id: 'evt_1', timestamp: 1_795_000_000, body: '{"event":"job.created"}' };

/** What a receiver does with the headers, written from the documentation rather than with our code. */
function verifies(headers: Record<string, string>, secret: string): { service: boolean; standard: boolean } {
  const service = `sha256=${createHmac('sha256', secret).update(message.body).digest('hex')}`;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const content = `${headers['webhook-id'] ?? ''}.${headers['webhook-timestamp'] ?? ''}.${message.body}`;
  const standard = `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
  const same = (a: string, b: string): boolean =>
    a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
  return {
    service: same(headers['X-Service-Signature'] ?? '', service),
    standard: (headers['webhook-signature'] ?? '').split(' ').some((signature) => same(signature, standard)),
  };
}

describe('signatureHeaders', () => {
  it('signs with the whole secret for X-Service-Signature and with its bytes for webhook-signature', () => {
    const secret = createSigningSecret();
    const headers = signatureHeaders([signingKey(1, secret, null)], message);
    expect(verifies(headers, secret)).toEqual({ service: true, standard: true });
    expect(headers).toMatchObject({ 'X-Webhook-Key-Version': '1', 'webhook-timestamp': '1795000000' });
    expect(headers).not.toHaveProperty('X-Service-Signature-Previous');
  });

  it('signs with both keys during a grace period', () => {
    const [old, current] = [createSigningSecret(), createSigningSecret()];
    const keys = [signingKey(2, current, null), signingKey(1, old, message.timestamp * 1_000 + 1)];
    const headers = signatureHeaders(keys, message);
    expect(verifies(headers, current)).toEqual({ service: true, standard: true });
    expect(verifies(headers, old)).toEqual({ service: false, standard: true });
    expect(headers['X-Webhook-Key-Version']).toBe('2,1');
    expect(headers['X-Service-Signature-Previous']).toMatch(/^sha256=[0-9a-f]{64}$/);
  });

  it('no longer signs with a key whose grace period is over', () => {
    const [old, current] = [createSigningSecret(), createSigningSecret()];
    const keys = [signingKey(2, current, null), signingKey(1, old, message.timestamp * 1_000)];
    const headers = signatureHeaders(keys, message);
    expect(verifies(headers, old)).toEqual({ service: false, standard: false });
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(1);
  });

  it('makes secrets of whsec_ and 32 bytes in base64', () => {
    const secret = createSigningSecret();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(createSigningSecret()).not.toBe(secret);
  });
});

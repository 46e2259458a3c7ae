import { describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { deactivateExpiredKeys, publicKeys, rotateKey } from '../../domain/webhooks/index.ts';
import { verifyServiceSignature, verifyWebhook } from '../../sdk/verify.ts';
import type { ReceivedRequest } from '../support/receiver.ts';
import { relayFixture } from './relay-fixture.ts';

const HOUR_MS = 3_600_000;
const EVENT = { work_item: { id: 1, title: 'Kühlraum – pump №4 🧊' } };

const fixture = relayFixture();

async function rotate(webhookId: number, hours: number, now = Date.now()): Promise<string> {
  const { tenant } = fixture;
  const input = { id: webhookId, grace_period_hours: hours };
  const { secretKey } = await tenant.tenants.transaction(tenant.clientId, (tx) =>
    rotateKey(tx, tenant.caller, input, { vault: tenant.vault, now }),
  );
  return secretKey;
}

/** Records an event; answers the request that arrives for it. */
async function delivered(): Promise<ReceivedRequest> {
  const { tenant, receiver } = fixture;
  const before = receiver.requests.length;
  await tenant.event(EVENT);
  return (await receiver.waitFor(before + 1))[before]!;
}

const viaPeer = (secret: string, { headers, rawBody }: ReceivedRequest): unknown =>
  new Webhook(secret).verify(rawBody, headers as Record<string, string>);
const viaSdk = (secret: string, { headers, rawBody }: ReceivedRequest) =>
  verifyWebhook({ payload: rawBody, headers, secret });

describe('a delivery on the wire', () => {
  it('is verified by the npm package standardwebhooks and by our helper, with the secret as it was answered', async () => {
    const { secretKey } = await fixture.tenant.webhook(fixture.receiver.url);
    await fixture.startRelay();
    const request = await delivered();
    const expected = expect.objectContaining({ event: 'job.created', data: EVENT });
    expect(viaPeer(secretKey, request)).toEqual(expected);
    expect(await viaSdk(secretKey, request)).toEqual(expected);
    const { headers, rawBody } = request;
    expect(await verifyServiceSignature({ payload: rawBody, headers, secret: secretKey })).toEqual(expected);
    expect(() => viaPeer(secretKey, { ...request, rawBody: Buffer.concat([rawBody, Buffer.from(' ')]) })).toThrow();
  });

  it('is signed with the new key from the rotation on, and with the old one until its end', async () => {
    const { webhook, secretKey: old } = await fixture.tenant.webhook(fixture.receiver.url);
    await fixture.startRelay();
    expect((await delivered()).headers).not.toHaveProperty('x-service-signature-previous');
    const current = await rotate(webhook.id, 72);
    const request = await delivered();
    expect(request.headers['x-webhook-key-version']).toBe('2,1');
    for (const secret of [current, old]) {
      expect(viaPeer(secret, request)).toMatchObject({ event: 'job.created' });
      expect(await viaSdk(secret, request)).toMatchObject({ event: 'job.created' });
    }
    const { headers, rawBody: payload } = request;
    const { 'x-service-signature-previous': _previous, ...withoutPrevious } = headers;
    await verifyServiceSignature({ payload, headers: withoutPrevious, secret: current });
    await verifyServiceSignature({ payload, headers, secret: old });
    await expect(verifyServiceSignature({ payload, headers: withoutPrevious, secret: old })).rejects.toThrow();
  });

  it('is not signed with a key whose time is over, though nothing has deactivated it', async () => {
    const { webhook, secretKey: old } = await fixture.tenant.webhook(fixture.receiver.url);
    const current = await rotate(webhook.id, 1, Date.now() - HOUR_MS - 1_000);
    await fixture.startRelay();
    const request = await delivered();
    expect(request.headers['x-webhook-key-version']).toBe('2');
    expect(request.headers).not.toHaveProperty('x-service-signature-previous');
    expect(viaPeer(current, request)).toBeDefined();
    expect(() => viaPeer(old, request)).toThrow('No matching signature found');
    expect(await deactivateExpiredKeys(fixture.tenant.system, Date.now())).toBe(1);
  });

  it('rotated twice within a grace period bears the oldest key in X-Service-Signature-Previous, and all in webhook-signature', async () => {
    const { webhook, secretKey: oldest } = await fixture.tenant.webhook(fixture.receiver.url);
    const middle = await rotate(webhook.id, 72);
    const current = await rotate(webhook.id, 72);
    await fixture.startRelay();
    const request = await delivered();
    expect(request.headers['x-webhook-key-version']).toBe('3,2,1');
    for (const secret of [current, middle, oldest]) expect(viaPeer(secret, request)).toBeDefined();
    const { headers, rawBody: payload } = request;
    for (const secret of [current, oldest]) await verifyServiceSignature({ payload, headers, secret });
  });

  it('bears ed25519 signatures of both keys where the webhook asks for them', async () => {
    const { tenant, receiver } = fixture;
    const { webhook, secretKey } = await tenant.webhook(receiver.url, { ed25519_enabled: true });
    await rotate(webhook.id, 72);
    await fixture.startRelay();
    const request = await delivered();
    const keys = await tenant.tenants.transaction(tenant.clientId, (tx) => publicKeys(tx, webhook.id, Date.now()));
    expect(keys.map(({ key_version }) => key_version)).toEqual([2, 1]);
    const { headers, rawBody: payload } = request;
    const kinds = (headers['webhook-signature'] as string).split(' ').map((signature) => signature.split(',')[0]);
    expect(kinds).toEqual(['v1', 'v1a', 'v1', 'v1a']);
    for (const { public_key: publicKey } of keys) {
      expect(await verifyWebhook({ payload, headers, publicKey })).toMatchObject({ event: 'job.created' });
      const changed = Buffer.concat([payload, Buffer.from(' ')]);
      await expect(verifyWebhook({ payload: changed, headers, publicKey })).rejects.toThrow('no signature matches');
    }
    expect(viaPeer(secretKey, request)).toBeDefined();
  });
});

import { describe, expect, it } from '@jest/globals';
import { systemClock } from '../../../platform/clock.ts';
import { GuardedHttp, parseTarget } from '../../../platform/http/guarded-client.ts';
import type { Endpoint } from '../../../domain/webhooks/endpoint.ts';
import { buildRequest } from '../../../domain/webhooks/request.ts';
import { sendDelivery } from '../../../domain/webhooks/send.ts';
import { createSigningSecret, signingKey } from '../../../domain/webhooks/signing.ts';

const URL_OF = 'https://erp.example/hooks';
const NOW = Date.parse('2026-11-21T08:00:00.400Z');

function endpoint(fields: Partial<Endpoint> = {}): Endpoint {
  return {
    lane: 'webhook/7',
    webhookId: 7,
    url: URL_OF,
    target: parseTarget(URL_OF),
    method: 'POST',
    customHeaders: {},
    auth: { type: 'hmac', keys: [signingKey(1, createSigningSecret(), null)] },
    timeoutMs: 1_000,
    retry: { retryCount: 5, retryDelaySeconds: 0 },
    payload: { version: 'latest', template: null },
    rateLimitPerSecond: null,
    ordering: 'none',
    revision: 1,
    ...fields,
  };
}

const delivery = {
  deliveryId: 12,
  sendNumber: 3,
  event: {
    clientId: 1,
    eventId: '0198c5c8-27ba-7c4e-8a3d-5f1c0e7b9a10',
    name: 'job.created',
    occurredAt: new Date(NOW - 5_000),
    dataText: '{"work_item":{"id":1}}',
  },
};

describe('a send', () => {
  it('carries every header that is promised, and those of the customer beside them', () => {
    const { headers } = buildRequest(endpoint({ customHeaders: { 'x-tenant': 'north' } }), delivery, NOW);
    expect(headers).toEqual({
      'Content-Type': 'application/json',
      'User-Agent': expect.stringMatching(/^BusinessPlatform-Webhooks\//),
      'Idempotency-Key': 'evt_0198c5c8-27ba-7c4e-8a3d-5f1c0e7b9a10',
      'X-Webhook-Event': 'job.created',
      'X-Webhook-Delivery': '12',
      'X-Webhook-Attempt': '3',
      'X-Webhook-Timestamp': String(Math.floor(NOW / 1_000)),
      'X-Webhook-Key-Version': '1',
      'X-Service-Signature': expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
      'webhook-id': 'evt_0198c5c8-27ba-7c4e-8a3d-5f1c0e7b9a10',
      'webhook-timestamp': String(Math.floor(NOW / 1_000)),
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
      'x-tenant': 'north',
    });
  });

  it('of a webhook that has stored a header of ours keeps ours', () => {
    const stored = { 'webhook-id': 'theirs', host: 'elsewhere', 'x-webhook-attempt': '1' };
    const { headers } = buildRequest(endpoint({ customHeaders: stored }), delivery, NOW);
    expect(headers).toMatchObject({ 'webhook-id': `evt_${delivery.event.eventId}`, 'X-Webhook-Attempt': '3' });
    for (const name of ['host', 'x-webhook-attempt']) expect(headers).not.toHaveProperty([name]);
  });

  it('that fails for a lack of ours is no attempt of the endpoint', async () => {
    const noNameServer = Object.assign(new Error('getaddrinfo EAI_AGAIN'), { code: 'EAI_AGAIN' });
    const http = new GuardedHttp({ allowPrivateTargets: false, resolve: () => Promise.reject(noNameServer) });
    const sending = sendDelivery({ http, clock: systemClock }, endpoint(), delivery);
    await expect(sending).rejects.toMatchObject({ kind: 'local' });
    await http.destroy();
  });
});

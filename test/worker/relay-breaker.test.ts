import { describe, expect, it } from '@jest/globals';
import { recordAddressedEvent } from '../../domain/events/index.ts';
import { queueDelivery } from '../../domain/webhooks/callbacks.service.ts';
import { statement } from '../../platform/db/statement.ts';
import { relayFixture } from './relay-fixture.ts';
import { setWebhook, untilState, webhookState } from './relay-support.ts';

const fixture = relayFixture();

const QUEUE = statement(`
  insert into deliveries (client_id, webhook_id, event_id, event_type, lane)
  select $1, $2, event_id, 'job.created', 'webhook/' || $2::int from unnest($3::uuid[]) e (event_id)`);

/** A webhook whose breaker has just opened: ten first sends have failed. */
async function opened(retryCount = 0): Promise<number> {
  const { tenant, receiver } = fixture;
  receiver.respondWith(500);
  const { webhook } = await tenant.webhook(receiver.url, { retry_count: retryCount });
  for (let index = 0; index < 10; index += 1) {
    await tenant.event();
    await tenant.until((rows) => rows.length === index + 1 && rows.every((row) => row.status !== 'pending'));
  }
  await untilState(tenant, webhook.id, (state) => state.breaker_opened_at !== null);
  return webhook.id;
}

describe('the circuit breaker', () => {
  it('opens after ten failed sends in a row, and holds what comes then, without losing its order', async () => {
    const { tenant, receiver } = fixture;
    await fixture.startRelay();
    const webhookId = await opened();
    const state = await webhookState(tenant, webhookId);
    expect(state).toMatchObject({ failed_sends_in_row: 10, failed_deliveries_in_row: 10 });
    expect(state.breaker_probe_at!.getTime() - state.breaker_opened_at!.getTime()).toBe(30_000);
    await tenant.events(40);
    await new Promise((resolve) => setTimeout(resolve, 1_300));
    expect(receiver.requests).toHaveLength(10);
    receiver.respondWith(200);
    await setWebhook(tenant, webhookId, { breaker_probe_at: new Date() });
    await receiver.waitFor(50);
    await tenant.until((rows) => rows.slice(10).every((row) => row.status === 'success'));
    expect(await webhookState(tenant, webhookId)).toMatchObject({
      failed_sends_in_row: 0,
      breaker_opened_at: null,
      breaker_probe_at: null,
      failed_deliveries_in_row: 0,
    });
    const sent = receiver.requests.slice(10).map(({ headers }) => Number(headers['x-webhook-delivery']));
    expect(sent[0]).toBe(Math.min(...sent));
    expect(new Set(sent).size).toBe(40);
  });

  it('sends one probe in thirty seconds, however many relays there are', async () => {
    const { tenant, receiver } = fixture;
    await Promise.all([fixture.startRelay(), fixture.startRelay(), fixture.startRelay()]);
    const webhookId = await opened();
    await tenant.events(30);
    // What a relay sends that doesn't know yet is bounded by what it had taken already; after a sweep all know.
    await new Promise((resolve) => setTimeout(resolve, 1_300));
    const before = receiver.requests.length;
    const openedAt = (await webhookState(tenant, webhookId)).breaker_opened_at;
    await setWebhook(tenant, webhookId, { breaker_probe_at: new Date() });
    await receiver.waitFor(before + 1);
    await new Promise((resolve) => setTimeout(resolve, 2_300));
    expect(receiver.requests).toHaveLength(before + 1);
    const state = await webhookState(tenant, webhookId);
    expect(state.breaker_opened_at).toEqual(openedAt);
    expect(state.breaker_probe_at!.getTime()).toBeGreaterThan(Date.now() + 20_000);
  });

  it('is respected by a relay that has just started', async () => {
    const { tenant, receiver } = fixture;
    const { webhook } = await tenant.webhook(receiver.url);
    const now = Date.now();
    await setWebhook(tenant, webhook.id, {
      breaker_opened_at: new Date(now - 60_000),
      breaker_probe_at: new Date(now + 30_000),
    });
    await tenant.events(20);
    await fixture.startRelay();
    await tenant.until((rows) => rows.length === 20);
    await new Promise((resolve) => setTimeout(resolve, 1_300));
    expect(receiver.requests).toHaveLength(0);
    await setWebhook(tenant, webhook.id, { breaker_probe_at: new Date() });
    expect(await receiver.waitFor(20)).toHaveLength(20);
  });

  it('stays closed for an endpoint that fails now and then', async () => {
    const { tenant, receiver } = fixture;
    receiver.respondWith((_request, index) => (index % 8 === 7 ? 200 : 500));
    const { webhook } = await tenant.webhook(receiver.url, { retry_count: 0 });
    await fixture.startRelay();
    for (let index = 0; index < 32; index += 1) {
      await tenant.event();
      await tenant.until((rows) => rows.length === index + 1 && rows.every((row) => row.status !== 'pending'));
    }
    expect(receiver.requests).toHaveLength(32);
    expect(await webhookState(tenant, webhook.id)).toMatchObject({ breaker_opened_at: null, failed_sends_in_row: 0 });
  });

  it('lets the challenge through to an endpoint that must prove itself, before all that waits for it', async () => {
    const { tenant, receiver } = fixture;
    const { webhook } = await tenant.webhook(receiver.url);
    const now = Date.now();
    await setWebhook(tenant, webhook.id, {
      breaker_opened_at: new Date(now),
      breaker_probe_at: new Date(now + 30_000),
      verification_status: 'pending',
    });
    await tenant.system.query(QUEUE, [tenant.clientId, webhook.id, await tenant.events(100)]);
    await tenant.tenants.transaction(tenant.clientId, (tx) => {
      const eventType = 'webhook.verification';
      const eventId = recordAddressedEvent(tx, { name: eventType, data: { challenge: 'c' } });
      queueDelivery(tx, { eventId, eventType, webhookId: webhook.id });
      return Promise.resolve();
    });
    await setWebhook(tenant, webhook.id, { breaker_opened_at: null, breaker_probe_at: null });
    receiver.respondWith((request) => ({
      status: 200,
      body: JSON.stringify((request.json as { data: unknown }).data),
    }));
    await fixture.startRelay();
    const requests = await receiver.waitFor(101);
    expect(requests[0]?.headers['x-webhook-event']).toBe('webhook.verification');
  });

  it('does not hold other endpoints', async () => {
    const { tenant, receiver } = fixture;
    await fixture.startRelay();
    await opened();
    await tenant.webhook(`${receiver.url}/healthy`, { events: ['task.created'] });
    receiver.respondWith(200);
    await tenant.events(20, 'task.created');
    const healthy = await receiver.waitFor(20, { where: ({ path }) => path === '/healthy' });
    expect(healthy).toHaveLength(20);
  });
});

import { describe, expect, it } from '@jest/globals';
import type { UpdateWebhookInput, WebhookView } from '../../domain/contracts/webhooks.ts';
import { deleteWebhook, getWebhook, updateWebhook } from '../../domain/webhooks/index.ts';
import { statement } from '../../platform/db/statement.ts';
import { relayFixture } from './relay-fixture.ts';
import { untilState } from './relay-support.ts';

const CHALLENGES = statement(`
  select status from deliveries where webhook_id = $1 and event_type = 'webhook.verification' order by id`);

const fixture = relayFixture();

const change = (id: number, input: UpdateWebhookInput): Promise<WebhookView> => {
  const { tenant } = fixture;
  const deps = { vault: tenant.vault, allowPrivateTargets: true };
  return tenant.tenants.transaction(tenant.clientId, (tx) => updateWebhook(tx, tenant.caller, id, input, deps));
};
const remove = (id: number): Promise<void> => {
  const { tenant } = fixture;
  return tenant.tenants.transaction(tenant.clientId, (tx) => deleteWebhook(tx, tenant.caller, id));
};
const read = (id: number): Promise<WebhookView> => {
  const { tenant } = fixture;
  return tenant.tenants.transaction(tenant.clientId, (tx) => getWebhook(tx, tenant.caller, id));
};

/** A webhook at /old with an open breaker, behind which `count` deliveries wait. */
async function withWaiting(count: number): Promise<number> {
  const { tenant, receiver } = fixture;
  receiver.respondWith(({ path }) => (path === '/old' ? 500 : 200));
  const { webhook } = await tenant.webhook(`${receiver.url}/old`, { retry_count: 0 });
  await fixture.startRelay();
  await tenant.events(10);
  await untilState(tenant, webhook.id, (state) => state.breaker_opened_at !== null);
  await tenant.events(count);
  await tenant.until((rows) => rows.filter(({ status }) => status === 'pending').length === count);
  return webhook.id;
}

describe('a webhook that is changed while deliveries wait', () => {
  it('sends them to its new address, and has its breaker closed by it', async () => {
    const { tenant, receiver } = fixture;
    const id = await withWaiting(3);
    const { breaker } = await change(id, { endpoint_url: `${receiver.url}/new` });
    expect(breaker.state).toBe('closed');
    await receiver.waitFor(3, { where: ({ path }) => path === '/new' });
    await tenant.until((rows) => rows.slice(10).every(({ status }) => status === 'success'));
    expect(receiver.requests).toHaveLength(13);
  });

  it('sends nothing while it is inactive, and what waited when it is active again', async () => {
    const { tenant, receiver } = fixture;
    const id = await withWaiting(2);
    await change(id, { is_active: false, endpoint_url: `${receiver.url}/new` });
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(receiver.requests).toHaveLength(10);
    await change(id, { is_active: true });
    await receiver.waitFor(12);
    await tenant.until((rows) => rows.slice(10).every(({ status }) => status === 'success'));
  });

  it('ends them when it is deleted', async () => {
    const { tenant, receiver } = fixture;
    const id = await withWaiting(3);
    await remove(id);
    const deliveries = await tenant.until((rows) => rows.every(({ status }) => status === 'failed'));
    const reasons = deliveries.slice(10).map(({ dlq_reason }) => dlq_reason);
    expect(reasons).toEqual(Array(3).fill('the webhook was deleted'));
    expect(receiver.requests).toHaveLength(10);
  });
});

describe('a webhook whose address is changed must prove the new one', () => {
  const echo = (body: Record<string, unknown>): string =>
    JSON.stringify({ challenge: (body['data'] as { challenge: string }).challenge });

  it('and receives nothing else until it has; then the rest goes on', async () => {
    const { tenant, receiver } = fixture;
    receiver.respondWith(({ json }) => ({ status: 200, body: echo(json as Record<string, unknown>) }));
    const { webhook } = await tenant.webhook(`${receiver.url}/a`, { require_verification: true });
    await fixture.startRelay();
    await tenant.until(([row]) => row?.status === 'success');
    expect((await read(webhook.id)).verification_status).toBe('verified');
    await change(webhook.id, { endpoint_url: `${receiver.url}/b` });
    await tenant.until((rows) => rows.length === 2 && rows.every(({ status }) => status === 'success'));
    expect(await read(webhook.id)).toMatchObject({ verification_status: 'verified', verified_at: expect.any(String) });
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/a', '/b']);
  });

  it('which the old one, answering late, does not do for it', async () => {
    const { tenant, receiver } = fixture;
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    receiver.respondWith(async ({ json, path }) => {
      if (path !== '/slow') return 500;
      await held;
      return { status: 200, body: echo(json as Record<string, unknown>) };
    });
    const { webhook } = await tenant.webhook(`${receiver.url}/slow`, { require_verification: true });
    await fixture.startRelay();
    await receiver.waitFor(1);
    await change(webhook.id, { endpoint_url: `${receiver.url}/other` });
    release();
    await receiver.waitFor(2);
    await tenant.until((rows) => rows[1]?.status === 'retrying');
    expect((await read(webhook.id)).verification_status).toBe('pending');
    const challenges = await tenant.system.query<{ status: string }>(CHALLENGES, [webhook.id]);
    expect(challenges.map(({ status }) => status)).toEqual(['failed', 'retrying']);
  });
});

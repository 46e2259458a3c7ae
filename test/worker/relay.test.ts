import { describe, expect, it, jest } from '@jest/globals';
import { SEARCH_ATTRIBUTE } from '../../domain/contracts/workflows.ts';
import { claimEvents, markDispatched } from '../../domain/events/index.ts';
import { endpointsOfClient, getWebhook, insertDeliveries } from '../../domain/webhooks/index.ts';
import { statement } from '../../platform/db/statement.ts';
import { startReceiver, temporalAddress } from '../support/stack.ts';
import { relayFixture } from './relay-fixture.ts';
import type { Tenant } from './tenant.ts';

const EXPIRE = statement(`update deliveries set leased_until = now() - interval '1 second'`);
const STARTS = statement(`select workflow_id, attempts, last_error from workflow_starts order by id`);

const fixture = relayFixture();

describe('the relay', () => {
  it('delivers each event to each webhook that subscribes to it, once', async () => {
    const { tenant, receiver } = fixture;
    await tenant.webhook(`${receiver.url}/a`);
    await tenant.webhook(`${receiver.url}/b`, { events: ['job.created', 'task.created'] });
    await tenant.webhook(`${receiver.url}/c`, { events: ['task.created'] });
    await tenant.webhook(`${receiver.url}/d`, { is_active: false });
    await fixture.startRelay();
    const eventIds = await tenant.events(5);
    const requests = await receiver.waitFor(10);
    const deliveries = await tenant.until((rows) => rows.every((row) => row.status === 'success'));
    expect(deliveries).toHaveLength(10);
    expect(new Set(requests.map((request) => `${request.path} ${String(request.headers['idempotency-key'])}`))).toEqual(
      new Set(eventIds.flatMap((id) => [`/a evt_${id}`, `/b evt_${id}`])),
    );
    expect(receiver.requests).toHaveLength(10);
    const ids = requests.map((request) => Number(request.headers['x-webhook-delivery']));
    expect(new Set(ids)).toEqual(new Set(deliveries.map((row) => row.id)));
    expect(await tenant.attempts()).toEqual([]);
  });

  it('matches an event with every webhook that was made before it, and with none made after', async () => {
    const { tenant, receiver } = fixture;
    await fixture.startRelay();
    for (let index = 1; index <= 10; index += 1) {
      await tenant.webhook(`${receiver.url}/${String(index)}`, { events: ['task.created'] });
      await tenant.event({ work_item: { id: index } }, 'task.created');
      // Moments are kept to the millisecond: the next webhook must be made in a later one.
      await new Promise((resolve) => setTimeout(resolve, 3));
    }
    await receiver.waitFor(55);
    const deliveries = await tenant.until((rows) => rows.every((row) => row.status === 'success'));
    expect(deliveries).toHaveLength(55);
    expect(receiver.requests).toHaveLength(55);
  });

  it('shares the work with another relay without sending anything twice', async () => {
    const { tenant, receiver } = fixture;
    await tenant.webhook(receiver.url);
    await Promise.all([fixture.startRelay(), fixture.startRelay()]);
    await Promise.all(Array.from({ length: 20 }, () => tenant.events(20)));
    await receiver.waitFor(400);
    const deliveries = await tenant.until((rows) => rows.every((row) => row.status === 'success'));
    expect(deliveries).toHaveLength(400);
    expect(receiver.requests).toHaveLength(400);
    const webhookId = deliveries[0]!.webhook_id!;
    const read = await tenant.tenants.transaction(tenant.clientId, (tx) => getWebhook(tx, tenant.caller, webhookId));
    expect(read).toMatchObject({ success_count: 400, failure_count: 0 });
  });

  it('sends what another relay had taken when it died', async () => {
    const { tenant, receiver } = fixture;
    await tenant.webhook(receiver.url);
    await tenant.events(3);
    const [endpoint] = await endpointsOfClient(tenant.system, tenant.vault, tenant.clientId);
    // All that a relay does before it sends, and then no more.
    await tenant.system.transaction(async (tx) => {
      const events = await claimEvents(tx, 10);
      markDispatched(tx, events);
      const rows = events.map((event) => ({
        clientId: event.client_id,
        webhookId: endpoint!.webhookId,
        eventId: event.event_id,
        eventType: event.name,
        workItemId: null,
        eventSeq: event.id,
        isOrdered: false,
        leased: true,
      }));
      await insertDeliveries(tx, rows);
    });
    await fixture.startRelay();
    await receiver.waitFor(3, { timeoutMs: 6_000 });
    const deliveries = await tenant.until((rows) => rows.every((row) => row.status === 'success'));
    expect(deliveries).toHaveLength(3);
    expect(receiver.requests).toHaveLength(3);
  });

  it('sends nothing twice when its leases have run out, as they do while the database is away', async () => {
    const { tenant, receiver } = fixture;
    const { promise: held, resolve: release } = Promise.withResolvers<number>();
    receiver.respondWith(() => held);
    await tenant.webhook(receiver.url);
    await fixture.startRelay();
    await tenant.events(5);
    await receiver.waitFor(5);
    for (let times = 0; times < 5; times += 1) {
      await tenant.system.query(EXPIRE);
      await tenant.system.query(statement(`select pg_notify('deliveries', '')`));
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    release(200);
    await tenant.until((rows) => rows.length === 5 && rows.every((row) => row.status === 'success'));
    expect(receiver.requests).toHaveLength(5);
  });

  it('sends nothing twice when a claim is answered after the outcome of what it took is recorded', async () => {
    const { tenant, receiver } = fixture;
    const [claimed, answered] = [Promise.withResolvers<null>(), Promise.withResolvers<null>()];
    const { promise: held, resolve: release } = Promise.withResolvers<number>();
    const query = tenant.system.query.bind(tenant.system);
    jest.spyOn(tenant.system, 'query').mockImplementation(async (prepared, values) => {
      const rows = await query(prepared, values);
      if (!prepared.text.includes('for update skip locked') || rows.length === 0) return rows;
      claimed.resolve(null);
      await answered.promise;
      return rows;
    });
    receiver.respondWith(() => held);
    await tenant.webhook(receiver.url);
    await fixture.startRelay();
    await tenant.event();
    await receiver.waitFor(1);
    await tenant.system.query(EXPIRE);
    await tenant.system.query(statement(`select pg_notify('deliveries', '')`));
    await claimed.promise;
    release(200);
    await tenant.until((rows) => rows.length === 1 && rows[0]?.status === 'success');
    answered.resolve(null);
    await tenant.event();
    await receiver.waitFor(2);
    await tenant.until((rows) => rows.length === 2 && rows.every((row) => row.status === 'success'));
    const sent = receiver.requests.map((request) => request.headers['x-webhook-delivery']);
    expect(sent).toEqual([...new Set(sent)]);
  });

  it('leaves no trace when it dies before its transaction ends', async () => {
    const { tenant, receiver } = fixture;
    await tenant.webhook(receiver.url);
    await tenant.events(2);
    const died = tenant.system.transaction(async (tx) => {
      markDispatched(tx, await claimEvents(tx, 10));
      throw new Error('killed');
    });
    await expect(died).rejects.toThrow('killed');
    await fixture.startRelay();
    await receiver.waitFor(2);
    expect(await tenant.until((rows) => rows.every((row) => row.status === 'success'))).toHaveLength(2);
  });

  it('keeps a healthy endpoint fast beside one that hangs, and holds little for that', async () => {
    const { tenant, receiver } = fixture;
    const hung = await startReceiver('hang');
    await tenant.webhook(hung.url, { events: ['task.created'] });
    await tenant.webhook(receiver.url);
    const relay = await fixture.startRelay();
    for (let index = 0; index < 10; index += 1) await tenant.events(100, 'task.created');
    await hung.waitFor(8);
    const delays: number[] = [];
    for (let index = 0; index < 30; index += 1) {
      const startedAt = Date.now();
      const eventId = await tenant.event();
      const where = ({ headers }: { headers: Record<string, unknown> }) =>
        headers['idempotency-key'] === `evt_${eventId}`;
      const [request] = await receiver.waitFor(1, { where: (received) => where(received) });
      delays.push(request!.receivedAt - startedAt);
    }
    delays.sort((a, b) => a - b);
    expect(delays[Math.floor(delays.length * 0.95)]).toBeLessThan(100);
    expect(relay.load.held).toBeLessThanOrEqual(40);
    const waiting = (await tenant.deliveries()).filter((row) => row.status === 'pending' && row.leased_until === null);
    expect(waiting.length).toBeGreaterThan(950);
    await hung.close();
  });

  it('goes on with a slow endpoint once it answers again', async () => {
    const { tenant, receiver } = fixture;
    receiver.respondWith({ status: 200, delayMs: 400 });
    await tenant.webhook(receiver.url);
    await fixture.startRelay();
    await tenant.events(100);
    await receiver.waitFor(8);
    receiver.respondWith(200);
    await receiver.waitFor(100);
    expect(await tenant.until((rows) => rows.every((row) => row.status === 'success'))).toHaveLength(100);
    expect(receiver.requests).toHaveLength(100);
  });

  it('delivers while Temporal is down, keeps retries for later, and starts them when it is back', async () => {
    const { tenant, receiver } = fixture;
    const broken = await startReceiver(500);
    const { webhook } = await tenant.webhook(broken.url);
    await tenant.webhook(receiver.url);
    const blind = await fixture.startRelay();
    await tenant.event();
    await receiver.waitFor(1);
    const deliveries = await tenant.until((rows) => rows.length === 2 && rows.every((row) => row.status !== 'pending'));
    const failed = deliveries.find((row) => row.webhook_id === webhook.id)!;
    expect(failed).toMatchObject({ status: 'retrying', sends: 1, response_status: 500, error_message: 'HTTP 500' });
    expect(await tenant.attempts()).toMatchObject([{ delivery_id: failed.id, send_number: 1, response_status: 500 }]);
    expect(await tenant.system.query(STARTS)).toMatchObject([{ workflow_id: `delivery/${String(failed.id)}/1` }]);
    await blind.stop(500);
    await fixture.startRelay(temporalAddress());
    const { gateway } = fixture;
    await untilNoneStarts(tenant);
    const handle = (await gateway.client()).workflow.getHandle(`delivery/${String(failed.id)}/1`);
    const description = await handle.describe();
    expect(description.memo).toMatchObject({ event: 'job.created', endpoint_url: broken.url, last_error: 'HTTP 500' });
    expect(
      Object.fromEntries([...description.typedSearchAttributes.getAll()].map(({ key, value }) => [key.name, value])),
    ).toMatchObject({
      [SEARCH_ATTRIBUTE.clientId]: String(tenant.clientId),
      [SEARCH_ATTRIBUTE.webhookId]: String(webhook.id),
      [SEARCH_ATTRIBUTE.deliveryStatus]: 'retrying',
    });
    await handle.terminate();
    await broken.close();
  });

  it('finishes what is under way when it is stopped, and gives back the rest', async () => {
    const { tenant, receiver } = fixture;
    receiver.respondWith({ status: 200, delayMs: 500 });
    await tenant.webhook(receiver.url);
    const relay = await fixture.startRelay();
    await tenant.events(50);
    await receiver.waitFor(8);
    await relay.stop(5_000);
    const deliveries = await tenant.deliveries();
    expect(deliveries.filter((row) => row.status === 'success')).toHaveLength(receiver.requests.length);
    expect(deliveries.filter((row) => row.status === 'pending').every((row) => row.leased_until === null)).toBe(true);
    receiver.respondWith(200);
    await fixture.startRelay();
    await tenant.until((rows) => rows.every((row) => row.status === 'success'));
    expect(receiver.requests).toHaveLength(50);
  });
});

async function untilNoneStarts(tenant: Tenant): Promise<void> {
  for (let tries = 0; tries < 250; tries += 1) {
    if ((await tenant.system.query(STARTS)).length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
  throw new Error(`starts left: ${JSON.stringify(await tenant.system.query(STARTS))}`);
}

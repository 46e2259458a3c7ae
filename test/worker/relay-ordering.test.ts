import { describe, expect, it } from '@jest/globals';
import { freeLanes } from '../../domain/webhooks/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { ReceivedRequest } from '../support/stack.ts';
import { relayFixture } from './relay-fixture.ts';
import { itemEvents, setWebhook } from './relay-support.ts';

const fixture = relayFixture();

const ITEMS = 12;
const PER_ITEM = 25;

function itemOf({ json }: ReceivedRequest): { id: number; nth: number } {
  return (json as { data: { work_item: { id: number; nth: number } } }).data.work_item;
}

describe('ordering per_item', () => {
  it('keeps the order of each item over three relays, one of them at a time', async () => {
    const { tenant, receiver } = fixture;
    const { webhook } = await tenant.webhook(receiver.url);
    await setWebhook(tenant, webhook.id, { ordering: 'per_item' });
    const inFlight = new Map<number, number>();
    const most = { perItem: 0, together: 0 };
    receiver.respondWith(async (request) => {
      const { id } = itemOf(request);
      inFlight.set(id, (inFlight.get(id) ?? 0) + 1);
      most.perItem = Math.max(most.perItem, inFlight.get(id) ?? 0);
      most.together = Math.max(
        most.together,
        [...inFlight.values()].reduce((sum, count) => sum + count, 0),
      );
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 12));
      inFlight.set(id, (inFlight.get(id) ?? 0) - 1);
      return 200;
    });
    await Promise.all([fixture.startRelay(), fixture.startRelay(), fixture.startRelay()]);
    for (let nth = 0; nth < PER_ITEM; nth += 1) {
      const items = Array.from({ length: ITEMS }, (_, index) => index + 1).sort(() => Math.random() - 0.5);
      await itemEvents(tenant, items, nth * 1_000);
    }
    await tenant.until((rows) => rows.length === ITEMS * PER_ITEM && rows.every((row) => row.status === 'success'));
    const seen = new Map<number, number[]>();
    for (const request of receiver.requests) {
      const { id, nth } = itemOf(request);
      seen.set(id, [...(seen.get(id) ?? []), nth]);
    }
    for (const nths of seen.values()) expect(nths).toEqual([...nths].sort((a, b) => a - b));
    expect(receiver.requests).toHaveLength(ITEMS * PER_ITEM);
    expect(most.perItem).toBe(1);
    expect(most.together).toBeGreaterThan(1);
  });

  it('is not looked at again and again for an endpoint that must prove itself first', async () => {
    const { tenant, receiver } = fixture;
    const { webhook } = await tenant.webhook(receiver.url);
    await setWebhook(tenant, webhook.id, { ordering: 'per_item', verification_status: 'pending' });
    const insert = statement(`
      insert into deliveries (client_id, webhook_id, event_id, event_type, lane, work_item_id, is_ordered)
      values ($1, $2, gen_random_uuid(), 'job.created', 'webhook/' || $2::int || '/ordered', 1, true)`);
    await tenant.system.query(insert, [tenant.clientId, webhook.id]);
    expect(await freeLanes(tenant.system)).toEqual([]);
    await setWebhook(tenant, webhook.id, { verification_status: 'verified' });
    expect(await freeLanes(tenant.system)).toHaveLength(1);
  });

  it('holds an item whose delivery is being retried, and goes on with the others', async () => {
    const { tenant, receiver } = fixture;
    const { webhook } = await tenant.webhook(receiver.url);
    await setWebhook(tenant, webhook.id, { ordering: 'per_item' });
    receiver.respondWith((request) => (itemOf(request).id === 1 ? 500 : 200));
    await fixture.startRelay();
    await itemEvents(tenant, [1, 1, 2, 1, 3, 2]);
    await receiver.waitFor(4);
    await new Promise((resolve) => setTimeout(resolve, 1_300));
    expect(receiver.requests.map((request) => itemOf(request).nth).sort()).toEqual([0, 2, 4, 5]);
    const rows = await tenant.deliveries();
    expect(rows.map(({ status }) => status)).toEqual([
      'retrying',
      'pending',
      'success',
      'pending',
      'success',
      'success',
    ]);
    // It ends (as its workflow would end it), and the next of its item goes at once.
    receiver.respondWith(200);
    await tenant.system.query(statement(`update deliveries set status = 'failed', dlq_at = now() where id = $1`), [
      rows[0]!.id,
    ]);
    await tenant.system.query(statement(`select pg_notify('deliveries', '')`));
    await receiver.waitFor(6, { timeoutMs: 900 });
    expect(receiver.requests.slice(4).map((request) => itemOf(request).nth)).toEqual([1, 3]);
  });

  it('is not delayed by thousands that wait for another item', async () => {
    const { tenant, receiver } = fixture;
    const { webhook } = await tenant.webhook(receiver.url);
    await setWebhook(tenant, webhook.id, { ordering: 'per_item' });
    receiver.respondWith((request) => (itemOf(request).id === 1 ? 500 : 200));
    await fixture.startRelay();
    await itemEvents(tenant, Array<number>(2_000).fill(1));
    await tenant.until((rows) => rows.length === 2_000);
    await itemEvents(tenant, [7, 8, 9]);
    await receiver.waitFor(3, { timeoutMs: 2_000, where: (request) => itemOf(request).id > 1 });
    expect(receiver.requests.filter((request) => itemOf(request).id === 1)).toHaveLength(1);
  });

  it('goes round all items, more than one claim looks at', async () => {
    const { tenant, receiver } = fixture;
    const { webhook } = await tenant.webhook(receiver.url);
    await setWebhook(tenant, webhook.id, { ordering: 'per_item' });
    await itemEvents(
      tenant,
      Array.from({ length: 600 }, (_, index) => index + 1),
    );
    await fixture.startRelay();
    await receiver.waitFor(600);
    await tenant.until((rows) => rows.every((row) => row.status === 'success'));
    expect(receiver.requests).toHaveLength(600);
  });

  it('sends events without a work item as they come', async () => {
    const { tenant, receiver } = fixture;
    const { webhook } = await tenant.webhook(receiver.url);
    await setWebhook(tenant, webhook.id, { ordering: 'per_item' });
    await fixture.startRelay();
    await tenant.events(5);
    expect(await receiver.waitFor(5)).toHaveLength(5);
  });
});

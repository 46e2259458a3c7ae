import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { statement } from '../../platform/db/statement.ts';
import { processEnvironment, spawnProcess, startReceiver, testDatabase } from '../support/stack.ts';
import type { ReceivedRequest, Receiver, SpawnedProcess, TestDatabase } from '../support/stack.ts';
import { itemEvents, setWebhook } from '../worker/relay-support.ts';
import { MASTER_KEY, Tenant } from '../worker/tenant.ts';

const ITEMS = 8;
const PER_ITEM = 12;
const FAILING = 0.08;

let database: TestDatabase;
let tenant: Tenant;
let receiver: Receiver;
let workers: SpawnedProcess[] = [];

beforeAll(async () => {
  database = await testDatabase();
  tenant = await Tenant.create(database);
  receiver = await startReceiver();
  const env = processEnvironment(database, { MASTER_KEY });
  const start = () => spawnProcess('worker/main.ts', env, { args: ['--queue', 'platform'] });
  workers = await Promise.all([start(), start(), start()]);
}, 120_000);

afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  await receiver.close();
  await tenant.close();
  await database.drop();
});

function itemOf({ json }: ReceivedRequest): { id: number; nth: number } {
  return (json as { data: { work_item: { id: number; nth: number } } }).data.work_item;
}

describe('ordering per_item over three workers, with an endpoint that fails at random', () => {
  it('brings the events of each item in their order: none is sent while an earlier one may come again', async () => {
    const { webhook } = await tenant.webhook(receiver.url, { retry_delay_seconds: 1 });
    await setWebhook(tenant, webhook.id, { ordering: 'per_item' });
    const arrived = new Map<number, number[]>();
    receiver.respondWith((request, index) => {
      if (index === 5 || Math.random() < FAILING) return 500;
      const { id, nth } = itemOf(request);
      const nths = arrived.get(id) ?? [];
      // At least once: a repeat is no new arrival.
      if (!nths.includes(nth)) arrived.set(id, [...nths, nth]);
      return 200;
    });
    for (let nth = 0; nth < PER_ITEM; nth += 1) {
      const items = Array.from({ length: ITEMS }, (_, index) => index + 1).sort(() => Math.random() - 0.5);
      await itemEvents(tenant, items, nth * 1_000);
      // One dies in the middle, with what it had taken.
      if (nth === PER_ITEM / 2) await workers.pop()?.kill9();
    }
    const all = ITEMS * PER_ITEM;
    await tenant.until((rows) => rows.length === all && rows.every((row) => row.status === 'success'), {
      timeoutMs: 120_000,
    });
    expect([...arrived.values()].flat()).toHaveLength(all);
    for (const nths of arrived.values()) expect(nths).toEqual([...nths].sort((a, b) => a - b));
    // Retries were part of it.
    const [row] = await tenant.system.query<{ retried: number }>(
      statement(`select count(*)::int as retried from deliveries where sends > 1`),
    );
    expect(row?.retried).toBeGreaterThan(0);
  }, 180_000);
});

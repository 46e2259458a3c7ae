import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { processEnvironment, spawnProcess, startReceiver, testDatabase } from '../support/stack.ts';
import type { Receiver, TestDatabase } from '../support/stack.ts';
import { MASTER_KEY, Tenant } from '../worker/tenant.ts';

const PLATFORM = { args: ['--queue', 'platform'] };

let database: TestDatabase;
let tenant: Tenant;
let receiver: Receiver;
let env: Record<string, string>;

beforeAll(async () => {
  database = await testDatabase();
  tenant = await Tenant.create(database);
  receiver = await startReceiver(500);
  env = processEnvironment(database, { MASTER_KEY });
});

afterAll(async () => {
  await receiver.close();
  await tenant.close();
  await database.drop();
});

describe('a platform worker killed with kill -9', () => {
  it('during a backoff: the delivery arrives after a restart, with no duplicate record', async () => {
    await tenant.webhook(receiver.url);
    const doomed = await spawnProcess('worker/main.ts', env, PLATFORM);
    const eventId = await tenant.event();
    await tenant.until((rows) => rows[0]?.status === 'retrying' && rows[0].sends === 2, { timeoutMs: 30_000 });
    // Two sends failed: it waits five seconds for the third. It dies in that wait.
    await doomed.kill9();
    const sendsBefore = receiver.requests.length;
    receiver.respondWith(200);
    const next = await spawnProcess('worker/main.ts', env, PLATFORM);
    const deliveries = await tenant.until((rows) => rows[0]?.status === 'success', { timeoutMs: 40_000 });
    expect(deliveries).toHaveLength(1);
    expect(deliveries[0]).toMatchObject({ event_id: eventId, sends: 3, status: 'success' });
    expect(sendsBefore).toBe(2);
    expect(receiver.requests).toHaveLength(3);
    expect(new Set(receiver.requests.map(({ headers }) => headers['idempotency-key']))).toEqual(
      new Set([`evt_${eventId}`]),
    );
    expect((await tenant.attempts()).map(({ send_number }) => send_number)).toEqual([1, 2, 3]);
    expect(await next.stop()).toBe(0);
  });

  it('in the middle of a burst: every event arrives, each under one record, with few sent twice', async () => {
    receiver.requests.length = 0;
    receiver.respondWith(200);
    const doomed = await spawnProcess('worker/main.ts', env, PLATFORM);
    const eventIds: string[] = [];
    const burst = (async () => {
      for (let index = 0; index < 60; index += 1) eventIds.push(...(await tenant.events(10)));
    })();
    await receiver.waitFor(150);
    await doomed.kill9();
    await burst;
    // By now the receiver has read what lay in the sockets.
    await new Promise((resolve) => setTimeout(resolve, 300));
    const before = keysOf(receiver);
    const next = await spawnProcess('worker/main.ts', env, PLATFORM);
    const deliveries = await tenant.until(
      (rows) => rows.length === 601 && rows.every((row) => row.status === 'success'),
      { timeoutMs: 30_000 },
    );
    expect(deliveries).toHaveLength(601);
    const after = keysOf(receiver).slice(before.length);
    expect(new Set([...before, ...after])).toEqual(new Set(eventIds.map((id) => `evt_${id}`)));
    // At most what a relay lets be in flight to one endpoint (32), and unrecorded (12).
    expect(before.length + after.length - eventIds.length).toBeLessThanOrEqual(44);
    // What it had sent and not yet noted is sent once more, and nothing else.
    expect(new Set(before).size).toBe(before.length);
    expect(new Set(after).size).toBe(after.length);
    expect(await next.stop()).toBe(0);
  });
});

/** The keys of the sends that have arrived, in their order. */
function keysOf({ requests }: Receiver): string[] {
  return requests.map(({ headers }) => String(headers['idempotency-key']));
}

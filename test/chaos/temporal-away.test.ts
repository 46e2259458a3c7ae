import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { processEnvironment, spawnProcess, startReceiver, temporalAddress, testDatabase } from '../support/stack.ts';
import type { Receiver, SpawnedProcess, TestDatabase } from '../support/stack.ts';
import { MASTER_KEY, Tenant } from '../worker/tenant.ts';
import { startTcpProxy } from './tcp-proxy.ts';
import type { TcpProxy } from './tcp-proxy.ts';

let database: TestDatabase;
let tenant: Tenant;
let healthy: Receiver;
let failing: Receiver;
let temporal: TcpProxy;
let worker: SpawnedProcess;

beforeAll(async () => {
  database = await testDatabase();
  tenant = await Tenant.create(database);
  [healthy, failing] = await Promise.all([startReceiver(), startReceiver(500)]);
  temporal = await startTcpProxy(temporalAddress());
  await temporal.cut();
  const env = processEnvironment(database, { MASTER_KEY, TEMPORAL_ADDRESS: temporal.address });
  worker = await spawnProcess('worker/main.ts', env, { args: ['--queue', 'platform'] });
});

afterAll(async () => {
  await worker.stop();
  await Promise.all([temporal.close(), healthy.close(), failing.close()]);
  await tenant.close();
  await database.drop();
});

describe('a platform worker while Temporal is away', () => {
  it('starts without it and delivers; what must be retried is retried once it is there', async () => {
    await tenant.webhook(healthy.url, { events: ['job.created'] });
    await tenant.webhook(failing.url, { events: ['task.created'] });
    await tenant.events(20, 'job.created');
    await tenant.events(5, 'task.created');
    await healthy.waitFor(20);
    await tenant.until((rows) => rows.filter((row) => row.status === 'retrying').length === 5);
    expect(failing.requests).toHaveLength(5);
    failing.respondWith(200);
    await temporal.restore();
    const deliveries = await tenant.until((rows) => rows.every((row) => row.status === 'success'), {
      timeoutMs: 40_000,
    });
    expect(deliveries).toHaveLength(25);
    expect(deliveries.filter((row) => row.sends === 2)).toHaveLength(5);
    expect(failing.requests).toHaveLength(10);
  });

  it('goes on when it stops for a while in the middle of retries', async () => {
    failing.requests.length = 0;
    failing.respondWith(500);
    // Fewer than open its circuit breaker, which would hold first sends.
    await tenant.events(5, 'task.created');
    await tenant.until((rows) => rows.filter((row) => row.sends === 2 && row.status === 'retrying').length === 5);
    await temporal.cut();
    await tenant.events(10, 'task.created');
    await tenant.events(10, 'job.created');
    await healthy.waitFor(30);
    failing.respondWith(200);
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    await temporal.restore();
    const deliveries = await tenant.until(
      (rows) => rows.length === 50 && rows.every((row) => row.status === 'success'),
      {
        timeoutMs: 50_000,
      },
    );
    expect(new Set(deliveries.map((row) => row.event_id)).size).toBe(50);
  }, 90_000);
});

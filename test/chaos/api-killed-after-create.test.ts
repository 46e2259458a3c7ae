import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startReceiver } from '../support/stack.ts';
import type { Receiver } from '../support/stack.ts';
import { announcedItem, createdItem, PlatformProcesses } from './platform-processes.ts';

const CONNECTIONS = 8;

let platform: PlatformProcesses;
let receiver: Receiver;

beforeAll(async () => {
  platform = await PlatformProcesses.create();
  receiver = await startReceiver();
  await platform.tenant.webhook(receiver.url);
});

afterAll(async () => {
  await platform.close();
  await receiver.close();
});

beforeEach(() => {
  receiver.requests.length = 0;
});

describe('the API killed with kill -9', () => {
  it('right after a 2xx, with no relay running yet: the event waits in the outbox and goes out', async () => {
    const api = await platform.startApi();
    const answer = await platform.createWorkItem(api, 'Outlives its API');
    await api.kill9();
    expect(answer.status).toBe(200);
    expect(receiver.requests).toHaveLength(0);

    const worker = await platform.startWorker('platform');
    const deliveries = await platform.tenant.until((rows) => rows[0]?.status === 'success');
    expect(deliveries).toHaveLength(1);
    const [arrived] = await receiver.waitFor(1);
    expect(announcedItem(arrived!)).toBe(createdItem(answer));
    expect(arrived!.headers['idempotency-key']).toBe(`evt_${deliveries[0]!.event_id}`);
    expect(await worker.stop()).toBe(0);
  });

  it('in the middle of a burst: what was answered 2xx arrives, each under one delivery record', async () => {
    const [api] = await Promise.all([platform.startApi(), platform.startWorker('platform')]);
    const before = (await platform.tenant.deliveries()).length;
    const acknowledged: string[] = [];
    let isKilled = false;
    const connection = async (): Promise<void> => {
      while (!isKilled) {
        const answer = await platform.createWorkItem(api, `Job ${String(acknowledged.length)}`).catch(() => undefined);
        // No answer: the API died first. The caller doesn't know then whether the item exists; it may.
        if (answer === undefined) return;
        expect(answer.status).toBe(200);
        acknowledged.push(createdItem(answer));
        if (acknowledged.length === 200) {
          isKilled = true;
          await api.kill9();
        }
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, connection));
    expect(acknowledged.length).toBeGreaterThanOrEqual(200);

    // All or nothing: each committed item has its event, whether its answer got out or not.
    const { work_items, events } = await platform.committedByDeadApi();
    expect(events).toBe(work_items);
    const deliveries = await platform.tenant.until(
      (rows) => rows.length === events && rows.every((row) => row.status === 'success'),
    );
    expect(new Set(deliveries.map((row) => row.event_id)).size).toBe(events);
    const arrived = new Set(receiver.requests.map(announcedItem));
    expect(acknowledged.filter((id) => !arrived.has(id))).toEqual([]);
    expect(arrived.size).toBe(events - before);
    expect(arrived.size - acknowledged.length).toBeLessThanOrEqual(CONNECTIONS);
  });
});

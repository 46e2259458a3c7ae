import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTemporal } from '../../dev/temporal.ts';
import type { RunningTemporal } from '../../dev/temporal.ts';
import { startReceiver } from '../support/stack.ts';
import type { ReceivedRequest, Receiver, SpawnedProcess } from '../support/stack.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { announcedItem, createdItem, PlatformProcesses } from './platform-processes.ts';
import type { Answer } from './platform-processes.ts';

const CREATES_PER_SECOND = 20;
const BEFORE_SECONDS = 3;
const AWAY_SECONDS = 20;
const AFTER_SECONDS = 1;
const TOTAL = CREATES_PER_SECOND * (BEFORE_SECONDS + AWAY_SECONDS + AFTER_SECONDS);

const varDir = temporaryFolder();
let temporal: RunningTemporal;
let platform: PlatformProcesses;
let api: SpawnedProcess;
let steady: Receiver;
let flaky: Receiver;

beforeAll(async () => {
  temporal = await startTemporal({ varDir, port: 0, uiPort: 0, log: () => undefined });
  platform = await PlatformProcesses.create({ TEMPORAL_ADDRESS: temporal.address });
  [api] = await Promise.all([platform.startApi(), platform.startWorker('platform')]);
  [steady, flaky] = await Promise.all([startReceiver(), startReceiver()]);
});

afterAll(async () => {
  await platform.close();
  await Promise.all([temporal.stop(), steady.close(), flaky.close()]);
});

/** Every fifth item fails at its first send, every twentieth at its second too: those need a workflow. */
function plannedFailures(title: string): number {
  const index = Number(title);
  if (index % 20 === 0) return 2;
  return index % 5 === 0 ? 1 : 0;
}

function titleOf({ json }: ReceivedRequest): string {
  return (json as { data: { work_item: { title: string } } }).data.work_item.title;
}

function failAsPlanned(receiver: Receiver): void {
  const sends = new Map<string, number>();
  receiver.respondWith((request) => {
    const title = titleOf(request);
    const send = (sends.get(title) ?? 0) + 1;
    sends.set(title, send);
    return send <= plannedFailures(title) ? 503 : 200;
  });
}

/** Creates at a fixed pace, whether the ones before were answered or not: a slow API can't slow the load down. */
function startLoad(): { answers: Promise<Answer>[]; finished: Promise<void> } {
  const answers: Promise<Answer>[] = [];
  const startedAt = performance.now();
  const run = async (): Promise<void> => {
    for (let index = 0; index < TOTAL; index += 1) {
      await sleep(Math.max(0, startedAt + (index * 1_000) / CREATES_PER_SECOND - performance.now()));
      answers.push(platform.createWorkItem(api, String(index)));
    }
  };
  return { answers, finished: run() };
}

describe('Temporal stopped for 20 s under 20 creates a second', () => {
  it('every create answers 2xx and every event arrives, those too that need a workflow', async () => {
    failAsPlanned(flaky);
    await platform.tenant.webhook(steady.url);
    await platform.tenant.webhook(flaky.url);

    const { answers, finished } = startLoad();
    await sleep(BEFORE_SECONDS * 1_000);
    const awaySince = performance.now();
    const { port } = temporal;
    await temporal.stop();
    await sleep(AWAY_SECONDS * 1_000 - (performance.now() - awaySince));

    // Neither a create nor a first send needs Temporal: what was accepted has arrived while it is still away.
    const accepted = await Promise.all(answers.slice());
    await steady.waitFor(accepted.length, { timeoutMs: 10_000 });
    const waiting = (await platform.tenant.deliveries()).filter((row) => row.status === 'retrying').length;
    expect(waiting).toBeGreaterThanOrEqual((0.75 * CREATES_PER_SECOND * AWAY_SECONDS) / 5);

    temporal = await startTemporal({ varDir, port, uiPort: 0, log: () => undefined });
    await finished;
    const created = await Promise.all(answers);
    expect(created.map(({ status }) => status).filter((status) => status < 200 || status > 299)).toEqual([]);
    const deliveries = await platform.tenant.until(
      (rows) => rows.length === 2 * TOTAL && rows.every((row) => row.status === 'success'),
      { timeoutMs: 60_000 },
    );
    expect(new Set(deliveries.map((row) => `${row.event_id} ${String(row.webhook_id)}`)).size).toBe(2 * TOTAL);
    const ids = new Set(created.map(createdItem));
    expect(ids.size).toBe(TOTAL);
    expect(new Set(steady.requests.map(announcedItem))).toEqual(ids);
    const failures = Array.from({ length: TOTAL }, (_, index) => plannedFailures(String(index)));
    expect(deliveries.filter((row) => row.sends > 1)).toHaveLength(failures.filter((count) => count > 0).length);
    expect(new Set(flaky.requests.map(announcedItem))).toEqual(ids);
  }, 150_000);
});

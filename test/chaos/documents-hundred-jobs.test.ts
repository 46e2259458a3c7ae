import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { statement } from '../../platform/db/statement.ts';
import { grantCredits } from '../support/credits.ts';
import { startReceiver } from '../support/stack.ts';
import type { Receiver, SpawnedProcess } from '../support/stack.ts';
import { PlatformProcesses } from './platform-processes.ts';

/** A kill for every ten jobs. `CHAOS_JOBS=100` runs the whole of it, in about a minute. */
const JOBS = Number(process.env['CHAOS_JOBS'] ?? 20);
const KILLS = JOBS / 10;
const GRANT = JOBS + 50;
const INVOICE = readFileSync(new URL('../fixtures/documents/invoice-text-layer.pdf', import.meta.url));
const ENDED = statement(`
  select count(*)::int as ended, (count(*) filter (where status = 'completed' and credits_used = 1))::int as paid
  from vision_requests where client_id = $1 and status not in ('queued', 'running')`);
const LEDGER = statement(`
  select count(*)::int as bookings, sum(amount)::float8 as balance, (array_agg(balance_after order by id desc))[1]::float8 as last
  from credit_entries where client_id = $1`);

let platform: PlatformProcesses;
let api: SpawnedProcess;
let doomed: SpawnedProcess;
let receiver: Receiver;

beforeAll(async () => {
  platform = await PlatformProcesses.create({ DOCUMENT_PROCESSES: '1' });
  const { clientId, system } = platform.tenant;
  await grantCredits(system, clientId, GRANT);
  receiver = await startReceiver();
  // One after the other: three at once on a busy machine take longer than each is given.
  api = await platform.startApi();
  await platform.startWorker('platform');
  doomed = await platform.startWorker('documents');
}, 180_000);
afterAll(async () => {
  await platform.close();
  await receiver.close();
});

async function acceptAll(): Promise<string[]> {
  const ids: string[] = [];
  for (let sent = 0; sent < JOBS; sent += 10) {
    ids.push(...(await Promise.all(Array.from({ length: 10 }, (_, index) => accept(`job ${String(sent + index)}`)))));
  }
  return ids;
}

/** As callers are told to: what is too busy for them is asked again, with the same key. */
async function accept(key: string): Promise<string> {
  const job = { file_base64: INVOICE.toString('base64'), webhook_url: `${receiver.url}/done` };
  for (let tries = 0; ; tries += 1) {
    const { status, body } = await platform.post(api, '/api/v1/vision/extract', job, { 'Idempotency-Key': key });
    if ((status === 503 || status === 409) && tries < 40) {
      await sleep(250);
      continue;
    }
    expect(status).toBe(202);
    return String(body['request_id']);
  }
}

async function ended(): Promise<{ ended: number; paid: number }> {
  const [row] = await platform.tenant.system.query<{ ended: number; paid: number }>(ENDED, [platform.tenant.clientId]);
  return row ?? { ended: 0, paid: 0 };
}

async function untilEnded(count: number, timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while ((await ended()).ended < count) {
    if (Date.now() > deadline) {
      const state = `${JSON.stringify(await ended())} of ${String(count)} jobs ended`;
      throw new Error(`${state}; the worker wrote:\n${doomed.output().slice(-4_000)}`);
    }
    await sleep(20);
  }
}

describe('the documents worker killed with kill -9, once for every ten jobs under way', () => {
  it('leaves one result, one callback and one credit for each job', async () => {
    const accepted = acceptAll();
    for (let kill = 1; kill <= KILLS; kill += 1) {
      // In the middle of work: some jobs have ended since the last kill, and most are still to come.
      await untilEnded(kill * 5, 60_000);
      await sleep(Math.random() * 150);
      await doomed.kill9();
      doomed = await platform.startWorker('documents');
    }
    const ids = await accepted;
    expect((await ended()).ended).toBeLessThan(JOBS);
    await untilEnded(JOBS, 120_000);
    expect(await ended()).toEqual({ ended: JOBS, paid: JOBS });

    await platform.tenant.until((rows) => rows.length >= JOBS && rows.every(({ status }) => status === 'success'), {
      timeoutMs: 60_000,
    });
    const told = receiver.requests.map(({ json }) => (json as { request_id: string }).request_id);
    expect(told).toHaveLength(JOBS);
    expect(new Set(told)).toEqual(new Set(ids));
    for (const { headers, rawBody } of receiver.requests) {
      const signature = createHmac('sha256', platform.apiKey).update(rawBody).digest('hex');
      expect(headers['x-service-signature']).toBe(`sha256=${signature}`);
    }
    const { clientId, system } = platform.tenant;
    expect(await system.query(LEDGER, [clientId])).toEqual([
      { bookings: JOBS + 1, balance: GRANT - JOBS, last: GRANT - JOBS },
    ]);
  }, 400_000);
});

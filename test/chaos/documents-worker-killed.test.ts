import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { statement } from '../../platform/db/statement.ts';
import { TemporalGateway } from '../../platform/temporal.ts';
import { grantCredits } from '../support/credits.ts';
import { startReceiver, temporalAddress } from '../support/stack.ts';
import type { Receiver, SpawnedProcess } from '../support/stack.ts';
import { PlatformProcesses } from './platform-processes.ts';
import { scannedPdf } from './scanned-pages.ts';

const GRANT = 100;
/** `PENDING_ACTIVITY_STATE_STARTED`: a worker has it and has not reported back. */
const STARTED = 2;

const REQUESTS = statement(`
  select status, pages_read, pages_total, credits_used from vision_requests where client_id = $1 and request_id = $2`);
const BOOKINGS = statement(`
  select step, amount, balance_after from credit_entries where client_id = $1 and reference = $2 order by id`);
const EVENTS = statement(`select name from events where client_id = $1`);

interface RequestRecord extends Record<string, unknown> {
  status: string;
  pages_read: number[];
  pages_total: number | null;
  credits_used: string;
}

let platform: PlatformProcesses;
let api: SpawnedProcess;
let doomed: SpawnedProcess;
let receiver: Receiver;
let temporal: TemporalGateway;

beforeAll(async () => {
  // One child process reads one page at a time, so that there is a moment with some pages read and others not.
  platform = await PlatformProcesses.create({ DOCUMENT_PROCESSES: '1' });
  const { clientId, system } = platform.tenant;
  await grantCredits(system, clientId, GRANT);
  receiver = await startReceiver();
  temporal = new TemporalGateway({ address: temporalAddress(), namespace: 'default', taskQueuePrefix: '' });
  [api, doomed] = await Promise.all([
    platform.startApi(),
    platform.startWorker('documents'),
    platform.startWorker('platform'),
  ]);
});

afterAll(async () => {
  await platform.close();
  await Promise.all([receiver.close(), temporal.close()]);
});

async function requestOf(requestId: string): Promise<RequestRecord> {
  const [row] = await platform.tenant.system.query<RequestRecord>(REQUESTS, [platform.tenant.clientId, requestId]);
  if (row === undefined) throw new Error(`there is no request ${requestId}`);
  return row;
}

async function requestUntil(requestId: string, isReached: (row: RequestRecord) => boolean): Promise<RequestRecord> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const row = await requestOf(requestId);
    if (isReached(row)) return row;
    if (Date.now() > deadline) throw new Error(`not reached: ${JSON.stringify(row)}`);
    await sleep(10);
  }
}

/** Pages that Temporal has given to a worker and not heard of since. */
async function pagesUnderWay(requestId: string): Promise<number> {
  const description = await (await temporal.client()).workflow.getHandle(requestId).describe();
  const pending = description.raw.pendingActivities ?? [];
  return pending.filter((one) => one.activityType?.name === 'readPage' && Number(one.state) === STARTED).length;
}

/** When the words of a page were stored. */
async function storedAt(requestId: string, page: number): Promise<number> {
  const folder = platform.environment['BLOB_DIR'] ?? '';
  return (await stat(join(folder, 'vision', requestId, `page-${String(page)}.json`))).mtimeMs;
}

describe('the documents worker killed with kill -9', () => {
  it('in the middle of OCR: the extraction completes once, with one charge and one signed callback', async () => {
    const { pages, bytes } = await scannedPdf();
    const answer = await platform.post(api, '/api/v1/vision/extract', {
      file_base64: Buffer.from(bytes).toString('base64'),
      webhook_url: `${receiver.url}/callback`,
    });
    expect(answer).toMatchObject({ status: 202, body: { success: true, status: 'queued' } });
    const requestId = String(answer.body['request_id']);

    const { pages_read: readBefore } = await requestUntil(requestId, (row) => row.pages_read.length > 0);
    await sleep(100);
    await doomed.kill9();
    const interrupted = await requestOf(requestId);
    expect(interrupted).toMatchObject({ status: 'running', pages_total: pages });
    expect(interrupted.pages_read.length).toBeLessThan(pages);
    expect(await pagesUnderWay(requestId)).toBeGreaterThan(0);
    const firstPage = readBefore[0] ?? 0;
    const firstStoredAt = await storedAt(requestId, firstPage);

    await platform.startWorker('documents');
    const completed = await requestUntil(requestId, (row) => row.status === 'completed');
    expect(completed.pages_read).toEqual(Array.from({ length: pages }, (_, index) => index + 1));
    expect(await storedAt(requestId, firstPage)).toBe(firstStoredAt);
    await expectOneCharge(requestId, pages, completed);
    await expectOneCallback(requestId, pages);
  }, 150_000);
});

/** One credit a page, net, and the balance carried along. */
async function expectOneCharge(requestId: string, pages: number, completed: RequestRecord): Promise<void> {
  const { clientId, system } = platform.tenant;
  const bookings = await system.query<{ step: string; amount: string; balance_after: string }>(BOOKINGS, [
    clientId,
    requestId,
  ]);
  expect(bookings.map(({ step, amount }) => [step, Number(amount)])).toEqual([
    ['hold', -1],
    ['hold_pages', 1 - pages],
  ]);
  expect(bookings.reduce((sum, { amount }) => sum + Number(amount), 0)).toBe(-pages);
  expect(Number(bookings.at(-1)?.balance_after)).toBe(GRANT - pages);
  expect(Number(completed.credits_used)).toBe(pages);
}

async function expectOneCallback(requestId: string, pages: number): Promise<void> {
  const { tenant, apiKey } = platform;
  const deliveries = await tenant.until((rows) => rows[0]?.status === 'success');
  expect(deliveries).toHaveLength(1);
  expect(deliveries[0]).toMatchObject({ webhook_id: null, event_type: 'vision.extract.completed', sends: 1 });
  expect(await tenant.system.query(EVENTS, [tenant.clientId])).toEqual([{ name: 'vision.extract.completed' }]);
  expect(receiver.requests).toHaveLength(1);
  const [callback] = receiver.requests;
  expect(callback).toMatchObject({
    method: 'POST',
    path: '/callback',
    json: { event: 'vision.extract.completed', request_id: requestId, credits_used: pages },
  });
  const signature = createHmac('sha256', apiKey).update(callback!.rawBody).digest('hex');
  expect(callback!.headers['x-service-signature']).toBe(`sha256=${signature}`);
}

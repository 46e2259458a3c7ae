import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PDFDocument } from 'pdf-lib';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { CreateApiKey } from '../../domain/contracts/api-keys.ts';
import { createApiKey } from '../../domain/keys/index.ts';
import { statement } from '../../platform/db/statement.ts';
import { TemporalGateway } from '../../platform/temporal.ts';
import { PlatformProcesses } from '../chaos/platform-processes.ts';
import { scannedPdf } from '../chaos/scanned-pages.ts';
import { creditsLeft, grantCredits } from '../support/credits.ts';
import { temporalAddress } from '../support/stack.ts';
import type { SpawnedProcess } from '../support/stack.ts';
import { historyText, recordHistory } from '../workflows/histories.ts';
import { Tenant } from './tenant.ts';

const PAGES = 50;
const GRANT = 1_000;
const JOBS_AT_ONCE = 10;
/** Each job has four pages asked for at any time: who waited behind them would see all of these go by, and those after. */
const PAGES_AHEAD = 4 * JOBS_AT_ONCE;
const INVOICE_NUMBER = 'IN916183';
const INVOICE = readFileSync(new URL('../fixtures/documents/invoice-text-layer.pdf', import.meta.url));
const LIMIT = statement(`update clients set document_ai_concurrent_jobs = $2 where id = $1`);
const PAGES_READ = statement(`
  select coalesce(sum(cardinality(pages_read)), 0)::int as pages from vision_requests where client_id = $1`);

interface Client {
  clientId: number;
  apiKey: string;
}

let platform: PlatformProcesses;
let api: SpawnedProcess;
let temporal: TemporalGateway;
let big: Client;
let small: Client;
let other: Tenant;

beforeAll(async () => {
  platform = await PlatformProcesses.create({ DOCUMENT_PROCESSES: '1' });
  const { tenant, apiKey } = platform;
  big = { clientId: tenant.clientId, apiKey };
  other = await Tenant.create(platform.database, 'small');
  const input = CreateApiKey.parse({ key_name: 'small', permissions: { '*': true } });
  const made = await other.tenants.transaction(other.clientId, (tx) =>
    createApiKey(tx, other.caller, input, { vault: other.vault, now: Date.now() }),
  );
  small = { clientId: other.clientId, apiKey: made.apiKey };
  await tenant.system.query(LIMIT, [big.clientId, JOBS_AT_ONCE]);
  for (const { clientId } of [big, small]) {
    await grantCredits(tenant.system, clientId, GRANT);
  }
  temporal = new TemporalGateway({ address: temporalAddress(), namespace: 'default', taskQueuePrefix: '' });
  // One after the other: three at once on a busy machine take longer than each is given.
  api = await platform.startApi();
  await platform.startWorker('platform');
  await platform.startWorker('documents');
}, 180_000);
afterAll(async () => {
  await other.close();
  await platform.close();
  await temporal.close();
});

interface Answered {
  status: number;
  body: Record<string, unknown>;
}

async function ask({ apiKey }: Client, method: string, path: string, body?: object): Promise<Answered> {
  const answer = await fetch(`${api.url}/api/v1/vision/${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

const extract = (client: Client, bytes: Uint8Array, isAsync: boolean): Promise<Answered> =>
  ask(client, 'POST', 'extract', { file_base64: Buffer.from(bytes).toString('base64'), async: isAsync });

async function pagesRead({ clientId }: Client): Promise<number> {
  const [row] = await platform.tenant.system.query<{ pages: number }>(PAGES_READ, [clientId]);
  return row?.pages ?? 0;
}

const balance = ({ clientId }: Client): Promise<number> => creditsLeft(platform.tenant.system, clientId);

async function until(isReached: () => Promise<boolean>, timeoutMs = 60_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await isReached())) {
    if (Date.now() > deadline) throw new Error('not reached in time');
    await sleep(25);
  }
}

const resultOf = async (client: Client, id: string) => (await ask(client, 'GET', `results/${id}`)).body;
const isDone = async (client: Client, id: string) => (await resultOf(client, id))['document_type'] !== undefined;
const handleOf = async (id: string) => (await temporal.client()).workflow.getHandle(id);

/** How the run of a deleted call ended: cancelled, or by a step that began before that and found the call deleted. */
async function endOf(id: string): Promise<string> {
  const handle = await handleOf(id);
  let status = '';
  await until(async () => (status = (await handle.describe()).status.name) !== 'RUNNING');
  expect(['CANCELLED', 'COMPLETED']).toContain(status);
  return status;
}

/** Pages of the big client that were read while another's call was carried out. */
async function pagesMeanwhile(work: () => Promise<void>): Promise<number> {
  const before = await pagesRead(big);
  await work();
  return (await pagesRead(big)) - before;
}

describe('a small history', () => {
  it('of fifty pages holds ids only, and no more than a few events a page', async () => {
    const pdf = await PDFDocument.create();
    const source = await PDFDocument.load(INVOICE);
    for (let page = 0; page < PAGES; page += 1) {
      const [copy] = await pdf.copyPages(source, [0]);
      pdf.addPage(copy);
    }
    const { body } = await extract(small, await pdf.save(), true);
    const id = String(body['request_id']);
    await until(() => isDone(small, id), 120_000);
    const handle = await handleOf(id);
    expect(await handle.query('progress')).toEqual({ pages_done: PAGES, pages_total: PAGES });
    const history = await handle.fetchHistory();
    expect(history.events?.length).toBeLessThanOrEqual(PAGES * 7 + 60);
    const text = JSON.stringify(history);
    expect(text.length).toBeLessThan(PAGES * 7 * 1_000);
    expect(text).not.toMatch(/invoice_number|INVOICE|total/i);
    expect(historyText(history)).toContain(id);
    expect(historyText(history)).not.toContain(INVOICE_NUMBER);
    expect(await balance(small)).toBe(GRANT - PAGES);
  }, 150_000);

  it('of one page is kept, to be replayed against the code of tomorrow', async () => {
    const one = await extract(small, INVOICE, false);
    expect(one.status).toBe(200);
    const id = String(one.body['request_id']);
    await recordHistory('extract-document.nearby', await (await handleOf(id)).fetchHistory());
    const two = await ask(small, 'POST', 'classify', { file_base64: INVOICE.toString('base64') });
    const second = String((two.body['meta'] as Record<string, unknown>)['request_id']);
    await recordHistory('process-document.nearby', await (await handleOf(second)).fetchHistory());
    expect((await ask(small, 'DELETE', `results/${id}`)).status).toBe(200);
    const erase = await handleOf(`erase/${id}`);
    await until(async () => (await erase.describe().catch(() => undefined))?.status.name === 'COMPLETED');
    await recordHistory('erase-document.completed', await erase.fetchHistory());
  });
});

describe('while one client has documents of fifty pages read', () => {
  let jobs: string[];

  it('another’s single page comes at once: its synchronous call before, its asynchronous one in turn', async () => {
    const { bytes } = await scannedPdf(PAGES);
    jobs = [];
    for (let n = 0; n <= JOBS_AT_ONCE; n += 1) jobs.push(String((await extract(big, bytes, true)).body['request_id']));
    await until(async () => {
      const states = await Promise.all(jobs.map((id) => resultOf(big, id)));
      return states.filter(({ status }) => status === 'running').length === JOBS_AT_ONCE;
    });
    expect(await (await handleOf(jobs[0]!)).query('progress')).toMatchObject({ pages_total: PAGES });

    const bySync = await pagesMeanwhile(async () => {
      expect((await extract(small, INVOICE, false)).status).toBe(200);
    });
    const byAsync = await pagesMeanwhile(async () => {
      const { body } = await extract(small, INVOICE, true);
      await until(() => isDone(small, String(body['request_id'])));
    });
    expect(bySync).toBeLessThan(PAGES_AHEAD / 2);
    expect(byAsync).toBeLessThan(PAGES_AHEAD / 2);
  }, 120_000);

  it('DELETE stops a job under way and the child that reads for it, gives its credits back and the next its turn', async () => {
    const first = jobs[0] ?? '';
    const waiting = jobs.at(-1) ?? '';
    expect((await resultOf(big, waiting))['status']).toBe('queued');
    expect((await ask(big, 'DELETE', `results/${first}`)).status).toBe(200);
    await until(async () => (await resultOf(big, waiting))['status'] === 'running');
    if ((await endOf(first)) === 'CANCELLED') {
      await recordHistory('extract-document.cancelled-page', await (await handleOf(first)).fetchHistory());
    }

    const others = jobs.slice(1);
    for (const id of others) expect((await ask(big, 'DELETE', `results/${id}`)).status).toBe(200);
    for (const id of others) await endOf(id);
    expect(await balance(big)).toBe(GRANT);
    // Nothing reads on: what a child was reading was given up within a heartbeat.
    await sleep(4_000);
    const read = await pagesRead(big);
    await sleep(2_500);
    expect(await pagesRead(big)).toBe(read);
    expect((await extract(small, INVOICE, false)).status).toBe(200);
  }, 120_000);
});

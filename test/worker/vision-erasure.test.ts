import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { WebhookView } from '../../domain/contracts/webhooks.ts';
import { CreateWorkflowTemplate } from '../../domain/contracts/workflow-templates.ts';
import { deliveryWorkflowId, eraseWorkflowId, SCHEDULE } from '../../domain/contracts/workflows.ts';
import { purgeResults } from '../../domain/vision/index.ts';
import { retryDelivery } from '../../domain/webhooks/index.ts';
import { createTemplate } from '../../domain/workflow-templates/index.ts';
import { createBlobStore } from '../../platform/blobs.ts';
import { loadConfig } from '../../platform/config.ts';
import { statement } from '../../platform/db/statement.ts';
import { TemporalGateway } from '../../platform/temporal.ts';
import { billPage } from '../api/vision-learning-support.ts';
import { PlatformProcesses } from '../chaos/platform-processes.ts';
import { grantCredits } from '../support/credits.ts';
import { startReceiver, temporalAddress } from '../support/stack.ts';
import type { Receiver, SpawnedProcess } from '../support/stack.ts';
import { tracesOf } from '../support/traces.ts';
import { within } from '../support/within.ts';
import { historyText } from '../workflows/histories.ts';

const GRANT = 100;
const AGE = statement(`
  update vision_requests set admitted_at = now() - interval '11 minutes' where client_id = $1 and status = 'queued'`);
const PLACES = statement(`update clients set document_ai_concurrent_jobs = $2 where id = $1`);
const RESTORE = [
  statement(`
    update vision_requests set status = 'running', result = null, finished_at = null, event_id = null, credits_used = 0,
      admitted_at = now() - interval '11 minutes' where client_id = $1 and request_id = $2`),
  statement(`delete from vision_documents where client_id = $1 and request_id = $2`),
];
const LATER = statement(`update vision_requests set finished_at = now() - interval '31 days' where request_id = $1`);
const CALLS = statement(`
  select request_id, status, credits_used::float8 as credits_used, erased_at is not null as is_erased
  from vision_requests where client_id = $1 and request_id = any($2::uuid[]) order by id`);
const TAKEN = statement(`
  select reference, sum(amount)::float8 as amount from credit_entries
  where client_id = $1 and reference = any($2::text[]) group by 1`);
const RUNS = statement(`
  select data, cancel_requested_at is not null as is_cancelled from workflow_runs where client_id = $1 order by id`);
const EVENT = statement(`
  select e.event_id, e.data from events e join vision_requests r on r.event_id = e.event_id where r.request_id = $1`);

let platform: PlatformProcesses;
let api: SpawnedProcess;
let receiver: Receiver;
let temporal: TemporalGateway;
let documents: Promise<unknown> | undefined;

beforeAll(async () => {
  platform = await PlatformProcesses.create({ DOCUMENT_PROCESSES: '1' });
  receiver = await startReceiver();
  const prefix = platform.environment['TEMPORAL_TASK_QUEUE_PREFIX'] ?? '';
  temporal = new TemporalGateway({ address: temporalAddress(), namespace: 'default', taskQueuePrefix: prefix });
  [api] = await Promise.all([platform.startApi(), platform.startWorker('platform')]);
  const { clientId, system } = platform.tenant;
  await grantCredits(system, clientId, GRANT);
});
afterAll(async () => {
  await documents;
  await platform.close();
  await Promise.all([receiver.close(), temporal.close()]);
});

/** The worker that reads documents, from the first test on that needs one. */
const startDocuments = () => (documents ??= platform.startWorker('documents'));

interface Called {
  status: number;
  body: Record<string, unknown>;
}

async function call(method: string, path: string, body?: object, key?: string): Promise<Called> {
  const answer = await fetch(`${api.url}/api/v1/vision/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${platform.apiKey}`,
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

async function historyOf(workflowId: string): Promise<string> {
  const handle = (await temporal.client()).workflow.getHandle(workflowId);
  return historyText(await handle.fetchHistory());
}

/** A bill on whose line the word is printed. */
const bill = (word: string): Promise<string> =>
  billPage({ issuer: 'atlantic', number: 'ARC/81204/7', date: '2026-03-14', total: 1_725, line: `${word} refit` });
const traces = (word: string): Promise<string[]> =>
  tracesOf(word, {
    databaseUrl: platform.database.superuserUrl,
    folder: platform.environment['BLOB_DIR'] ?? '',
  });
const callsOf = (ids: string[]) => platform.tenant.system.query(CALLS, [platform.tenant.clientId, ids]);
const isDone = async (id: string): Promise<void> => {
  expect((await call('GET', `results/${id}`)).body['document_type']).toBe('invoice');
};
const callbacksOf = (id: string) =>
  receiver.requests.filter(({ json }) => (json as { request_id?: string } | undefined)?.request_id === id);

describe('a call whose workflow is gone', () => {
  it('is given one again after ten minutes, is charged once and told of once; one under way is left alone', async () => {
    const file = await bill('Ordinary');
    const ids: string[] = [];
    const { clientId, system } = platform.tenant;
    // The third waits for its turn: Temporal knows nothing of it, as of one that was lost with its server.
    await system.query(PLACES, [clientId, 2]);
    for (const _name of ['terminated', 'healthy', 'lost']) {
      const { body } = await call('POST', 'extract', { file_base64: file, webhook_url: `${receiver.url}/mended` });
      ids.push(String(body['request_id']));
    }
    await system.query(PLACES, [clientId, null]);
    const [terminated, healthy, lost] = ids as [string, string, string];
    const client = await temporal.client();
    const runOf = async (id: string): Promise<[status: string, runId: string]> => {
      const { status, runId } = await client.workflow.getHandle(id).describe();
      return [status.name, runId];
    };
    const [[, first], [, untouched]] = [await runOf(terminated), await runOf(healthy)];
    await client.workflow.getHandle(terminated).terminate('an operator');
    await expect(runOf(lost)).rejects.toThrow('not found');

    const mend = async (): Promise<void> => {
      await client.schedule.getHandle(temporal.queueName(SCHEDULE.mendDocumentJobs.id)).trigger();
    };
    await system.query(AGE, [clientId]);
    await mend();
    await within(20_000, async () => {
      expect((await runOf(terminated))[0]).toBe('RUNNING');
      expect((await runOf(lost))[0]).toBe('RUNNING');
    });
    const [[, second], [, found]] = [await runOf(terminated), await runOf(lost)];
    expect(second).not.toBe(first);
    await mend();

    await startDocuments();
    for (const id of ids) await within(30_000, () => isDone(id));
    expect([(await runOf(terminated))[1], (await runOf(lost))[1], (await runOf(healthy))[1]]).toEqual([
      second,
      found,
      untouched,
    ]);
    expect(await callsOf(ids)).toEqual(
      ids.map((request_id) => ({ request_id, status: 'completed', credits_used: 1, is_erased: false })),
    );
    const taken = await system.query(TAKEN, [clientId, ids]);
    expect(taken).toHaveLength(ids.length);
    expect(taken).toEqual(expect.arrayContaining(ids.map((reference) => ({ reference, amount: -1 }))));
    await platform.tenant.until((rows) => rows.length === 3 && rows.every(({ status }) => status === 'success'));
    for (const id of ids) expect(callbacksOf(id)).toHaveLength(1);

    // A database that was restored from a backup knows of no result; Temporal takes the call for completed.
    for (const sql of RESTORE) await system.query(sql, [clientId, healthy]);
    await mend();
    await within(30_000, () => isDone(healthy));
    expect(await callsOf([healthy])).toMatchObject([{ status: 'completed', credits_used: 1 }]);
    expect(await system.query(TAKEN, [clientId, [healthy]])).toEqual([{ reference: healthy, amount: -1 }]);
  }, 120_000);
});

describe('what was read from a document', () => {
  let webhook: WebhookView;

  /** A webhook that arrives, a callback that doesn't, and a run of a template that waits: each of them knows the result. */
  beforeAll(async () => {
    await startDocuments();
    receiver.respondWith(({ path, rawBody }) => ({
      status: path === '/callback' ? 500 : 200,
      body: rawBody.toString('utf8'),
    }));
    const { tenant } = platform;
    ({ webhook } = await tenant.webhook(`${receiver.url}/hook`, { events: ['vision.extract.completed'] }));
    const steps = [
      { type: 'wait', seconds: 3_600 },
      { type: 'notify', user_ids: [tenant.caller.userId], subject: 'Read', body: '{{ data.document_type }}' },
    ];
    const template = CreateWorkflowTemplate.parse({
      name: 'Read',
      module: 'm',
      status: 'active',
      trigger_type: 'event',
      config: { event: 'vision.extract.completed', steps },
    });
    await tenant.tenants.transaction(tenant.clientId, (tx) => createTemplate(tx, tenant.caller, template));
  });

  /** The word is everywhere where it can be by now. */
  async function isEverywhere(word: string, id: string): Promise<void> {
    const { system } = platform.tenant;
    const [event] = await within(30_000, async () => {
      const rows = await system.query<{ event_id: string }>(EVENT, [id]);
      expect(rows).toHaveLength(1);
      return rows;
    });
    const isOf = (status: string, hasWebhook: boolean) => (row: Record<string, unknown>) =>
      row['event_id'] === event?.event_id && row['status'] === status && (row['webhook_id'] !== null) === hasWebhook;
    await platform.tenant.until((rows) => rows.some(isOf('success', true)) && rows.some(isOf('retrying', false)));
    await within(10_000, async () => {
      expect(await traces(word)).toEqual(
        expect.arrayContaining([
          'deliveries.response_body',
          'delivery_attempts.response_body',
          'events.data',
          'vision_requests.result',
          'workflow_runs.data',
          `vision/${id}/page-1.json`,
        ]),
      );
    });
  }

  async function callbackOf(id: string): Promise<{ id: number; status: string; dlq_reason: string | null }> {
    const [event] = await platform.tenant.system.query<{ event_id: string }>(EVENT, [id]);
    const row = (await platform.tenant.deliveries()).find(
      ({ event_id, webhook_id }) => event_id === event?.event_id && webhook_id === null,
    );
    if (row === undefined) throw new Error(`there is no callback of ${id}`);
    return row;
  }

  /** Nothing is sent any more, nor can be: not the callback, not the webhook's copy, not the rest of the run. */
  async function isTold(id: string): Promise<void> {
    const { clientId, system } = platform.tenant;
    const callback = await callbackOf(id);
    expect(callback).toMatchObject({ status: 'expired', dlq_reason: 'cancelled: what it told of was erased' });
    const again = await call('POST', `callbacks/${String(callback.id)}/replay`, {});
    expect(again).toMatchObject({ status: 409, body: { error: { message: expect.stringContaining('was erased') } } });
    const { tenants, caller } = platform.tenant;
    const arrived = (await platform.tenant.deliveries()).findLast(({ webhook_id: of }) => of === webhook.id);
    await expect(
      tenants.transaction(clientId, (tx) => retryDelivery(tx, caller, webhook, arrived?.id ?? 0)),
    ).rejects.toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('was erased') });
    expect(await system.query(EVENT, [id])).toEqual([
      {
        event_id: expect.any(String),
        data: { event: 'vision.extract.completed', request_id: id, erased: true },
      },
    ]);
    const runs = await system.query<{ data: Record<string, unknown> }>(RUNS, [clientId]);
    expect(runs.at(-1)).toEqual({ data: { event: 'vision.extract.completed', erased: true }, is_cancelled: true });
    expect(existsSync(join(platform.environment['BLOB_DIR'] ?? '', 'vision', id))).toBe(false);
  }

  it('is nowhere after DELETE /results/{id}: no column of any table, no file, no answer kept for an Idempotency-Key', async () => {
    const word = 'Zanzibarite';
    const keys = [randomUUID(), randomUUID()] as const;
    const asked = { file_base64: await bill(word), webhook_url: `${receiver.url}/callback` };
    const waited = { file_base64: asked.file_base64, document_type: 'invoice' };
    const first = String((await call('POST', 'extract', asked)).body['request_id']);
    const answered = await call('POST', 'extract', waited, keys[0]);
    expect(answered.status).toBe(200);
    const second = String(answered.body['request_id']);
    expect(await call('POST', 'extract', waited, keys[0])).toEqual(answered);
    await within(30_000, () => isDone(first));
    const correction = { corrections: { customer_name: `${word} Foods`, 'line_items[0].gl_code': '5300' } };
    const corrected = await call('PATCH', `results/${first}`, correction, keys[1]);
    expect(corrected).toMatchObject({ status: 200, body: { fields: { customer_name: { value: `${word} Foods` } } } });
    await isEverywhere(word, first);
    const retries = deliveryWorkflowId((await callbackOf(first)).id, 1);
    await within(10_000, async () => {
      expect(await historyOf(retries)).toContain('responseStatus');
    });

    expect((await call('DELETE', `results/${first}`)).status).toBe(200);
    expect((await call('DELETE', `results/${second}`)).status).toBe(200);
    await within(10_000, async () => {
      expect(await traces(word)).toEqual([]);
    });
    await isTold(first);
    // Histories can't be erased: the word was never in one.
    for (const workflow of [first, second, retries, eraseWorkflowId(first)]) {
      expect(await historyOf(workflow)).not.toContain(word);
    }
    for (const again of [
      await call('POST', 'extract', waited, keys[0]),
      await call('PATCH', `results/${first}`, correction, keys[1]),
    ]) {
      expect(again).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } });
    }
    expect(await traces(word)).toEqual([]);
    expect(await callsOf([first, second])).toEqual(
      [first, second].map((request_id) => ({ request_id, status: 'completed', credits_used: 1, is_erased: true })),
    );
  }, 120_000);

  it('is nowhere once its time is over, but in what a correction taught', async () => {
    const word = 'Madagascite';
    const asked = { file_base64: await bill(word), webhook_url: `${receiver.url}/callback` };
    const { body } = await call('POST', 'extract', asked);
    const id = String(body['request_id']);
    await within(30_000, () => isDone(id));
    await isEverywhere(word, id);
    expect((await call('PATCH', `results/${id}`, { corrections: { 'line_items[0].gl_code': '5300' } })).status).toBe(
      200,
    );
    const { system } = platform.tenant;
    await system.query(LATER, [id]);
    const blobs = createBlobStore(loadConfig(platform.environment));
    expect(await purgeResults({ system, blobs }, Date.now())).toEqual({ removed: 1, isDone: true });
    expect(await traces(word)).toEqual(['account_lessons.description']);
    await isTold(id);
  }, 60_000);
});

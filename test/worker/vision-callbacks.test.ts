import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createHmac, randomUUID } from 'node:crypto';
import { CreateOAuthApplication } from '../../domain/contracts/oauth.ts';
import { deliveryWorkflowId, RETRY_NOW } from '../../domain/contracts/workflows.ts';
import { createApplication } from '../../domain/oauth/index.ts';
import { completeRequest, failRequest, openRequest } from '../../domain/vision/index.ts';
import { TemporalGateway } from '../../platform/temporal.ts';
import { PlatformProcesses } from '../chaos/platform-processes.ts';
import { grantCredits } from '../support/credits.ts';
import { startReceiver, temporalAddress } from '../support/stack.ts';
import type { ReceivedRequest, Receiver, SpawnedProcess } from '../support/stack.ts';
import type { DeliveryRecord } from './tenant.ts';

const SENDS = 6;
const RESULT = { document_type: 'invoice', fields: { total: { value: 114.5, confidence: 0.97, bbox: null } } };

interface DeadCallback {
  id: number;
  url: string;
  request_id: string;
  status: string;
  sends: number;
  round: number;
  event_id: string;
  dlq_reason: string;
}

let platform: PlatformProcesses;
let api: SpawnedProcess;
let receiver: Receiver;
let temporal: TemporalGateway;

beforeAll(async () => {
  platform = await PlatformProcesses.create();
  receiver = await startReceiver();
  temporal = new TemporalGateway({ address: temporalAddress(), namespace: 'default', taskQueuePrefix: '' });
  [api] = await Promise.all([platform.startApi(), platform.startWorker('platform')]);
  const { clientId, system } = platform.tenant;
  await grantCredits(system, clientId, 100);
});
afterAll(async () => {
  await platform.close();
  await Promise.all([receiver.close(), temporal.close()]);
});
beforeEach(() => {
  receiver.requests.length = 0;
});

/** A call of the API key; nobody works on it but the test. */
async function call(path: string): Promise<string> {
  const { status, body } = await platform.post(api, '/api/v1/vision/extract', {
    file_base64: Buffer.from('%PDF-1.7').toString('base64'),
    webhook_url: `${receiver.url}${path}`,
  });
  expect(status).toBe(202);
  return String(body['request_id']);
}

async function deadCallbacks(): Promise<DeadCallback[]> {
  const answer = await fetch(`${api.url}/api/v1/vision/callbacks/dlq`, {
    headers: { authorization: `Bearer ${platform.apiKey}` },
  });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { callbacks: DeadCallback[] }).callbacks;
}

const eventOf = (request: ReceivedRequest) => request.json as { event: string; request_id: string };
const requestsOf = (requestId: string) =>
  receiver.requests.filter((request) => eventOf(request).request_id === requestId);
const signatureBy = (secret: string, request: ReceivedRequest) =>
  `sha256=${createHmac('sha256', secret).update(request.rawBody).digest('hex')}`;

/** The waits between sends (1 s to 10 min) are skipped; what is waited for is one send after the other. */
async function untilDead(requestId: string): Promise<DeliveryRecord> {
  const [sent] = await receiver.waitFor(1, { where: (request) => eventOf(request).request_id === requestId });
  const key = String(sent?.headers['idempotency-key']).slice('evt_'.length);
  const ofCall = (rows: DeliveryRecord[]) => rows.find((row) => row.event_id === key);
  for (let sends = 1; sends < SENDS; sends += 1) {
    const rows = await platform.tenant.until(
      (all) => ofCall(all)?.sends === sends && ofCall(all)?.status === 'retrying',
    );
    const { id, round } = ofCall(rows)!;
    while (!(await temporal.signal(deliveryWorkflowId(id, round), RETRY_NOW)))
      await new Promise((go) => setTimeout(go, 50));
    await receiver.waitFor(sends + 1, { where: (request) => eventOf(request).request_id === requestId });
  }
  const rows = await platform.tenant.until((all) => ofCall(all)?.status === 'failed');
  return ofCall(rows)!;
}

describe('a callback whose receiver fails', () => {
  it('is sent six times, lies in the dead-letter queue, and arrives once when it is replayed', async () => {
    receiver.respondWith(503);
    const requestId = await call('/invoices');
    const { tenant, apiKey } = platform;
    await completeRequest(tenant.tenants, tenant.clientId, requestId, RESULT, Date.now());
    const dead = await untilDead(requestId);
    expect(requestsOf(requestId)).toHaveLength(SENDS);
    const [listed, ...others] = await deadCallbacks();
    expect(others).toEqual([]);
    expect(listed).toMatchObject({
      id: dead.id,
      url: `${receiver.url}/invoices`,
      request_id: requestId,
      status: 'failed',
      sends: SENDS,
      round: 1,
    });

    receiver.respondWith(200);
    const replay = await platform.post(api, `/api/v1/vision/callbacks/${String(dead.id)}/replay`, {});
    expect(replay).toMatchObject({ status: 202, body: { callback: { id: dead.id, round: 2, status: 'pending' } } });
    await tenant.until((rows) => rows.find(({ id }) => id === dead.id)?.status === 'success');
    const sent = requestsOf(requestId);
    expect(sent).toHaveLength(SENDS + 1);
    expect(new Set(sent.map(({ headers }) => headers['idempotency-key']))).toEqual(new Set([`evt_${dead.event_id}`]));
    for (const request of sent) expect(request.headers['x-service-signature']).toBe(signatureBy(apiKey, request));
    expect(sent.at(-1)?.json).toMatchObject({ event: 'vision.extract.completed', request_id: requestId, ...RESULT });
    expect(await deadCallbacks()).toEqual([]);
    const again = await platform.post(api, `/api/v1/vision/callbacks/${String(dead.id)}/replay`, {});
    expect(again).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } });
  }, 90_000);

  it('is replayed with others by when they failed; a dry run sends nothing', async () => {
    receiver.respondWith(500);
    const { tenant } = platform;
    const from = new Date(Date.now() - 1_000).toISOString();
    const ids = [await call('/a'), await call('/b')];
    const failure = { code: 'BROKEN', message: 'broken' } as const;
    for (const id of ids) await failRequest(tenant.tenants, tenant.clientId, id, failure, Date.now());
    await Promise.all(ids.map(untilDead));
    receiver.respondWith(204);
    const range = { from, to: new Date(Date.now() + 60_000).toISOString(), event: 'vision.extract.failed' };
    const replay = (body: object) => platform.post(api, '/api/v1/vision/callbacks/dlq/replay', { ...range, ...body });
    expect((await replay({ dry_run: true })).body).toMatchObject({ matched: 2, replayed: 0, remaining: 2 });
    expect((await replay({})).body).toMatchObject({ matched: 2, replayed: 2, remaining: 0 });
    await tenant.until((rows) => rows.every(({ status }) => status === 'success'));
    for (const id of ids) expect(requestsOf(id)).toHaveLength(SENDS + 1);
  }, 120_000);
});

describe('a callback of a call that came with an OAuth token', () => {
  it('is signed with the secret of the application', async () => {
    receiver.respondWith(200);
    const { tenants, clientId, caller, vault } = platform.tenant;
    const input = CreateOAuthApplication.parse({
      name: 'books',
      redirect_uris: [],
      scopes: ['vision:extract'],
      grant_types: ['client_credentials'],
      client_type: 'confidential',
    });
    const requestId = randomUUID();
    const application = await tenants.transaction(clientId, async (tx) => {
      const made = await createApplication(tx, caller, input, vault);
      const webhookUrl = `${receiver.url}/books`;
      const call = { requestId, operation: 'extract', options: {}, sourceBlob: 'none', isAsync: true } as const;
      const byToken = { ...caller, application: { id: made.id } };
      await openRequest(tx, byToken, { ...call, webhookUrl, now: Date.now() });
      return made;
    });
    await completeRequest(tenants, clientId, requestId, RESULT, Date.now());
    const [sent] = await receiver.waitFor(1);
    expect(sent?.headers['x-service-signature']).toBe(signatureBy(application.client_secret ?? '', sent!));
  }, 30_000);
});

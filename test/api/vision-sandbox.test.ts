import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { completeRequest } from '../../domain/vision/index.ts';
import { statement } from '../../platform/db/statement.ts';
import { startReceiver } from '../support/stack.ts';
import type { Receiver } from '../support/stack.ts';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture, ApiTenant } from './support.ts';

const FILE = Buffer.from('%PDF-1.7 nobody works on it here').toString('base64');
const SANDBOX = '/sandbox/api/v1/vision';
const PRODUCTION = '/api/v1/vision';
const SCOPES = ['vision:extract', 'vision:usage'];
const ANSWER = {
  document_type: 'invoice',
  document_type_confidence: 0.9,
  fields: { total: { value: 7, confidence: 0.9, bbox: null } },
  line_items: [],
};
const CALLS = statement(`
  select request_id, environment, credits_used::float8 as credits_used from vision_requests where client_id = $1 order by id`);
const BOOKINGS = statement(`select step from credit_entries where client_id = $1 and step <> 'grant'`);
const EVENTS = statement(`select is_addressed from events where client_id = $1`);

const DEAD = statement(`
  update deliveries set status = 'failed', dlq_at = now(), dlq_reason = 'test'
  where client_id = $1 and status <> 'failed' and event_type = 'vision.extract.completed' returning id`);
const ONE_JOB = statement(`update clients set document_ai_concurrent_jobs = 1 where id = $1`);
const ADMITTED = statement(`
  select count(*)::int as count from vision_requests where client_id = $1 and admitted_at is not null`);

let receiver: Receiver;
let api: ApiFixture;
beforeAll(async () => {
  receiver = await startReceiver();
  api = await startApi();
});
afterAll(async () => {
  await api.close();
  await receiver.close();
});

async function newClient(fixture = api): Promise<{ tenant: ApiTenant; testing: string; production: string }> {
  const tenant = await fixture.tenant(`sandbox-${randomUUID().slice(0, 8)}`, {
    tier: 'enterprise',
    production_api_enabled: true,
  });
  const [testing, production] = [await tenant.key(SCOPES), await tenant.key(SCOPES, { environment: 'production' })];
  return { tenant, testing, production };
}

const extract = (base: string, key: string, body: object = {}, fixture = api) =>
  fixture
    .http()
    .post(`${base}/extract`)
    .set('Authorization', `Bearer ${key}`)
    .send({ file_base64: FILE, async: true, ...body });
const get = (base: string, path: string, key: string) =>
  api.http().get(`${base}/${path}`).set('Authorization', `Bearer ${key}`);

/** Credits kept or taken, of everything but grants. */
const bookings = ({ clientId }: ApiTenant) => api.services.system.query(BOOKINGS, [clientId]);

describe('the sandbox', () => {
  it('takes keys of the environment testing and spends no credits', async () => {
    const { tenant, testing } = await newClient();
    const { status, body } = await extract(SANDBOX, testing);
    expect({ status, success: body.success as unknown }).toEqual({ status: 202, success: true });
    const { tenants, clock } = api.services;
    await completeRequest(tenants, tenant.clientId, body.request_id as string, ANSWER, clock.now());
    expect((await get(SANDBOX, `results/${String(body.request_id)}`, testing)).body).toMatchObject({
      document_type: 'invoice',
      credits_used: 0,
    });
    expect(await api.services.system.query(CALLS, [tenant.clientId])).toEqual([
      { request_id: body.request_id, environment: 'sandbox', credits_used: 0 },
    ]);
    expect(await bookings(tenant)).toEqual([]);
  });

  it('refuses production keys, and users, wherever they are led to', async () => {
    const { tenant, production } = await newClient();
    expectRefusal(await extract(SANDBOX, production), 403, 'FORBIDDEN');
    expectRefusal(await get(SANDBOX, 'results', production), 403, 'FORBIDDEN');
    expectRefusal(await get(SANDBOX, 'credits', production), 403, 'FORBIDDEN');
    const purchase = await api
      .http()
      .post(`${SANDBOX}/credits/purchase`)
      .set('Authorization', `Bearer ${await tenant.token('owner')}`)
      .send({ bundle: 'small' });
    expectRefusal(purchase, 403, 'FORBIDDEN');
    expectRefusal(await api.http().post(`${SANDBOX}/extract`).send({}), 401, 'UNAUTHORIZED');
  });

  it('knows nothing of production’s results, nor production of its', async () => {
    const { tenant, testing } = await newClient();
    const [{ body: mock }, { body: real }] = [await extract(SANDBOX, testing), await extract(PRODUCTION, testing)];
    const listed = async (base: string) =>
      ((await get(base, 'results', testing)).body as { results: { request_id: string }[] }).results.map(
        ({ request_id }) => request_id,
      );
    expect(await listed(SANDBOX)).toEqual([mock.request_id]);
    expect(await listed(PRODUCTION)).toEqual([real.request_id]);
    expectRefusal(await get(SANDBOX, `results/${String(real.request_id)}`, testing), 404, 'NOT_FOUND');
    expectRefusal(await get(PRODUCTION, `results/${String(mock.request_id)}`, testing), 404, 'NOT_FOUND');
    const remove = (base: string, id: string) =>
      api.http().delete(`${base}/results/${id}`).set('Authorization', `Bearer ${testing}`);
    expectRefusal(await remove(SANDBOX, real.request_id as string), 404, 'NOT_FOUND');
    expect((await remove(SANDBOX, mock.request_id as string)).status).toBe(200);

    const { tenants, clock } = api.services;
    await completeRequest(tenants, tenant.clientId, real.request_id as string, ANSWER, clock.now());
    const totals = async (base: string) =>
      ((await get(base, 'usage', testing)).body as { totals: { documents_processed: number } }).totals
        .documents_processed;
    expect([await totals(SANDBOX), await totals(PRODUCTION)]).toEqual([0, 1]);
  });

  it('tells the address that a call names, and no webhook', async () => {
    const { tenant, testing } = await newClient();
    const { body } = await extract(SANDBOX, testing, { webhook_url: receiver.url });
    const { body: polled } = await extract(SANDBOX, testing);
    const { tenants, clock, system } = api.services;
    for (const id of [body.request_id, polled.request_id] as string[]) {
      await completeRequest(tenants, tenant.clientId, id, ANSWER, clock.now());
    }
    expect(await system.query(EVENTS, [tenant.clientId])).toEqual([{ is_addressed: true }]);
  });

  it('has dead letters of its own: neither sees or replays the other’s', async () => {
    const { tenant, testing } = await newClient();
    const { tenants, clock, system } = api.services;
    const deliveryOf = async (base: string): Promise<number> => {
      const { body } = await extract(base, testing, { webhook_url: `${receiver.url}/dead` });
      await completeRequest(tenants, tenant.clientId, body.request_id as string, ANSWER, clock.now());
      const [row] = await system.query<{ id: number }>(DEAD, [tenant.clientId]);
      return row?.id ?? 0;
    };
    const [mock, real] = [await deliveryOf(SANDBOX), await deliveryOf(PRODUCTION)];
    const post = (base: string, path: string, body: object) =>
      api.http().post(`${base}/callbacks/${path}`).set('Authorization', `Bearer ${testing}`).send(body);
    for (const [base, own, other] of [
      [SANDBOX, mock, real],
      [PRODUCTION, real, mock],
    ] as const) {
      const { body } = await get(base, 'callbacks/dlq', testing);
      expect((body as { callbacks: { id: number }[] }).callbacks.map(({ id }) => id)).toEqual([own]);
      expectRefusal(await post(base, `${String(other)}/replay`, {}), 404, 'NOT_FOUND');
      const range = { from: '2020-01-01', to: '2099-01-01', dry_run: true };
      expect((await post(base, 'dlq/replay', range)).body).toMatchObject({ matched: 1 });
      const byId = await post(base, 'dlq/replay', { ids: [own, other] });
      expect(byId.body).toMatchObject({ replayed: 1, skipped_ids: [other] });
    }
  });

  it('has room for as many jobs as production, beside them', async () => {
    const { tenant, testing } = await newClient();
    await api.services.system.query(ONE_JOB, [tenant.clientId]);
    for (const base of [SANDBOX, PRODUCTION]) {
      const { headers } = await extract(base, testing);
      expect(headers).toMatchObject({ 'x-concurrency-limit': '1', 'x-concurrency-remaining': '0' });
    }
    expect(await api.services.system.query(ADMITTED, [tenant.clientId])).toEqual([{ count: 2 }]);
    await extract(SANDBOX, testing);
    expect(await api.services.system.query(ADMITTED, [tenant.clientId])).toEqual([{ count: 2 }]);
  });

  it('an Idempotency-Key of the sandbox means nothing in production', async () => {
    const { testing } = await newClient();
    const once = (base: string) => extract(base, testing).set('Idempotency-Key', 'the-same');
    const first = await once(SANDBOX);
    expect((await once(SANDBOX)).body.request_id).toBe(first.body.request_id);
    expectRefusal(await once(PRODUCTION), 409, 'IDEMPOTENCY_CONFLICT');
  });

  it('is all of Document AI where the API is started as one (VISION_SANDBOX)', async () => {
    const sandbox = await startApi({ VISION_SANDBOX: 'true' });
    try {
      const { tenant, testing, production } = await newClient(sandbox);
      expectRefusal(await extract(PRODUCTION, production, {}, sandbox), 403, 'FORBIDDEN');
      const { status, body } = await extract(PRODUCTION, testing, {}, sandbox);
      expect(status).toBe(202);
      expect(await sandbox.services.system.query(CALLS, [tenant.clientId])).toEqual([
        { request_id: body.request_id, environment: 'sandbox', credits_used: 0 },
      ]);
    } finally {
      await sandbox.close();
    }
  });

  it('leads to nothing but Document AI', async () => {
    const { testing } = await newClient();
    expect((await api.http().get('/sandbox/api/v1/contacts').set('X-API-Key', testing)).status).toBe(404);
    expect((await api.http().get(`${SANDBOX}/../contacts`).set('X-API-Key', testing)).status).toBe(404);
  });
});

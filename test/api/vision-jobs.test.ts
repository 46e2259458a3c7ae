import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  admitJobs,
  book,
  completeRequest,
  failRequest,
  openRequest,
  openWithSource,
  purgeResults,
  recordPageRead,
  startRequest,
} from '../../domain/vision/index.ts';
import { statement } from '../../platform/db/statement.ts';
import { within } from '../support/within.ts';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture, ApiTenant } from './support.ts';

const FILE = Buffer.from('%PDF-1.7 nobody works on it here').toString('base64');
const JOBS = statement(`
  select request_id, status, admitted_at is not null as admitted from vision_requests where client_id = $1 order by id`);
const LEFT = statement(`select sum(amount)::float8 as credits from credit_entries where client_id = $1`);
const AGE = statement(`update vision_requests set finished_at = $2 where request_id = $1`);
const RETENTION = statement(`update clients set document_ai_retention_days = $2 where id = $1`);
const TIER = statement(`update clients set tier = $2 where id = $1`);

const BUDGET_MS = 600;
const STARTS = statement(`select count(*)::int as count from workflow_starts where workflow_id = $1`);
const CHARGES = statement(`
  select step, amount::float8 as amount from credit_entries where client_id = $1 and reference = $2 order by id`);

let api: ApiFixture;
beforeAll(async () => {
  api = await startApi({ VISION_SYNC_BUDGET_MS: String(BUDGET_MS) });
});
afterAll(() => api.close());

interface Job extends Record<string, unknown> {
  request_id: string;
  status: string;
  admitted: boolean;
}

async function newClient(tier: string): Promise<{ tenant: ApiTenant; key: string }> {
  const tenant = await api.tenant(`jobs-${randomUUID().slice(0, 8)}`, { tier });
  const { clientId } = tenant;
  await api.services.tenants.transaction(clientId, (tx) =>
    book(tx, { clientId, reference: 'test', step: 'grant', amount: 100 }),
  );
  return { tenant, key: await tenant.key(['vision:extract']) };
}

const extract = (key: string, body: object = {}) =>
  api
    .http()
    .post('/api/v1/vision/extract')
    .set('Authorization', `Bearer ${key}`)
    .send({ file_base64: FILE, async: true, ...body });
const result = (key: string, id: string) =>
  api.http().get(`/api/v1/vision/results/${id}`).set('Authorization', `Bearer ${key}`);
const remove = (key: string, id: string) =>
  api.http().delete(`/api/v1/vision/results/${id}`).set('Authorization', `Bearer ${key}`);
const jobs = ({ clientId }: ApiTenant): Promise<Job[]> => api.services.system.query<Job>(JOBS, [clientId]);
const answer = { document_type: 'invoice', document_type_confidence: 0.9, fields: {}, line_items: [] };

describe('asynchronous jobs of one client', () => {
  it('beyond its tier’s number wait in order instead of being refused, and begin as others end', async () => {
    const { tenant, key } = await newClient('free');
    for (let n = 0; n < 7; n += 1) {
      const { status, headers } = await extract(key);
      expect({ status, limit: headers['x-concurrency-limit'], left: headers['x-concurrency-remaining'] }).toEqual({
        status: 202,
        limit: '5',
        left: String(Math.max(0, 4 - n)),
      });
    }
    const before = await jobs(tenant);
    expect(before.map((job) => job.admitted)).toEqual([true, true, true, true, true, false, false]);
    expect((await result(key, before[6]?.request_id ?? '')).body).toMatchObject({ status: 'queued' });

    const { tenants, clock } = api.services;
    await completeRequest(tenants, tenant.clientId, before[3]?.request_id ?? '', answer, clock.now());
    expect((await jobs(tenant)).map((job) => job.admitted)).toEqual([true, true, true, true, true, true, false]);
    const failure = { code: 'BROKEN', message: 'broken' } as const;
    await failRequest(tenants, tenant.clientId, before[0]?.request_id ?? '', failure, clock.now());
    expect((await jobs(tenant)).map((job) => job.admitted)).toEqual(Array.from({ length: 7 }, () => true));
  });

  it('never take more places than there are when many come at once', async () => {
    const { tenant, key } = await newClient('free');
    await Promise.all(Array.from({ length: 12 }, () => extract(key)));
    const admitted = (await jobs(tenant)).map((job) => job.admitted);
    expect(admitted).toEqual([...Array<boolean>(5).fill(true), ...Array<boolean>(7).fill(false)]);
  });

  it('that wait begin when the tier is raised', async () => {
    const { tenant, key } = await newClient('free');
    for (let n = 0; n < 8; n += 1) await extract(key);
    await api.services.system.query(TIER, [tenant.clientId, 'business']);
    await api.services.tenants.transaction(tenant.clientId, (tx) => admitJobs(tx, 'production'));
    expect((await jobs(tenant)).every((job) => job.admitted)).toBe(true);
  });
});

describe('DELETE /results/{id}', () => {
  it('of a waiting job cancels it, gives its credit back, and it never begins', async () => {
    const { tenant, key } = await newClient('free');
    for (let n = 0; n < 6; n += 1) await extract(key);
    const last = (await jobs(tenant))[5]?.request_id ?? '';
    const { status, body } = await remove(key, last);
    expect({ status, ...body }).toMatchObject({ status: 200, success: true, request_id: last, deleted: true });
    expect((await jobs(tenant))[5]).toMatchObject({ status: 'cancelled', admitted: false });
    expect(await api.services.system.query(LEFT, [tenant.clientId])).toEqual([{ credits: 95 }]);
    expectRefusal(await result(key, last), 404, 'NOT_FOUND');
    expectRefusal(await remove(key, last), 404, 'NOT_FOUND');
  });

  it('of a job under way gives its place to the next', async () => {
    const { tenant, key } = await newClient('free');
    for (let n = 0; n < 6; n += 1) await extract(key);
    await remove(key, (await jobs(tenant))[1]?.request_id ?? '');
    expect((await jobs(tenant)).map(({ status, admitted }) => [status, admitted])).toEqual([
      ['queued', true],
      ['cancelled', true],
      ['queued', true],
      ['queued', true],
      ['queued', true],
      ['queued', true],
    ]);
  });

  it('of a job that is being read gives back all that was held for its pages, and lets the next one begin', async () => {
    const { tenant, key } = await newClient('free');
    for (let n = 0; n < 6; n += 1) await extract(key);
    const all = await jobs(tenant);
    const [first, last] = [all[0]?.request_id ?? '', all[5]?.request_id ?? ''];
    const { tenants, system } = api.services;
    await startRequest(tenants, tenant.clientId, first, 4);
    await recordPageRead(tenants, tenant.clientId, first, 1);
    expect(await system.query(LEFT, [tenant.clientId])).toEqual([{ credits: 91 }]);
    expect(await system.query(STARTS, [last])).toEqual([{ count: 0 }]);
    expect((await remove(key, first)).status).toBe(200);
    expect(await system.query(LEFT, [tenant.clientId])).toEqual([{ credits: 95 }]);
    expect((await jobs(tenant))[5]).toMatchObject({ status: 'queued', admitted: true });
    expect(await system.query(STARTS, [last])).toEqual([{ count: 1 }]);
    // What was still under way comes too late: nothing is charged, stored or told.
    await completeRequest(tenants, tenant.clientId, first, answer, Date.now());
    expect((await jobs(tenant))[0]).toMatchObject({ status: 'cancelled' });
    expect(await system.query(LEFT, [tenant.clientId])).toEqual([{ credits: 95 }]);
  });

  it('of a finished call erases what the document said, also from the blob store, and keeps what it cost', async () => {
    const { tenant, key } = await newClient('enterprise');
    const { request_id: id } = (await extract(key)).body as { request_id: string };
    const { tenants, clock, blobs } = api.services;
    await completeRequest(tenants, tenant.clientId, id, { ...answer, fields: { total: { value: 7 } } }, clock.now());
    await blobs.put(`vision/${id}/page-1.json`, Buffer.from('secret'));
    expect((await remove(key, id)).status).toBe(200);
    expect(await blobs.exists(`vision/${id}/source`)).toBe(false);
    expect(await blobs.exists(`vision/${id}/page-1.json`)).toBe(false);
    const row = statement(
      `select status, result, options, credits_used::float8 as credits_used from vision_requests where request_id = $1`,
    );
    expect(await api.services.system.query(row, [id])).toEqual([
      { status: 'completed', result: null, options: {}, credits_used: 0 },
    ]);
  });

  it('stays done when the call is sent again with its Idempotency-Key: the file does not come back', async () => {
    const { tenant, key } = await newClient('enterprise');
    const { request_id: id } = (await extract(key)).body as { request_id: string };
    await remove(key, id);
    const { tenants, blobs, clock } = api.services;
    const file = jest.fn(() => Promise.resolve(Buffer.from('the document')));
    const request = { requestId: id, operation: 'extract' as const, options: {}, isAsync: true, now: clock.now() };
    const again = openWithSource(
      { tenants, blobs, clock },
      {
        clientId: tenant.clientId,
        requestId: id,
        file,
        open: (tx, sourceBlob) => openRequest(tx, tenant.caller, { ...request, sourceBlob }),
      },
    );
    await expect(again).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(file).not.toHaveBeenCalled();
    expect(await blobs.exists(`vision/${id}/source`)).toBe(false);
  });

  it('of another client’s is a 404 and leaves it alone', async () => {
    const { key } = await newClient('free');
    const { request_id: id } = (await extract(key)).body as { request_id: string };
    expectRefusal(await remove(await api.rival.key(['vision:extract']), id), 404, 'NOT_FOUND');
    expect((await result(key, id)).status).toBe(200);
  });
});

describe('a synchronous call that nobody answers in time', () => {
  it('is a 504 with its request_id; the work goes on, and the result is there later', async () => {
    const { tenant, key } = await newClient('free');
    const late = await extract(key, { async: false }).set('Idempotency-Key', 'late');
    expectRefusal(late, 504, 'GATEWAY_TIMEOUT');
    const { request_id: id } = late.body.error as { request_id: string };
    expect(late.body.error.message).toContain(`GET /api/v1/vision/results/${id}`);
    expect((await result(key, id)).body).toMatchObject({ request_id: id, status: 'queued' });
    const { tenants, clock, system } = api.services;
    await startRequest(tenants, tenant.clientId, id, 1);
    await completeRequest(tenants, tenant.clientId, id, answer, clock.now());
    expect((await result(key, id)).body).toMatchObject({ request_id: id, document_type: 'invoice', credits_used: 1 });
    // The same call again joins that run: its result, for the one credit.
    const again = await extract(key, { async: false }).set('Idempotency-Key', 'late');
    expect({ status: again.status, id: again.body.request_id }).toEqual({ status: 200, id });
    expect(await system.query(CHARGES, [tenant.clientId, id])).toEqual([{ step: 'hold', amount: -1 }]);
  });

  it('that is deleted meanwhile is a 404 for its caller, and for who sends it again', async () => {
    const { tenant, key } = await newClient('free');
    const call = () => extract(key, { async: false }).set('Idempotency-Key', 'deleted');
    const waiting = call().then((answered) => answered);
    const [job] = await within(5_000, async () => {
      const all = await jobs(tenant);
      expect(all).toHaveLength(1);
      return all;
    });
    const id = job?.request_id ?? '';
    expect((await remove(key, id)).status).toBe(200);
    // 504 where it was deleted a moment after the budget was over.
    expect([404, 504]).toContain((await waiting).status);
    expectRefusal(await call(), 404, 'NOT_FOUND');
    expect(await api.services.blobs.exists(`vision/${id}/source`)).toBe(false);
    expect(await api.services.system.query(LEFT, [tenant.clientId])).toEqual([{ credits: 100 }]);
  });

  it('goes on when its caller hangs up, and is charged once', async () => {
    const { tenant, key } = await newClient('free');
    const gone = extract(key, { async: false });
    gone.end(() => undefined);
    const [job] = await within(5_000, async () => {
      const all = await jobs(tenant);
      expect(all).toHaveLength(1);
      return all;
    });
    gone.abort();
    const id = job?.request_id ?? '';
    const { tenants, clock, system } = api.services;
    await startRequest(tenants, tenant.clientId, id, 1);
    await completeRequest(tenants, tenant.clientId, id, answer, clock.now());
    expect((await result(key, id)).body).toMatchObject({ request_id: id, document_type: 'invoice' });
    expect(await system.query(CHARGES, [tenant.clientId, id])).toEqual([{ step: 'hold', amount: -1 }]);
  });
});

describe('GET /results', () => {
  it('lists the client’s calls, newest first, by status, endpoint and type', async () => {
    const { tenant, key } = await newClient('enterprise');
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) ids.unshift(((await extract(key)).body as { request_id: string }).request_id);
    const { tenants, clock } = api.services;
    await completeRequest(tenants, tenant.clientId, ids[1] ?? '', answer, clock.now());
    const list = async (query: string): Promise<string[]> => {
      const { body } = await api.http().get(`/api/v1/vision/results?${query}`).set('Authorization', `Bearer ${key}`);
      return (body as { results: { request_id: string }[] }).results.map((found) => found.request_id);
    };
    expect(await list('')).toEqual(ids);
    expect(await list('limit=1&offset=1')).toEqual([ids[1]]);
    expect(await list('status=completed')).toEqual([ids[1]]);
    expect(await list('document_type=invoice')).toEqual([ids[1]]);
    expect(await list('operation=split')).toEqual([]);
  });
});

describe('retention', () => {
  it('erases results after the client’s days, 30 unless it has its own', async () => {
    const DAY = 86_400_000;
    const { tenants, clock, blobs, system } = api.services;
    const done = async (days: number | undefined, ageDays: number): Promise<[string, string]> => {
      const { tenant, key } = await newClient('enterprise');
      if (days !== undefined) await system.query(RETENTION, [tenant.clientId, days]);
      const { request_id: id } = (await extract(key)).body as { request_id: string };
      await completeRequest(tenants, tenant.clientId, id, answer, clock.now());
      await system.query(AGE, [id, new Date(clock.now() - ageDays * DAY)]);
      return [id, key];
    };
    const kept = [await done(undefined, 29), await done(90, 60)];
    const gone = [await done(undefined, 31), await done(7, 8)];
    await purgeResults({ system, blobs }, clock.now());
    for (const [id, key] of kept) expect((await result(key, id)).status).toBe(200);
    for (const [id, key] of gone) {
      expect((await result(key, id)).status).toBe(404);
      expect(await blobs.exists(`vision/${id}/source`)).toBe(false);
    }
  });
});

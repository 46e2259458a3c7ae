import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { completeRequest, failRequest, openRequest } from '../../domain/vision/index.ts';
import { statement } from '../../platform/db/statement.ts';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture, ApiTenant } from './support.ts';

const PAGES = statement(`update vision_requests set pages_total = $2 where request_id = $1`);
const AT = statement(`
  update vision_requests set finished_at = $2, processing_time_ms = $3 where request_id = $1`);
const DOCUMENT_AT = statement(`update vision_documents set created_at = $2 where request_id = $1`);

let api: ApiFixture;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const get = async (path: string, key: string) => {
  const { status, body } = await api.http().get(`/api/v1/vision/${path}`).set('Authorization', `Bearer ${key}`);
  return { status, body };
};
const usageKey = (tenant: ApiTenant): Promise<string> => tenant.key(['vision:usage']);

interface Finished {
  pages?: number;
  confidences?: number[];
  leftOut?: Record<string, number>;
  at?: string;
  ms?: number;
  type?: string;
  passed?: boolean;
}

/** A call of `extract` as its workflow leaves it. */
async function finishedCall(tenant: ApiTenant, call: Finished = {}): Promise<string> {
  const { pages = 1, confidences = [0.9], leftOut, type = 'invoice', passed = true } = call;
  const { tenants, system, clock } = api.services;
  const requestId = randomUUID();
  await tenants.transaction(tenant.clientId, async (tx) => {
    const request = { requestId, operation: 'extract' as const, options: {}, sourceBlob: '-', isAsync: false };
    await openRequest(tx, tenant.caller, { ...request, now: clock.now() });
  });
  await system.query(PAGES, [requestId, pages]);
  const fields = Object.fromEntries(
    confidences.map((confidence, n) => [`field_${String(n)}`, { value: n, confidence }]),
  );
  const validation = { checks: [{ rule: 'total', passed, message: '' }] };
  const extraction = { document_type: type, document_type_confidence: 0.99, fields, line_items: [], validation };
  const answer = { ...extraction, ...(leftOut === undefined ? {} : { left_out: leftOut }) };
  await completeRequest(tenants, tenant.clientId, requestId, answer, clock.now());
  if (call.at !== undefined) {
    await system.query(AT, [requestId, call.at, call.ms ?? 1_000]);
    await system.query(DOCUMENT_AT, [requestId, call.at]);
  }
  return requestId;
}

describe('GET /credits', () => {
  it('a new client has its trial of 30 credits, granted once', async () => {
    const tenant = await api.tenant('newcomer', {});
    const key = await usageKey(tenant);
    const answers = await Promise.all([get('credits', key), get('credits', key), get('credits', key)]);
    for (const { status, body } of answers) {
      expect({ status, ...body }).toMatchObject({
        status: 200,
        success: true,
        credits_remaining: 30,
        credits_used_total: 0,
        bundle: 'Trial',
      });
    }
  });

  it('counts finished calls as used, takes off what open ones hold, and nothing for failed ones', async () => {
    const tenant = await api.tenant('spender', {});
    const key = await usageKey(tenant);
    await finishedCall(tenant, { pages: 3 });
    const { tenants, clock } = api.services;
    const [open, failed] = [randomUUID(), randomUUID()];
    for (const [requestId, operation] of [
      [open, 'classify'],
      [failed, 'extract'],
    ] as const) {
      await tenants.transaction(tenant.clientId, async (tx) => {
        const request = { requestId, operation, options: {}, sourceBlob: '-', isAsync: false, now: clock.now() };
        await openRequest(tx, tenant.caller, request);
      });
    }
    await failRequest(tenants, tenant.clientId, failed, { code: 'BROKEN', message: 'broken' }, clock.now());
    expect((await get('credits', key)).body).toMatchObject({ credits_remaining: 26.75, credits_used_total: 3 });
  });

  it('needs the scope vision:usage', async () => {
    const tenant = await api.tenant('scopeless', {});
    expect((await get('credits', await tenant.key(['vision:extract']))).body.error.code).toBe('SCOPE_REQUIRED');
  });
});

describe('POST /credits/purchase', () => {
  const purchase = (token: string, body: object, idempotency = randomUUID()) =>
    api
      .http()
      .post('/api/v1/vision/credits/purchase')
      .set('Authorization', `Bearer ${token}`)
      .set('Idempotency-Key', idempotency)
      .send(body);

  it.each([
    ['small', 50, 175],
    ['medium', 100, 300],
    ['large', 500, 1_250],
    ['enterprise', 1_000, 1_750],
  ])('%s grants %i credits and records a pending payment of ZAR %i', async (bundle, credits, amount) => {
    const tenant = await api.tenant(`buyer-${bundle}`, {});
    const answer = await purchase(await tenant.token('owner'), { bundle });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      success: true,
      credits,
      credits_remaining: 30 + credits,
      payment: { amount, currency: 'ZAR', status: 'pending', document_id: null },
    });
    const { body } = await get('credits', await usageKey(tenant));
    expect(body).toMatchObject({ credits_remaining: 30 + credits, bundle: answer.body.bundle });
  });

  it('sent twice with one Idempotency-Key it is one purchase', async () => {
    const tenant = await api.tenant('buyer-twice', {});
    const token = await tenant.token('admin');
    const key = randomUUID();
    await purchase(token, { bundle: 'small' }, key);
    const again = await purchase(token, { bundle: 'small' }, key);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect((await get('credits', await usageKey(tenant))).body.credits_remaining).toBe(80);
  });

  it('is for owners and admins, of bundles that are sold', async () => {
    const tenant = await api.tenant('buyer-none', {});
    expectRefusal(await purchase(await tenant.token('member'), { bundle: 'small' }), 403, 'FORBIDDEN');
    expectRefusal(await purchase(await tenant.token('owner'), { bundle: 'trial' }), 400, 'VALIDATION_ERROR');
    expectRefusal(await purchase(await tenant.token('owner'), {}), 400, 'BAD_REQUEST');
  });
});

describe('GET /usage', () => {
  it('is exact against the calls, by days of the client’s time zone', async () => {
    const tenant = await api.tenant('measured', {});
    const key = await usageKey(tenant);
    // Johannesburg is two hours ahead: the first is of the 1st there, the second of the 2nd, the last of the 3rd.
    await finishedCall(tenant, { at: '2026-03-01T21:59:59.999Z', ms: 1_000, confidences: [0.7, 0.9] });
    await finishedCall(tenant, { at: '2026-03-01T22:00:00Z', ms: 2_000, pages: 2, confidences: [0.9, 0.9] });
    await finishedCall(tenant, { at: '2026-03-02T10:00:00Z', ms: 4_000, confidences: [0.95], passed: false });
    await finishedCall(tenant, { at: '2026-03-02T21:59:59Z', ms: 5_000, type: 'receipt', confidences: [0.8] });
    await finishedCall(tenant, { at: '2026-03-02T22:00:00Z', ms: 9_000 });
    const { status, body } = await get('usage?from=2026-03-02&to=2026-03-02', key);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      success: true,
      period: { from: '2026-03-02', to: '2026-03-02' },
      totals: { documents_processed: 3, credits_used: 4, avg_processing_time_ms: 3_667, stp_rate: 0.6667 },
      by_document_type: [
        { type: 'invoice', count: 2, avg_confidence: 0.925, stp_rate: 0.5 },
        { type: 'receipt', count: 1, avg_confidence: 0.8, stp_rate: 1 },
      ],
      accuracy_trend: [{ week: '2026-W10', avg_confidence: 0.8833 }],
    });
  });

  it('counts what a high threshold left out: a document is not sure because its doubtful fields are not shown', async () => {
    const tenant = await api.tenant('choosy', {});
    await finishedCall(tenant, { confidences: [0.95], leftOut: { due_date: 0.85 } });
    await finishedCall(tenant, { confidences: [0.9], leftOut: { due_date: 0.3 } });
    const { body } = await get('usage', await usageKey(tenant));
    expect(body).toMatchObject({
      totals: { documents_processed: 2, stp_rate: 0.5 },
      by_document_type: [{ type: 'invoice', count: 2, avg_confidence: 0.75, stp_rate: 0.5 }],
    });
  });

  it('of nothing says so, without dividing by it', async () => {
    const tenant = await api.tenant('unused', {});
    const { body } = await get('usage', await usageKey(tenant));
    expect(body.totals).toEqual({
      documents_processed: 0,
      credits_used: 0,
      avg_processing_time_ms: null,
      stp_rate: null,
    });
  });

  it.each([
    ['from=2026-03-03&to=2026-03-02', 'from'],
    ['from=2020-01-01&to=2026-03-02', 'from'],
    ['from=2026-02-30', 'from'],
    ['to=soon', 'to'],
  ])('refuses %s', async (query, field) => {
    const { status, body } = await get(`usage?${query}`, await usageKey(api.acme));
    expect({ status, field: body.error.details[0].field }).toEqual({ status: 400, field });
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { VisionOperation } from '../../domain/contracts/vision-requests.ts';
import { completeRequest, correctResult, failRequest, openRequest } from '../../domain/vision/index.ts';
import { statement } from '../../platform/db/statement.ts';
import { startApi } from './support.ts';
import type { ApiFixture, ApiTenant } from './support.ts';

const AUDIT = statement(`
  select details from audit_entries where client_id = $1 and subject_id = $2 and action = 'document_ai.result_corrected'`);
const CORRECTED = statement(`
  select index, corrected_at is not null as corrected from vision_documents
  where client_id = $1 and request_id = $2 order by index`);
const STARTS = statement(`
  select workflow_id from workflow_starts where client_id = $1 and workflow_type = 'learnCorrection'`);

const CLEAR_STARTS = statement(`delete from workflow_starts where client_id = $1`);

let api: ApiFixture;
let tenant: ApiTenant;
let key: string;
beforeAll(async () => {
  api = await startApi();
  tenant = await api.tenant('corrector', { tier: 'enterprise' });
  key = await tenant.key(['vision:corrections', 'vision:extract', 'vision:usage']);
});
afterAll(() => api.close());

const field = (value: unknown, confidence = 0.7) => ({ value, confidence, bbox: null });
const INVOICE = {
  document_type: 'invoice',
  document_type_confidence: 0.99,
  fields: { invoice_number: field('1NV-1'), total: field(110), route: field('N1') },
  line_items: [{ description: field('Paper'), total: field(110), colour: field('blue') }],
  validation: { checks: [] },
};

/** A call as its workflow leaves it. */
async function completed(
  answer: Record<string, unknown> = INVOICE,
  operation: VisionOperation = 'extract',
  caller = tenant.caller,
) {
  const { tenants, clock } = api.services;
  const requestId = randomUUID();
  await tenants.transaction(tenant.clientId, (tx) => {
    const options = operation === 'pipeline' ? { steps: [{ action: 'extract' as const }] } : {};
    const request = { requestId, operation, options, sourceBlob: '-', isAsync: false, now: clock.now() };
    return openRequest(tx, caller, request);
  });
  await completeRequest(tenants, tenant.clientId, requestId, answer, clock.now());
  return requestId;
}

async function correct(id: string, body: unknown, as = key) {
  const answer = await api
    .http()
    .patch(`/api/v1/vision/results/${id}`)
    .set('Authorization', `Bearer ${as}`)
    .send(body as object);
  return { status: answer.status, body: answer.body as Record<string, unknown> };
}

/** The same without the endpoint, which waits for what follows. */
function put(id: string, corrections: Record<string, unknown>, correctionId = randomUUID(), caller = tenant.caller) {
  const input = { id, corrections, document: 0 };
  return api.services.tenants.transaction(tenant.clientId, (tx) => correctResult(tx, caller, { input, correctionId }));
}

async function result(id: string): Promise<Record<string, unknown>> {
  const answer = await api.http().get(`/api/v1/vision/results/${id}`).set('Authorization', `Bearer ${key}`);
  return answer.body as Record<string, unknown>;
}

function refusal({ status, body }: { status: number; body: Record<string, unknown> }) {
  const { code, details } = body['error'] as { code: string; details?: { field: string }[] };
  return { status, code, field: details?.[0]?.field };
}

describe('PATCH /results/{id}', () => {
  it('shows the right value with what was extracted beside it, counts the document as corrected, and notes names only', async () => {
    const id = await completed();
    const first = await correct(id, { corrections: { invoice_number: 'INV-1', due_date: '2026-12-01' } });
    expect(first).toMatchObject({
      status: 200,
      body: { request_id: id, corrected_fields: ['invoice_number', 'due_date'] },
    });
    await correct(id, { corrections: { invoice_number: 'INV-10', route: null } });
    const { fields } = await result(id);
    expect(fields).toEqual({
      invoice_number: { ...field('INV-10', 1), corrected: true, original_value: '1NV-1' },
      due_date: { ...field('2026-12-01', 1), corrected: true },
      route: { ...field(null, 1), corrected: true, original_value: 'N1' },
      total: field(110),
    });
    const { system } = api.services;
    expect(await system.query(CORRECTED, [tenant.clientId, id])).toEqual([{ index: 0, corrected: true }]);
    const trail = await system.query(AUDIT, [tenant.clientId, id]);
    expect(trail).toEqual([
      { details: { document: 0, fields: ['invoice_number', 'due_date'] } },
      { details: { document: 0, fields: ['invoice_number', 'route'] } },
    ]);
  });

  it('corrects cells of lines, and one of several documents', async () => {
    const id = await completed();
    await correct(id, { corrections: { 'line_items[0].total': 100, 'line_items[0].colour': 'red' } });
    expect((await result(id))['line_items']).toMatchObject([
      { total: { value: 100, corrected: true, original_value: 110 }, colour: { value: 'red' } },
    ]);
    const place = (index: number) => ({ document: { index, pages: [index + 1] } });
    const several = {
      ...INVOICE,
      documents: [
        { ...place(0), ...INVOICE },
        { ...place(1), ...INVOICE },
      ],
    };
    const split = await completed(several);
    await correct(split, { corrections: { total: 7 }, document: 1 });
    await correct(split, { corrections: { total: 5 } });
    const answer = await result(split);
    expect(answer).toMatchObject({ fields: { total: { value: 5 } } });
    expect(answer['documents']).toMatchObject([
      { fields: { total: { value: 5 } } },
      { fields: { total: { value: 7 } } },
    ]);
    const piped = await completed({ results: several.documents }, 'pipeline');
    await correct(piped, { corrections: { total: 9 }, document: 1 });
    expect((await result(piped))['results']).toMatchObject([
      { fields: { total: { value: 110 } } },
      { fields: { total: { value: 9 } } },
    ]);
    expect(refusal(await correct(piped, { corrections: { total: 9 }, document: 2 }))).toMatchObject({
      status: 400,
      field: 'document',
    });
  });

  it('shows no check of what was extracted before as one of what is right now', async () => {
    const checks = [{ rule: 'lines_add_up', passed: false, message: '-' }];
    const suggestions = [{ line: 1, gl_code: '6200', gl_name: 'Stationery', confidence: 0.8 }];
    const validation = { checks, vendor_verified: false, vendor: null, gl_code_suggestions: suggestions };
    const id = await completed({ ...INVOICE, validation });
    await put(id, { total: 115 });
    expect((await result(id))['validation']).toEqual({ gl_code_suggestions: suggestions });
  });

  it('is carried out once, however often the same one is asked for', async () => {
    const id = await completed();
    const correctionId = randomUUID();
    const first = await put(id, { total: 5 }, correctionId);
    await put(id, { total: 7 });
    const again = await put(id, { total: 5 }, correctionId);
    expect(again).toMatchObject({ corrected_fields: first.corrected_fields, workflow: first.workflow });
    expect((await result(id))['fields']).toMatchObject({ total: { value: 7, original_value: 110 } });
    expect(await api.services.system.query(AUDIT, [tenant.clientId, id])).toHaveLength(2);
  });

  it('of the sandbox is apart from production: each knows its own results only', async () => {
    const sandbox = { ...tenant.caller, isSandbox: true as const };
    const inProduction = await completed();
    const inSandbox = await completed(INVOICE, 'extract', sandbox);
    const here = randomUUID();
    await expect(put(inSandbox, { total: 1 })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(put(inProduction, { total: 1 }, here, sandbox)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await put(inSandbox, { total: 1 }, here, sandbox)).toMatchObject({ corrected_fields: ['total'] });
  });

  it('asks for the workflow that checks again and learns, of cells too', async () => {
    const { system } = api.services;
    await system.query(CLEAR_STARTS, [tenant.clientId]);
    await correct(await completed(), { corrections: { 'line_items[0].total': 100 } });
    expect(await system.query(STARTS, [tenant.clientId])).toEqual([]);
    await correct(await completed(), { corrections: { total: 100 } });
    const left = await system.query<{ workflow_id: string }>(STARTS, [tenant.clientId]);
    // Begun by the API itself: the outbox has nothing left to do.
    expect(left).toEqual([]);
  });

  it.each([
    ['an unknown field', { colour: 'red' }, 'corrections.colour'],
    ['__proto__', JSON.parse('{"__proto__": "x", "total": 1, "constructor": "x"}') as object, 'corrections.__proto__'],
    ['a text for an amount', { total: '110.00' }, 'corrections.total'],
    ['an amount for a text', { invoice_number: 5 }, 'corrections.invoice_number'],
    ['no day', { due_date: '2026-02-30' }, 'corrections.due_date'],
    ['no currency', { currency: 'Rand' }, 'corrections.currency'],
    ['an empty text', { invoice_number: '  ' }, 'corrections.invoice_number'],
    ['an object', { invoice_number: { value: 'x' } }, 'corrections.invoice_number'],
    ['a text of 2,001 signs', { vendor_name: 'x'.repeat(2_001) }, 'corrections.vendor_name'],
    ['a line that is not there', { 'line_items[1].total': 1 }, 'corrections.line_items[1].total'],
    ['a column that is not there', { 'line_items[0].weight': 1 }, 'corrections.line_items[0].weight'],
    ['an account that is not in the chart', { 'line_items[0].gl_code': '0' }, 'corrections.line_items[0].gl_code'],
    ['nothing', {}, 'corrections'],
    ['101 fields', Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`f${String(n)}`, 1])), 'corrections'],
    ['no object', 'total', 'corrections'],
  ])('refuses %s, names the field and changes nothing', async (_, corrections, named) => {
    const id = await completed();
    const before = await result(id);
    expect(refusal(await correct(id, { corrections }))).toMatchObject({ status: 400, field: named });
    expect({ ...(await result(id)), meta: null }).toEqual({ ...before, meta: null });
  });

  it('takes completed extractions only (409), and shows no other client’s (404), nor an erased one', async () => {
    const { tenants, clock } = api.services;
    const corrections = { total: 1 };
    const open = randomUUID();
    const request = { requestId: open, operation: 'extract' as const, options: {}, sourceBlob: '-', isAsync: false };
    await tenants.transaction(tenant.clientId, (tx) =>
      openRequest(tx, tenant.caller, { ...request, now: clock.now() }),
    );
    expect(refusal(await correct(open, { corrections }))).toMatchObject({ status: 409, code: 'CONFLICT' });
    await failRequest(tenants, tenant.clientId, open, { code: 'BROKEN', message: 'broken' }, clock.now());
    expect(refusal(await correct(open, { corrections }))).toMatchObject({ status: 409 });
    const classified = await completed({ document_type: 'invoice', confidence: 1 }, 'classify');
    expect(refusal(await correct(classified, { corrections }))).toMatchObject({ status: 409 });

    const id = await completed();
    const stranger = await api.rival.key(['*']);
    expect(refusal(await correct(id, { corrections }, stranger))).toMatchObject({ status: 404 });
    const reader = await tenant.key(['vision:extract']);
    expect(refusal(await correct(id, { corrections }, reader))).toMatchObject({ status: 403, code: 'SCOPE_REQUIRED' });
    await api.http().delete(`/api/v1/vision/results/${id}`).set('Authorization', `Bearer ${key}`).expect(200);
    expect(refusal(await correct(id, { corrections }))).toMatchObject({ status: 404 });
    expect(refusal(await correct(randomUUID(), { corrections }))).toMatchObject({ status: 404 });
  });

  it('of two at once both are kept', async () => {
    const id = await completed();
    const bodies = [{ total: 1 }, { invoice_number: 'A' }, { currency: 'ZAR' }, { tax: 2 }];
    const answers = await Promise.all(bodies.map((corrections) => correct(id, { corrections })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await result(id))['fields']).toMatchObject({
      total: { value: 1 },
      invoice_number: { value: 'A' },
      currency: { value: 'ZAR' },
      tax: { value: 2 },
    });
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FinanceDesk } from './finance-support.ts';
import type { Json } from './finance-support.ts';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';

let api: ApiFixture;
let desk: FinanceDesk;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
  desk = new FinanceDesk(api, await api.acme.key());
});
afterAll(() => api.close());

describe('record-finance-payment', () => {
  it.each(['quote', 'invoice', 'bill'])(
    'settles a %s in parts, and tells of each and of the last',
    async (document_type) => {
      const document = await desk.issued({ document_type });
      let first: Json;
      const input = { payment_method: 'eft', payment_date: '2026-11-20', reference: 'FNB 77', notes: 'deposit' };
      const events = await desk.eventsOf(async () => (first = (await desk.pay(document, 100.1, input)).body.data));
      expect(first.payment).toEqual({
        id: expect.any(Number),
        client_id: api.acme.clientId,
        document_type,
        document_id: document.id,
        contact_id: null,
        amount: 100.1,
        currency: 'ZAR',
        status: 'completed',
        ...input,
        failure_reason: null,
        refunded_amount: 0,
        refunded_at: null,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      });
      expect(first.document).toMatchObject({ status: 'partially_paid', amount_paid: 100.1, amount_due: 129.9 });
      expect(events).toEqual([{ name: 'payment.received', data: first }]);
      let last: Json;
      const lastEvents = await desk.eventsOf(async () => (last = (await desk.pay(document, 129.9)).body.data));
      expect(last.document).toMatchObject({ status: 'paid', amount_paid: 230, amount_due: 0 });
      expect(lastEvents).toEqual([
        { name: 'payment.received', data: last },
        { name: `${document_type}.paid`, data: last },
      ]);
      expect(await desk.audits(2)).toMatchObject([
        { action: `${document_type}.paid`, subject_id: String(document.id) },
        { action: 'payment.received', subject_id: String(last.payment.id) },
      ]);
      expect(await desk.get(document)).toEqual(last.document);
    },
  );

  it('never takes more than is due, not even from twenty at once', async () => {
    const invoice = await desk.issued();
    const answers = await Promise.all(Array.from({ length: 20 }, () => desk.pay(invoice, 50)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(4);
    for (const answer of answers.filter(({ status }) => status !== 200))
      expectRefusal(answer, 422, 'UNPROCESSABLE_ENTITY');
    expect(await desk.get(invoice)).toMatchObject({ amount_paid: 200, amount_due: 30, status: 'partially_paid' });
  });

  it('keeps a failed payment and settles nothing with it', async () => {
    const invoice = await desk.issued();
    let outcome: Json;
    const events = await desk.eventsOf(async () => {
      const input = { status: 'failed', failure_reason: 'card declined', payment_method: 'card' };
      outcome = (await desk.pay(invoice, 230, input)).body.data;
    });
    expect(outcome).toMatchObject({
      payment: { status: 'failed', failure_reason: 'card declined' },
      document: { amount_due: 230, status: 'issued' },
    });
    expect(events).toEqual([{ name: 'payment.failed', data: outcome }]);
  });

  it.each<[string, number, Record<string, unknown>, string]>([
    ['a fraction of a cent', 0.001, {}, 'amount'],
    ['nothing', 0, {}, 'amount'],
    ['an unknown method', 1, { payment_method: 'barter' }, 'payment_method'],
    ['a day that is none', 1, { payment_date: '2026-02-30' }, 'payment_date'],
    ['a reason for no failure', 1, { failure_reason: 'none' }, 'failure_reason'],
    ['a type that nobody pays', 1, { document_type: 'delivery_note' }, 'document_type'],
  ])('refuses %s and names the field', async (_what, amount, input, field) => {
    const answer = await desk.pay(await desk.issued(), amount, input);
    expectRefusal(answer, 400, 'VALIDATION_ERROR');
    expect(answer.body.error.details).toEqual([expect.objectContaining({ field })]);
  });

  it.each([
    ['JPY', 1, 0.5],
    ['KWD', 0.001, 0.0001],
  ])('takes %s in its own minor unit: %f, and not %f', async (currency, least, less) => {
    const invoice = await desk.issued({ currency });
    expect((await desk.pay(invoice, least)).body.data.payment).toMatchObject({ amount: least, currency });
    const answer = await desk.pay(invoice, less);
    expectRefusal(answer, 400, 'VALIDATION_ERROR');
    expect(answer.body.error.details).toEqual([expect.objectContaining({ field: 'amount' })]);
  });

  it('was made at the latest tomorrow, in the client’s zone', async () => {
    const invoice = await desk.issued();
    const day = (days: number): string =>
      new Date(api.clock.now() + days * 86_400_000 + 2 * 3_600_000).toISOString().slice(0, 10);
    const late = await desk.pay(invoice, 1, { payment_date: day(2) });
    expectRefusal(late, 400, 'VALIDATION_ERROR');
    expect(late.body.error.details).toEqual([
      { field: 'payment_date', issue: `must not be after tomorrow, ${day(1)}` },
    ]);
    for (const payment_date of [day(1), '1999-12-31'])
      expect((await desk.pay(invoice, 1, { payment_date })).body.data.payment).toMatchObject({ payment_date });
  });

  it('refuses what is not to be paid', async () => {
    const paid = await desk.issued();
    await desk.pay(paid, 230);
    const quote = await desk.issued({ document_type: 'quote' });
    await desk.convert(quote, 'invoice');
    for (const document of [await desk.draft(), paid, quote]) {
      expectRefusal(await desk.pay(document, 1), 422, 'UNPROCESSABLE_ENTITY');
    }
    const over = await desk.pay(await desk.issued(), 230.01);
    expectRefusal(over, 422, 'UNPROCESSABLE_ENTITY');
    expect(over.body.error.details).toEqual([{ field: 'amount', issue: 'must be at most 230' }]);
    expectRefusal(await desk.pay({ document_type: 'invoice', id: 999_999 }, 1), 404, 'NOT_FOUND');
  });
});

describe('refund-payment', () => {
  it('makes the amount due again, once, however many ask', async () => {
    const invoice = await desk.issued();
    const { payment } = (await desk.pay(invoice, 230)).body.data;
    const refund = () => desk.act('refund-payment', { payment_id: payment.id, reason: 'paid twice' });
    let answers: Awaited<ReturnType<typeof refund>>[] = [];
    const events = await desk.eventsOf(async () => (answers = await Promise.all([refund(), refund(), refund()])));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409]);
    const done = answers.find((answer) => answer.status === 200)?.body.data;
    expect(done).toMatchObject({
      refund: { amount: 230, reason: 'paid twice' },
      payment: { id: payment.id, status: 'refunded', refunded_amount: 230, refunded_at: expect.any(String) },
      document: { status: 'issued', amount_paid: 0, amount_due: 230 },
    });
    expect(events).toEqual([{ name: 'payment.refunded', data: done }]);
    const audits = await desk.audits(2);
    expect(audits.find((row) => row.action === 'payment.refunded')?.details).toMatchObject({ reason: 'paid twice' });
  });

  it('gives back a part and then another, each of which is due again; all of it makes the payment refunded', async () => {
    const invoice = await desk.issued();
    const { payment } = (await desk.pay(invoice, 230)).body.data;
    const refund = (input: Record<string, unknown>) => desk.act('refund-payment', { payment_id: payment.id, ...input });
    let first: Json;
    const events = await desk.eventsOf(async () => (first = (await refund({ amount: 30.1 })).body.data));
    expect(first).toMatchObject({
      refund: { amount: 30.1, reason: null },
      payment: { id: payment.id, amount: 230, status: 'completed', refunded_amount: 30.1 },
      document: { status: 'partially_paid', amount_paid: 199.9, amount_due: 30.1 },
    });
    expect(events).toEqual([{ name: 'payment.refunded', data: first }]);
    expect(await desk.audits(2)).toMatchObject([
      { action: 'invoice.payment_refunded', details: { refund_amount: 30.1, changes: { amount_due: { to: 30.1 } } } },
      { action: 'payment.refunded', details: { amount: 230, refund_amount: 30.1, refunded_amount: 30.1 } },
    ]);
    expect((await refund({ amount: 100 })).body.data.payment).toMatchObject({
      status: 'completed',
      refunded_amount: 130.1,
    });
    const rest = (await refund({ reason: 'and the rest' })).body.data;
    expect(rest).toMatchObject({
      refund: { amount: 99.9, reason: 'and the rest' },
      payment: { status: 'refunded', refunded_amount: 230 },
      document: { status: 'issued', amount_paid: 0, amount_due: 230 },
    });
    expectRefusal(await refund({ amount: 0.01 }), 409, 'CONFLICT');
    expect((await desk.act('get-payment', { payment_id: payment.id })).body.data).toEqual(rest.payment);
  });

  it('never gives back more than was paid, not even in twenty parts at once', async () => {
    const invoice = await desk.issued();
    const { payment } = (await desk.pay(invoice, 230)).body.data;
    const refund = () => desk.act('refund-payment', { payment_id: payment.id, amount: 50 });
    const answers = await Promise.all(Array.from({ length: 20 }, refund));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(4);
    const refused = answers.filter(({ status }) => status !== 200);
    for (const answer of refused) expectRefusal(answer, 422, 'UNPROCESSABLE_ENTITY');
    expect(refused[0]?.body.error.details).toEqual([{ field: 'amount', issue: 'must be at most 30' }]);
    expect(await desk.get(invoice)).toMatchObject({ amount_paid: 30, amount_due: 200, status: 'partially_paid' });
  });

  it('of one payment leaves the others, and what is due can be paid again', async () => {
    const bill = await desk.issued({ document_type: 'bill' });
    const first = (await desk.pay(bill, 130)).body.data.payment;
    await desk.pay(bill, 100);
    await desk.act('refund-payment', { payment_id: first.id, amount: 30 });
    expect(await desk.get(bill)).toMatchObject({ status: 'partially_paid', amount_paid: 200, amount_due: 30 });
    expectRefusal(await desk.pay(bill, 30.01), 422, 'UNPROCESSABLE_ENTITY');
    const events = await desk.eventsOf(() => desk.pay(bill, 30));
    expect(events.map(({ name }) => name)).toEqual(['payment.received', 'bill.paid']);
  });

  it('of what a credit note took off leaves the invoice paid', async () => {
    const invoice = await desk.issued();
    const { payment } = (await desk.pay(invoice, 230)).body.data;
    const lines = [{ description: 'One pump back', unit_price: 115 }];
    await desk.issue(await desk.draft({ document_type: 'credit_note', invoice_id: invoice.id, lines }));
    const answer = await desk.act('refund-payment', { payment_id: payment.id, amount: 115 });
    expect(answer.body.data.document).toMatchObject({
      status: 'paid',
      amount_paid: 115,
      amount_credited: 115,
      amount_due: 0,
    });
  });

  it.each<[string, unknown, string]>([
    ['a fraction of a cent', 0.001, 'VALIDATION_ERROR'],
    ['nothing', 0, 'VALIDATION_ERROR'],
    ['less than nothing', -1, 'VALIDATION_ERROR'],
    ['an amount in words', '1', 'BAD_REQUEST'],
  ])('refuses %s and names the field', async (_what, amount, code) => {
    const { payment } = (await desk.pay(await desk.issued(), 1)).body.data;
    const answer = await desk.act('refund-payment', { payment_id: payment.id, amount });
    expectRefusal(answer, 400, code);
    expect(answer.body.error.details).toEqual([expect.objectContaining({ field: 'amount' })]);
  });

  it('happens once for one Idempotency-Key', async () => {
    const { payment } = (await desk.pay(await desk.issued(), 230)).body.data;
    const send = () =>
      api
        .http()
        .post('/api/v1/public/data')
        .set('X-API-Key', desk.key)
        .set('Idempotency-Key', 'refund-once')
        .send({ action: 'refund-payment', payment_id: payment.id, amount: 10 });
    expect((await send()).body.data.payment.refunded_amount).toBe(10);
    expect((await send()).body.data.payment.refunded_amount).toBe(10);
    expect((await desk.act('get-payment', { payment_id: payment.id })).body.data.refunded_amount).toBe(10);
  });

  it('refuses a payment that failed, and one that is not', async () => {
    const failed = (await desk.pay(await desk.issued(), 1, { status: 'failed' })).body.data.payment;
    expectRefusal(await desk.act('refund-payment', { payment_id: failed.id }), 409, 'CONFLICT');
    expectRefusal(await desk.act('refund-payment', { payment_id: 999_999 }), 404, 'NOT_FOUND');
  });
});

describe('list-payments, get-payment and GET /api/v1/payments', () => {
  it('filter, page and show the same rows over both faces', async () => {
    const contact_id = await api.acme.contact('Payer');
    const invoice = await desk.issued({ contact_name: undefined, contact_id });
    const made: Json[] = [];
    for (const day of ['2026-01-01', '2026-01-02', '2026-01-03']) {
      made.unshift((await desk.pay(invoice, 10, { payment_date: day })).body.data.payment);
    }
    const failed = (await desk.pay(invoice, 10, { status: 'failed' })).body.data.payment;
    const list = async (input: Record<string, unknown>) =>
      (await desk.act('list-payments', { document_id: invoice.id, ...input })).body;
    expect((await list({})).data.payments).toEqual([failed, ...made]);
    expect((await list({ status: 'failed' })).data.payments).toEqual([failed]);
    expect((await list({ date_from: '2026-01-02', date_to: '2026-01-02' })).data.payments).toEqual([made[1]]);
    expect((await list({ contact_id, limit: 1, offset: 1 })).data.payments).toEqual([made[0]]);
    expect((await desk.act('get-payment', { payment_id: failed.id })).body.data).toEqual(failed);

    const rest = (path: string, token: string) =>
      api.http().get(`/api/v1/payments${path}`).set('Authorization', `Bearer ${token}`);
    const token = await api.acme.token('auditor');
    const answer = await rest(`?document_id=${String(invoice.id)}&status=completed&limit=2`, token);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ success: true, data: made.slice(0, 2) });
    expect(answer.body.meta.pagination).toEqual({ total: 3, limit: 2, offset: 0 });
    expect((await rest('', token)).body.meta.pagination).toMatchObject({ limit: 50, offset: 0 });
    expect((await rest(`/${String(failed.id)}`, token)).body.data).toEqual(failed);
    expectRefusal(await rest('?status=lost', token), 400, 'VALIDATION_ERROR');
    expectRefusal(await api.http().get('/api/v1/payments'), 401, 'UNAUTHORIZED');
    const theirs = await api.rival.token();
    expect((await rest('', theirs)).body.data).toEqual([]);
    expectRefusal(await rest(`/${String(failed.id)}`, theirs), 404, 'NOT_FOUND');
  });

  it('need their scope', async () => {
    const key = await api.acme.key(['invoices:read']);
    for (const body of [{ action: 'list-payments' }, { action: 'get-payment', payment_id: 1 }]) {
      expectRefusal(await api.act(key, body), 403, 'SCOPE_REQUIRED');
    }
  });
});

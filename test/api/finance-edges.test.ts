import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import pg from 'pg';
import { FinanceDesk, refOf } from './finance-support.ts';
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

const priced = (unit_price: number) => [{ description: 'Work', unit_price }];

describe('values at the edge', () => {
  it('takes a deduction, nothing of something, and what is given away', async () => {
    const lines = [
      { description: 'Pump', unit_price: 100, tax_rate: 15 },
      { description: 'Old pump taken back', unit_price: -20, tax_rate: 15 },
      { description: 'Not needed', quantity: 0, unit_price: 5, tax_rate: 15 },
      { description: 'On the house', unit_price: 50, discount_percent: 100, tax_rate: 15 },
    ];
    expect(await desk.draft({ lines })).toMatchObject({ subtotal: 80, discount_total: 50, tax_total: 12, total: 92 });
    const nothing = await desk.issued({ lines: lines.slice(2) });
    expect(nothing).toMatchObject({ status: 'paid', total: 0, amount_due: 0 });
    expectRefusal(await desk.pay(nothing, 0.01), 422, 'UNPROCESSABLE_ENTITY');
  });

  it.each([
    ['create-finance-document', { document_type: 'invoice', contact_name: 'A', lines: priced(1) }, 'document_date'],
    ['list-invoices', {}, 'date_from'],
    ['list-invoices', { search: 'a' }, 'date_to'],
    ['list-payments', {}, 'date_from'],
  ])('%s knows no year 0', async (action, input, field) => {
    const answer = await desk.act(action, { ...input, [field]: '0000-01-01' });
    expectRefusal(answer, 400, 'VALIDATION_ERROR');
    expect(answer.body.error.details).toEqual([expect.objectContaining({ field })]);
  });

  it('a payment has a day that books are kept for', async () => {
    const invoice = await desk.issued();
    for (const payment_date of ['0000-01-01', '1899-12-31', '3000-01-01'])
      expectRefusal(await desk.pay(invoice, 1, { payment_date }), 400, 'VALIDATION_ERROR');
  });

  it('an auditor export has a period that books are kept for', async () => {
    for (const year of ['0000', '0001', '9999']) {
      const answer = await api
        .http()
        .post('/api/v1/finance/auditor-export')
        .auth(await api.acme.token('auditor'), { type: 'bearer' })
        .send({ date_from: `${year}-01-01`, date_to: `${year}-12-31` });
      expectRefusal(answer, 400, 'VALIDATION_ERROR');
    }
  });

  it('an id beyond every contact finds nothing wrong with the server', async () => {
    expectRefusal(await desk.act('list-payments', { contact_id: 3_000_000_000 }), 400, 'VALIDATION_ERROR');
  });
});

describe('an invoice that is paid in part', () => {
  it('is paid, and says so, once a credit note takes off the rest', async () => {
    const invoice = await desk.issued({ lines: priced(100) });
    const { payment } = (await desk.pay(invoice, 60)).body.data;
    const credit = await desk.draft({ document_type: 'credit_note', invoice_id: invoice.id, lines: priced(40) });
    const events = await desk.eventsOf(() => desk.issue(credit));
    expect(events.map((event) => event.name)).toEqual(['invoice.updated', 'invoice.paid', 'credit_note.issued']);
    expect(events[1]?.data).toMatchObject({ document: { id: invoice.id, status: 'paid', amount_due: 0 }, payment });
    await desk.act('refund-payment', { payment_id: payment.id });
    expect(await desk.get(invoice)).toMatchObject({ status: 'partially_paid', amount_due: 60 });
    const again = await desk.eventsOf(() => desk.pay(invoice, 60));
    expect(again.map((event) => event.name)).toEqual(['payment.received', 'invoice.paid']);
  });
});

const step = fc.record({
  kind: fc.constantFrom('pay', 'refund', 'credit'),
  amount: fc.constantFrom(0.01, 10, 33.33, 50, 99.99, 100),
  which: fc.nat(5),
});

describe('payments, refunds and credit notes in whatever order', () => {
  it('leave an invoice of 100 standing as their sums say, and the auditor finds nothing wrong', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 10 }), async (steps) => {
        const invoice = await desk.issued({ lines: priced(100) });
        const payments: { id: number; left: number }[] = [];
        let [credited, isCancelled] = [0, false];
        const paid = () => payments.reduce((sum, payment) => sum + payment.left, 0);
        const due = () => Math.max(0, 10_000 - paid() - credited);
        for (const { kind, amount, which } of steps) {
          const cents = Math.round(amount * 100);
          if (kind === 'pay') {
            const isWelcome = !isCancelled && cents <= due();
            const { status, body } = await desk.pay(invoice, amount);
            expect({ kind, amount, status }).toEqual({ kind, amount, status: isWelcome ? 200 : 422 });
            if (isWelcome) payments.push({ id: body.data.payment.id, left: cents });
          } else if (kind === 'refund') {
            const payment = payments[which % Math.max(1, payments.length)];
            if (payment === undefined) continue;
            const { status } = await desk.act('refund-payment', { payment_id: payment.id, amount });
            const expected = payment.left === 0 ? 409 : cents <= payment.left ? 200 : 422;
            expect({ kind, amount, status }).toEqual({ kind, amount, status: expected });
            if (status === 200) payment.left -= cents;
          } else {
            const lines = priced(amount);
            const note = await desk.draft({ document_type: 'credit_note', invoice_id: invoice.id, lines });
            const { status } = await desk.issue(note);
            expect({ kind, amount, status }).toEqual({ kind, amount, status: credited + cents <= 10_000 ? 200 : 422 });
            if (status === 200) credited += cents;
            isCancelled ||= credited === 10_000;
          }
          const settled = paid() + credited;
          const status = settled >= 10_000 ? 'paid' : settled > 0 ? 'partially_paid' : 'issued';
          expect(await desk.get(invoice)).toMatchObject({
            status: isCancelled ? 'cancelled' : status,
            amount_paid: paid() / 100,
            amount_credited: credited / 100,
            amount_due: due() / 100,
          });
        }
      }),
      { numRuns: 8 },
    );
    const day = (days: number): string => new Date(api.clock.now() + days * 86_400_000).toISOString().slice(0, 10);
    const { body } = await api
      .http()
      .post('/api/v1/finance/auditor-export')
      .auth(await api.acme.token('auditor'), { type: 'bearer' })
      .send({ date_from: day(-1), date_to: day(1) });
    expect(body.bundle.documents.length).toBeGreaterThanOrEqual(8);
    expect(body.bundle.compliance_violations.filter(({ severity }: Json) => severity === 'error')).toEqual([]);
  });
});

describe('payments that a quote’s invoice took over', () => {
  it('go back to the quote when the draft is deleted', async () => {
    const quote = await desk.issued({ document_type: 'quote', lines: priced(100) });
    const { payment } = (await desk.pay(quote, 30)).body.data;
    const failed = (await desk.pay(quote, 10, { status: 'failed' })).body.data.payment;
    const invoice = (await desk.convert(quote, 'invoice')).body.data;
    await desk.act('refund-payment', { payment_id: payment.id });
    expect((await desk.act('delete-finance-document', refOf(invoice))).status).toBe(200);
    const { payments } = (await desk.act('list-payments', { document_id: quote.id })).body.data;
    expect(payments.map(({ id, document_type, status }: Json) => [id, document_type, status])).toEqual([
      [failed.id, 'quote', 'failed'],
      [payment.id, 'quote', 'refunded'],
    ]);
  });
});

describe('a contact that is deleted', () => {
  it('stays on its documents, which are found, issued, paid, converted and printed as before; new ones can’t name it', async () => {
    const contact_id = (await desk.act('create-contact', { name: 'Gone Stores' })).body.data.id;
    const of = { contact_name: undefined, contact_id };
    const quote = await desk.issued({ ...of, document_type: 'quote' });
    const draft = await desk.draft(of);
    const deleted = await api
      .http()
      .delete(`/api/v1/contacts/${String(contact_id)}`)
      .set('Authorization', `Bearer ${await api.acme.token()}`);
    expect(deleted.status).toBe(200);
    expect((await desk.act('update-finance-document', { ...refOf(draft), notes: 'Late' })).status).toBe(200);
    const invoice = (await desk.issue(draft)).body.data;
    expect(invoice).toMatchObject({ contact_id, contact_name: 'Gone Stores', document_number: expect.any(String) });
    expect((await desk.pay(invoice, 230)).body.data.payment).toMatchObject({ contact_id });
    expect((await desk.convert(quote, 'invoice')).body.data).toMatchObject({ contact_name: 'Gone Stores' });
    expect((await desk.act('generate-finance-document-pdf', refOf(invoice))).status).toBe(200);
    expect((await desk.act('list-invoices', { contact_id })).body.meta.pagination.total).toBe(2);
    const refused = await desk.create(of);
    expectRefusal(refused, 400, 'VALIDATION_ERROR');
    expect(refused.body.error.details).toEqual([expect.objectContaining({ field: 'contact_id' })]);
  });
});

describe('a recorded payment', () => {
  it('keeps its amount, and stays, whoever writes', async () => {
    const { payment } = (await desk.pay(await desk.issued(), 1)).body.data;
    const superuser = new pg.Client({ connectionString: api.database.superuserUrl });
    await superuser.connect();
    try {
      for (const sql of [
        'update payments set amount_minor = 5 where id = $1',
        `update payments set payment_date = '2020-01-01' where id = $1`,
        'delete from payments where id = $1',
      ])
        await expect(superuser.query(sql, [payment.id])).rejects.toMatchObject({ code: '23001' });
      await desk.act('refund-payment', { payment_id: payment.id, amount: 0.5 });
      for (const refunded of ['amount_minor + 1', 'refunded_minor - 1'])
        await expect(
          superuser.query(`update payments set refunded_minor = ${refunded} where id = $1`, [payment.id]),
        ).rejects.toMatchObject({ code: '23514' });
    } finally {
      await superuser.end();
    }
  });
});

describe('the audit trail of a long draft', () => {
  it('keeps number and digest of its lines, not the lines', async () => {
    const lines = (word: string) =>
      Array.from({ length: 200 }, () => ({ description: word.repeat(300), unit_price: 1 }));
    const draft = await desk.draft({ lines: lines('a') });
    await desk.act('update-finance-document', { ...refOf(draft), lines: lines('b') });
    const brief = { count: 200, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) };
    const [updated] = await desk.audits(1);
    expect(updated?.details.changes.lines).toEqual({ from: brief, to: brief });
    expect(updated?.details.changes.lines.from).not.toEqual(updated?.details.changes.lines.to);
    await desk.act('delete-finance-document', refOf(draft));
    const [deleted] = await desk.audits(1);
    expect(deleted?.details.document).toMatchObject({ id: draft.id, lines: brief });
  });
});

describe('a search', () => {
  it('wants every word, in whatever order, and a short one at the beginning of a word', async () => {
    const reference = 'Zeta order 77';
    const { id } = await desk.draft({ contact_name: 'Xylo Traders', reference });
    const found = async (search: string): Promise<number[]> =>
      (await desk.act('list-invoices', { search })).body.data.invoices.map((row: Json) => row.id);
    for (const search of ['xylo', 'ZETA xylo', 'xy', '77 x', 'raders', 'xylo traders zeta order 77'])
      expect(await found(search)).toEqual([id]);
    await desk.draft({ contact_name: 'Żółw Łódź' });
    for (const search of ['zolw', 'ŁÓDŹ', 'zółw lodz'])
      expect((await desk.act('list-invoices', { search })).body.meta.pagination.total).toBe(1);
    for (const search of ['xylo 78', 'ylox', '% xylo', '\\']) expect(await found(search)).toEqual([]);
  });

  it('counts and pages the same for rare and for common words', async () => {
    const superuser = new pg.Client({ connectionString: api.database.superuserUrl });
    await superuser.connect();
    const tenant = await api.tenant('many-documents', { tier: 'enterprise', finance_tier: 'full' });
    await superuser.query(
      `insert into finance_documents (client_id, document_type, contact_name, document_date, due_date, currency, total_minor,
         status, sequence_number, created_by_type, created_by_id)
       select $1, 'invoice', 'Common ' || case when n % 500 = 0 then 'rare' else 'other' end, date '2026-01-01',
         date '2026-01-02', 'ZAR', 100, case when n % 3 = 0 then 'issued' else 'paid' end, n, 'user', '1'
       from generate_series(1, 9000) n`,
      [tenant.clientId],
    );
    await superuser.end();
    const key = await tenant.key();
    const list = async (input: object): Promise<Json> =>
      (await api.act(key, { action: 'list-invoices', ...input })).body;
    const common = await list({ search: 'common', limit: 10, offset: 20 });
    expect(common.meta.pagination).toEqual({ total: 1000, limit: 10, offset: 20, total_is_exact: false });
    const all = await list({ limit: 10, offset: 20 });
    expect(common.data).toEqual(all.data);
    const rare = await list({ search: 'rare', limit: 5, offset: 5 });
    expect(rare.meta.pagination).toEqual({ total: 18, limit: 5, offset: 5 });
    const sequence = (row: Json): number => Number(row.contact_name.endsWith('rare'));
    expect(rare.data.invoices.map(sequence)).toEqual([1, 1, 1, 1, 1]);
    expect((await list({ search: 'rare common', status: 'overdue' })).meta.pagination.total).toBe(6);
    expect((await list({ search: 'rare', status: 'issued' })).meta.pagination.total).toBe(0);
    expect((await list({ search: 'nowhere' })).data.invoices).toEqual([]);
    expect((await list({ search: 'common', offset: 8995 })).data.invoices).toHaveLength(5);
  });
});

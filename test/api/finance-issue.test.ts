import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { Response } from 'supertest';
import { issueFinanceDocument } from '../../domain/finance/index.ts';
import { statement } from '../../platform/db/statement.ts';
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

const NUMBERS = statement(`
  select sequence_number from finance_documents
  where client_id = $1 and document_type = $2 and sequence_number is not null order by sequence_number`);

async function numbersOf(type: string): Promise<unknown[]> {
  const rows = await api.services.system.query<{ sequence_number: number }>(NUMBERS, [api.acme.clientId, type]);
  return rows.map((row) => row.sequence_number);
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('issue-finance-document', () => {
  it.each([
    ['quote', 'QUO-000001'],
    ['credit_note', 'CN-000001'],
    ['purchase_order', 'PO-000001'],
    ['delivery_note', 'DN-000001'],
  ])('gives the first %s the number %s and tells of it', async (document_type, document_number) => {
    const draft = await desk.draft({ document_type });
    const events = await desk.eventsOf(async () => expect((await desk.issue(draft)).status).toBe(200));
    const issued = await desk.get(draft);
    expect(issued).toMatchObject({ status: 'issued', document_number, issued_at: expect.any(String) });
    expect(issued.lines).toEqual(draft.lines);
    expect(events).toMatchObject([{ name: `${document_type}.issued`, data: { document: issued } }]);
    expect(await desk.audits(1)).toMatchObject([
      {
        action: `${document_type}.issued`,
        details: { document_number, changes: { status: { from: 'draft', to: 'issued' } } },
      },
    ]);
    expectRefusal(await desk.issue(draft), 409, 'CONFLICT');
  });

  it('leaves no gap and no double among 30 at once, of which some are undone', async () => {
    const drafts = [];
    for (let made = 0; made < 30; made += 1) drafts.push(await desk.draft());
    const { tenants, clock } = api.services;
    const undone = await desk.draft();
    const undo = () =>
      tenants.transaction(api.acme.clientId, async (tx) => {
        await issueFinanceDocument(tx, api.acme.caller, { ref: refOf(undone) as never, now: clock.now() });
        throw new Error('undone');
      });
    const rollbacks = Promise.allSettled(Array.from({ length: 10 }, undo));
    const answers = await Promise.all(drafts.map((draft) => desk.issue(draft)));
    expect((await rollbacks).every((outcome) => outcome.status === 'rejected')).toBe(true);
    expect(answers.map((answer) => answer.status)).toEqual(drafts.map(() => 200));
    expect(await numbersOf('invoice')).toEqual(upTo(30));
    expect((await desk.get(undone)).status).toBe('draft');
    expect((await desk.issue(undone)).body.data.document_number).toBe('INV-000031');
  });

  it('gives the number back when the database connection dies in the middle', async () => {
    const document_type = 'quote';
    const before = (await numbersOf(document_type)).length;
    const [killed, next] = [await desk.draft({ document_type }), await desk.draft({ document_type })];
    const { tenants, clock } = api.services;
    const superuser = new pg.Client({ connectionString: api.database.superuserUrl });
    await superuser.connect();
    const dying = tenants.transaction(api.acme.clientId, async (tx) => {
      await issueFinanceDocument(tx, api.acme.caller, { ref: refOf(killed) as never, now: clock.now() });
      const [backend] = await tx.query<{ pid: number }>(statement('select pg_backend_pid() as pid'));
      await superuser.query('select pg_terminate_backend($1)', [backend?.pid]);
      await tx.query(statement('select 1 as one'));
    });
    await expect(dying).rejects.toThrow();
    await superuser.end();
    expect((await desk.get(killed)).status).toBe('draft');
    expect((await desk.issue(next)).status).toBe(200);
    expect(await numbersOf(document_type)).toEqual(upTo(before + 1));
  });

  it('keeps the date that it has, of whatever year, and goes on with the numbers', async () => {
    const numbers: number[] = [];
    for (const document_date of ['2026-03-01', '2024-12-31', '2031-01-01']) {
      const issued = await desk.issued({ document_type: 'delivery_note', document_date, due_date: document_date });
      expect(issued).toMatchObject({ document_date, due_date: document_date, status: 'issued' });
      numbers.push(Number(issued.document_number.slice('DN-'.length)));
    }
    const [first = 0] = numbers;
    expect(numbers).toEqual([first, first + 1, first + 2]);
  });

  it('issues one draft once, however many ask at the same time', async () => {
    const draft = await desk.draft({ document_type: 'bill' });
    const answers = await Promise.all(Array.from({ length: 8 }, () => desk.issue(draft)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 409)]);
    expect(await numbersOf('bill')).toEqual([1]);
  });

  it('numbers each client for itself', async () => {
    const other = await api.tenant('other', { tier: 'enterprise', finance_tier: 'full' });
    const theirs = new FinanceDesk(api, await other.key());
    expect((await theirs.issued()).document_number).toBe('INV-000001');
  });

  it('keeps the contact as it is at issue, whatever becomes of it', async () => {
    const contact_id = await api.acme.contact('Before');
    const draft = await desk.draft({ contact_name: undefined, contact_id });
    const rename = statement('update contacts set name = $2 where id = $1');
    await api.services.system.query(rename, [contact_id, 'At issue']);
    await desk.issue(draft);
    await api.services.system.query(rename, [contact_id, 'After']);
    expect((await desk.get(draft)).contact_name).toBe('At issue');
    const gone = await desk.draft({ contact_name: undefined, contact_id });
    await api.services.system.query(statement('update contacts set deleted_at = now() where id = $1'), [contact_id]);
    expect((await desk.issue(gone)).body.data).toMatchObject({ contact_id, contact_name: 'After' });
    expectRefusal(await desk.create({ contact_name: undefined, contact_id }), 400, 'VALIDATION_ERROR');
  });
});

describe('an invoice or bill that comes to nothing', () => {
  it.each(['invoice', 'bill'])(
    'is paid as the %s is issued, with the events of both and no payment',
    async (document_type) => {
      const draft = await desk.draft({ document_type, lines: [{ description: 'Under guarantee', unit_price: 0 }] });
      const events = await desk.eventsOf(() => desk.issue(draft));
      expect(events.map(({ name }) => name)).toEqual([`${document_type}.issued`, `${document_type}.paid`]);
      expect(events[1]!.data).toMatchObject({ document: { status: 'paid', amount_due: 0 }, payment: null });
      expectRefusal(await desk.pay(draft, 1), 422, 'UNPROCESSABLE_ENTITY');
    },
  );
});

describe('an issued document', () => {
  let superuser: pg.Client;
  let issued: Json;
  beforeAll(async () => {
    superuser = new pg.Client({ connectionString: api.database.superuserUrl });
    await superuser.connect();
    issued = await desk.issued();
  });
  afterAll(() => superuser.end());

  it.each([
    `update finance_documents set total_minor = total_minor + 1 where id = $1`,
    `update finance_documents set contact_name = 'Another' where id = $1`,
    `update finance_documents set document_number = 'INV-999999' where id = $1`,
    `update finance_documents set issued_sha256 = 'x' where id = $1`,
    `update finance_documents set seller = '{}' where id = $1`,
    `update finance_documents set status = 'draft' where id = $1`,
    `delete from finance_documents where id = $1`,
    `update finance_document_lines set unit_price = 0 where document_id = $1`,
    `delete from finance_document_lines where document_id = $1`,
    `insert into finance_document_lines (client_id, document_id, line_number, description, quantity, unit_price)
       values (1, $1, 99, 'Smuggled', 1, 1)`,
    `update finance_document_lines set document_id = $1 where document_id = $1`,
  ])('is kept by the database, whoever says %s', async (sql) => {
    await expect(superuser.query(sql, [issued.id])).rejects.toMatchObject({ code: '23001' });
  });

  it('cannot be paid or credited beyond its total, whoever writes', async () => {
    for (const column of ['paid_minor', 'credited_minor']) {
      const sql = `update finance_documents set ${column} = total_minor + 1 where id = $1`;
      await expect(superuser.query(sql, [issued.id])).rejects.toMatchObject({ code: '23514' });
    }
  });
});

describe('a credit note against an invoice', () => {
  const creditOf = (invoice: Json, unit_price: number) =>
    desk.draft({ document_type: 'credit_note', invoice_id: invoice.id, lines: [{ description: 'Back', unit_price }] });

  it('takes its total off what is due at issue, and tells of the invoice', async () => {
    const invoice = await desk.issued();
    const note = await creditOf(invoice, 30);
    expect(await desk.get(invoice)).toMatchObject({ amount_due: 230 });
    const events = await desk.eventsOf(() => desk.issue(note));
    const after = await desk.get(invoice);
    expect(after).toMatchObject({ status: 'partially_paid', amount_credited: 30, amount_due: 200, amount_paid: 0 });
    expect(events.map((event) => event.name)).toEqual(['invoice.updated', 'credit_note.issued']);
    expect(events[0]!.data).toMatchObject({ document: after, changes: { amount_due: { from: 230, to: 200 } } });
    expectRefusal(await desk.pay(invoice, 200.01), 422, 'UNPROCESSABLE_ENTITY');
    expect((await desk.pay(invoice, 200)).body.data.document).toMatchObject({ status: 'paid', amount_due: 0 });
  });

  it('names the invoice as its reference where it has none of its own', async () => {
    const invoice = await desk.issued();
    expect((await creditOf(invoice, 1)).reference).toBe(invoice.document_number);
    const input = { document_type: 'credit_note', invoice_id: invoice.id, reference: 'RMA 5' };
    expect((await desk.draft(input)).reference).toBe('RMA 5');
  });

  it('for the whole of it cancels the invoice, paid or not', async () => {
    for (const paid of [0, 230]) {
      const invoice = await desk.issued();
      if (paid > 0) await desk.pay(invoice, paid);
      await desk.issue(await creditOf(invoice, 230));
      expect(await desk.get(invoice)).toMatchObject({ status: 'cancelled', amount_due: 0, amount_paid: paid });
    }
  });

  it('of a paid invoice says what is to be refunded, and refunding it makes that less', async () => {
    const invoice = await desk.issued();
    const { payment } = (await desk.pay(invoice, 200)).body.data;
    const events = await desk.eventsOf(async () => desk.issue(await creditOf(invoice, 130)));
    const credited = await desk.get(invoice);
    expect(credited).toMatchObject({ status: 'paid', amount_credited: 130, amount_due: 0, amount_to_refund: 100 });
    expect(events.find(({ name }) => name === 'invoice.updated')?.data).toMatchObject({
      document: { amount_to_refund: 100 },
      changes: { amount_to_refund: { from: 0, to: 100 } },
    });
    const refund = async (amount: number) =>
      (await desk.act('refund-payment', { payment_id: payment.id, amount })).body.data.document;
    expect(await refund(99.9)).toMatchObject({ amount_paid: 100.1, amount_due: 0, amount_to_refund: 0.1 });
    expect(await refund(5)).toMatchObject({
      total: 230,
      amount_paid: 95.1,
      amount_credited: 130,
      amount_due: 4.9,
      amount_to_refund: 0,
    });
    const whole = await desk.issued();
    await desk.pay(whole, 230);
    await desk.issue(await creditOf(whole, 230));
    expect(await desk.get(whole)).toMatchObject({ status: 'cancelled', amount_due: 0, amount_to_refund: 230 });
  });

  it('goes to the invoice’s own contact, which it has by itself', async () => {
    const [contact_id, another] = [await api.acme.contact('Payer'), await api.acme.contact('Another')];
    const lines = [{ description: 'Back', unit_price: 1 }];
    const credit = (invoice: Json, input: object) =>
      desk.act('create-finance-document', { document_type: 'credit_note', invoice_id: invoice.id, lines, ...input });
    const record = await desk.issued({ contact_name: undefined, contact_id });
    const named = await desk.issued({ contact_email: 'ap@kruger.example' });
    for (const input of [{}, { contact_id }, { contact_name: 'Payer' }])
      expect((await credit(record, input)).body.data).toMatchObject({ contact_id, contact_name: 'Payer' });
    const draft = (await credit(named, {})).body.data;
    expect(draft).toMatchObject({ contact_id: null, contact_name: 'Kruger Farms', contact_email: 'ap@kruger.example' });
    const refused: [Response, string][] = [
      [await credit(record, { contact_id: another }), 'contact_id'],
      [await credit(record, { contact_name: 'Another' }), 'contact_name'],
      [await credit(named, { contact_id }), 'contact_id'],
      [await desk.act('update-finance-document', { ...refOf(draft), contact_name: 'Another' }), 'contact_name'],
      [await desk.convert(record, 'credit_note', { contact_id: another }), 'contact_id'],
    ];
    for (const [answer, field] of refused) {
      expectRefusal(answer, 422, 'UNPROCESSABLE_ENTITY');
      expect(answer.body.error.details).toEqual([expect.objectContaining({ field })]);
    }
    const mended = await desk.act('update-finance-document', { ...refOf(draft), contact_phone: '+27 1' });
    expect(mended.body.data).toMatchObject({ contact_name: 'Kruger Farms', contact_phone: '+27 1' });
    expect((await desk.convert(record, 'credit_note', { contact_id })).status).toBe(200);
  });

  it('of an earlier release that names another contact is not issued before that is set right', async () => {
    const note = await creditOf(await desk.issued(), 1);
    await api.services.system.query(statement(`update finance_documents set contact_name = 'X' where id = $1`), [
      note.id,
    ]);
    const answer = await desk.issue(note);
    expectRefusal(answer, 422, 'UNPROCESSABLE_ENTITY');
    expect(answer.body.error.details).toEqual([expect.objectContaining({ field: 'contact_name' })]);
    await desk.act('update-finance-document', { ...refOf(note), contact_name: 'Kruger Farms' });
    expect((await desk.issue(note)).status).toBe(200);
  });

  it('never exceeds the invoice, not even when several are issued at once', async () => {
    const invoice = await desk.issued();
    const notes = [];
    for (let made = 0; made < 5; made += 1) notes.push(await creditOf(invoice, 100));
    const answers = await Promise.all(notes.map((note) => desk.issue(note)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 200, 422, 422, 422]);
    expect(await desk.get(invoice)).toMatchObject({ amount_credited: 200, amount_due: 30 });
    const numbers = await numbersOf('credit_note');
    expect(numbers).toEqual(upTo(numbers.length));
  });

  it('needs an issued invoice in the same currency', async () => {
    const draft = await desk.draft();
    const note = { document_type: 'credit_note' };
    expectRefusal(await desk.create({ ...note, invoice_id: draft.id }), 422, 'UNPROCESSABLE_ENTITY');
    const dollars = await desk.issued({ currency: 'USD' });
    expectRefusal(await desk.create({ ...note, invoice_id: dollars.id }), 400, 'VALIDATION_ERROR');
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
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

const CONTACT = statement(`
  update contacts set email = $2, phone = '+27 13 555 0101', address = '1 Farm Road', city = 'Malelane',
    postal_code = '1320', country = 'ZA', tax_number = '4001234567' where id = $1`);

describe('create-finance-document', () => {
  it('takes every parameter, and get-finance-document reads all of it back', async () => {
    const contact = await api.acme.contact();
    await api.services.system.query(CONTACT, [contact, 'office@kruger.example']);
    const input = {
      contact_name: undefined,
      contact_id: contact,
      document_date: '2026-11-01',
      due_date: '2026-11-30',
      currency: 'USD',
      lines: [
        {
          description: 'Service of the north pump',
          quantity: 2.5,
          unit_price: 450,
          discount_percent: 10,
          tax_rate: 15,
          item_code: 'SVC',
          account_code: '4000',
        },
        { description: 'Travel', unit_price: 33.335, tax_rate: 0 },
      ],
      reference: 'PO-7741',
      notes: 'Thank you',
      terms: '30 days',
      custom_fields: { project: { code: 7 } },
    };
    const created = await desk.create(input);
    expect(created.status).toBe(200);
    const data = await desk.get(created.body.data);
    expect(data).toEqual({
      id: expect.any(Number),
      document_type: 'invoice',
      document_number: null,
      status: 'draft',
      client_id: api.acme.clientId,
      contact_id: contact,
      contact_name: 'Kruger Farms',
      contact_email: 'office@kruger.example',
      contact_phone: '+27 13 555 0101',
      contact_address: '1 Farm Road\n1320 Malelane\nZA',
      contact_tax_number: '4001234567',
      document_date: '2026-11-01',
      due_date: '2026-11-30',
      currency: 'USD',
      subtotal: 1045.84,
      discount_total: 112.5,
      tax_total: 151.88,
      total: 1197.72,
      amount_paid: 0,
      amount_credited: 0,
      amount_due: 1197.72,
      amount_to_refund: 0,
      tax_summary: [
        { tax_rate: 0, net_amount: 33.34, tax_amount: 0 },
        { tax_rate: 15, net_amount: 1012.5, tax_amount: 151.88 },
      ],
      reference: 'PO-7741',
      notes: 'Thank you',
      terms: '30 days',
      custom_fields: { project: { code: 7 } },
      converted_from_type: null,
      converted_from_id: null,
      invoice_id: null,
      issued_at: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      lines: [
        {
          ...input.lines[0],
          line_number: 1,
          discount_amount: 112.5,
          net_amount: 1012.5,
          tax_amount: 151.88,
          total_amount: 1164.38,
        },
        {
          line_number: 2,
          description: 'Travel',
          quantity: 1,
          unit_price: 33.335,
          discount_percent: 0,
          tax_rate: 0,
          item_code: null,
          account_code: null,
          discount_amount: 0,
          net_amount: 33.34,
          tax_amount: 0,
          total_amount: 33.34,
        },
      ],
    });
    expect(created.body.data).toEqual(data);
  });

  it.each(['quote', 'invoice', 'credit_note', 'bill', 'purchase_order', 'delivery_note'])(
    'makes a draft %s, with its event and its audit row',
    async (document_type) => {
      let document: Json;
      const events = await desk.eventsOf(async () => (document = await desk.draft({ document_type })));
      expect(document).toMatchObject({ document_type, status: 'draft', document_number: null, total: 230 });
      expect(events).toEqual([{ name: `${document_type}.created`, data: { document } }]);
      expect(await desk.audits(1)).toMatchObject([
        { action: `${document_type}.created`, actor_type: 'api_key', subject_id: String(document.id) },
      ]);
    },
  );

  it('uses the currency and the day of the client, and the minor units of the currency', async () => {
    const today = new Date(api.clock.now() + 2 * 3_600_000).toISOString().slice(0, 10);
    expect(await desk.draft()).toMatchObject({ currency: 'ZAR', document_date: today, due_date: null });
    const line = { description: 'x', unit_price: 100.555, tax_rate: 10 };
    expect(await desk.draft({ currency: 'JPY', lines: [line] })).toMatchObject({
      subtotal: 101,
      tax_total: 10,
      total: 111,
    });
    expect(await desk.draft({ currency: 'KWD', lines: [line] })).toMatchObject({ subtotal: 100.555, total: 110.611 });
  });

  it('lets a delivery note leave prices out', async () => {
    const lines = [{ description: 'Pump', quantity: 3 }];
    expect(await desk.draft({ document_type: 'delivery_note', lines })).toMatchObject({ total: 0 });
    const answer = await desk.create({ lines });
    expectRefusal(answer, 400, 'BAD_REQUEST');
    expect(answer.body.error.details).toEqual([{ field: 'lines[0].unit_price', issue: 'is missing' }]);
  });

  it('takes 500 lines', async () => {
    const lines = Array.from({ length: 500 }, (_, index) => ({
      description: `Line ${String(index)}`,
      unit_price: 0.1,
    }));
    const document = await desk.draft({ lines });
    expect(document.total).toBe(50);
    expect((await desk.get(document)).lines).toHaveLength(500);
  });

  const good = { description: 'x', unit_price: 1 };
  it.each<[string, Record<string, unknown>, string]>([
    ['an unknown contact', { contact_name: undefined, contact_id: 999_999 }, 'contact_id'],
    ['a name beside a contact', { contact_id: 1 }, 'contact_name'],
    ['a currency that is none', { currency: 'XXX' }, 'currency'],
    ['a currency in small letters', { currency: 'zar' }, 'currency'],
    ['a due date before the date', { document_date: '2026-02-02', due_date: '2026-02-01' }, 'due_date'],
    ['a day that is none', { document_date: '2026-02-30' }, 'document_date'],
    ['no lines', { lines: [] }, 'lines'],
    ['too many lines', { lines: Array.from({ length: 501 }, () => good) }, 'lines'],
    ['a negative quantity', { lines: [{ ...good, quantity: -1 }] }, 'lines[0].quantity'],
    ['too fine a price', { lines: [{ ...good, unit_price: 0.000_000_1 }] }, 'lines[0].unit_price'],
    ['a tax above 100 percent', { lines: [{ ...good, tax_rate: 101 }] }, 'lines[0].tax_rate'],
    ['a discount above 100 percent', { lines: [{ ...good, discount_percent: 100.5 }] }, 'lines[0].discount_percent'],
    ['a negative total', { lines: [{ ...good, unit_price: -1 }] }, 'lines'],
    ['an amount beyond what JSON keeps', { lines: [{ ...good, unit_price: 1e9, quantity: 1e9 }] }, 'lines'],
    ['an invoice of what is no credit note', { invoice_id: 1 }, 'invoice_id'],
    ['an unknown invoice', { document_type: 'credit_note', invoice_id: 999_999 }, 'invoice_id'],
    ['too large custom_fields', { custom_fields: { a: 'x'.repeat(17_000) } }, 'custom_fields'],
    ['a NUL character', { lines: [{ ...good, description: 'a\u0000b' }] }, 'lines[0].description'],
  ])('refuses %s and names the field', async (_what, input, field) => {
    const answer = await desk.create(input);
    expectRefusal(answer, 400, 'VALIDATION_ERROR');
    expect(answer.body.error.details).toEqual([expect.objectContaining({ field })]);
  });

  it.each([
    ['no contact', { contact_name: undefined }, 'contact_id'],
    ['no lines field', { lines: undefined }, 'lines'],
    ['a price in words', { lines: [{ description: 'x', unit_price: '1' }] }, 'lines[0].unit_price'],
  ])('refuses %s as BAD_REQUEST', async (_what, input, field) => {
    const answer = await desk.create(input);
    expectRefusal(answer, 400, 'BAD_REQUEST');
    expect(answer.body.error.details).toEqual([expect.objectContaining({ field })]);
  });

  it('makes one document for one Idempotency-Key', async () => {
    const body = {
      action: 'create-finance-document',
      document_type: 'quote',
      contact_name: 'Once',
      lines: [{ description: 'x', unit_price: 1 }],
    };
    const send = () =>
      api.http().post('/api/v1/public/data').set('X-API-Key', desk.key).set('Idempotency-Key', 'quote-once').send(body);
    expect((await send()).body.data.id).toBe((await send()).body.data.id);
  });
});

describe('update-finance-document', () => {
  it('changes what is given, replaces the lines, and tells of it', async () => {
    const draft = await desk.draft({ notes: 'old', reference: 'keep', due_date: '2027-01-31' });
    const events = await desk.eventsOf(async () => {
      const answer = await desk.act('update-finance-document', {
        ...refOf(draft),
        notes: 'new',
        due_date: null,
        contact_name: 'Somebody else',
        lines: [{ description: 'Only this', unit_price: 10, tax_rate: 15 }],
      });
      expect(answer.status).toBe(200);
    });
    const after = await desk.get(draft);
    expect(after).toMatchObject({
      notes: 'new',
      reference: 'keep',
      due_date: null,
      contact_name: 'Somebody else',
      total: 11.5,
    });
    expect(after.lines).toHaveLength(1);
    const changes = {
      notes: { from: 'old', to: 'new' },
      due_date: { from: '2027-01-31', to: null },
      contact_name: { from: 'Kruger Farms', to: 'Somebody else' },
      total: { from: 230, to: 11.5 },
    };
    expect(events).toMatchObject([{ name: 'invoice.updated', data: { document: after, changes } }]);
    expect(await desk.audits(1)).toMatchObject([{ action: 'invoice.updated', details: { changes } }]);
  });

  it('says nothing where nothing changes', async () => {
    const draft = await desk.draft({ notes: 'same' });
    const input = { ...refOf(draft), notes: 'same', custom_fields: {} };
    expect(await desk.eventsOf(() => desk.act('update-finance-document', input))).toEqual([]);
  });

  it('keeps a contact record apart from typed details', async () => {
    const contact = await api.acme.contact('Pump Supplies');
    const draft = await desk.draft({ contact_name: undefined, contact_id: contact });
    const change = (input: Record<string, unknown>) =>
      desk.act('update-finance-document', { ...refOf(draft), ...input });
    expectRefusal(await change({ contact_email: 'a@b.example' }), 400, 'VALIDATION_ERROR');
    const typed = (await change({ contact_name: 'By hand', contact_email: 'a@b.example' })).body.data;
    expect(typed).toMatchObject({ contact_id: null, contact_name: 'By hand', contact_email: 'a@b.example' });
    expect((await change({ contact_phone: '+27 1' })).body.data).toMatchObject({
      contact_name: 'By hand',
      contact_email: 'a@b.example',
      contact_phone: '+27 1',
    });
    expect((await change({ contact_id: contact })).body.data).toMatchObject({
      contact_id: contact,
      contact_name: 'Pump Supplies',
      contact_email: null,
    });
  });

  it('refuses an issued document and a document of another type', async () => {
    const issued = await desk.issued();
    expectRefusal(await desk.act('update-finance-document', { ...refOf(issued), notes: 'x' }), 409, 'CONFLICT');
    const other = { document_type: 'quote', document_id: issued.id };
    expectRefusal(await desk.act('update-finance-document', { ...other, notes: 'x' }), 404, 'NOT_FOUND');
  });
});

describe('delete-finance-document', () => {
  it('deletes a draft with its lines, and only a draft', async () => {
    const draft = await desk.draft();
    expect((await desk.act('delete-finance-document', refOf(draft))).body.data).toEqual({
      id: draft.id,
      deleted: true,
    });
    expectRefusal(await desk.act('get-finance-document', refOf(draft)), 404, 'NOT_FOUND');
    const lines = statement('select count(*) as lines from finance_document_lines where document_id = $1');
    expect(await api.services.system.query(lines, [draft.id])).toEqual([{ lines: 0 }]);
    expect(await desk.audits(1)).toMatchObject([
      { action: 'invoice.deleted', subject_id: String(draft.id), details: { document: { total: 230 } } },
    ]);
    expectRefusal(await desk.act('delete-finance-document', refOf(await desk.issued())), 409, 'CONFLICT');
  });
});

describe('cancel-finance-document', () => {
  it.each(['quote', 'purchase_order', 'delivery_note', 'bill'])(
    'calls an issued %s off, once',
    async (document_type) => {
      const document = await desk.issued({ document_type });
      const events = await desk.eventsOf(async () => {
        const answer = await desk.act('cancel-finance-document', { ...refOf(document), reason: 'not wanted' });
        expect(answer.body.data).toMatchObject({ status: 'cancelled', document_number: document.document_number });
      });
      expect(events).toMatchObject([
        { name: `${document_type}.updated`, data: { changes: { status: { from: 'issued', to: 'cancelled' } } } },
      ]);
      expect(await desk.audits(1)).toMatchObject([{ details: { reason: 'not wanted' } }]);
      expectRefusal(await desk.act('cancel-finance-document', refOf(document)), 409, 'CONFLICT');
    },
  );

  it('refuses what is undone in another way', async () => {
    const paidBill = await desk.issued({ document_type: 'bill' });
    await desk.pay(paidBill, 1);
    const refused = [await desk.issued(), await desk.issued({ document_type: 'credit_note' }), paidBill];
    for (const document of [...refused, await desk.draft({ document_type: 'quote' })]) {
      expectRefusal(await desk.act('cancel-finance-document', refOf(document)), 422, 'UNPROCESSABLE_ENTITY');
    }
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CONVERSIONS } from '../../domain/finance/finance-documents.rules.ts';
import { DOCUMENT_TYPES } from '../../domain/contracts/finance.ts';
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

const pairs = DOCUMENT_TYPES.flatMap((source) => DOCUMENT_TYPES.map((target) => [source, target] as const));

describe('convert-finance-document', () => {
  it.each(pairs.filter(([source, target]) => CONVERSIONS[source].includes(target)))(
    'makes a draft of an issued %s: a %s',
    async (document_type, target_type) => {
      const source = await desk.issued({ document_type, notes: 'Thank you', currency: 'EUR' });
      let draft: Json;
      const events = await desk.eventsOf(async () => {
        const answer = await desk.convert(source, target_type);
        expect(answer.status).toBe(200);
        draft = answer.body.data;
      });
      expect(draft).toMatchObject({
        document_type: target_type,
        status: 'draft',
        document_number: null,
        contact_name: 'Kruger Farms',
        currency: 'EUR',
        total: source.total,
        lines: source.lines,
        tax_summary: source.tax_summary,
        reference: source.document_number,
        notes: 'Thank you',
        converted_from_type: document_type,
        converted_from_id: source.id,
        invoice_id: target_type === 'credit_note' ? source.id : null,
      });
      expect(await desk.get(draft)).toEqual(draft);
      const after = await desk.get(source);
      expect(after.status).toBe(document_type === 'invoice' ? 'issued' : 'converted');
      expect(events).toEqual([
        { name: `${document_type}.converted`, data: { document: after, changes: expect.any(Object) } },
        { name: `${target_type}.created`, data: { document: draft } },
      ]);
      expect((await desk.issue(draft)).status).toBe(200);
    },
  );

  it.each(pairs.filter(([source, target]) => !CONVERSIONS[source].includes(target)))(
    'does not make a %s a %s',
    async (source, target) => {
      const answer = await desk.convert({ document_type: source, id: 1 }, target);
      expectRefusal(answer, 422, 'UNPROCESSABLE_ENTITY');
      expect(answer.body.error.details).toEqual([expect.objectContaining({ field: 'target_type' })]);
    },
  );

  it('happens once per target, however many ask at the same time; the others are told which it is', async () => {
    const quote = await desk.issued({ document_type: 'quote' });
    const answers = await Promise.all(Array.from({ length: 8 }, () => desk.convert(quote, 'invoice')));
    const [made] = answers.filter((answer) => answer.status === 200);
    const refused = answers.filter((answer) => answer.status === 409);
    expect(refused).toHaveLength(7);
    for (const answer of refused) {
      expectRefusal(answer, 409, 'CONFLICT');
      expect(answer.body.error.details).toEqual([{ field: 'document_id', issue: String(made?.body.data.id) }]);
    }
    expect((await desk.convert(quote, 'purchase_order')).status).toBe(200);
  });

  it('can be done again once its draft is deleted, and until then the quote is as it was', async () => {
    const quote = await desk.issued({ document_type: 'quote' });
    const draft = (await desk.convert(quote, 'invoice')).body.data;
    await desk.act('delete-finance-document', refOf(draft));
    expect((await desk.get(quote)).status).toBe('issued');
    expect((await desk.convert(quote, 'invoice')).status).toBe(200);
  });

  it('takes what was paid on a quote over to its invoice', async () => {
    const quote = await desk.issued({ document_type: 'quote' });
    const payment = (await desk.pay(quote, 230)).body.data.payment;
    const draft = (await desk.convert(quote, 'invoice')).body.data;
    expect(draft).toMatchObject({ status: 'draft', amount_paid: 230, amount_due: 0 });
    expect(await desk.get(quote)).toMatchObject({ status: 'converted', amount_paid: 0 });
    expect((await desk.act('get-payment', { payment_id: payment.id })).body.data).toMatchObject({
      document_type: 'invoice',
      document_id: draft.id,
    });
    expectRefusal(await desk.act('delete-finance-document', refOf(draft)), 422, 'UNPROCESSABLE_ENTITY');
    const cheaper = [{ description: 'Less', unit_price: 1 }];
    expectRefusal(
      await desk.act('update-finance-document', { ...refOf(draft), lines: cheaper }),
      422,
      'UNPROCESSABLE_ENTITY',
    );
    const events = await desk.eventsOf(() => desk.issue(draft));
    expect(events.map((event) => event.name)).toEqual(['invoice.issued', 'invoice.paid']);
    expect(events[1]!.data).toMatchObject({ document: { status: 'paid' }, payment: { id: payment.id, amount: 230 } });
  });

  it('names the supplier where a quote becomes a purchase order', async () => {
    const contact_id = await api.acme.contact('Pump Supplies');
    const quote = await desk.issued({ document_type: 'quote' });
    const order = (await desk.convert(quote, 'purchase_order', { contact_id, due_date: '2030-01-01' })).body.data;
    expect(order).toMatchObject({ contact_id, contact_name: 'Pump Supplies', due_date: '2030-01-01' });
  });

  it('refuses drafts, cancelled documents, unknown ones and unknown contacts', async () => {
    const quote = { document_type: 'quote' };
    expectRefusal(await desk.convert(await desk.draft(quote), 'invoice'), 422, 'UNPROCESSABLE_ENTITY');
    const cancelled = await desk.issued(quote);
    await desk.act('cancel-finance-document', refOf(cancelled));
    expectRefusal(await desk.convert(cancelled, 'invoice'), 422, 'UNPROCESSABLE_ENTITY');
    expectRefusal(await desk.convert({ ...quote, id: 999_999 }, 'invoice'), 404, 'NOT_FOUND');
    const issued = await desk.issued(quote);
    expectRefusal(await desk.convert(issued, 'invoice', { contact_id: 999_999 }), 400, 'VALIDATION_ERROR');
    expectRefusal(await desk.convert(issued, 'invoice', { due_date: '2000-01-01' }), 400, 'VALIDATION_ERROR');
    expectRefusal(await desk.convert(issued, 'voucher'), 400, 'VALIDATION_ERROR');
  });
});

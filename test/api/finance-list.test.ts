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

describe('list actions', () => {
  it.each([
    ['quote', 'list-quotes', 'quotes'],
    ['invoice', 'list-invoices', 'invoices'],
    ['credit_note', 'list-credit-notes', 'credit_notes'],
    ['bill', 'list-bills', 'bills'],
    ['purchase_order', 'list-purchase-orders', 'purchase_orders'],
    ['delivery_note', 'list-delivery-notes', 'delivery_notes'],
  ])('of %s: %s gives its own type, newest first, in windows', async (document_type, action, plural) => {
    const made = [];
    for (const reference of ['a', 'b', 'c'])
      made.push(await desk.draft({ document_type, reference, contact_name: `W ${action}` }));
    expect((await desk.act(action)).body.meta.pagination).toMatchObject({ limit: 100, offset: 0 });
    const answer = await desk.act(action, { search: `w ${action}`, limit: 2 });
    expect(answer.body.meta.pagination).toEqual({ total: 3, limit: 2, offset: 0 });
    expect(answer.body.data[plural].map((row: Json) => row.reference)).toEqual(['c', 'b']);
    const { lines: _, ...summary } = made[2];
    expect(answer.body.data[plural][0]).toEqual(summary);
    const rest = await desk.act(action, { search: `w ${action}`, limit: 2, offset: 2 });
    expect(rest.body.data[plural].map((row: Json) => row.reference)).toEqual(['a']);
  });

  it('filters by status, contact, days and text', async () => {
    const contact_id = await api.acme.contact('Filter');
    const of = { contact_name: undefined, contact_id };
    const ids = async (input: Record<string, unknown>) =>
      (await desk.act('list-invoices', { contact_id, ...input })).body.data.invoices.map((row: Json) => row.id);
    const draft = await desk.draft({ ...of, document_date: '2026-01-01', reference: '100%_sure' });
    const issued = await desk.issued({ ...of, document_date: '2026-02-01' });
    const late = await desk.issued({ ...of, document_date: '2026-03-01', due_date: '2026-03-31' });
    const paid = await desk.issued({ ...of, document_date: '2026-04-01', due_date: '2026-04-02' });
    await desk.pay(paid, paid.total);
    expect(await ids({})).toEqual([paid.id, late.id, issued.id, draft.id]);
    expect(await ids({ status: 'draft' })).toEqual([draft.id]);
    expect(await ids({ status: 'issued' })).toEqual([issued.id]);
    expect(await ids({ status: 'overdue' })).toEqual([late.id]);
    expect(await ids({ status: 'paid' })).toEqual([paid.id]);
    expect(await ids({ date_from: '2026-02-01', date_to: '2026-03-01' })).toEqual([late.id, issued.id]);
    expect(await ids({ search: '100%_s' })).toEqual([draft.id]);
    expect(await ids({ search: late.document_number.toLowerCase() })).toEqual([late.id]);
    expect(await ids({ search: 'filter', status: 'overdue' })).toEqual([late.id]);
    expect(await ids({ search: 'filter', status: 'issued', date_from: '2026-02-01' })).toEqual([issued.id]);
    expect(await ids({ search: 'filter', date_to: '2026-02-01', limit: 1, offset: 1 })).toEqual([draft.id]);
    expect(await ids({ search: '_ure' })).toEqual([]);
    expect((await desk.get(late)).status).toBe('overdue');
  });

  it.each(['invoice', 'bill'])(
    'of %ss gives those that are unpaid: issued, paid in part, or overdue',
    async (document_type) => {
      const contact_id = await api.acme.contact(`Unpaid ${document_type}`);
      const of = { document_type, contact_name: undefined, contact_id };
      const ids = async (input: Record<string, unknown>) =>
        (await desk.act(`list-${document_type}s`, { contact_id, ...input })).body.data[`${document_type}s`].map(
          (row: Json) => row.id,
        );
      const draft = await desk.draft(of);
      const issued = await desk.issued(of);
      const part = await desk.issued(of);
      await desk.pay(part, 1);
      const late = await desk.issued({ ...of, document_date: '2026-03-01', due_date: '2026-03-31' });
      const paid = await desk.issued(of);
      await desk.pay(paid, paid.total);
      expect(await ids({ unpaid: true })).toEqual([late.id, part.id, issued.id]);
      expect(await ids({ unpaid: true, search: 'unpaid' })).toEqual([late.id, part.id, issued.id]);
      expect(await ids({ unpaid: true, status: 'overdue' })).toEqual([late.id]);
      expect(await ids({ unpaid: false })).toEqual([paid.id, late.id, part.id, issued.id, draft.id]);
      const both = await desk.act(`list-${document_type}s`, { unpaid: true, status: 'paid' });
      expectRefusal(both, 400, 'VALIDATION_ERROR');
      expect(both.body.error.details).toEqual([expect.objectContaining({ field: 'unpaid' })]);
    },
  );

  it.each([
    ['a limit out of range', { limit: 501 }, 'limit'],
    ['an unknown status', { status: 'lost' }, 'status'],
    ['a day that is none', { date_from: '2026-02-30' }, 'date_from'],
  ])('refuses %s', async (_what, input, field) => {
    const answer = await desk.act('list-invoices', input);
    expectRefusal(answer, 400, 'VALIDATION_ERROR');
    expect(answer.body.error.details).toEqual([expect.objectContaining({ field })]);
  });
});

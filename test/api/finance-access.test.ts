import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DOCUMENT_TYPES } from '../../domain/contracts/finance.ts';
import { FINANCE_TYPES_BY_TIER } from '../../domain/contracts/event-names.ts';
import { statement } from '../../platform/db/statement.ts';
import { FinanceDesk } from './finance-support.ts';
import type { Json } from './finance-support.ts';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture, ApiTenant } from './support.ts';

let api: ApiFixture;
let desk: FinanceDesk;
let documents: Record<string, Json>;
const tenants: Record<string, ApiTenant> = {};
const keys: Record<string, string> = {};

beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
  desk = new FinanceDesk(api, await api.acme.key());
  documents = {};
  for (const document_type of DOCUMENT_TYPES) documents[document_type] = await desk.issued({ document_type });
  for (const finance_tier of ['none', 'basic', 'standard', 'full']) {
    tenants[finance_tier] = await api.tenant(`tier-${finance_tier}`, { tier: 'enterprise', finance_tier });
    keys[finance_tier] = await tenants[finance_tier].key();
  }
});
afterAll(() => api.close());

const FINANCE_TIER = statement('update clients set finance_tier = $2 where id = $1');
const CREATE = { contact_name: 'X', lines: [{ description: 'x', unit_price: 1 }] };

/** Every way to a document of a type, as bodies of the action endpoint. */
function ways(type: string, id: number): Record<string, unknown>[] {
  const ref = { document_type: type, document_id: id };
  const payable = ['quote', 'invoice', 'bill'].includes(type);
  return [
    { action: 'create-finance-document', document_type: type, ...CREATE },
    { action: 'update-finance-document', ...ref, notes: 'x' },
    { action: 'get-finance-document', ...ref },
    { action: 'issue-finance-document', ...ref },
    { action: 'cancel-finance-document', ...ref },
    { action: 'delete-finance-document', ...ref },
    { action: 'generate-finance-document-pdf', ...ref },
    { action: `list-${type.replaceAll('_', '-')}s` },
    ...(payable ? [{ action: 'record-finance-payment', ...ref, amount: 1 }] : []),
  ];
}

describe('the finance tier', () => {
  it.each(['none', 'basic', 'standard', 'full'])('%s gates every way to every type', async (tier) => {
    for (const type of DOCUMENT_TYPES) {
      const isIncluded = FINANCE_TYPES_BY_TIER[tier]!.includes(type);
      for (const body of ways(type, 999_999)) {
        const answer = await api.act(keys[tier]!, body);
        const code = answer.body.error?.code;
        expect({ tier, type, action: body['action'], restricted: code === 'TIER_RESTRICTED' }).toEqual({
          tier,
          type,
          action: body['action'],
          restricted: !isIncluded,
        });
        if (!isIncluded) expectRefusal(answer, 403, 'TIER_RESTRICTED');
      }
    }
  });

  it('that sank closes the documents that are there, on every way, until it rises again', async () => {
    const tenant = await api.tenant('sinking', { tier: 'enterprise', finance_tier: 'full' });
    const before = new FinanceDesk(api, await tenant.key());
    const bill = await before.issued({ document_type: 'bill' });
    const { payment } = (await before.pay(bill, 10)).body.data;
    const sink = async (finance_tier: string): Promise<string> => {
      await api.services.system.query(FINANCE_TIER, [tenant.clientId, finance_tier]);
      return tenant.key();
    };
    const sunk = await sink('basic');
    const refund = { action: 'refund-payment', payment_id: payment.id };
    for (const body of [...ways('bill', bill.id), refund])
      expectRefusal(await api.act(sunk, body), 403, 'TIER_RESTRICTED');
    expect((await api.act(sunk, { action: 'list-invoices' })).status).toBe(200);
    const risen = new FinanceDesk(api, await sink('full'));
    expect(await risen.get(bill)).toMatchObject({ id: bill.id, status: 'partially_paid', amount_paid: 10 });
  });

  it('gates a conversion by its source and by its target', async () => {
    const convert = (source_type: string, target_type: string, tier: string) =>
      api.act(keys[tier]!, { action: 'convert-finance-document', source_type, source_id: 1, target_type });
    expectRefusal(await convert('quote', 'purchase_order', 'standard'), 403, 'TIER_RESTRICTED');
    expectRefusal(await convert('purchase_order', 'bill', 'standard'), 403, 'TIER_RESTRICTED');
    expectRefusal(await convert('invoice', 'credit_note', 'basic'), 403, 'TIER_RESTRICTED');
    expectRefusal(await convert('quote', 'invoice', 'none'), 403, 'TIER_RESTRICTED');
    expectRefusal(await convert('quote', 'invoice', 'basic'), 404, 'NOT_FOUND');
  });
});

describe('scopes', () => {
  it.each(DOCUMENT_TYPES)('for %s: that of another type lets nobody through', async (type) => {
    const others = DOCUMENT_TYPES.filter((other) => other !== type);
    const key = await api.acme.key(others.flatMap((other) => [`${other}s:read`, `${other}s:write`]));
    for (const body of ways(type, documents[type].id)) expectRefusal(await api.act(key, body), 403, 'SCOPE_REQUIRED');
  });

  it('read lets read, write lets write, each without the other', async () => {
    const invoice = documents['invoice'];
    const reader = await api.acme.key(['invoices:read']);
    const writer = await api.acme.key(['invoices:write']);
    for (const body of ways('invoice', invoice.id)) {
      const reads = /^(get|list|generate)-/.test(String(body['action']));
      expect((await api.act(reads ? writer : reader, body)).body.error?.code).toBe('SCOPE_REQUIRED');
      expect((await api.act(reads ? reader : writer, body)).body.error?.code).not.toBe('SCOPE_REQUIRED');
    }
  });

  it('a conversion needs to read the source and to write the target', async () => {
    const quote = await desk.issued({ document_type: 'quote' });
    const convert = async (scopes: string[]) =>
      new FinanceDesk(api, await api.acme.key(scopes)).convert(quote, 'invoice');
    expectRefusal(await convert(['quotes:read', 'quotes:write', 'invoices:read']), 403, 'SCOPE_REQUIRED');
    expectRefusal(await convert(['invoices:write']), 403, 'SCOPE_REQUIRED');
    expect((await convert(['quotes:read', 'invoices:write'])).status).toBe(200);
  });

  it('a refund needs to write the type that was paid', async () => {
    const bill = await desk.issued({ document_type: 'bill' });
    const { payment } = (await desk.pay(bill, 1)).body.data;
    const refund = async (scope: string) =>
      api.act(await api.acme.key([scope]), { action: 'refund-payment', payment_id: payment.id });
    expectRefusal(await refund('payments:read'), 403, 'SCOPE_REQUIRED');
    expectRefusal(await refund('invoices:write'), 403, 'SCOPE_REQUIRED');
    expect((await refund('bills:write')).status).toBe(200);
  });
});

describe('another client', () => {
  it.each(DOCUMENT_TYPES)('cannot tell that a %s exists', async (type) => {
    for (const body of ways(type, documents[type].id)) {
      if (!('document_id' in body)) continue;
      const answer = await api.act(keys['full']!, body);
      expectRefusal(answer, 404, 'NOT_FOUND');
      expect(answer.text).not.toContain('Kruger');
    }
  });

  it('is not in lists, and cannot be converted, credited or refunded from', async () => {
    const { payment } = (await desk.pay(documents['quote'], 1)).body.data;
    const before = await desk.get(documents['invoice']);
    const act = (body: Record<string, unknown>) => api.act(keys['full']!, body);
    expect((await act({ action: 'list-invoices', search: 'Kruger' })).body.data.invoices).toEqual([]);
    expect((await act({ action: 'list-payments' })).body.data.payments).toEqual([]);
    const source = { source_type: 'invoice', source_id: documents['invoice'].id, target_type: 'credit_note' };
    expectRefusal(await act({ action: 'convert-finance-document', ...source }), 404, 'NOT_FOUND');
    const credit = { document_type: 'credit_note', invoice_id: documents['invoice'].id, ...CREATE };
    expectRefusal(await act({ action: 'create-finance-document', ...credit }), 400, 'VALIDATION_ERROR');
    const contact_id = await api.acme.contact();
    const bill = { document_type: 'bill', lines: CREATE.lines, contact_id };
    expectRefusal(await act({ action: 'create-finance-document', ...bill }), 400, 'VALIDATION_ERROR');
    expectRefusal(await act({ action: 'refund-payment', payment_id: payment.id }), 404, 'NOT_FOUND');
    expectRefusal(await act({ action: 'get-payment', payment_id: payment.id }), 404, 'NOT_FOUND');
    expect(await desk.get(documents['invoice'])).toEqual(before);
  });
});

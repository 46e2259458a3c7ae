import { describe, expect, it } from '@jest/globals';
import { draftBill } from '../../../domain/inbound-webhooks/bill.rules.ts';
import type { ReadInvoice } from '../../../domain/inbound-webhooks/bill.rules.ts';

const fields = (values: Record<string, unknown>): ReadInvoice['fields'] =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }]));

const READ: ReadInvoice = {
  fields: fields({
    vendor_name: 'Pump Parts',
    vendor_vat_number: '4123',
    invoice_number: 'PP-1',
    invoice_date: '2026-11-01',
    due_date: '2026-12-01',
    currency: 'ZAR',
    subtotal: 900,
    tax: 135,
    total: 1_035,
  }),
  lineItems: [fields({ description: 'Seal kit', quantity: 2, unit_price: 450, total: 900 })],
};
const FILE = { file_base64: 'QQ==' };

describe('a bill of what was read', () => {
  it('takes the lines where they make up the subtotal, and the tax rate that the amounts tell', () => {
    expect(draftBill(FILE, READ)).toEqual({
      supplierName: 'Pump Parts',
      supplierTaxNumber: '4123',
      supplierEmail: undefined,
      reference: 'PP-1',
      documentDate: '2026-11-01',
      dueDate: '2026-12-01',
      currency: 'ZAR',
      lines: [{ description: 'Seal kit', quantity: 2, unit_price: 450, tax_rate: 15 }],
      shownTotal: 1_035,
    });
  });

  it('is one line over the subtotal where the lines are not whole', () => {
    const one = [{ description: 'Invoice PP-1', quantity: 1, unit_price: 900, tax_rate: 15 }];
    expect(draftBill(FILE, { ...READ, lineItems: [] }).lines).toEqual(one);
    const unread = fields({ description: null, quantity: 2, unit_price: null, total: null });
    expect(draftBill(FILE, { ...READ, lineItems: [...READ.lineItems, unread] }).lines).toEqual(one);
    const misread = fields({ description: 'Seal kit', quantity: 2, unit_price: 45, total: 90 });
    expect(draftBill(FILE, { ...READ, lineItems: [misread] }).lines).toEqual(one);
  });

  it('makes the subtotal of total and tax where it was not read, and has no lines where no amount was', () => {
    const of = (values: Record<string, unknown>) => draftBill(FILE, { fields: fields(values), lineItems: [] }).lines;
    expect(of({ total: 115, tax: 15 })).toMatchObject([{ unit_price: 100, tax_rate: 15 }]);
    expect(of({ total: 115 })).toMatchObject([{ description: 'As invoiced', unit_price: 115, tax_rate: 0 }]);
    expect(of({ vendor_name: 'X' })).toEqual([]);
  });

  it('lets what the sender says come first', () => {
    const lines = [{ description: 'a', quantity: 1, unit_price: 1, discount_percent: 0, tax_rate: 0 }];
    const said = { supplier_name: 'S', invoice_number: 'N', invoice_date: '2026-10-01', currency: 'EUR', lines };
    expect(draftBill({ ...FILE, ...said }, READ)).toMatchObject({
      supplierName: 'S',
      reference: 'N',
      documentDate: '2026-10-01',
      currency: 'EUR',
      lines,
    });
  });

  it('leaves out a due date before the invoice’s, and what is no day or currency', () => {
    const odd = fields({ invoice_date: '2026-11-01', due_date: '2026-01-01', currency: 'R', total: 1 });
    expect(draftBill(FILE, { fields: odd, lineItems: [] })).toMatchObject({ dueDate: undefined, currency: undefined });
    expect(draftBill(FILE, { fields: fields({ invoice_date: '1/2' }), lineItems: [] }).documentDate).toBeUndefined();
  });
});

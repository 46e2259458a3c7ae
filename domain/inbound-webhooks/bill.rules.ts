import type { SupplierInvoiceBody } from '../contracts/inbound-bodies.ts';

/** What Document AI has read of an invoice: the value of each field, and of each cell of its lines. */
export interface ReadInvoice {
  fields: Readonly<Record<string, { value: unknown } | undefined>>;
  lineItems: readonly Readonly<Record<string, { value: unknown } | undefined>>[];
}

/** A supplier's invoice as a bill wants it, before its supplier is looked up among the contacts. */
export interface DraftBill {
  supplierName: string | undefined;
  supplierTaxNumber: string | undefined;
  supplierEmail: string | undefined;
  reference: string | undefined;
  documentDate: string | undefined;
  dueDate: string | undefined;
  currency: string | undefined;
  lines: readonly Record<string, unknown>[];
  /** The total that the invoice itself shows, where it was read. */
  shownTotal: number | undefined;
}

/** Cents that the sum of lines may be off, for their rounding. */
const TOLERANCE = 0.05;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** What the sender says itself comes first; the rest is as it was read. */
export function draftBill(body: SupplierInvoiceBody, read: ReadInvoice | null): DraftBill {
  const text = (...names: string[]): string | undefined => firstText(read, names);
  const documentDate = body.invoice_date ?? dayOf(text('invoice_date', 'date'));
  const dueDate = body.due_date ?? dayOf(text('due_date'));
  // A due date before the invoice's was misread.
  const isDueFirst = body.due_date === undefined && dueDate !== undefined && dueDate < (documentDate ?? dueDate);
  return {
    supplierName: body.supplier_name ?? text('vendor_name', 'merchant_name')?.slice(0, 200),
    supplierTaxNumber:
      body.supplier_tax_number ?? text('vendor_vat_number', 'vendor_tax_number', 'merchant_tax_number')?.slice(0, 60),
    supplierEmail: body.supplier_email,
    reference: body.invoice_number ?? text('invoice_number', 'receipt_number')?.slice(0, 200),
    documentDate,
    dueDate: isDueFirst ? undefined : dueDate,
    currency: body.currency ?? currencyOf(text('currency')),
    lines: body.lines ?? (read === null ? [] : linesOf(read)),
    shownTotal: numberOf(read, 'total'),
  };
}

/**
 * The lines that were read, where they make up the subtotal; else one line for the whole, so that the bill's total is
 * right.
 */
function linesOf(read: ReadInvoice): Record<string, unknown>[] {
  const total = numberOf(read, 'total');
  const tax = numberOf(read, 'tax');
  const subtotal = numberOf(read, 'subtotal') ?? (total === undefined ? undefined : total - (tax ?? 0));
  const rate = taxRateOf(read, subtotal, tax);
  const items = read.lineItems.map((item) => itemOf(item, rate));
  const complete = items.filter((item) => item !== undefined);
  const sum = complete.reduce((so, { quantity, unit_price }) => so + quantity * unit_price, 0);
  const areWhole =
    complete.length > 0 &&
    complete.length === read.lineItems.length &&
    (subtotal === undefined || Math.abs(sum - subtotal) <= TOLERANCE);
  if (areWhole) return complete.slice(0, 500);
  if (subtotal === undefined) return [];
  const number = firstText(read, ['invoice_number']);
  const description = number === undefined ? 'As invoiced' : `Invoice ${number}`;
  return [{ description, quantity: 1, unit_price: rounded(subtotal, 6), tax_rate: rate }];
}

interface BillLine extends Record<string, unknown> {
  quantity: number;
  unit_price: number;
}

function itemOf(item: ReadInvoice['lineItems'][number], rate: number): BillLine | undefined {
  const value = (name: string): number | undefined => finite(item[name]?.value);
  const description = item['description']?.value;
  const quantity = value('quantity') ?? 1;
  const total = value('total');
  const price = value('unit_price') ?? (total === undefined || quantity === 0 ? undefined : total / quantity);
  if (typeof description !== 'string' || description.trim() === '' || price === undefined || quantity < 0) {
    return undefined;
  }
  return {
    description: description.slice(0, 2_000),
    quantity: rounded(quantity, 6),
    unit_price: rounded(price, 6),
    tax_rate: rate,
  };
}

/** In percent: as shown, or as tax and subtotal make it. */
function taxRateOf(read: ReadInvoice, subtotal: number | undefined, tax: number | undefined): number {
  const shown = numberOf(read, 'tax_rate');
  const computed = tax === undefined || subtotal === undefined || subtotal <= 0 ? 0 : (tax / subtotal) * 100;
  const rate = shown ?? rounded(computed, 2);
  return rate >= 0 && rate <= 100 ? rounded(rate, 4) : 0;
}

function firstText(read: ReadInvoice | null, names: readonly string[]): string | undefined {
  const values = names.map((name) => read?.fields[name]?.value);
  return values.find((value): value is string => typeof value === 'string' && value.trim() !== '')?.trim();
}

function numberOf(read: ReadInvoice | null, name: string): number | undefined {
  return finite(read?.fields[name]?.value);
}

function finite(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function dayOf(text: string | undefined): string | undefined {
  return text !== undefined && DAY.test(text) ? text : undefined;
}

function currencyOf(text: string | undefined): string | undefined {
  return text !== undefined && /^[A-Z]{3}$/.test(text) ? text : undefined;
}

function rounded(value: number, places: number): number {
  return Number(value.toFixed(places));
}

import { createHash } from 'node:crypto';
import { isoMoment } from '../contracts/common.ts';
import type {
  DocumentType,
  FinanceDocumentData,
  FinanceDocumentSummaryData,
  FinanceLine,
} from '../contracts/finance.ts';
import { dueMinor, shownStatus, toRefundMinor } from './finance-documents.rules.ts';
import type { StoredStatus } from './finance-documents.rules.ts';
import { toMajor } from './money.ts';
import { sellerContent } from './seller.ts';
import type { Seller } from './seller.ts';
import type { TaxGroup } from './totals.ts';

/** Days leave the database as text: a Date would be midnight somewhere. */
export const COLUMNS = `id, client_id, document_type, document_number, sequence_number, status, contact_id, contact_name,
  contact_email, contact_phone, contact_address, contact_tax_number, document_date::text as document_date,
  due_date::text as due_date, currency, subtotal_minor, discount_minor, tax_minor, total_minor, paid_minor, credited_minor,
  tax_summary, reference, notes, terms, custom_fields, converted_from_type, converted_from_id, invoice_id, issued_at,
  issued_sha256, seller, created_at, updated_at`;

export const LINE_COLUMNS = `line_number, description, quantity, unit_price, discount_percent, tax_rate, item_code,
  account_code, discount_minor, net_minor, tax_minor`;

export interface DocumentRow extends Record<string, unknown> {
  id: number;
  client_id: number;
  document_type: DocumentType;
  document_number: string | null;
  sequence_number: number | null;
  status: StoredStatus;
  contact_id: number | null;
  contact_name: string;
  contact_email: string | null;
  contact_phone: string | null;
  contact_address: string | null;
  contact_tax_number: string | null;
  document_date: string;
  due_date: string | null;
  currency: string;
  subtotal_minor: number;
  discount_minor: number;
  tax_minor: number;
  total_minor: number;
  paid_minor: number;
  credited_minor: number;
  tax_summary: TaxGroup[];
  reference: string | null;
  notes: string | null;
  terms: string | null;
  custom_fields: Record<string, unknown>;
  converted_from_type: string | null;
  converted_from_id: number | null;
  invoice_id: number | null;
  issued_at: Date | null;
  issued_sha256: string | null;
  /** The client as it was at issue; null for a draft. */
  seller: Seller | null;
  created_at: Date;
  updated_at: Date;
}

/** A line as it is stored; decimals are text. */
export interface LineRow extends Record<string, unknown> {
  line_number: number;
  description: string;
  quantity: string;
  unit_price: string;
  discount_percent: string;
  tax_rate: string;
  item_code: string | null;
  account_code: string | null;
  discount_minor: number;
  net_minor: number;
  tax_minor: number;
}

/** A document as lists show it on a day. */
export function summaryOf(row: DocumentRow, today: string): FinanceDocumentSummaryData {
  const major = (minor: number): number => toMajor(minor, row.currency);
  return {
    id: row.id,
    document_type: row.document_type,
    document_number: row.document_number,
    status: shownStatus(row, today),
    client_id: row.client_id,
    contact_id: row.contact_id,
    contact_name: row.contact_name,
    contact_email: row.contact_email,
    contact_phone: row.contact_phone,
    contact_address: row.contact_address,
    contact_tax_number: row.contact_tax_number,
    document_date: row.document_date,
    due_date: row.due_date,
    currency: row.currency,
    subtotal: major(row.subtotal_minor),
    discount_total: major(row.discount_minor),
    tax_total: major(row.tax_minor),
    total: major(row.total_minor),
    amount_paid: major(row.paid_minor),
    amount_credited: major(row.credited_minor),
    amount_due: major(dueMinor(row)),
    amount_to_refund: major(toRefundMinor(row)),
    tax_summary: row.tax_summary.map((group) => ({
      tax_rate: Number(group.tax_rate),
      net_amount: major(group.net_minor),
      tax_amount: major(group.tax_minor),
    })),
    reference: row.reference,
    notes: row.notes,
    terms: row.terms,
    custom_fields: row.custom_fields,
    converted_from_type: row.converted_from_type,
    converted_from_id: row.converted_from_id,
    invoice_id: row.invoice_id,
    issued_at: isoMoment(row.issued_at),
    created_at: isoMoment(row.created_at),
    updated_at: isoMoment(row.updated_at),
  };
}

/** The whole document as it is shown on a day. */
export function documentOf(row: DocumentRow, lines: readonly LineRow[], today: string): FinanceDocumentData {
  return { ...summaryOf(row, today), lines: lines.map((line) => lineOf(line, row.currency)) };
}

function lineOf(row: LineRow, currency: string): FinanceLine {
  return {
    line_number: row.line_number,
    description: row.description,
    quantity: Number(row.quantity),
    unit_price: Number(row.unit_price),
    discount_percent: Number(row.discount_percent),
    tax_rate: Number(row.tax_rate),
    item_code: row.item_code,
    account_code: row.account_code,
    discount_amount: toMajor(row.discount_minor, currency),
    net_amount: toMajor(row.net_minor, currency),
    tax_amount: toMajor(row.tax_minor, currency),
    total_amount: toMajor(row.net_minor + row.tax_minor, currency),
  };
}

/** What an issued document says, and may never say otherwise. The list of fields is part of the digest: only add a new one. */
const ISSUED_FIELDS = [
  'document_type',
  'document_number',
  'contact_id',
  'contact_name',
  'contact_email',
  'contact_phone',
  'contact_address',
  'contact_tax_number',
  'document_date',
  'due_date',
  'currency',
  'subtotal',
  'discount_total',
  'tax_total',
  'total',
  'tax_summary',
  'reference',
  'notes',
  'terms',
  'custom_fields',
  'invoice_id',
  'issued_at',
  'lines',
] as const satisfies readonly (keyof FinanceDocumentData)[];

/** Digest of an issued document, stored beside it at issue: an edit behind the services' back shows (auditor export). */
export function contentDigest(document: FinanceDocumentData, seller: Seller | null): string {
  const fields: unknown[] = ISSUED_FIELDS.map((field) => document[field]);
  const sold = sellerContent(seller);
  const content = JSON.stringify(sold === undefined ? fields : [...fields, sold]);
  return createHash('sha256').update(content).digest('hex');
}

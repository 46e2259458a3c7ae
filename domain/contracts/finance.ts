import { z } from 'zod';
import {
  bigIdField,
  Day,
  dayField as day,
  idField as id,
  Moment,
  textField as text,
  windowFields,
  emailField,
} from './common.ts';
import { PAYMENT_METHODS, PaymentView, RefundView } from './payments.ts';

export const DOCUMENT_TYPES = ['quote', 'invoice', 'credit_note', 'bill', 'purchase_order', 'delivery_note'] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

/** `overdue` is what an unsettled invoice or bill shows once its due date has passed; the others are stored. */
export const DOCUMENT_STATUSES = [
  'draft',
  'issued',
  'partially_paid',
  'paid',
  'overdue',
  'converted',
  'cancelled',
] as const;
export type DocumentStatus = (typeof DOCUMENT_STATUSES)[number];

/** Types that money is paid for. */
export const PAYABLE_TYPES = ['quote', 'invoice', 'bill'] as const;

const MAX_LINES = 500;
const MAX_DECIMALS = 6;

const documentType = z.enum(DOCUMENT_TYPES).describe('Kind of document').meta({ example: 'invoice' });
const documentId = bigIdField('Integer id of the document, as its list action returns it').meta({ example: 512 });

/** A decimal of at most so many places. What is typed as 0.1 is 0.1: money is never computed with floats. */
const decimal = (min: number, max: number, places: number, description: string) =>
  z
    .number()
    .min(min)
    .max(max)
    .refine((value) => decimalsOf(value) <= places, `must have at most ${String(places)} decimals`)
    .describe(`${description}; at most ${String(places)} decimals`);

function decimalsOf(value: number): number {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  return Math.max(0, (mantissa.split('.')[1]?.length ?? 0) - Number(exponent));
}

const LineInput = z
  .strictObject({
    description: text(2000, 'What is sold, bought or delivered').meta({ example: 'Service of the north pump' }),
    quantity: decimal(0, 1_000_000_000, MAX_DECIMALS, 'How many').default(1).meta({ example: 2.5 }),
    unit_price: decimal(
      -1_000_000_000,
      1_000_000_000,
      MAX_DECIMALS,
      'Price of one, without tax; negative for a deduction',
    )
      .optional()
      .describe(
        'Price of one without tax, at most 6 decimals; negative for a deduction. Needed for every type but delivery_note',
      )
      .meta({ example: 450 }),
    discount_percent: decimal(0, 100, 4, 'Discount on the line in percent').default(0).meta({ example: 10 }),
    tax_rate: decimal(0, 100, 4, 'Tax in percent, added to the price').default(0).meta({ example: 15 }),
    item_code: text(60, 'Your code of the product or service').optional(),
    account_code: text(60, 'Account in your chart of accounts').optional(),
  })
  .describe('One line of the document');
export type LineInput = z.output<typeof LineInput>;

const lines = z
  .array(LineInput)
  .min(1)
  .max(MAX_LINES)
  .describe(`The lines in order, 1 to ${String(MAX_LINES)}; totals are computed from them`);

const customFields = z.record(z.string(), z.unknown()).describe('Any JSON of your own, at most 16 KiB');

export const CreateFinanceDocument = z.strictObject({
  document_type: documentType,
  contact_id: id(
    'The customer (for bills and purchase orders: the supplier), from list-contacts. Give this or contact_name',
  )
    .optional()
    .meta({ example: 7 }),
  contact_name: text(200, 'Name of somebody who is no contact record; instead of contact_id').optional(),
  contact_email: emailField('With contact_name: e-mail').optional(),
  contact_phone: text(40, 'With contact_name: phone number').optional(),
  contact_address: text(1000, 'With contact_name: postal address; lines are kept').optional(),
  contact_tax_number: text(60, 'With contact_name: tax registration number').optional(),
  document_date: day('Date of the document; today in your timezone by default').optional(),
  due_date: day('When it is to be paid; of a quote: until when it holds. Not before document_date')
    .optional()
    .meta({ example: '2026-12-21' }),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code in capitals')
    .describe('ISO 4217 code; the currency of your account by default')
    .optional()
    .meta({ example: 'ZAR' }),
  lines,
  reference: text(
    200,
    "The other side's number: a customer's order, a supplier's invoice. Of a credit_note the number of the invoice_id by default",
  ).optional(),
  notes: text(5000, 'Printed below the totals').optional(),
  terms: text(5000, 'Payment terms, printed last').optional(),
  invoice_id: bigIdField(
    'Only for credit_note: the issued invoice that it credits; its amount due goes down at issue',
  ).optional(),
  custom_fields: customFields.optional(),
});
export type CreateFinanceDocumentInput = z.output<typeof CreateFinanceDocument>;

const clearable = <T extends z.ZodType>(schema: T) => schema.nullable().optional();

export const UpdateFinanceDocument = z.strictObject({
  document_type: documentType,
  document_id: documentId,
  contact_id: id('Another contact, from list-contacts').optional(),
  contact_name: text(200, 'Name of somebody who is no contact record; replaces the contact').optional(),
  contact_email: clearable(emailField('E-mail; only where there is no contact_id. null clears it')),
  contact_phone: clearable(text(40, 'Phone number; only where there is no contact_id. null clears it')),
  contact_address: clearable(text(1000, 'Postal address; only where there is no contact_id. null clears it')),
  contact_tax_number: clearable(text(60, 'Tax number; only where there is no contact_id. null clears it')),
  document_date: day('Date of the document').optional(),
  due_date: clearable(day('When it is to be paid, or until when a quote holds. null clears it')),
  lines: lines.optional().describe('All lines anew: those that are there are replaced'),
  reference: clearable(text(200, "The other side's number. null clears it")).meta({ example: 'PO-7741' }),
  notes: clearable(text(5000, 'Printed below the totals. null clears it')),
  terms: clearable(text(5000, 'Payment terms. null clears it')),
  custom_fields: customFields.describe('Replaces all custom fields').optional(),
});
export type UpdateFinanceDocumentInput = z.output<typeof UpdateFinanceDocument>;

/** Names one document, for everything that is done with it as a whole. */
export const FinanceDocumentRef = z.strictObject({ document_type: documentType, document_id: documentId });
export type FinanceDocumentRefInput = z.output<typeof FinanceDocumentRef>;

export const CancelFinanceDocument = FinanceDocumentRef.extend({
  reason: text(500, 'Why; kept in the audit trail').optional(),
});
export type CancelFinanceDocumentInput = z.output<typeof CancelFinanceDocument>;

export const ConvertFinanceDocument = z.strictObject({
  source_type: documentType.describe('Type of the issued document to convert').meta({ example: 'quote' }),
  source_id: documentId.describe('Integer id of the document to convert'),
  target_type: documentType
    .describe(
      'quote becomes invoice or purchase_order; invoice becomes credit_note or delivery_note; purchase_order becomes bill',
    )
    .meta({ example: 'invoice' }),
  contact_id: id(
    "Contact of the new document, the source's by default: name the supplier where a quote becomes a purchase order",
  ).optional(),
  due_date: day('Due date of the new document; none by default').optional(),
});
export type ConvertFinanceDocumentInput = z.output<typeof ConvertFinanceDocument>;

export const RecordFinancePayment = z.strictObject({
  document_type: z.enum(PAYABLE_TYPES).describe('Kind of document that is paid').meta({ example: 'invoice' }),
  document_id: documentId,
  amount: z
    .number()
    .positive()
    .max(1_000_000_000_000)
    .describe("In major units of the document's currency, at most its amount_due")
    .meta({ example: 1150.5 }),
  payment_date: day('Day of the payment, at the latest tomorrow; today in your timezone by default').optional(),
  payment_method: z.enum(PAYMENT_METHODS).default('other').describe('How it was paid').meta({ example: 'eft' }),
  status: z
    .enum(['completed', 'failed'])
    .default('completed')
    .describe('failed keeps a payment that did not come through; it settles nothing'),
  failure_reason: text(500, 'Why it failed; only with status failed').optional(),
  reference: text(200, 'Reference of the bank or the payment provider').optional().meta({ example: 'FNB 20261121-77' }),
  notes: text(2000, 'Internal notes').optional(),
});
export type RecordFinancePaymentInput = z.output<typeof RecordFinancePayment>;

export const ListFinanceDocuments = z.strictObject({
  status: z
    .enum(DOCUMENT_STATUSES)
    .describe('Only documents with this status; overdue: invoices and bills past their due date and not settled')
    .optional(),
  contact_id: id('Only documents of this contact').optional(),
  date_from: day('Only documents dated on or after this day').optional(),
  date_to: day('Only documents dated on or before this day').optional(),
  search: text(
    100,
    'Only documents whose number, contact name or reference contain every word of this text; a word of one or two characters only where it begins one. Write a number as the document does, with its zeros (invoice 12 is INV-000012). Matches are counted up to 1,000',
  )
    .optional()
    .meta({ example: 'INV-000012' }),
  ...windowFields(100, 500),
});
/** Of the types that money is owed for. */
export const ListOwedDocuments = ListFinanceDocuments.extend({
  unpaid: z
    .boolean()
    .describe('true: only documents that still wait for money, whose status is issued, partially_paid or overdue')
    .optional()
    .meta({ example: true }),
});
export type ListFinanceDocumentsInput = z.output<typeof ListFinanceDocuments> & { unpaid?: boolean | undefined };

const amount = (description: string, example: number) => z.number().describe(description).meta({ example });

export const FinanceLineView = z
  .object({
    line_number: z.int().meta({ example: 1 }),
    description: z.string().meta({ example: 'Service of the north pump' }),
    quantity: amount('How many', 2.5),
    unit_price: amount('Price of one without tax', 450),
    discount_percent: amount('Discount in percent', 10),
    tax_rate: amount('Tax in percent', 15),
    item_code: z.string().nullable(),
    account_code: z.string().nullable(),
    discount_amount: amount('What the discount takes off', 112.5),
    net_amount: amount('After the discount, before tax', 1012.5),
    tax_amount: amount("The line's share of the tax of its rate", 151.88),
    total_amount: amount('net_amount and tax_amount together', 1164.38),
  })
  .meta({ id: 'FinanceDocumentLine' });
export type FinanceLine = z.output<typeof FinanceLineView>;

/** A document without its lines, as lists show it. */
export const FinanceDocumentSummary = z
  .object({
    id: z.int().describe('The document_id of other actions').meta({ example: 512 }),
    document_type: z.enum(DOCUMENT_TYPES).meta({ example: 'invoice' }),
    document_number: z
      .string()
      .nullable()
      .describe('Given at issue, without gaps per type; null for a draft')
      .meta({ example: 'INV-000001' }),
    status: z.enum(DOCUMENT_STATUSES).meta({ example: 'issued' }),
    client_id: z.int(),
    contact_id: z.int().nullable(),
    contact_name: z.string().meta({ example: 'Kruger Farms' }),
    contact_email: z.string().nullable(),
    contact_phone: z.string().nullable(),
    contact_address: z.string().nullable(),
    contact_tax_number: z.string().nullable(),
    document_date: Day,
    due_date: Day.nullable(),
    currency: z.string().describe('ISO 4217; all amounts are in its major units').meta({ example: 'ZAR' }),
    subtotal: amount('Sum of the lines after discounts, before tax', 1012.5),
    discount_total: amount('What the discounts took off', 112.5),
    tax_total: amount('Tax of all rates', 151.88),
    total: amount('subtotal and tax_total together', 1164.38),
    amount_paid: amount('Completed payments, less what was refunded of them', 0),
    amount_credited: amount('Issued credit notes against it', 0),
    amount_due: amount('What is still to be paid', 1164.38),
    amount_to_refund: amount(
      'What is owed to the other side because it was paid and then credited; refund-payment lowers it. total = amount_paid + amount_credited + amount_due - amount_to_refund',
      0,
    ),
    tax_summary: z
      .array(z.object({ tax_rate: z.number(), net_amount: z.number(), tax_amount: z.number() }))
      .describe('Per tax rate')
      .meta({ example: [{ tax_rate: 15, net_amount: 1012.5, tax_amount: 151.88 }] }),
    reference: z.string().nullable(),
    notes: z.string().nullable(),
    terms: z.string().nullable(),
    custom_fields: z.record(z.string(), z.unknown()),
    converted_from_type: z.string().nullable().describe('Type of the document that it was converted from'),
    converted_from_id: z.int().nullable(),
    invoice_id: z.int().nullable().describe('Of a credit note: the invoice that it credits'),
    issued_at: Moment.nullable(),
    created_at: Moment,
    updated_at: Moment,
  })
  .meta({ id: 'FinanceDocumentSummary' });
export type FinanceDocumentSummaryData = z.output<typeof FinanceDocumentSummary>;

/** A whole document, as single reads, changes and events show it. */
export const FinanceDocumentView = FinanceDocumentSummary.extend({ lines: z.array(FinanceLineView) }).meta({
  id: 'FinanceDocument',
});
export type FinanceDocumentData = z.output<typeof FinanceDocumentView>;

export const FinancePaymentOutcome = z.object({
  payment: PaymentView,
  document: FinanceDocumentView.describe('The document as the payment leaves it'),
});

export const FinanceRefundOutcome = z.object({
  refund: RefundView,
  payment: PaymentView.describe('The payment as the refund leaves it'),
  document: FinanceDocumentView.describe('The document as the refund leaves it'),
});

export const DeletedFinanceDocument = z.object({ id: z.int(), deleted: z.boolean() });

import { z } from 'zod';
import { bigIdField, Day, dayField, idField, Moment, textField as text, windowFields } from './common.ts';

/** Decisions §6. */
export const PAYMENT_STATUSES = ['pending', 'processing', 'completed', 'failed', 'refunded', 'cancelled'] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

export const PAYMENT_METHODS = ['card', 'eft', 'cash', 'wallet', 'other'] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

const paymentId = bigIdField('Integer id of the payment, from list-payments').meta({ example: 88 });

export const ListPayments = z.strictObject({
  status: z.enum(PAYMENT_STATUSES).describe('Only payments with this status').optional(),
  document_id: bigIdField('Only payments for this finance document').optional(),
  contact_id: idField('Only payments from or to this contact').optional(),
  date_from: dayField('Only payments made on or after this day, by payment_date').optional(),
  date_to: dayField('Only payments made on or before this day, by payment_date').optional(),
  ...windowFields(),
});
export type ListPaymentsInput = z.output<typeof ListPayments>;

export const GetPayment = z.strictObject({ payment_id: paymentId });

export const RefundPayment = z.strictObject({
  payment_id: paymentId,
  amount: z
    .number()
    .positive()
    .max(1_000_000_000_000)
    .describe(
      "How much to give back, in major units of the payment's currency: at most its amount less its refunded_amount. All that is left by default",
    )
    .optional()
    .meta({ example: 150 }),
  reason: text(500, 'Why the money goes back; kept in the audit trail').optional(),
});
export type RefundPaymentInput = z.output<typeof RefundPayment>;

/** A payment as every read, answer and event shows it. */
export const PaymentView = z
  .object({
    id: z.int().meta({ example: 88 }),
    client_id: z.int(),
    document_type: z
      .string()
      .nullable()
      .describe('Type of the finance document that it pays')
      .meta({ example: 'invoice' }),
    document_id: z.int().nullable().describe('The finance document that it pays').meta({ example: 512 }),
    contact_id: z.int().nullable(),
    amount: z.number().describe('In major units of the currency').meta({ example: 1150.5 }),
    currency: z.string().describe('ISO 4217').meta({ example: 'ZAR' }),
    status: z.enum(PAYMENT_STATUSES).meta({ example: 'completed' }),
    payment_method: z.enum(PAYMENT_METHODS).meta({ example: 'eft' }),
    payment_date: Day,
    reference: z.string().nullable(),
    notes: z.string().nullable(),
    failure_reason: z.string().nullable().describe('Of a failed payment'),
    refunded_amount: z
      .number()
      .describe('What was given back of it so far. The status stays completed until that is all of it')
      .meta({ example: 0 }),
    refunded_at: Moment.nullable().describe('When something of it was last given back'),
    created_at: Moment,
    updated_at: Moment,
  })
  .meta({ id: 'Payment' });
export type PaymentData = z.output<typeof PaymentView>;

/** What one refund gave back, as its answer and its event tell it. */
export const RefundView = z
  .object({
    amount: z.number().describe("What was given back this time, in major units of the payment's currency").meta({
      example: 150,
    }),
    reason: z.string().nullable().meta({ example: 'One pump was returned' }),
  })
  .meta({ id: 'Refund' });
export type RefundData = z.output<typeof RefundView>;

export const PaymentList = z.object({ payments: z.array(PaymentView) });

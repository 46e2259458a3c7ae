import { isoMoment } from '../contracts/common.ts';
import type { PaymentData, PaymentMethod, PaymentStatus } from '../contracts/payments.ts';
import { toMajor } from './money.ts';

export const PAYMENT_COLUMNS = `id, client_id, document_type, document_id, contact_id, amount_minor, currency, status,
  payment_method, payment_date::text as payment_date, reference, notes, failure_reason, refunded_minor, refunded_at,
  created_at, updated_at`;

export interface PaymentRow extends Record<string, unknown> {
  id: number;
  client_id: number;
  document_type: string | null;
  document_id: number | null;
  contact_id: number | null;
  amount_minor: number;
  currency: string;
  status: PaymentStatus;
  payment_method: PaymentMethod;
  payment_date: string;
  reference: string | null;
  notes: string | null;
  failure_reason: string | null;
  refunded_minor: number;
  refunded_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

/** A payment as every read, answer and event shows it. */
export function paymentOf(row: PaymentRow): PaymentData {
  return {
    id: row.id,
    client_id: row.client_id,
    document_type: row.document_type,
    document_id: row.document_id,
    contact_id: row.contact_id,
    amount: toMajor(row.amount_minor, row.currency),
    currency: row.currency,
    status: row.status,
    payment_method: row.payment_method,
    payment_date: row.payment_date,
    reference: row.reference,
    notes: row.notes,
    failure_reason: row.failure_reason,
    refunded_amount: toMajor(row.refunded_minor, row.currency),
    refunded_at: isoMoment(row.refunded_at),
    created_at: isoMoment(row.created_at),
    updated_at: isoMoment(row.updated_at),
  };
}

import { isoMoment } from '../contracts/common.ts';
import type { ReceiptDetailData, ReceiptSummaryData } from '../contracts/inbound-webhooks.ts';

/** Columns of `inbound_receipts` that make a {@link ReceiptSummaryData}. */
export const COLUMNS = `receipt_id, webhook_id, webhook_type, status, error_message, result, idempotency_key, message_id,
  body_bytes, processing_round, received_at, processed_at`;

export type ReceiptRow = Omit<ReceiptSummaryData, 'id' | 'inbound_webhook_id' | 'received_at' | 'processed_at'> & {
  receipt_id: string;
  webhook_id: string;
  received_at: Date;
  processed_at: Date | null;
};

export interface ReceiptDetailRow extends ReceiptRow, Record<string, unknown> {
  headers: Record<string, string>;
  body: Buffer;
  source_address: string | null;
}

export function summaryOf(row: ReceiptRow): ReceiptSummaryData {
  return {
    id: row.receipt_id,
    inbound_webhook_id: row.webhook_id,
    webhook_type: row.webhook_type,
    status: row.status,
    error_message: row.error_message,
    result: row.result,
    idempotency_key: row.idempotency_key,
    message_id: row.message_id,
    body_bytes: row.body_bytes,
    processing_round: row.processing_round,
    received_at: isoMoment(row.received_at),
    processed_at: isoMoment(row.processed_at),
  };
}

export function detailOf(row: ReceiptDetailRow): ReceiptDetailData {
  const raw = row.body.toString('utf8');
  const { headers, source_address } = row;
  return { ...summaryOf(row), body: parsed(raw), headers, raw_body: raw, source_address };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

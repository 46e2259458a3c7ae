import { createHash } from 'node:crypto';
import { audit } from '../audit/index.ts';
import type { Caller } from '../contracts/caller.ts';
import type { FinanceDocumentData } from '../contracts/finance.ts';
import type { PaymentData, RefundData } from '../contracts/payments.ts';
import { recordEvent } from '../events/index.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';

export type Changes = Record<string, { from: unknown; to: unknown }>;

/** The kind of record by which the audit trail knows finance documents; their id is the subject's. */
const AUDIT_SUBJECT = 'finance_document';

interface Announcement {
  document: FinanceDocumentData;
  changes?: Changes;
  /** What the audit trail keeps beside the changes. */
  details?: Record<string, unknown>;
}

/** Writes the audit row and the event of one move of a document, in the transaction of the move. */
export function announce(
  tx: TenantTransaction,
  caller: Caller,
  move: 'created' | 'updated' | 'issued' | 'converted',
  { document, changes, details }: Announcement,
): void {
  const name = `${document.document_type}.${move}`;
  note(tx, caller, name, { document, ...(changes && { changes }), ...(details && { details }) });
  recordEvent(tx, { name, data: { document, ...(changes && { changes }) } });
}

/** The audit row alone, for a move that has an event of another kind or none. */
export function note(
  tx: TenantTransaction,
  caller: Caller,
  action: string,
  { document, changes, details }: Announcement,
): void {
  const { document_number, total, currency } = document;
  audit(tx, caller, {
    action,
    subjectType: AUDIT_SUBJECT,
    subjectId: String(document.id),
    details: briefly({ document_number, total, currency, ...details, ...(changes && { changes }) }),
  });
}

/** The audit row and the event of a payment itself; `refund`: what was given back of it just now. */
export function announcePayment(
  tx: TenantTransaction,
  caller: Caller,
  name: 'payment.received' | 'payment.failed' | 'payment.refunded',
  told: { payment: PaymentData; document: FinanceDocumentData; refund?: RefundData },
): void {
  const { id, amount, currency, document_type, document_id, failure_reason, refunded_amount } = told.payment;
  const { refund } = told;
  const given = refund && { refund_amount: refund.amount, refunded_amount, reason: refund.reason };
  audit(tx, caller, {
    action: name,
    subjectType: 'payment',
    subjectId: String(id),
    details: { amount, currency, document_type, document_id, failure_reason, ...given },
  });
  recordEvent(tx, { name, data: told });
}

/** Lists of a draft's lines that are longer stand in the trail as their number and digest: it is kept for good. */
const MAX_NOTED_LINES_BYTES = 16_384;

function briefly(details: Record<string, unknown>): Record<string, unknown> {
  const short = (value: unknown): unknown => {
    const text = JSON.stringify(value);
    if (!Array.isArray(value) || text.length <= MAX_NOTED_LINES_BYTES) return value;
    return { count: value.length, sha256: createHash('sha256').update(text).digest('hex') };
  };
  const { changes, document } = details as { changes?: Changes; document?: FinanceDocumentData };
  const { lines } = changes ?? {};
  return {
    ...details,
    ...(document && { document: { ...document, lines: short(document.lines) } }),
    ...(changes && lines && { changes: { ...changes, lines: { from: short(lines.from), to: short(lines.to) } } }),
  };
}

/** The fields that differ between two states of a document, except those that every change touches. */
export function changesBetween(before: FinanceDocumentData, after: FinanceDocumentData): Changes {
  const changed = (Object.keys(after) as (keyof FinanceDocumentData)[]).filter(
    (field) => field !== 'updated_at' && JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );
  return Object.fromEntries(changed.map((field) => [field, { from: before[field], to: after[field] }]));
}

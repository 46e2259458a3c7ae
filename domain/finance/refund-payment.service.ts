import type { Caller } from '../contracts/caller.ts';
import { ApiError } from '../contracts/errors.ts';
import type { FinanceDocumentData } from '../contracts/finance.ts';
import { DOCUMENT_TYPES } from '../contracts/finance.ts';
import type { PaymentData, RefundData, RefundPaymentInput } from '../contracts/payments.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { checkAccess } from './access.ts';
import { announcePayment, note } from './announce.ts';
import { lockDocument } from './find.ts';
import { minorOf, toMajor } from './money.ts';
import { paymentRow } from './payment-reads.ts';
import { PAYMENT_COLUMNS, paymentOf } from './payment.view.ts';
import type { PaymentRow } from './payment.view.ts';
import { settle } from './settle.ts';

const REFUND = statement(`
  update payments set refunded_minor = refunded_minor + $3::bigint, refunded_at = $4, updated_at = now(),
    status = case when refunded_minor + $3::bigint = amount_minor then 'refunded' else status end
  where client_id = $1 and id = $2 returning ${PAYMENT_COLUMNS}`);

/** What was given back, and the payment and its document as that leaves them. */
export interface RefundOutcome {
  refund: RefundData;
  payment: PaymentData;
  document: FinanceDocumentData;
}

/** Gives back what is left of a completed payment, or a part of it: that much of its document is due again. */
export async function refundPayment(
  tx: TenantTransaction,
  caller: Caller,
  { input, now }: { input: RefundPaymentInput; now: number },
): Promise<RefundOutcome> {
  const found = await paymentRow(tx, input.payment_id);
  const type = DOCUMENT_TYPES.find((known) => known === found.document_type);
  if (type === undefined || found.document_id === null) {
    throw ApiError.unprocessable('This payment belongs to no finance document and can’t be refunded here.');
  }
  checkAccess(caller, type, 'write');
  // Always the document first: whatever changes a payment holds it, so that what is read from here on stays.
  const row = await lockDocument(tx, { document_type: type, document_id: found.document_id });
  const before = await paymentRow(tx, found.id);
  checkRefundable(before, found);
  const amount = amountOf(before, input.amount);
  const [refunded] = await tx.query<PaymentRow>(REFUND, [tx.clientId, found.id, amount, new Date(now)]);
  if (refunded === undefined) throw new Error('update of a payment that was just read found no row');
  const { document, changes } = await settle(tx, caller, { row, to: { paid_minor: row.paid_minor - amount }, now });
  const refund = { amount: toMajor(amount, row.currency), reason: input.reason ?? null };
  const payment = paymentOf(refunded);
  announcePayment(tx, caller, 'payment.refunded', { payment, document, refund });
  note(tx, caller, `${type}.payment_refunded`, {
    document,
    changes,
    details: { payment_id: payment.id, refund_amount: refund.amount },
  });
  return { refund, payment, document };
}

/** Its quote may have become an invoice since it was looked up, and taken it along. */
function checkRefundable({ status, document_id }: PaymentRow, found: PaymentRow): void {
  if (status !== 'completed') {
    throw new ApiError('CONFLICT', `Only a completed payment can be refunded, and this one is ${status}.`);
  }
  if (document_id === found.document_id) return;
  const message = 'This payment has just gone over to the document that its quote became: try again.';
  throw new ApiError('CONFLICT', message);
}

function amountOf({ amount_minor, refunded_minor, currency }: PaymentRow, wanted: number | undefined): number {
  const left = amount_minor - refunded_minor;
  if (wanted === undefined) return left;
  const minor = minorOf(wanted, currency);
  if (minor <= left) return minor;
  const words = String(toMajor(left, currency));
  throw ApiError.unprocessable(`Of this payment no more than ${words} ${currency} can be refunded.`, [
    { field: 'amount', issue: `must be at most ${words}` },
  ]);
}

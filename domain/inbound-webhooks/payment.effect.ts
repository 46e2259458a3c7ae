import { ApiError } from '../contracts/errors.ts';
import type { PaymentBody } from '../contracts/inbound-bodies.ts';
import { RecordFinancePayment } from '../contracts/finance.ts';
import { findDocumentByNumber, getFinanceDocument, recordFinancePayment } from '../finance/index.ts';
import type { Effect, EffectContext } from './effect.ts';

/** A payment for a quote, invoice or bill, which is paid once nothing is due any more. */
export function paymentEffect(context: EffectContext, body: PaymentBody): Effect {
  return {
    key: `payment:${body.status}:${body.transaction_id}`,
    apply: async () => {
      const { tx, caller, now } = context;
      const found = await documentOf(context, body);
      if (body.currency !== undefined && body.currency !== found.currency) {
        throw ApiError.invalid('currency', `the document is in ${found.currency}`);
      }
      const input = RecordFinancePayment.parse({
        document_type: body.document_type,
        document_id: found.id,
        amount: body.amount,
        payment_date: body.payment_date,
        payment_method: body.payment_method,
        status: body.status,
        failure_reason: body.failure_reason,
        reference: body.transaction_id,
        notes: body.payer_name === undefined ? undefined : `Paid by ${body.payer_name}`,
      });
      const { payment, document } = await recordFinancePayment(tx, caller, { input, now });
      return {
        payment_id: payment.id,
        document_type: document.document_type,
        document_id: document.id,
        document_number: document.document_number,
        document_status: document.status,
        amount_due: document.amount_due,
      };
    },
  };
}

async function documentOf(
  { tx, caller, now }: EffectContext,
  { document_type: type, document_id, document_number }: PaymentBody,
): Promise<{ id: number; currency: string }> {
  if (document_id !== undefined) {
    return getFinanceDocument(tx, caller, { ref: { document_type: type, document_id }, now });
  }
  const number = document_number ?? '';
  const found = await findDocumentByNumber(tx, type, number);
  if (found === undefined) throw ApiError.invalid('document_number', `there is no ${type} ${number}`);
  return found;
}

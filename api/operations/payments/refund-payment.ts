import { FinanceRefundOutcome, PAYABLE_TYPES } from '../../../domain/contracts/finance.ts';
import { RefundPayment } from '../../../domain/contracts/payments.ts';
import { refundPayment } from '../../../domain/finance/index.ts';
import { operation } from '../../operation.ts';
import { financeScopes } from '../finance/finance-scopes.ts';

export const refundPaymentOperation = operation({
  name: 'refund-payment',
  title: 'Refund a payment',
  description:
    'Notes that a completed payment was given back, as a whole or in part: that much is due again on the document that it paid. Several partial refunds add up in refunded_amount; more than the payment is refused (422), and its status becomes refunded when all of it is back. It moves no money. Find the payment with list-payments. Returns the refund, the payment and the document. A payment that is not completed, or wholly refunded already, is 409 CONFLICT. Send an Idempotency-Key so that a retry does not refund twice. The scope must be that of the document’s type (invoices:write for an invoice).',
  area: 'Payments',
  scopes: financeScopes('write', PAYABLE_TYPES),
  input: RefundPayment,
  output: FinanceRefundOutcome,
  effects: 'destructive',
  action: true,
  errors: ['TIER_RESTRICTED', 'NOT_FOUND', 'CONFLICT', 'UNPROCESSABLE_ENTITY'],
  run: async ({ caller, tx, services }, input) => ({
    data: await refundPayment(tx, caller, { input, now: services.clock.now() }),
  }),
});

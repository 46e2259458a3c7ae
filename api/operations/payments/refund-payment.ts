import { FinancePaymentOutcome, PAYABLE_TYPES } from '../../../domain/contracts/finance.ts';
import { RefundPayment } from '../../../domain/contracts/payments.ts';
import { refundPayment } from '../../../domain/finance/index.ts';
import { operation } from '../../operation.ts';
import { financeScopes } from '../finance/finance-scopes.ts';

export const refundPaymentOperation = operation({
  name: 'refund-payment',
  title: 'Mark a payment as refunded',
  description:
    'Marks a completed payment as given back, as a whole: its amount is due again on the document that it paid. It moves no money. Find the payment with list-payments. Returns the payment and the document. A payment that is not completed, or refunded already, is 409 CONFLICT. The scope must be that of the document’s type (invoices:write for an invoice).',
  area: 'Payments',
  scopes: financeScopes('write', PAYABLE_TYPES),
  input: RefundPayment,
  output: FinancePaymentOutcome,
  effects: 'destructive',
  action: true,
  errors: ['TIER_RESTRICTED', 'NOT_FOUND', 'CONFLICT', 'UNPROCESSABLE_ENTITY'],
  run: async ({ caller, tx, services }, input) => ({
    data: await refundPayment(tx, caller, { input, now: services.clock.now() }),
  }),
});

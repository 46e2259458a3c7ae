import { FinancePaymentOutcome, PAYABLE_TYPES, RecordFinancePayment } from '../../../domain/contracts/finance.ts';
import { recordFinancePayment } from '../../../domain/finance/index.ts';
import { operation } from '../../operation.ts';
import { financeScopes } from '../finance/finance-scopes.ts';

export const recordFinancePaymentOperation = operation({
  name: 'record-finance-payment',
  title: 'Record a payment',
  description:
    'Records money received for an issued quote or invoice, or paid for an issued bill. Payments may be partial; more than the amount_due is refused (422). When nothing is due any more the document becomes paid and the event invoice.paid (quote.paid, bill.paid) is sent. It moves no money. Returns the payment and the document. Send an Idempotency-Key so that a retry does not record it twice. The scope must be that of the document_type.',
  area: 'Payments',
  scopes: financeScopes('write', PAYABLE_TYPES),
  input: RecordFinancePayment,
  output: FinancePaymentOutcome,
  effects: 'write',
  action: true,
  errors: ['TIER_RESTRICTED', 'NOT_FOUND', 'UNPROCESSABLE_ENTITY'],
  run: async ({ caller, tx, services }, input) => ({
    data: await recordFinancePayment(tx, caller, { input, now: services.clock.now() }),
  }),
});

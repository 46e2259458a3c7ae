import { GetPayment, PaymentView } from '../../../domain/contracts/payments.ts';
import { getPayment } from '../../../domain/finance/index.ts';
import { operation } from '../../operation.ts';

export const getPaymentOperation = operation({
  name: 'get-payment',
  title: 'Get a payment',
  description: 'Returns one payment by its id. list-payments finds it by status, document, contact or day.',
  area: 'Payments',
  scopes: ['payments:read'],
  input: GetPayment,
  output: PaymentView,
  effects: 'read',
  action: true,
  route: { method: 'get', path: '/api/v1/payments/{payment_id}', auth: ['jwt', 'oauth'], params: ['payment_id'] },
  errors: ['NOT_FOUND'],
  run: async ({ tx }, { payment_id }) => ({ data: await getPayment(tx, payment_id) }),
});

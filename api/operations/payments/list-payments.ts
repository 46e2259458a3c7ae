import { ListPayments, PaymentList } from '../../../domain/contracts/payments.ts';
import { listPayments } from '../../../domain/finance/index.ts';
import { operation } from '../../operation.ts';

export const listPaymentsOperation = operation({
  name: 'list-payments',
  title: 'List payments',
  description:
    'Lists payments, newest first, optionally only those with one status, for one finance document, of one contact, or made within a range of days.',
  area: 'Payments',
  scopes: ['payments:read'],
  input: ListPayments,
  output: PaymentList,
  paginated: true,
  effects: 'read',
  action: true,
  route: { method: 'get', path: '/api/v1/payments', auth: ['jwt', 'oauth'], unwrap: 'payments' },
  run: async ({ tx }, input) => {
    const { payments, pagination } = await listPayments(tx, input);
    return { data: { payments }, pagination };
  },
});

import type { Operation } from '../../operation.ts';
import { getPaymentOperation } from './get-payment.ts';
import { listPaymentsOperation } from './list-payments.ts';
import { recordFinancePaymentOperation } from './record-finance-payment.ts';
import { refundPaymentOperation } from './refund-payment.ts';

export const paymentOperations: readonly Operation[] = [
  recordFinancePaymentOperation,
  refundPaymentOperation,
  getPaymentOperation,
  listPaymentsOperation,
];

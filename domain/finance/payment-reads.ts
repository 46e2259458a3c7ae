import type { Page } from '../contracts/common.ts';
import { ApiError } from '../contracts/errors.ts';
import type { ListPaymentsInput, PaymentData } from '../contracts/payments.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { filteredList } from './filtered-list.ts';
import type { Filter } from './filtered-list.ts';
import { PAYMENT_COLUMNS, paymentOf } from './payment.view.ts';
import type { PaymentRow } from './payment.view.ts';

const GET = statement(`select ${PAYMENT_COLUMNS} from payments where client_id = $1 and id = $2`);
const LAST = statement(`
  select ${PAYMENT_COLUMNS} from payments
  where client_id = $1 and document_id = $2 and status = 'completed' order by id desc limit 1`);

export async function getPayment(tx: TenantTransaction, paymentId: number): Promise<PaymentData> {
  return paymentOf(await paymentRow(tx, paymentId));
}

/** 404 for another client's. */
export async function paymentRow(tx: TenantTransaction, paymentId: number): Promise<PaymentRow> {
  const [row] = await tx.query<PaymentRow>(GET, [tx.clientId, paymentId]);
  if (row === undefined) throw ApiError.notFound('payment', paymentId);
  return row;
}

/** Newest first. */
export async function listPayments(
  tx: TenantTransaction,
  input: ListPaymentsInput,
): Promise<{ payments: PaymentData[]; pagination: Page }> {
  const from = { table: 'payments', columns: PAYMENT_COLUMNS };
  const filters: Filter[] = [
    ['status = ?', input.status],
    ['document_id = ?', input.document_id],
    ['contact_id = ?', input.contact_id],
    ['payment_date >= ?', input.date_from],
    ['payment_date <= ?', input.date_to],
  ];
  const { rows, pagination } = await filteredList<PaymentRow>(tx, from, { filters, window: input });
  return { payments: rows.map(paymentOf), pagination };
}

/** The last payment that came through for a document. */
export async function lastPaymentOf(tx: TenantTransaction, documentId: number): Promise<PaymentData | null> {
  const [row] = await tx.query<PaymentRow>(LAST, [tx.clientId, documentId]);
  return row === undefined ? null : paymentOf(row);
}

import { Temporal } from 'temporal-polyfill';
import type { Caller } from '../contracts/caller.ts';
import { ApiError } from '../contracts/errors.ts';
import type { FinanceDocumentData, RecordFinancePaymentInput } from '../contracts/finance.ts';
import type { PaymentData } from '../contracts/payments.ts';
import { recordEvent } from '../events/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { checkAccess } from './access.ts';
import { announcePayment, note } from './announce.ts';
import { documentOf } from './finance-document.view.ts';
import type { DocumentRow } from './finance-document.view.ts';
import { dueMinor, OPEN_STATUSES } from './finance-documents.rules.ts';
import { linesOf, lockDocument } from './find.ts';
import { minorOf, toMajor, toMinor } from './money.ts';
import { PAYMENT_COLUMNS, paymentOf } from './payment.view.ts';
import type { PaymentRow } from './payment.view.ts';
import { settle } from './settle.ts';
import { todayOf } from './today.ts';

const INSERT = statement(`
  insert into payments (client_id, document_type, document_id, contact_id, amount_minor, currency, status, payment_method,
    payment_date, reference, notes, failure_reason, created_by_type, created_by_id)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) returning ${PAYMENT_COLUMNS}`);

/** A payment and the document as it leaves it. */
export interface PaymentOutcome {
  payment: PaymentData;
  document: FinanceDocumentData;
}

/** Records a payment for a document. Its row is locked first, so that payments at once never exceed what is due. */
export async function recordFinancePayment(
  tx: TenantTransaction,
  caller: Caller,
  { input, now }: { input: RecordFinancePaymentInput; now: number },
): Promise<PaymentOutcome> {
  checkAccess(caller, input.document_type, 'write');
  if (input.failure_reason !== undefined && input.status !== 'failed') {
    throw ApiError.invalid('failure_reason', 'only a failed payment has one');
  }
  checkDay(input.payment_date, todayOf(caller, now));
  const row = await lockDocument(tx, input);
  const amount = amountOf(row, input);
  const hasFailed = input.status === 'failed';
  if (!hasFailed) checkAmount(row, amount);
  const payment = await insertPayment(tx, caller, { row, input, amount, today: todayOf(caller, now) });
  if (hasFailed) {
    const document = documentOf(row, await linesOf(tx, row.id), todayOf(caller, now));
    announcePayment(tx, caller, 'payment.failed', { payment, document });
    return { payment, document };
  }
  const to = { paid_minor: row.paid_minor + amount };
  const { document, changes, becamePaid } = await settle(tx, caller, { row, to, now });
  announcePayment(tx, caller, 'payment.received', { payment, document });
  note(tx, caller, `${row.document_type}.${becamePaid ? 'paid' : 'payment_recorded'}`, {
    document,
    changes,
    details: { payment_id: payment.id },
  });
  if (becamePaid) recordEvent(tx, { name: `${row.document_type}.paid`, data: { document, payment } });
  return { payment, document };
}

/** Records what the client is to pay to the platform itself, for no finance document. */
export async function recordPendingPayment(
  tx: TenantTransaction,
  caller: Caller,
  { amount, currency, reference, now }: { amount: number; currency: string; reference: string; now: number },
): Promise<PaymentData> {
  const minor = toMinor(amount, currency);
  if (minor === undefined) throw new Error(`${String(amount)} is no amount of ${currency}`);
  const input = { status: 'pending', payment_method: 'other', reference } as const;
  const row = { document_type: null, id: null, contact_id: null, currency };
  return insertPayment(tx, caller, { row, input, amount: minor, today: todayOf(caller, now) });
}

function amountOf(row: DocumentRow, { amount }: RecordFinancePaymentInput): number {
  const minor = minorOf(amount, row.currency);
  if (row.status === 'draft') throw ApiError.unprocessable('A draft can’t be paid: issue it first.');
  return minor;
}

/** A payment was made when it is recorded. One day more, because the payer's clock may be ahead of the client's. */
function checkDay(day: string | undefined, today: string): void {
  const last = Temporal.PlainDate.from(today).add({ days: 1 }).toString();
  if (day !== undefined && day > last) throw ApiError.invalid('payment_date', `must not be after tomorrow, ${last}`);
}

function checkAmount(row: DocumentRow, amount: number): void {
  if (!OPEN_STATUSES.includes(row.status)) {
    throw ApiError.unprocessable(`${row.document_number ?? 'This document'} is ${row.status}: nothing is to be paid.`);
  }
  const due = dueMinor(row);
  if (amount <= due) return;
  const words = String(toMajor(due, row.currency));
  throw ApiError.unprocessable(`The amount is more than the ${words} ${row.currency} that are still due.`, [
    { field: 'amount', issue: `must be at most ${words}` },
  ]);
}

interface PaidRow {
  document_type: string | null;
  id: number | null;
  contact_id: number | null;
  currency: string;
}

type PaymentFacts = Pick<RecordFinancePaymentInput, 'payment_date' | 'reference' | 'notes' | 'failure_reason'> &
  Pick<PaymentData, 'status' | 'payment_method'>;

async function insertPayment(
  tx: TenantTransaction,
  caller: Caller,
  from: { row: PaidRow; input: PaymentFacts; amount: number; today: string },
): Promise<PaymentData> {
  const { row, input, amount, today } = from;
  const [payment] = await tx.query<PaymentRow>(INSERT, [
    tx.clientId,
    row.document_type,
    row.id,
    row.contact_id,
    amount,
    row.currency,
    input.status,
    input.payment_method,
    input.payment_date ?? today,
    input.reference ?? null,
    input.notes ?? null,
    input.failure_reason ?? null,
    caller.actor.type,
    caller.actor.id,
  ]);
  if (payment === undefined) throw new Error('insert into payments returned no row');
  return paymentOf(payment);
}

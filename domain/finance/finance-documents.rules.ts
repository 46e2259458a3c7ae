import type { DocumentStatus, DocumentType } from '../contracts/finance.ts';

/** What is stored: `overdue` follows from the date. */
export type StoredStatus = Exclude<DocumentStatus, 'overdue'>;

const PREFIX: Readonly<Record<DocumentType, string>> = {
  quote: 'QUO',
  invoice: 'INV',
  credit_note: 'CN',
  bill: 'BILL',
  purchase_order: 'PO',
  delivery_note: 'DN',
};

/** `INV-000001` for the first invoice of a client. */
export function documentNumber(type: DocumentType, sequence: number): string {
  return `${PREFIX[type]}-${String(sequence).padStart(6, '0')}`;
}

/** What each type can be converted to (decisions §5). */
export const CONVERSIONS: Readonly<Record<DocumentType, readonly DocumentType[]>> = {
  quote: ['invoice', 'purchase_order'],
  invoice: ['credit_note', 'delivery_note'],
  purchase_order: ['bill'],
  credit_note: [],
  bill: [],
  delivery_note: [],
};

/** Documents that are over once they are converted. An invoice stays what it is: to be paid. */
export function endsWhenConverted(type: DocumentType): boolean {
  return type === 'quote' || type === 'purchase_order';
}

/** Those that no tax authority asks for may be called off after issue; an invoice is undone by a credit note. */
export const CANCELLABLE_TYPES: readonly DocumentType[] = ['quote', 'purchase_order', 'delivery_note', 'bill'];

/** What money is owed for once it is issued. */
const IS_OWED: readonly DocumentType[] = ['invoice', 'bill'];

/** Statuses of a document that waits for money. */
export const OPEN_STATUSES: readonly StoredStatus[] = ['issued', 'partially_paid'];

interface Standing {
  document_type: DocumentType;
  status: StoredStatus;
  due_date: string | null;
  total_minor: number;
  paid_minor: number;
  credited_minor: number;
}

/** What is still to be paid; nothing once a credit note has taken off what was paid already. */
export function dueMinor({
  total_minor,
  paid_minor,
  credited_minor,
}: Omit<Standing, 'status' | 'due_date' | 'document_type'>): number {
  return Math.max(0, total_minor - paid_minor - credited_minor);
}

/** What the other side is owed: paid, and then credited. Giving it back (refund-payment) makes it less. */
export function toRefundMinor({
  total_minor,
  paid_minor,
  credited_minor,
}: Omit<Standing, 'status' | 'due_date' | 'document_type'>): number {
  return Math.max(0, paid_minor + credited_minor - total_minor);
}

/** The status that payments and credits leave an issued document in; one that has ended stays ended. */
export function settledStatus(document: Standing): StoredStatus {
  const { status, total_minor: total, paid_minor: paid, credited_minor: credited } = document;
  if (status === 'draft' || status === 'converted' || status === 'cancelled') return status;
  // Nothing to pay is paid, as from the first day; of a quote that would say that it was taken up.
  if (total === 0) return IS_OWED.includes(document.document_type) ? 'paid' : status;
  if (credited >= total) return 'cancelled';
  if (paid + credited >= total) return 'paid';
  return paid + credited > 0 ? 'partially_paid' : 'issued';
}

/** The status as it is shown on a day. Days are ISO texts and compare as such. */
export function shownStatus(document: Standing, today: string): DocumentStatus {
  const isLate = document.due_date !== null && document.due_date < today && dueMinor(document) > 0;
  const canBeLate = IS_OWED.includes(document.document_type) && OPEN_STATUSES.includes(document.status);
  return isLate && canBeLate ? 'overdue' : document.status;
}

/** Statuses that a document which waits for money shows. */
export const UNPAID_STATUSES: readonly DocumentStatus[] = [...OPEN_STATUSES, 'overdue'];

/** The stored rows that show a status: which statuses, and whether past their due date or not (null: either). */
export function rowsOfStatus(
  type: DocumentType,
  status: DocumentStatus,
): { statuses: readonly StoredStatus[]; isLate: boolean | null } {
  const canBeLate = IS_OWED.includes(type);
  if (status === 'overdue') return { statuses: canBeLate ? OPEN_STATUSES : [], isLate: true };
  return { statuses: [status], isLate: canBeLate && OPEN_STATUSES.includes(status) ? false : null };
}

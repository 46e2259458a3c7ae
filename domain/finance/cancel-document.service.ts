import type { Caller } from '../contracts/caller.ts';
import { ApiError } from '../contracts/errors.ts';
import type { CancelFinanceDocumentInput, FinanceDocumentData } from '../contracts/finance.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { checkAccess } from './access.ts';
import { announce } from './announce.ts';
import type { DocumentRow } from './finance-document.view.ts';
import { CANCELLABLE_TYPES } from './finance-documents.rules.ts';
import { lockDocument } from './find.ts';
import { settle } from './settle.ts';

/** Calls an issued document off. It keeps its number, so that none is missing. */
export async function cancelFinanceDocument(
  tx: TenantTransaction,
  caller: Caller,
  { input, now }: { input: CancelFinanceDocumentInput; now: number },
): Promise<FinanceDocumentData> {
  checkAccess(caller, input.document_type, 'write');
  const row = await lockDocument(tx, input);
  checkCancellable(row);
  const { document, changes } = await settle(tx, caller, { row, to: { status: 'cancelled' }, now });
  const details = input.reason === undefined ? {} : { details: { reason: input.reason } };
  announce(tx, caller, 'updated', { document, changes, ...details });
  return document;
}

function checkCancellable({ document_type: type, status, paid_minor }: DocumentRow): void {
  if (type === 'invoice')
    throw ApiError.unprocessable('An issued invoice is cancelled by a credit note: convert it to one.');
  if (!CANCELLABLE_TYPES.includes(type)) throw ApiError.unprocessable(`A ${type} can’t be cancelled.`);
  if (status === 'draft') throw ApiError.unprocessable('A draft is not cancelled but deleted.');
  if (paid_minor > 0) throw ApiError.unprocessable('It has payments: refund them first.');
  if (status !== 'issued') throw new ApiError('CONFLICT', `This document is ${status} already.`);
}

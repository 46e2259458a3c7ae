import { ApiError } from '../contracts/errors.ts';
import { CreateFinanceDocument } from '../contracts/finance.ts';
import type { CreateFinanceDocumentInput } from '../contracts/finance.ts';
import type { SupplierInvoiceBody } from '../contracts/inbound-bodies.ts';
import { issueWords } from '../contracts/issue-words.ts';
import { findContactIdByTaxNumber, findContactIdsByEmail } from '../contacts/index.ts';
import { createFinanceDocument } from '../finance/index.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { draftBill } from './bill.rules.ts';
import type { DraftBill } from './bill.rules.ts';
import type { Effect, EffectContext } from './effect.ts';

/** An invoice of a supplier, as a draft bill for somebody to look over and issue. */
export function supplierInvoiceEffect(context: EffectContext, body: SupplierInvoiceBody): Effect {
  const { tx, caller, now, extraction, receipt } = context;
  const draft = draftBill(body, extraction);
  return {
    key: keyOf(draft),
    apply: async () => {
      const contactId = await supplierOf(tx, draft);
      const requestId = extraction?.requestId ?? null;
      const input = checked({
        document_type: 'bill',
        ...(contactId === undefined ? unknownSupplier(draft) : { contact_id: contactId }),
        document_date: draft.documentDate,
        due_date: draft.dueDate,
        currency: draft.currency,
        lines: draft.lines,
        reference: draft.reference,
        notes: body.notes,
        custom_fields: {
          inbound_receipt_id: receipt.id,
          ...(requestId === null ? {} : { vision_request_id: requestId }),
        },
      });
      const bill = await createFinanceDocument(tx, caller, { input, now });
      const { shownTotal } = draft;
      return {
        document_type: 'bill',
        document_id: bill.id,
        contact_id: bill.contact_id,
        total: bill.total,
        vision_request_id: requestId,
        needs_review: shownTotal !== undefined && Math.abs(shownTotal - bill.total) > 0.01,
      };
    },
  };
}

/** A supplier's number of an invoice names it; without one every call is an invoice of its own. */
function keyOf({ supplierTaxNumber, supplierEmail, supplierName, reference }: DraftBill): string | null {
  const supplier = supplierTaxNumber ?? supplierEmail ?? supplierName;
  return supplier === undefined || reference === undefined
    ? null
    : `bill:${supplier.toLowerCase()}:${reference.toLowerCase()}`;
}

async function supplierOf(
  tx: TenantTransaction,
  { supplierTaxNumber, supplierEmail }: DraftBill,
): Promise<number | undefined> {
  const byTaxNumber =
    supplierTaxNumber === undefined ? undefined : await findContactIdByTaxNumber(tx, supplierTaxNumber);
  if (byTaxNumber !== undefined || supplierEmail === undefined) return byTaxNumber;
  return (await findContactIdsByEmail(tx, [supplierEmail])).get(supplierEmail.toLowerCase());
}

function unknownSupplier({ supplierName, supplierEmail, supplierTaxNumber }: DraftBill): Record<string, unknown> {
  if (supplierName === undefined) {
    throw ApiError.unprocessable('The file does not say who the supplier is: send supplier_name.');
  }
  return { contact_name: supplierName, contact_email: supplierEmail, contact_tax_number: supplierTaxNumber };
}

/** What was read of a file must fit the fields of a bill like anything else. */
function checked(input: Record<string, unknown>): CreateFinanceDocumentInput {
  const lines = input['lines'] as readonly unknown[];
  if (lines.length === 0) throw ApiError.unprocessable('No amounts could be read from the file: send lines.');
  const parsed = CreateFinanceDocument.safeParse(input, { error: issueWords });
  if (parsed.success) return parsed.data;
  throw ApiError.ofFields(parsed.error.issues.map((issue) => ({ field: issue.path.join('.'), issue: issue.message })));
}

import { createHash } from 'node:crypto';
import type { Caller } from '../../contracts/caller.ts';
import type { FinanceDocumentData } from '../../contracts/finance.ts';
import type { FinanceDocumentPdfData, GenerateFinanceDocumentPdfInput } from '../../contracts/finance-pdf.ts';
import type { TenantTransaction } from '../../../platform/db/transaction.ts';
import { getFinanceDocument } from '../find.ts';
import { sellerOf } from '../seller.ts';

/** One document as a PDF file, in the words and figures of a locale. */
export async function generateFinanceDocumentPdf(
  tx: TenantTransaction,
  caller: Caller,
  { input, now }: { input: GenerateFinanceDocumentPdfInput; now: number },
): Promise<FinanceDocumentPdfData> {
  const { locale, ...ref } = input;
  const [document, kept] = await Promise.all([getFinanceDocument(tx, caller, { ref, now }), sellerOf(tx, ref)]);
  const seller = kept ?? caller.client;
  // Loaded when the first PDF is asked for: the library is a fifth of a second of every start otherwise.
  const { financeDocumentPdf } = await import('./document-pdf.ts');
  const tag = Intl.getCanonicalLocales(locale ?? `en-${seller.country}`)[0] ?? 'en';
  const bytes = await financeDocumentPdf(document, seller, tag);
  return {
    file_name: fileNameOf(document),
    mime_type: 'application/pdf',
    size: bytes.length,
    pdf_base64: Buffer.from(bytes).toString('base64'),
    sha256: createHash('sha256').update(bytes).digest('hex'),
  };
}

function fileNameOf({ document_type, document_number, id }: FinanceDocumentData): string {
  return `${document_number ?? `draft-${document_type.replaceAll('_', '-')}-${String(id)}`}.pdf`;
}

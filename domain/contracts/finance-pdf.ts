import { z } from 'zod';
import { FinanceDocumentRef } from './finance.ts';

export const GenerateFinanceDocumentPdf = FinanceDocumentRef.extend({
  locale: z
    .string()
    .max(35)
    .refine(isLocale, 'must be a language tag such as en-ZA or de-DE')
    .describe(
      "BCP 47 language tag of the reader: gives figures, dates and words (en, de, es and fr; others get English words). Your account's country in English by default",
    )
    .optional()
    .meta({ example: 'en-ZA' }),
});
export type GenerateFinanceDocumentPdfInput = z.output<typeof GenerateFinanceDocumentPdf>;

export const FinanceDocumentPdf = z
  .object({
    file_name: z.string().describe('What to save it as').meta({ example: 'INV-000001.pdf' }),
    mime_type: z.literal('application/pdf'),
    size: z.int().describe('In bytes').meta({ example: 22513 }),
    pdf_base64: z.string().describe('The file, in base64').meta({ example: 'JVBERi0xLjcK' }),
    sha256: z
      .string()
      .describe('Of the file, in hexadecimal; the same document in the same state and locale gives the same file')
      .meta({ example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' }),
  })
  .meta({ id: 'FinanceDocumentPdf' });
export type FinanceDocumentPdfData = z.output<typeof FinanceDocumentPdf>;

function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

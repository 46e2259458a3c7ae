import { createContext } from '../../../../documents/extract/context.ts';
import { extractInvoice } from '../../../../documents/extract/invoice/invoice.ts';
import type { ExtractionField, ExtractOptions, PageText } from '../../../../documents/index.ts';
import { typedPage } from '../../support.ts';

/** The pages of a document that is typed as text; a line of three hyphens begins the next page. */
export function typedPages(text: string, language = 'en'): PageText[] {
  return text
    .replace(/^\n/, '')
    .split(/^---$/m)
    .map((part, index) => ({ ...typedPage(part.split('\n'), { width: 1200 }), page: index + 1, language }));
}

export const fieldsOf = (
  type: string,
  text: string,
  language = 'en',
  options: ExtractOptions = {},
): Record<string, ExtractionField> => extractInvoice(createContext(typedPages(text, language), options), type);

export const valuesOf = (
  type: string,
  text: string,
  language = 'en',
  options: ExtractOptions = {},
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fieldsOf(type, text, language, options)).map(([name, field]) => [name, field.value]),
  );

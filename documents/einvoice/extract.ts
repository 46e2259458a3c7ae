import { extractFields } from '../extract/extract.ts';
import { withThreshold } from '../extract/threshold.ts';
import { extractCustom } from '../learn/custom.ts';
import type { Extraction, ExtractOptions, PageText } from '../types.ts';
import { isInvoiceType, mergeEInvoice } from './merge.ts';

/**
 * The fields of a document: from its pages, and where the file carries an XML invoice, from that before all else. Asked
 * for as a type that such XML does not describe (a receipt, a contract), a file is read from its pages alone.
 */
export function extractDocument(pages: PageText[], options: ExtractOptions = {}): Extraction {
  const { einvoice, custom, ...rest } = options;
  if (custom) return extractCustom(pages, custom, rest);
  const given = options.document_type === 'auto' ? undefined : options.document_type;
  if (!einvoice || (given !== undefined && !isInvoiceType(given))) return extractFields(pages, rest);
  // The whole page is read first: a doubtful field of it may still say where a value of the XML is printed.
  const everything = { ...rest, confidence_threshold: 0, extract_line_items: true };
  const read = extractFields(pages, { ...everything, document_type: given ?? einvoice.document_type });
  const merged = mergeEInvoice(read, pages, einvoice, given);
  const wanted = { ...merged, line_items: options.extract_line_items === false ? [] : merged.line_items };
  return withThreshold(wanted, options.confidence_threshold);
}

import { classifyPages } from '../classify/classify.ts';
import type { Extraction, ExtractionField, ExtractOptions, LineItem, PageText } from '../types.ts';
import { calibrate } from './calibration.ts';
import { createContext, type ExtractContext } from './context.ts';
import { extractInvoice } from './invoice/invoice.ts';
import { extractLineItems } from './line-items.ts';
import { extractReceipt } from './receipt/receipt.ts';

export interface Extracted {
  fields: Record<string, ExtractionField>;
  line_items: LineItem[];
}

/** One entry per document type; a type without one is classified but has no fields. */
const EXTRACTORS: Partial<Record<string, (context: ExtractContext) => Extracted>> = {
  receipt: (context) => ({ fields: extractReceipt(context), line_items: extractLineItems(context) }),
  ...Object.fromEntries(
    ['invoice', 'bill', 'credit_note', 'purchase_order', 'delivery_note'].map((type) => [
      type,
      (context: ExtractContext) => ({
        fields: extractInvoice(context, type),
        line_items: extractLineItems(context, { unpriced: type === 'delivery_note' }),
      }),
    ]),
  ),
};

export function extractFields(pages: PageText[], options: ExtractOptions = {}): Extraction {
  const classified = classifyPages(pages);
  const asked = options.document_type;
  const type = asked !== undefined && asked !== 'auto' ? asked : classified.document_type;
  const extractor = EXTRACTORS[type];
  const result = extractor ? extractor(createContext(pages, options)) : { fields: {}, line_items: [] };
  const threshold = options.confidence_threshold ?? 0;
  return {
    document_type: type,
    document_type_confidence: type === classified.document_type ? classified.confidence : 1,
    fields: Object.fromEntries(
      Object.entries(calibrate(result.fields)).filter(([, field]) => field.confidence >= threshold),
    ),
    line_items: options.extract_line_items === false ? [] : result.line_items,
    alternatives: classified.alternatives,
  };
}

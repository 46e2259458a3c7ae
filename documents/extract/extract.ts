import { classifyPages } from '../classify/classify.ts';
import { applyLessons } from '../learn/apply-lessons.ts';
import { extractLineItems } from '../tables/line-items.ts';
import type { Extraction, ExtractionField, ExtractOptions, LineItem, PageText } from '../types.ts';
import { calibrate } from './calibration.ts';
import { createContext, type ExtractContext } from './context.ts';
import { extractContract } from './contract/contract.ts';
import { extractIdentity } from './identity/identity.ts';
import { extractInvoice } from './invoice/invoice.ts';
import { extractProofOfAddress } from './proof-of-address/proof-of-address.ts';
import { extractReceipt } from './receipt/receipt.ts';
import { extractResume } from './resume/resume.ts';
import { extractBankStatement, extractSupplierStatement } from './statement/statement.ts';
import { withThreshold } from './threshold.ts';

export interface Extracted {
  fields: Record<string, ExtractionField>;
  line_items: LineItem[];
}

/** One entry per document type; a type without one is classified but has no fields. */
const EXTRACTORS: Partial<Record<string, (context: ExtractContext) => Extracted>> = {
  bank_statement: extractBankStatement,
  supplier_statement: extractSupplierStatement,
  contract: (context) => ({ fields: extractContract(context), line_items: [] }),
  proof_of_address: (context) => ({ fields: extractProofOfAddress(context), line_items: [] }),
  resume: (context) => ({ fields: extractResume(context), line_items: [] }),
  ...Object.fromEntries(
    ['passport', 'id_document', 'drivers_license'].map((type) => [
      type,
      (context: ExtractContext) => ({ fields: extractIdentity(context, type), line_items: [] }),
    ]),
  ),
  receipt: (context) => ({ fields: extractReceipt(context), line_items: extractLineItems(context, { receipt: true }) }),
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

/** The fields and line items of a document, with confidences that are right as often as they say. */
export function extractFields(pages: PageText[], options: ExtractOptions = {}): Extraction {
  const extraction = extractUncalibrated(pages, options);
  const read = { ...extraction, fields: calibrate(extraction.fields) };
  const learned = options.lessons ? applyLessons(pages, read, options.lessons) : read;
  return withThreshold(learned, options.confidence_threshold);
}

/** The same with how sure the extractors themselves are. */
export function extractUncalibrated(pages: PageText[], options: ExtractOptions = {}): Extraction {
  const classified = classifyPages(pages);
  const asked = options.document_type;
  const type = asked !== undefined && asked !== 'auto' ? asked : classified.document_type;
  const extractor = EXTRACTORS[type];
  const result = extractor ? extractor(createContext(pages, options)) : { fields: {}, line_items: [] };
  return {
    document_type: type,
    document_type_confidence: type === classified.document_type ? classified.confidence : 1,
    fields: result.fields,
    line_items: options.extract_line_items === false ? [] : result.line_items,
    alternatives: classified.alternatives,
  };
}

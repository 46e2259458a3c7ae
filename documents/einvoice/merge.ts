import type { Extraction, ExtractionField, PageText } from '../types.ts';
import { fieldBox, lineItems, placesOf, sameValue } from './boxes.ts';
import { PageIndex } from './locate.ts';
import type { EInvoice, EInvoiceValue } from './types.ts';

const CONFIDENCE = 0.99;
/** A page's reading that is less sure than this contradicts nobody. */
const SURE = 0.8;
const SURE_SUM = 0.9;

/** Types whose fields an XML invoice, credit note or order fills; asked for as another type, a file is read from its page. */
const FAMILY = new Set(['invoice', 'bill', 'credit_note', 'purchase_order']);

export const isInvoiceType = (type: string): boolean => FAMILY.has(type);

/** What the two halves of an e-invoice must agree on: the parties' claims, not their wording. */
const COMPARED = ['total', 'amount_due', 'subtotal', 'tax', 'currency', 'iban', 'due_date'];
const IDENTITY = ['invoice_number', 'invoice_date', 'purchase_order_number', 'order_date'];

/** A field that the XML and the page disagree on. */
export interface EInvoiceDifference {
  field: string;
  xml: EInvoiceValue;
  page: unknown;
}

/**
 * Puts what the XML says over what was read from the page: exact values, sure to 0.99, with the box of the place where the
 * page prints them (null where it does not). Fields that only the page has stay. The two readings' contradictions are
 * kept in `einvoice.differences`.
 * @param given the type that the caller asked for; without one the XML's type code decides.
 */
export function mergeEInvoice(
  extraction: Extraction,
  pages: PageText[],
  invoice: EInvoice,
  given?: string,
): Extraction {
  const index = new PageIndex(pages);
  const type = given ?? invoice.document_type;
  const fields: Record<string, ExtractionField> = {};
  for (const [name, value] of Object.entries(invoice.fields)) {
    const bbox = fieldBox(index, name, value, extraction.fields[name]);
    fields[name] = { value, confidence: CONFIDENCE, bbox, source: 'xml' };
  }
  const rate = invoice.fields['tax_rate'];
  if (fields['tax'] && typeof rate === 'number') fields['tax'].tax_rate = rate;
  return {
    ...extraction,
    document_type: type,
    document_type_confidence: given === undefined ? CONFIDENCE : extraction.document_type_confidence,
    alternatives: given === undefined ? [] : extraction.alternatives,
    fields: { ...fields, ...onlyOnPage(extraction, invoice) },
    line_items:
      invoice.line_items.length > 0
        ? lineItems(index, invoice.line_items, extraction.line_items)
        : extraction.line_items,
    einvoice: {
      syntax: invoice.syntax,
      ...(invoice.profile === undefined ? {} : { profile: invoice.profile }),
      differences: differencesOf(index, extraction, invoice),
    },
  };
}

/** Sums are one system: a tax that only the page shows would stand beside another document's total. */
const SYSTEM = new Set(['subtotal', 'tax', 'tax_rate', 'discount', 'shipping', 'total', 'amount_due']);

function onlyOnPage(extraction: Extraction, invoice: EInvoice): Record<string, ExtractionField> {
  const complete = invoice.fields['total'] !== undefined && invoice.fields['subtotal'] !== undefined;
  const kept = Object.entries(extraction.fields).filter(
    ([name]) => invoice.fields[name] === undefined && !(complete && SYSTEM.has(name)),
  );
  return Object.fromEntries(kept);
}

function differencesOf(index: PageIndex, extraction: Extraction, invoice: EInvoice): EInvoiceDifference[] {
  const differences: EInvoiceDifference[] = [];
  for (const field of [...IDENTITY, ...COMPARED]) {
    const xml = invoice.fields[field];
    const page = extraction.fields[field];
    if (xml === undefined || !page?.bbox || sameValue(xml, page.value)) continue;
    if (isContradiction(index, field, xml, page, invoice)) differences.push({ field, xml, page: page.value });
  }
  return differences;
}

/**
 * The page surely says something else. A value that the page prints too is taken for a misreading of the page's labels,
 * but not for the amount to be paid: there any printed figure might hide that the two halves ask for different sums.
 */
function isContradiction(
  index: PageIndex,
  field: string,
  xml: EInvoiceValue,
  page: ExtractionField,
  invoice: EInvoice,
): boolean {
  if (field === 'total' || field === 'amount_due') {
    const sums = [invoice.fields['total'], invoice.fields['amount_due']];
    return page.confidence >= SURE_SUM && !sums.some((sum) => sameValue(sum, page.value));
  }
  return page.confidence >= SURE && placesOf(index, xml).length === 0;
}

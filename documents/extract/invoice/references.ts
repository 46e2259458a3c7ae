import type { ExtractionField } from '../../types.ts';
import type { ExtractContext } from '../context.ts';
import type { Line, Segment } from '../../layout/lines.ts';
import { fieldOf } from '../field.ts';
import { fold, type LabelledValue, labelledValues, readIdentifier } from '../labels.ts';
import { numberTiers, originalInvoiceTiers, purchaseOrderTiers, referenceLabel, type Tier } from './lexicon.ts';

/** The name of the number that each type of document goes by. */
const OWN_NUMBER: Record<string, string> = {
  credit_note: 'credit_note_number',
  purchase_order: 'purchase_order_number',
  delivery_note: 'delivery_note_number',
};

/** The document's own number and the numbers of the documents that it refers to. */
export function referenceFields(context: ExtractContext, type: string): Record<string, ExtractionField> {
  const fields: Record<string, ExtractionField> = {};
  const name = OWN_NUMBER[type] ?? 'invoice_number';
  const own = bestIdentifier(context, numberTiers[type] ?? numberTiers['invoice']!) ?? bareNumber(context);
  if (own) fields[name] = own;
  const taken = own?.value;
  if (type !== 'purchase_order') {
    const order = bestIdentifier(context, purchaseOrderTiers, taken) ?? orderReference(context);
    if (order) fields['purchase_order_number'] = order;
  }
  if (type === 'credit_note') {
    const original = bestIdentifier(context, originalInvoiceTiers, taken);
    if (original) fields['original_invoice_number'] = original;
    // A credit note is found by its number, whichever of the two names a caller asks for.
    if (own) fields['invoice_number'] = own;
  }
  return fields;
}

const BARE = /^(?:document\s*)?(?:numero|number|nummer|nommer|nr\.?|no\.?|n[.°º]+o?)\s*[:.]?\s*(?=\S*\d)/;

/** The same as a cell of its own, with its value in the next cell or under it: "Numero", "Number", "Nº". */
const BARE_ALONE =
  /^(?:(?:document[oe]?|doc|beleg)\.?\s*)?(?:numero|number|nummer|nommer|nr\.?|no\.?|n[.°º]+o?|beleg)\s*:?$/;

const cellUnder = (below: Line | undefined, over: Segment, line: Line): Segment | undefined =>
  below?.page === line.page && below.bbox.y - line.bbox.y < line.bbox.height * 3
    ? below.segments.find(
        ({ bbox }) =>
          bbox.x < over.bbox.x + over.bbox.width && bbox.x + bbox.width > over.bbox.x - line.bbox.height / 2,
      )
    : undefined;

/** "Numero: 2022-154" in a cell of its own, beside another one: nothing says whose number, so it is the document's. */
function bareNumber(context: ExtractContext): ExtractionField | undefined {
  for (const [position, line] of context.lines.entries()) {
    for (const [index, segment] of line.segments.entries()) {
      if (BARE_ALONE.test(fold(segment.text))) {
        const beside = line.segments[index + 1];
        const cell = [beside, cellUnder(context.lines[position + 1], segment, line)].find(
          (one) => one !== undefined && readIdentifier(one.text)?.index === 0,
        );
        const value = cell && readIdentifier(cell.text)?.value;
        if (cell && value !== undefined) return fieldOf(value, cell.words, line.page, 0.62);
      }
      const label = BARE.exec(fold(segment.text))?.[0];
      const found = label === undefined ? undefined : readIdentifier(segment.text.slice(label.length));
      if (label === undefined || !found) continue;
      const words = segment.words.filter((word) => found.value.includes(word.text));
      return fieldOf(found.value, words, line.page, 0.58);
    }
  }
  return undefined;
}

/** The surest label wins; beside it before under it; a number that is repeated elsewhere is more certain. */
function bestIdentifier(context: ExtractContext, tiers: Tier[], not?: unknown): ExtractionField | undefined {
  for (const { label, certainty } of tiers) {
    const found = labelledValues(context.lines, label, readIdentifier).filter((v) => v.value !== not && !isColumn(v));
    const best = found.find((v) => v.place === 'right') ?? found[0];
    if (!best) continue;
    const rivals = new Set(found.map((v) => v.value.toUpperCase())).size - 1;
    const sure = certainty * (best.place === 'right' ? 1 : 0.96) - Math.min(0.1, 0.04 * rivals);
    return fieldOf(best.value, best.words, best.page, sure);
  }
  return undefined;
}

function orderReference(context: ExtractContext): ExtractionField | undefined {
  const found = labelledValues(context.lines, referenceLabel, readIdentifier).find((v) => /^P\.?O/i.test(v.value));
  return found && fieldOf(found.value, found.words, found.page, 0.8);
}

/** The heading of a column of line items, with the first of its cells under it: "Order no." over a list of orders. */
const isColumn = (found: LabelledValue<string>): boolean =>
  found.place === 'below' && /^\d{1,2}$/.test(found.value) && found.line.segments.length >= 3;

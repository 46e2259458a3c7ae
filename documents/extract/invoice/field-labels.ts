import { fold } from '../labels.ts';
import {
  anyDate,
  dateTiers,
  deliveryDateTiers,
  dueDateTiers,
  numberTiers,
  orderDateTiers,
  originalInvoiceTiers,
  purchaseOrderTiers,
  referenceLabel,
  termsLabel,
} from './lexicon.ts';

/** Headings of the columns of goods, and of numbers that belong to the customer. */
const HEADING =
  /\b(?:beschreibung|bezeichnung|artikel|menge|einzelpreis|gesamtpreis|description|designation|quantity|qte|unit price|amount|concepto|descripcion|cantidad|precio|importe|descrizione|quantita|prezzo|importo|omschrijving|aantal|prijs|bedrag|descricao|quantidade|preco|valor|(?:kunden|klant|customer|client|account|vat|tax)[\s-]*(?:nummer|number|no|nr|id)|n[°o.]* ?cliente?|cod\.? cliente)\b\.?/g;

const labels: RegExp[] = [
  ...Object.values(numberTiers).flat(),
  ...purchaseOrderTiers,
  ...originalInvoiceTiers,
  ...dateTiers,
  ...orderDateTiers,
  ...deliveryDateTiers,
  ...dueDateTiers,
]
  .map((tier) => tier.label)
  .concat(anyDate, referenceLabel, termsLabel)
  .map((pattern) => new RegExp(pattern.source, 'gi'));

/** The text is nothing but a label whose value stands beside or under it: "Uw bestelling", "Factura nº". */
export function isFieldLabel(text: string): boolean {
  const folded = fold(text);
  if (/\d/.test(folded) || folded.length > 40 || !/\p{L}{2}/u.test(folded)) return false;
  return [...labels, HEADING].some((label) => /^[^\p{L}]*(?:\p{L}[^\p{L}]*)?$/u.test(folded.replace(label, ' ')));
}

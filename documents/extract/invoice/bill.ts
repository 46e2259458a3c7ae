import type { ExtractionField } from '../../types.ts';
import { findDates } from '../../values/dates.ts';
import type { ExtractContext } from '../context.ts';
import { wordsAt } from '../date-field.ts';
import { fieldOf } from '../field.ts';
import { labelledValues, labelMatches, readIdentifier } from '../labels.ts';

const NO = String.raw`\s*(?:no\b\.?|n[°ºo]\.?(?!\w)|nr\b\.?|num(?:ber|mer|ero)?\b\.?|#|id\b|ref\b\.?)`;
/** The customer's account with the utility. */
const ACCOUNT = [
  new RegExp(
    String.raw`\b(?:customer\s*)?(?:account|acct|a/c)${NO}|\b(?:vertragskonto|kundenkonto)(?:nummer|[\s-]*nr\b\.?)?|\bcontract\s*account\b|\bcuenta\s*contrato\b`,
  ),
  new RegExp(
    String.raw`\b(?:customer|client|member|subscriber|contract)${NO}|\b(?:kunden|vertrags|klant|kunde)[\s-]*(?:nummer|nr\b\.?)|\b(?:numero|n[°º]\.?)\s*(?:de\s*)?(?:client|cliente|abonne|abonado|assinante|utente|contrat|contrato|contratto|poliza|cuenta|compte)\b|\bcodice\s*cliente\b`,
  ),
  /\baccount\b\s*:/,
];
const CUSTOMER_NUMBER = new RegExp(
  String.raw`\b(?:customer|client)${NO}|\b(?:kunden|klant|klient)[\s-]*(?:nummer|nommer|nr\b\.?)|\b(?:numero|n[°º]\.?|code)\s*(?:de\s*)?client\b|\bcodice\s*cliente\b|\b(?:numero|n[°º]\.?)\s*(?:de\s*)?cliente\b`,
);
const PERIOD =
  /\b(?:bill(?:ing|ed)?|statement|service|usage|supply|invoice|abrechnungs?|leistungs?|rechnungs?|charge)[\s-]*(?:period|dates|zeitraum)\b|\bperiod[eo]?\s*(?:de\s*)?(?:facturation|facturacion|consommation|faturacao|fatturazione|di\s*riferimento)?\b|\b(?:factuur|verbruiks)periode\b|\bfor\s*the\s*period\b|\bzeitraum\b/;

/** The number by which the issuer knows its customer. */
export function accountField(context: ExtractContext, type: string): Record<string, ExtractionField> {
  if (type !== 'bill') {
    const found = labelledValues(context.lines, CUSTOMER_NUMBER, readIdentifier)[0];
    return found ? { customer_number: fieldOf(found.value, found.words, found.page, 0.88) } : {};
  }
  for (const [index, label] of ACCOUNT.entries()) {
    const found = labelledValues(context.lines, label, readIdentifier);
    const best = found.find((v) => v.place === 'right') ?? found[0];
    if (best) return { account_number: fieldOf(best.value, best.words, best.page, 0.94 - 0.08 * index) };
  }
  return {};
}

/** The days that a bill is for: two dates behind the label, or under it. */
export function periodFields(context: ExtractContext): Record<string, ExtractionField> {
  for (const [position, line] of context.lines.entries()) {
    const label = labelMatches(line.text, PERIOD)[0];
    if (!label) continue;
    const below = context.lines[position + 1];
    for (const [candidate, from] of [[line, label.index + label.length] as const, [below, 0] as const]) {
      if (!candidate || candidate.page !== line.page) continue;
      const dates = findDates(candidate.text, context.dateOrder).filter((date) => date.index >= from);
      const [start, end] = dates;
      if (!start || !end || start.iso >= end.iso || end.index - start.index - start.length > 12) continue;
      return {
        billing_period_start: fieldOf(start.iso, wordsAt(candidate, start.index, start.length), candidate.page, 0.9),
        billing_period_end: fieldOf(end.iso, wordsAt(candidate, end.index, end.length), candidate.page, 0.9),
      };
    }
  }
  return {};
}

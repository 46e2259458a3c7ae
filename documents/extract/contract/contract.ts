import type { ExtractionField } from '../../types.ts';
import { readingOrder } from '../columns.ts';
import { parseMoney } from '../../values/money.ts';
import type { ExtractContext } from '../context.ts';
import { fieldOf } from '../field.ts';
import { contractDates, effectiveDate, expiryDate } from './dates.ts';
import { governingLaw } from './governing-law.ts';
import { contractParties } from './parties.ts';
import { type Prose, proseOf } from '../prose.ts';
import { contractTerm } from './term.ts';
import { contractTitle } from './title.ts';

/**
 * Title, parties (names as printed), dates, term ("2 years"), governing law (the state's or country's English name) and
 * value of a contract in English, German, French, Spanish or Dutch.
 */
export function extractContract(context: ExtractContext): Record<string, ExtractionField> {
  const prose = proseOf(readingOrder(context.lines));
  const dates = contractDates(prose, context);
  const start = effectiveDate(dates, prose, context);
  const found: Record<string, ExtractionField | undefined> = {
    title: contractTitle(context.lines),
    parties: contractParties(prose, context.lines),
    effective_date: start,
    expiry_date: expiryDate(dates, start?.value, prose),
    term: contractTerm(prose),
    governing_law: governingLaw(prose),
    value: contractValue(prose, context),
  };
  return Object.fromEntries(
    Object.entries(found).filter((entry): entry is [string, ExtractionField] => entry[1] !== undefined),
  );
}

const VALUE_LABEL =
  /\b(?:total\s*(?:contract\s*)?(?:price|value|fee|amount|compensation)|contract\s*(?:price|value|sum)|purchase\s*price|(?:base|annual|monthly|gross)\s*(?:salary|rent|fee)|rent(?:al)?\s*(?:of|is|amount)|aggregate\s*(?:amount|price)|kaufpreis|vergütung|monatsmiete|miete|bruttogehalt|honorar|prix\s*(?:total|de vente)?|loyer|rémunération|salaire|precio|renta|salario|honorarios|koopprijs|huurprijs|salaris|vergoeding)\b[^.;]{0,60}?/giu;
const MONEY =
  /^\W*(?:of|is|beträgt|von|est|de|es|bedraagt|at|shall be|:|\s)*\s*(?<amount>(?:[A-Z]{2,3}\s?)?[€£$R]?\s?\d[\d.,' ]*\d(?:\s?(?:€|EUR|USD|GBP|CHF|ZAR|dollars?|euros?))?)/iu;

/** The price, rent or salary that the contract is about: an amount with a currency behind such a word. */
function contractValue(prose: Prose, context: ExtractContext): ExtractionField | undefined {
  for (const match of prose.text.matchAll(VALUE_LABEL)) {
    const from = match.index + match[0].length;
    const window = prose.text.slice(from, from + 80);
    const at = window.search(/[€£$]|\b(?:EUR|USD|GBP|ZAR|CHF|R)\s?\d|\d[\d.,' ]*\s?(?:€|EUR|USD|euros?|dollars?)/u);
    const text = at < 0 ? undefined : MONEY.exec(window.slice(at))?.groups?.['amount'];
    if (at < 0 || at > 60 || text === undefined) continue;
    const money = parseMoney(text.replace(/\s?(?:dollars?|euros?)/i, '').trim(), context.decimal);
    if (!money || money.amount <= 0) continue;
    const { words, page } = prose.wordsAt(from + at, text.length);
    return fieldOf(money.amount, words, page, 0.7);
  }
  return undefined;
}

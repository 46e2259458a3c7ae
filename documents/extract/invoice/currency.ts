import type { ExtractionField } from '../../types.ts';
import type { ExtractContext } from '../context.ts';
import { fieldOf } from '../field.ts';
import { fold } from '../labels.ts';
import { countryNamed, countryOfPostcode, currencyOfCountry, isCurrencyCode } from './countries.ts';
import type { Parties } from './parties.ts';
import { addressText } from './party-block.ts';

const NAMED: [string, RegExp][] = [
  ['INR', /\brupees?\b|\bgstin\b/],
  ['EUR', /\beuros?\b/],
  ['GBP', /\bpounds?\s*sterling\b|\bsterling\b/],
  ['USD', /\bus\s*dollars?\b/],
  ['ZAR', /\brands?\b(?!\w)/],
  ['CHF', /\b(?:schweizer|swiss)\s*fran(?:ken|cs?)\b|\bfr\.\s?\d/],
  ['SEK', /\bkronor\b/],
];
/** Countries that write their own money with a bare dollar sign. */
const DOLLAR_COUNTRIES = new Set(['CA', 'AU', 'NZ', 'SG', 'HK', 'NA']);
const STATED =
  /\b(?:currency|wahrung|rechnungswahrung|devise|moneda|valuta|moeda|all\s*(?:amounts|prices)(?:\s*are)?\s*in|alle\s*(?:betrage|preise|bedragen|prijzen)(?:\s*(?:sind|zijn))?\s*in|(?:tous\s*les\s*)?montants\s*en)\b\W*(?<code>[A-Z]{3})\b/i;
/** The currency that the document states, else the one its amounts carry, else its vendor's country's. */
export function currencyField(context: ExtractContext, parties: Parties): ExtractionField | undefined {
  for (const line of context.lines) {
    const code = STATED.exec(fold(line.text))?.groups?.['code']?.toUpperCase();
    if (code !== undefined && isCurrencyCode(code)) {
      const words = line.words.filter((word) => word.text.toUpperCase().includes(code));
      return fieldOf(code, words, line.page, 0.98);
    }
  }
  const country = countryOf(parties);
  const found = context.currency;
  if (found?.sure) {
    const own = country === undefined ? undefined : currencyOfCountry(country);
    const bareDollar = found.code === 'USD' && !/\bUSD\b|\bUS\$/.test(context.text);
    // The Australian Business Number is on every Australian invoice.
    if (bareDollar && /\bABN\b/.test(context.text)) return fieldOf('AUD', [], 1, 0.8);
    if (bareDollar && country !== undefined && DOLLAR_COUNTRIES.has(country) && own !== undefined)
      return fieldOf(own, [], 1, 0.8);
    return fieldOf(found.code, [], 1, 0.95);
  }
  const text = fold(context.text);
  const named = NAMED.find(([, pattern]) => pattern.test(text))?.[0];
  if (named !== undefined) return fieldOf(named, [], 1, 0.85);
  const own = country === undefined ? undefined : currencyOfCountry(country);
  if (own !== undefined) return fieldOf(own, [], 1, 0.58);
  return found && fieldOf(found.code, [], 1, 0.5);
}

function countryOf({ vendor, customer }: Parties): string | undefined {
  for (const party of [vendor, customer]) {
    if (!party) continue;
    const named = party.country ?? countryNamed(party.address.at(-1)?.text.split(/,\s*/).at(-1) ?? '');
    const country = named ?? countryOfPostcode(addressText(party.address));
    if (country !== undefined) return country;
  }
  return undefined;
}

import type { ExtractionField } from '../../types.ts';
import { currencyIn } from '../../values/money.ts';
import type { ExtractContext } from '../context.ts';
import { fieldOf } from '../field.ts';

/** What on a receipt tells the country that it is from; each pattern counts once. */
const COUNTRY_EVIDENCE: [string, RegExp[]][] = [
  [
    'MYR',
    [
      /\bsdn\.?\s*bhd\b|\bs\/b\b/i,
      /\b(?:malaysia|selangor|kuala lumpur|johor|penang|pulau pinang|perak|melaka|sabah|sarawak|pahang|kedah)\b/i,
      /\b(?:jalan|jln|taman|tmn|bandar|lorong)\b/i,
      /\.com\.my\b/i,
      /\(RM\)|\bRM\s?\d/,
    ],
  ],
  [
    'ZAR',
    [
      /\(pty\)|\bpty\) ?ltd\b/i,
      /\b(?:south africa|suid-afrika|johannesburg|cape town|kaapstad|durban|pretoria|sandton|gauteng|stellenbosch)\b/i,
      /\.co\.za\b/i,
      /\+27\s?\d/,
      /\bvat\W*(?:incl?\W*)?(?:@\W*)?1[45](?:[.,]00?)?\s?%|1[45](?:[.,]00?)?\s?% vat/i,
      /\b(?:btw|bedrag|kontant|kleingeld|totaal)\b[^\n]*\bR\s?\d/i,
    ],
  ],
  ['CAD', [/\b(?:canada|ontario|toronto|vancouver|montr[eé]al|calgary|qu[eé]bec)\b/i, /\b[hp]st\b|\bqst\b|\btps\b/i]],
  ['CAD', [/\b[ABCEGHJ-NPRSTVXY]\d[A-Z] ?\d[A-Z]\d\b/]],
  ['AUD', [/\b(?:australia|sydney|melbourne|brisbane|perth|adelaide)\b/i, /\bA\.?B\.?N\b/, /\b(?:NSW|VIC|QLD|TAS)\b/]],
  ['AUD', [/\.com\.au\b/i]],
  ['NZD', [/\b(?:new zealand|auckland|wellington|christchurch)\b/i, /\.co\.nz\b/i]],
  ['SGD', [/\bsingapore\b/i, /\bpte\.? ltd\b/i, /\.com\.sg\b/i]],
  ['HKD', [/\bhong kong\b|\bkowloon\b/i]],
  ['USD', [/\b[A-Z]{2}[ ,.]+\d{5}(?:-\d{4})?\b/, /\bsales tax\b/i, /\b(?:usa|united states)\b/i]],
  [
    'GBP',
    [
      /\b(?:united kingdom|england|scotland|wales|london)\b/i,
      /\.co\.uk\b/i,
      /\bGB ?\d{3} ?\d{4} ?\d{2}\b/,
      /\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b/,
    ],
  ],
  [
    'EUR',
    [
      /\b(?:deutschland|france|espa[nñ]a|italia|nederland|belgi[eë]|portugal|[oö]sterreich|ireland)\b/i,
      /\b(?:mwst|ust-?id|tva|siret|p\.? ?iva|partita iva|n\.?i\.?f|c\.?i\.?f|kvk)\b/i,
      /\b(?:gmbh|s\.?r\.?l|s\.?a\.?r\.?l|b\.v|lda)\b/i,
      /\b(?:DE|FR|ES|IT|NL|BE|AT|PT)\d{8,11}\b/,
    ],
  ],
  ['CHF', [/\b(?:schweiz|suisse|svizzera|z[uü]rich|gen[eè]ve|basel|bern)\b/i, /\bCHE-\d{3}/]],
  ['SEK', [/\b(?:sverige|stockholm|g[oö]teborg|malm[oö])\b|\.se\b/i, /\bsumma\b/i]],
  ['NOK', [/\b(?:norge|oslo|bergen|trondheim)\b|\.no\b/i]],
  ['DKK', [/\b(?:danmark|k[oø]benhavn|aarhus)\b|\.dk\b/i]],
  ['INR', [/\bgstin\b/i, /\b[CS]GST\b/, /\bindia\b/i]],
];
const DOLLARS = new Set(['USD', 'CAD', 'AUD', 'NZD', 'SGD', 'HKD']);
const CROWNS = new Set(['SEK', 'NOK', 'DKK']);

/**
 * ISO 4217. A sign that several countries use ($, kr, R) is settled by the country that the rest of the receipt points
 * to; a receipt without a sign has the currency of its country, and failing that the client's.
 */
export function receiptCurrency(context: ExtractContext): ExtractionField | undefined {
  const country = countryScores(context.text);
  const [best] = [...country].sort((a, b) => b[1] - a[1]);
  const signs = signCounts(context.text);
  const [sign] = [...signs].sort(
    (a, b) => b[1] + 0.5 * (country.get(b[0]) ?? 0) - a[1] - 0.5 * (country.get(a[0]) ?? 0),
  );
  const found = (code: string, certainty: number): ExtractionField => fieldOf(code, [], 1, certainty);
  if (/(?<!\p{L})kr\b/iu.test(context.text) && best && CROWNS.has(best[0])) return found(best[0], 0.9);
  if (sign) {
    const [code, count] = sign;
    if (code === 'USD' && !/\bUSD\b|US\$/.test(context.text)) return found(dollarOf(country), 0.93);
    // A lone "R" before digits is as often a torn "RM".
    if (code === 'ZAR' && best && best[0] !== 'ZAR' && (country.get('ZAR') ?? 0) === 0) return found(best[0], 0.8);
    return found(code, count > 1 || (country.get(code) ?? 0) > 0 ? 0.97 : 0.85);
  }
  if (best && best[1] >= 2) return found(best[0], 0.88);
  if (context.currency && !context.currency.sure) return found(context.currency.code, 0.5);
  return best ? found(best[0], 0.6) : undefined;
}

function countryScores(text: string): Map<string, number> {
  const scores = new Map<string, number>();
  for (const [code, patterns] of COUNTRY_EVIDENCE) {
    const hits = patterns.filter((pattern) => pattern.test(text)).length;
    if (hits > 0) scores.set(code, (scores.get(code) ?? 0) + hits);
  }
  return scores;
}

/** Lines that name each currency. */
function signCounts(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of text.split('\n')) {
    const code = currencyIn(line);
    if (code !== undefined) counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return counts;
}

/** A bare $ is the US dollar unless the receipt is from another country that has dollars. */
function dollarOf(country: Map<string, number>): string {
  const dollars = [...country].filter(([code]) => DOLLARS.has(code)).sort((a, b) => b[1] - a[1]);
  return dollars[0]?.[0] ?? 'USD';
}

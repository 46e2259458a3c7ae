import { fold } from '../labels.ts';

/** Country names as they stand under addresses, with the ISO 3166-1 code and the ISO 4217 code of its money. */
const COUNTRIES: [string, string, string][] = [
  ['DE', 'EUR', 'germany deutschland allemagne alemania germania duitsland alemanha'],
  ['AT', 'EUR', 'austria osterreich autriche oostenrijk'],
  ['CH', 'CHF', 'switzerland schweiz suisse svizzera suiza zwitserland'],
  ['FR', 'EUR', 'france frankreich francia frankrijk'],
  ['BE', 'EUR', 'belgium belgien belgique belgie belgio'],
  ['NL', 'EUR', 'netherlands|the netherlands|niederlande|pays-bas|nederland|holland'],
  ['LU', 'EUR', 'luxembourg luxemburg'],
  ['ES', 'EUR', 'spain spanien espagne espana spagna spanje'],
  ['PT', 'EUR', 'portugal'],
  ['IT', 'EUR', 'italy italien italie italia'],
  ['IE', 'EUR', 'ireland irland irlande'],
  [
    'GB',
    'GBP',
    'united kingdom|great britain|england|scotland|wales|northern ireland|uk|u.k.|gb|vereinigtes konigreich|royaume-uni',
  ],
  ['US', 'USD', 'united states|united states of america|usa|u.s.a.|us|vereinigte staaten|etats-unis|estados unidos'],
  ['CA', 'CAD', 'canada kanada'],
  ['AU', 'AUD', 'australia'],
  ['NZ', 'NZD', 'new zealand'],
  ['ZA', 'ZAR', 'south africa|suid-afrika|rsa|sudafrika'],
  ['NA', 'NAD', 'namibia'],
  ['BW', 'BWP', 'botswana'],
  ['KE', 'KES', 'kenya'],
  ['NG', 'NGN', 'nigeria'],
  ['IN', 'INR', 'india indien inde'],
  ['SG', 'SGD', 'singapore singapur'],
  ['MY', 'MYR', 'malaysia'],
  ['AE', 'AED', 'united arab emirates|uae|u.a.e.'],
  ['SE', 'SEK', 'sweden sverige schweden'],
  ['NO', 'NOK', 'norway norge norwegen'],
  ['DK', 'DKK', 'denmark danmark danemark'],
  ['FI', 'EUR', 'finland suomi finnland'],
  ['PL', 'PLN', 'poland polska polen pologne'],
  ['HK', 'HKD', 'hong kong|hongkong'],
  ['JP', 'JPY', 'japan'],
  ['CN', 'CNY', 'china|p.r. china'],
  ['MX', 'MXN', 'mexico'],
  ['BR', 'BRL', 'brazil brasil'],
  ['CZ', 'CZK', 'czechia|czech republic|ceska republika|tschechien'],
  ['SK', 'EUR', 'slovakia slovensko slowakei'],
  ['HU', 'HUF', 'hungary magyarorszag ungarn'],
  ['RO', 'RON', 'romania rumanien'],
  ['TR', 'TRY', 'turkey turkiye turkei'],
  ['HR', 'EUR', 'croatia hrvatska kroatien'],
  ['SI', 'EUR', 'slovenia slovenija slowenien'],
  ['GR', 'EUR', 'greece hellas griechenland'],
  ['IL', 'ILS', 'israel'],
  ['SA', 'SAR', 'saudi arabia|kingdom of saudi arabia'],
  ['TH', 'THB', 'thailand'],
  ['ID', 'IDR', 'indonesia'],
  ['PH', 'PHP', 'philippines'],
];

const byName = new Map<string, string>();
const moneyOf = new Map<string, string>();
for (const [code, currency, names] of COUNTRIES) {
  moneyOf.set(code, currency);
  for (const name of names.includes('|') ? names.split('|') : names.split(' ')) byName.set(name, code);
  byName.set(code.toLowerCase(), code);
}

/** ISO 3166-1 alpha-2 of the country that a whole text names; undefined when it says more, or something else. */
export function countryNamed(text: string): string | undefined {
  return byName.get(
    fold(text)
      .replace(/^[\s,(–-]+|[\s,.)–-]+$/g, '')
      .replace(/\s+/g, ' '),
  );
}

export const currencyOfCountry = (code: string): string | undefined => moneyOf.get(code);

/** Postal codes that only one country writes so: Great Britain's, the Netherlands', Canada's, the USA's with its state. */
export function countryOfPostcode(text: string): string | undefined {
  if (/\b(?:GIR ?0AA|[A-Z]{1,2}\d[A-Z\d]? ?\d[ABD-HJLNP-UW-Z]{2})\b/.test(text)) return 'GB';
  if (/\b[1-9]\d{3} ?(?!SA|SD|SS)[A-Z]{2}\b/.test(text)) return 'NL';
  if (/\b[ABCEGHJ-NPRSTVXY]\d[A-Z] ?\d[A-Z]\d\b/.test(text)) return 'CA';
  if (/,\s*[A-Z]{2},?\s+\d{5}(?:-\d{4})?\b/.test(text)) return 'US';
  return undefined;
}

const CURRENCIES = new Set([
  ...moneyOf.values(),
  ...'BGN TZS UGX ZMW MUR GHS QAR KWD OMR BHD TWD KRW VND ISK UAH COP CLP PEN ARS EGP MAD'.split(' '),
]);

/** ISO 4217, in capitals. */
export const isCurrencyCode = (text: string): boolean => CURRENCIES.has(text);

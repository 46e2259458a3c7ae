import type { Extraction } from '../types.ts';
import { isTaxCountry } from './tax-rates.ts';

/** Currencies of one country of the table; the euro says only that it is one of many. */
const countryOfCurrency: Record<string, string> = {
  ZAR: 'ZA',
  NAD: 'NA',
  BWP: 'BW',
  GBP: 'GB',
  AUD: 'AU',
  NZD: 'NZ',
  MYR: 'MY',
  SGD: 'SG',
  INR: 'IN',
  AED: 'AE',
  SAR: 'SA',
  KES: 'KE',
  NGN: 'NG',
  CHF: 'CH',
  DKK: 'DK',
  SEK: 'SE',
  NOK: 'NO',
  PLN: 'PL',
  CZK: 'CZ',
  HUF: 'HU',
  RON: 'RO',
  BGN: 'BG',
  CAD: 'CA',
  USD: 'US',
};
const euroCountries = 'AT BE CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK'.split(' ');

/** How addresses name their country: in English, and as it calls itself. */
const namesOfCountry: Record<string, string> = {
  ZA: 'south africa|suid-afrika',
  NA: 'namibia',
  BW: 'botswana',
  GB: 'united kingdom|great britain|england|scotland|wales|northern ireland|u\\.k\\.|uk',
  IE: 'ireland|éire|eire',
  DE: 'germany|deutschland',
  FR: 'france',
  NL: 'netherlands|nederland|holland',
  ES: 'spain|españa|espana',
  IT: 'italy|italia',
  PT: 'portugal',
  BE: 'belgium|belgique|belgië|belgie',
  AT: 'austria|österreich|oesterreich',
  LU: 'luxembourg|luxemburg',
  DK: 'denmark|danmark',
  SE: 'sweden|sverige',
  NO: 'norway|norge',
  FI: 'finland|suomi',
  PL: 'poland|polska',
  CZ: 'czechia|czech republic|česká republika|česko',
  HU: 'hungary|magyarország',
  RO: 'romania|românia',
  BG: 'bulgaria|българия',
  GR: 'greece|ελλάδα|hellas',
  HR: 'croatia|hrvatska',
  SI: 'slovenia|slovenija',
  SK: 'slovakia|slovensko',
  LT: 'lithuania|lietuva',
  LV: 'latvia|latvija',
  EE: 'estonia|eesti',
  CY: 'cyprus',
  MT: 'malta',
  CH: 'switzerland|schweiz|suisse|svizzera',
  CA: 'canada',
  AU: 'australia',
  NZ: 'new zealand|aotearoa',
  MY: 'malaysia',
  SG: 'singapore',
  IN: 'india|bharat',
  AE: 'united arab emirates|u\\.a\\.e\\.|uae|dubai|abu dhabi',
  SA: 'saudi arabia',
  KE: 'kenya',
  NG: 'nigeria',
  US: 'united states|u\\.s\\.a\\.|usa',
};

/** State code, PAN of the holder, entity number, Z and a check character (Central Goods and Services Tax Rules 10). */
const GSTIN = /^\d{2}[A-Z]{5}\d{4}[A-Z][A-Z\d]Z[A-Z\d]$/;

export interface TaxCountry {
  country: string;
  known_by: 'tax_number' | 'address' | 'currency' | 'client';
}

/**
 * Whose tax a document charges: the vendor's country by its tax number, by its address, or by the currency; where these
 * say nothing, the client's own, if the currency does not speak against it.
 */
export function taxCountryOf({ fields }: Extraction, clientCountry?: string | null): TaxCountry | undefined {
  const text = (name: string): string => {
    const value = fields[name]?.value;
    return typeof value === 'string' ? value : '';
  };
  const number = (text('vendor_tax_number') || text('merchant_tax_number')).toUpperCase().replace(/[^A-Z0-9]/g, '');
  const byNumber = countryOfTaxNumber(number);
  if (byNumber !== undefined) return { country: byNumber, known_by: 'tax_number' };
  const address = `${text('vendor_address')} ${text('merchant_address')}`.toLowerCase();
  const byAddress = countryNamed(address);
  if (byAddress !== undefined) return { country: byAddress, known_by: 'address' };
  const currency = text('currency').toUpperCase();
  const byCurrency = countryOfCurrency[currency];
  if (byCurrency !== undefined) return { country: byCurrency, known_by: 'currency' };
  const own = clientCountry?.toUpperCase();
  if (own === undefined || !isTaxCountry(own)) return undefined;
  const fits = currency === '' || (currency === 'EUR' && euroCountries.includes(own));
  return fits ? { country: own, known_by: 'client' } : undefined;
}

function countryOfTaxNumber(number: string): string | undefined {
  if (GSTIN.test(number)) return 'IN';
  // The prefixes of Directive 2006/112/EC art. 215, with CHE (UIDG), GB and NO.
  const prefix = /^(CHE|[A-Z]{2})(?=[A-Z]?[A-Z0-9]?\d{5})/.exec(number)?.[1];
  if (prefix === undefined) return undefined;
  const country = { CHE: 'CH', EL: 'GR', XI: 'GB' }[prefix] ?? prefix;
  return isTaxCountry(country) ? country : undefined;
}

/** The last country that is named: addresses end with it. */
function countryNamed(address: string): string | undefined {
  let found: string | undefined;
  let at = -1;
  for (const [country, names] of Object.entries(namesOfCountry)) {
    for (const match of address.matchAll(new RegExp(`(?<![\\p{L}])(?:${names})(?![\\p{L}])`, 'gu'))) {
      if (match.index > at) {
        at = match.index;
        found = country;
      }
    }
  }
  return found;
}

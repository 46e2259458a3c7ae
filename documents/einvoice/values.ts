import type { EInvoiceType, EInvoiceValue } from './types.ts';

/** UNTDID 1001 codes that EN 16931 counts as credit notes. */
const CREDIT_CODES = new Set(['81', '83', '261', '262', '296', '308', '381', '396', '420', '458', '532']);
/** UNTDID 1001: orders (220 to 231: blanket, spot, change, response, …) and their kin that Order-X uses. */
const ORDER_CODES = new Set(['105', '220', '221', '222', '224', '226', '227', '228', '230', '231', '402']);

/** What a type code stands for; without one, what its root element stands for. */
export function typeOfCode(code: string | undefined, root: EInvoiceType): EInvoiceType {
  if (code === undefined) return root;
  if (CREDIT_CODES.has(code)) return 'credit_note';
  if (ORDER_CODES.has(code)) return 'purchase_order';
  return root;
}

/** ISO 8601 from what UBL (2026-03-04, with or without a zone) and CII (20260304, format 102; 203 and 204 with a time) write. */
export function isoDate(text: string | undefined): string | undefined {
  const match = /^(\d{4})-?(\d{2})-?(\d{2})(?:$|[T\d+-Z])/.exec(text ?? '');
  if (!match) return undefined;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const exists = month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
  return exists ? `${match[1]!}-${match[2]!}-${match[3]!}` : undefined;
}

/** Freight and handling among the charges: UNTDID 7161 codes, or the reason in words. */
const FREIGHT_CODES = new Set(['FC', 'SAA', 'DL', 'ABK', 'TX', 'SH', 'AAZ']);
const FREIGHT_WORDS =
  /shipp|freight|deliver|postage|carriage|handling|versand|fracht|porto|liefer|livraison|transport|port\b|envío|envio|spedizion|trasport|verzend|bezorg/i;

export const isFreight = (code: string | undefined, reason: string | undefined): boolean =>
  (code !== undefined && FREIGHT_CODES.has(code)) || (reason !== undefined && FREIGHT_WORDS.test(reason));

/** Countries that write the post code behind the town. */
const TOWN_FIRST = new Set(['GB', 'IE', 'US', 'CA', 'AU', 'NZ', 'ZA', 'IN', 'SG', 'MY', 'KE', 'NG', 'AE', 'NA', 'BW']);

export interface AddressParts {
  lines: (string | undefined)[];
  town?: string | undefined;
  postCode?: string | undefined;
  region?: string | undefined;
  country?: string | undefined;
}

/** An address on one line, as its country writes it. The country's code is no part of what a page prints. */
export function addressText({ lines, town, postCode, region, country }: AddressParts): string | undefined {
  const townFirst = country !== undefined && TOWN_FIRST.has(country);
  const place = townFirst ? [town, region, postCode] : [postCode, town];
  const parts = [...lines, place.filter((part) => part !== undefined).join(' ')];
  const text = parts.filter((part) => part !== undefined && part !== '').join(', ');
  return text === '' ? undefined : text;
}

/** ISO 13616 by shape: country, check digits, up to 30 letters and digits. */
export function asIban(text: string | undefined): string | undefined {
  const compact = text?.replace(/\s/g, '').toUpperCase();
  return compact !== undefined && /^[A-Z]{2}\d{2}[A-Z0-9]{10,30}$/.test(compact) ? compact : undefined;
}

/** ISO 9362: bank, country, place, and perhaps a branch; a national sort code in its place is none. */
export function asBic(text: string | undefined): string | undefined {
  const compact = text?.replace(/\s/g, '').toUpperCase();
  return compact !== undefined && /^[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/.test(compact) ? compact : undefined;
}

/** The rate of a tax breakdown; undefined where goods of several rates were sold. */
export function singleRate(rates: (number | undefined)[]): number | undefined {
  const distinct = [...new Set(rates.filter((rate) => rate !== undefined))];
  return distinct.length === 1 ? distinct[0] : undefined;
}

/** Leaves out what is missing. */
export function present<Name extends string>(
  values: Partial<Record<Name, EInvoiceValue | undefined>>,
): Partial<Record<Name, EInvoiceValue>> {
  const kept = Object.entries(values).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(kept) as Partial<Record<Name, EInvoiceValue>>;
}

/** Number and date go by the name that their type of document has in our field names. */
export function identityFields(
  type: EInvoiceType,
  number: string | undefined,
  date: string | undefined,
): Record<string, EInvoiceValue | undefined> {
  if (type === 'purchase_order') return { purchase_order_number: number, order_date: date };
  const common = { invoice_number: number, invoice_date: date };
  return type === 'credit_note' ? { credit_note_number: number, credit_note_date: date, ...common } : common;
}

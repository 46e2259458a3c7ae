/** How a document writes the fraction of an amount: 1,234.56 or 1.234,56. */
export type DecimalMark = '.' | ',';

export interface Money {
  amount: number;
  /** Written with a fraction of two digits. */
  exact: boolean;
  currency?: string;
  /** Marked as a debit or a credit behind the number: "12.00 DR", "12,00 S", "1,250.00CR". The amount stays unsigned. */
  side?: 'debit' | 'credit';
}

const SYMBOLS: [RegExp, string][] = [
  [/\bBRL\b|(?<![A-Z])R\$/, 'BRL'],
  [/€|\bEUR(?:OS?)?\b/i, 'EUR'],
  [/£|\bGBP\b/i, 'GBP'],
  [/\bRM\b|\bMYR\b|RM(?=\s?\d)/, 'MYR'],
  // A rand sign stands before an amount; "R65474" and "INV-R12" are numbers of documents.
  [/\bZAR\b|(?<![-/\w])R(?=\s?\d{1,3}(?!\d)|\s?\d+[.,]\d{2}(?!\d))/, 'ZAR'],
  [/\bSGD\b|\bS\$/, 'SGD'],
  [/\bAUD\b|\bA\$/, 'AUD'],
  [/\bNZD\b|\bNZ\$/, 'NZD'],
  [/\bCAD\b|\bC\$|\bCA\$/, 'CAD'],
  [/\bHKD\b|\bHK\$/, 'HKD'],
  [/\bUSD\b|\bUS\$/, 'USD'],
  [/\bCHF\b/, 'CHF'],
  [/\bINR\b|₹|\bRs\.?(?=\s?\d)/, 'INR'],
  [/\bJPY\b/, 'JPY'],
  [/\bCNY\b|\bRMB\b/, 'CNY'],
  [/\bIDR\b|\bRp\.?(?=\s?\d)/, 'IDR'],
  [/\bAED\b|\bDhs?\.?(?=\s?\d)/, 'AED'],
  [/\bKES\b|\bKshs?\b/i, 'KES'],
  [/\bNGN\b|₦/, 'NGN'],
  [/\bBWP\b/, 'BWP'],
  [/\bNAD\b|\bN\$/, 'NAD'],
  [/\bSEK\b/, 'SEK'],
  [/\bNOK\b/, 'NOK'],
  [/\bDKK\b/, 'DKK'],
  [/\bPLN\b|\bzł\b/, 'PLN'],
  [/\bCZK\b|(?<=\d\s?|^)Kč/i, 'CZK'],
  [/\bHUF\b|(?<=(?:\d{3}|,\d{2})\s?)Ft\b|^Ft$/, 'HUF'],
  [/\bRON\b|(?<=\d\s?)lei\b/i, 'RON'],
  [/\bTRY\b|₺|(?<=\d\s?)TL\b/, 'TRY'],
  [/\bBGN\b|(?<=\d\s?)лв/, 'BGN'],
  [/\bUAH\b|₴/, 'UAH'],
  [/\bILS\b|₪/, 'ILS'],
  [/\bKRW\b|₩/, 'KRW'],
  [/\bVND\b|₫/, 'VND'],
  [/\bMXN\b|\bMX\$/, 'MXN'],
  [/\bSAR\b(?=\s?\d)/, 'SAR'],
  [/\bTHB\b|฿/, 'THB'],
  [/\bPHP\b|₱/, 'PHP'],
  [/\$/, 'USD'],
  [/¥/, 'JPY'],
];

/** The ISO 4217 code of the first currency that a text names; a bare $ is the US dollar. */
export function currencyIn(text: string): string | undefined {
  return SYMBOLS.find(([pattern]) => pattern.test(text))?.[1];
}

/** Characters that OCR puts for digits inside a number. */
const CONFUSIONS: Record<string, string> = { O: '0', o: '0', Q: '0', D: '0', l: '1', I: '1', '|': '1', S: '5', B: '8' };

/** Groups of thousands, groups of the Indian kind (12,34,567), or plain digits; then a fraction. */
const NUMBER =
  /^[-+]?\d{1,3}(?:[., '’]\d{3})*(?:[.,]\d{1,4})?-?$|^[-+]?\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d{1,4})?-?$|^[-+]?\d+(?:[.,]\d{1,4})?-?$/;
const SPACES = /[\u00a0\u2007\u2009\u202f]/g;
const MINUS = /[−–—]/g;
const SIDE = /(?<=\d)\s?(?<mark>CR|DR|DB|KR|HABEN|SOLL)\.?$/i;
/** "5,-" and "12.--": a whole amount. */
const NO_CENTS = /(?<=\d)[.,][-=]{1,2}$/;

/**
 * Reads one token as an amount: currency signs, brackets and a leading or trailing minus for negatives, tax codes and
 * debit or credit marks behind the number ("12.50 SR", "3,20A", "7.00 CR"). Undefined when the token is no plain number.
 */
export function parseMoney(token: string, decimal: DecimalMark = '.'): Money | undefined {
  const currency = currencyIn(token);
  const plain = token.replace(SPACES, ' ').replace(MINUS, '-').trim();
  const side = SIDE.exec(plain)?.groups?.['mark']?.toUpperCase();
  let text = plain
    .replace(SIDE, '')
    .replace(/R\$|[€£$¥₹₦฿₱₺₴₪₩₫]/g, '')
    .replace(/^[*:=~\s]+|[*:=~\s]+$/g, '')
    .replace(/^(?:RM|MYR|EUR|USD|GBP|ZAR|SGD|CHF|AUD|INR|Rs\.?|Rp\.?|R|S|A|C|US|NZ|HK)(?=[\s\d.,(-])/i, '')
    .replace(/(?<=\d)\s?(?:SR|ZR|ZRL|TX|EUR|USD|GBP|RM|Kč|zł|kr|lei|[A-Z]{1,2})\.?$/i, '')
    .trim()
    .replace(NO_CENTS, `${decimal}00`);
  const negative = /^\(.*\)$/.test(text) || /^-|-$/.test(text);
  text = text
    .replace(/[()]/g, '')
    .replace(/^[-+]\s?|-$/g, '')
    .replace(/[.,]$/, '')
    .trim();
  if (/^[.,]\d{2}$/.test(text)) text = `0${text}`;
  if (!/\d/.test(text)) return undefined;
  const repaired = repairDigits(text);
  if (!NUMBER.test(repaired)) return undefined;
  const amount = toNumber(repaired, decimal);
  if (!Number.isFinite(amount)) return undefined;
  const money: Money = {
    amount: negative ? -amount : amount,
    exact: /[.,]\d{2}$/.test(repaired) || (currency !== undefined && /[.,]\d{3}$/.test(repaired)),
  };
  if (currency !== undefined) money.currency = currency;
  if (side !== undefined) money.side = side === 'CR' || side === 'KR' || side === 'HABEN' ? 'credit' : 'debit';
  return money;
}

/** Only where digits and separators already make the number up: "1O.5O" is repaired, "SOLO" is not. */
function repairDigits(text: string): string {
  const digits = text.replace(/\D/g, '').length;
  const confusable = Array.from(text).filter((c) => c in CONFUSIONS).length;
  if (confusable === 0 || confusable > digits || !/[.,]/.test(text)) return text;
  return Array.from(text)
    .map((c) => CONFUSIONS[c] ?? c)
    .join('');
}

function toNumber(text: string, decimal: DecimalMark): number {
  const last = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','));
  if (last < 0) return Number(text.replace(/[ '’]/g, ''));
  const mark = text[last];
  const fraction = text.slice(last + 1);
  const marks = new Set(text.match(/[.,]/g));
  // Two kinds of marks: the last is the decimal one. One kind: thousands where it repeats, or where three digits
  // follow and the document writes its decimals with the other mark.
  const repeats = text.split(mark!).length > 2;
  const thousands = marks.size === 1 && (repeats ? fraction.length === 3 : fraction.length === 3 && mark !== decimal);
  if (thousands) return Number(text.replace(/[., '’]/g, ''));
  return Number(`${text.slice(0, last).replace(/[., '’]/g, '')}.${fraction}`);
}

/**
 * The decimal mark that the amounts of a document agree on; undefined where none shows it. An amount with both marks
 * (1.234,56) proves its own, one with a fraction of two digits is a vote.
 */
export function decimalMarkOf(text: string): DecimalMark | undefined {
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  const comma = count(/\d,\d{2}(?![\d.,])/g) + 2 * count(/\d[.'’]\d{3},\d{2}(?!\d)/g);
  const point = count(/\d\.\d{2}(?![\d.,])/g) + 2 * count(/\d[,'’]\d{3}\.\d{2}(?!\d)/g);
  if (comma === point) return undefined;
  return comma > point ? ',' : '.';
}

/** Equal to the cent; floats are only compared here, never summed into results that are shown. */
export const sameAmount = (a: number, b: number, tolerance = 0.005): boolean => Math.abs(a - b) <= tolerance + 1e-9;

export const roundCents = (value: number): number => Math.round(value * 100) / 100;

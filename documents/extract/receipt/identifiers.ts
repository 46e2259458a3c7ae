import type { Line } from '../../layout/lines.ts';
import type { ExtractionField } from '../../types.ts';
import type { ExtractContext } from '../context.ts';
import { wordsAt } from '../date-field.ts';
import { fieldOf } from '../field.ts';

interface Found {
  value: string;
  line: Line;
  index: number;
  length: number;
  certainty: number;
}

/** merchant_phone, merchant_tax_number, receipt_number: told apart by their label and their form. */
export function identifierFields(context: ExtractContext): Record<string, ExtractionField> {
  const fields: Record<string, ExtractionField> = {};
  const put = (name: string, found: Found | undefined): void => {
    if (!found) return;
    const words = wordsAt(found.line, found.index, found.length);
    fields[name] = fieldOf(found.value, words, found.line.page, found.certainty);
  };
  put('merchant_phone', phone(context.lines));
  put('merchant_tax_number', taxNumber(context.lines));
  put('receipt_number', receiptNumber(context.lines));
  return fields;
}

const PHONE_LABEL =
  /(?:\b(?:te[l1i](?:ephone|efon[eo]?|efoon|\.?\s?\/\s?fax)?|t[ée]l(?:[ée]phone)?|tlf|phone|ph|mobile|h\/?p|call(?: us)?|contact|customer (?:service|care)|t)\b|\btel(?=\d))\s*(?:no|nr|n[°º])?\s*[.:;,#)]*\s*(?:no|nr)?[.:;]*\s*(?<v>1-?[38]00-?[\dA-Z][\dA-Z-]{4,9}|\+?\(?\d[\d().–-]*(?:\s?[\s/]\s?(?=[\d(])[\d().–-]+)*)/iu;
/** Alone on its line, in the form of a phone number: with a prefix, a leading zero, or North American. */
const BARE_PHONE =
  /^[^\w(+]{0,2}(?<v>(?:\+\d{1,3}[\s().-]{0,2}|\(?0\d{1,4}\)?[\s./-]?)\d[\d\s()./-]{5,13}\d|\(?\d{3}\)?[\s.-]\d{3}[\s.-]\d{4})\W{0,2}$/;
const HEAD_LINES = 14;

function phone(lines: Line[]): Found | undefined {
  for (const line of lines) {
    const found = match(line, PHONE_LABEL, 0.93);
    if (found && !/\b(?:customer|member|guest)\b(?! (?:service|care))/i.test(line.text)) return cleanPhone(found);
  }
  for (const line of lines.slice(0, HEAD_LINES)) {
    const found = match(line, BARE_PHONE, 0.85);
    if (found) return cleanPhone(found);
  }
  return undefined;
}

/** Two numbers behind one label ("03-2163 2766/2181 6768"): the first. */
function cleanPhone(found: Found): Found | undefined {
  const [first = '', ...more] = found.value.split('/');
  const value = (digitsOf(first) >= 7 ? first : [first, ...more].join('/')).trim().replace(/\s+/g, ' ');
  const letters = /[A-Z]{3}/i.test(value) ? 4 : 0;
  const digits = digitsOf(value) + letters;
  if (digits < 6 || digits > 15) return undefined;
  return { ...found, value, length: value.length };
}

const digitsOf = (text: string): number => text.replace(/\D/g, '').length;

const TAX_LABEL =
  /(?:\b|(?<=\())(?:(?:g[s5]t|sst|vat|tva|btw|mwst|ust|nif|c\.?i\.?f|n\.?i\.?p\.?c|nipc|siret|abn|a\.b\.n|ein|tin|gstin|tax|steuer|contribuinte|rut|r\.?u\.?c|cvr|nip|trn)(?:[\s.-]*(?:[i1l]d(?:ent)?|ldnr|reg(?:istration|istered)?|ref|payer|nummer|number|n[o0]|nr|n[°º])){0,3}|p(?:art(?:ita)?)?[\s.]*i\.?v\.?a|st\.?-?nr|ust-?id(?:-?nr)?)[\s.:;#=°º)]*(?:(?:no|nr|intracom(?:munautaire)?)[.:;\s]*)?\s*(?<v>\d{2}[A-Z]{5}\d{4}[A-Z][A-Z\d]Z[A-Z\d]|(?:[A-Z]{1,3}[\s-]?)?\d[\dOQ .,/-]{5,18}\d(?:B\d{2}|-?[A-Z](?![A-Z\d]))?)/iu;

function taxNumber(lines: Line[]): Found | undefined {
  for (const line of lines) {
    const found = match(line, TAX_LABEL, 0.92);
    if (!found) continue;
    const value = found.value.replace(/[\s.,]/g, '').replace(/(?<=\d)[OQ](?=\d|$)/gi, '0');
    const digits = digitsOf(value);
    // Seven digits and more: a rate and an amount behind the label are no number.
    if (digits < 7 || digits > 15 || /\d[.,]\d{2}\s*$/.test(found.value) || isDate(found.value)) continue;
    return { ...found, value };
  }
  return undefined;
}

const NUMBER_WORD = String.raw`(?:\s*\W?\s*(?:number|nummer|num(?:ero|éro)?|n[o0]|nr|n[°º]|n[.:]|id|code|#))`;
const NUMBER_VALUE = String.raw`[\s.:;#=°º)]*(?<v>(?:(?!n[or0]\b|id\b)[A-Z0]{1,5}[\s-]{0,2}(?=\d{3}))?[A-Z0-9][A-Z0-9/_-]*)`;
/** Best kind of number first; a title alone ("TAX INVOICE 12") needs the word "number" less than an order does. */
const RECEIPT_LABELS: [RegExp, number][] = [
  [
    label(
      'rece[il1]pt|recpt|rcpt|quittung|bon|beleg|kassenbon|kassabon|kassebon|re[cç]u|recibo|ricevuta|scontrino|kwitansie|talao|resit',
      true,
    ),
    0.9,
  ],
  [
    label(
      'inv(?:o[il1]ce)?|b[il1]{3}|rechnung|facture|factura(?: simplificada)?|fattura|fatura|factuur|faktuur|document[oe]?|doc',
      true,
    ),
    0.87,
  ],
  [
    label(
      'rece[il1]pt|rechnung|facture|factura(?: simplificada)?|fatura(?:-recibo)?|ticket|kwitansie|inv(?:o[il1]ce)?|b[il1]{3}',
      false,
    ),
    0.75,
  ],
  [label('check|chit|cheque|ticket|slip|trans(?:action)?|trn|trx|txn|cs|folio|voucher|confirmation', true), 0.78],
  [label('order|bestellung|commande|pedido|ordine|ref(?:erence)?', true), 0.6],
  [label('slip|trans(?:action)?|order|check|chit|folio', false), 0.55],
  [/^\W*(?:no|nr|n[°º]|#)[\s.:#]*(?<v>(?=[A-Z-]*\d)[A-Z0-9-]{4,})\W*$/i, 0.5],
];

function label(words: string, numbered: boolean): RegExp {
  return new RegExp(String.raw`(?<!\p{L})(?:${words})${numbered ? `${NUMBER_WORD}+` : ''}${NUMBER_VALUE}`, 'iu');
}

function receiptNumber(lines: Line[]): Found | undefined {
  for (const [pattern, certainty] of RECEIPT_LABELS) {
    for (const line of lines) {
      const found = match(line, pattern, certainty);
      if (
        found &&
        isNumber(found, line) &&
        !/\b(?:reg|gst|sst|vat|co(?:mpany)?|original)\b/i.test(line.text.slice(0, found.index))
      )
        return { ...found, value: found.value.replace(/[.:/-]+$/, '') };
    }
  }
  return undefined;
}

/** With a digit; no date, time, amount or quantity. */
function isNumber({ value, index, length }: Found, line: Line): boolean {
  const next = line.text.slice(index + length);
  return (
    digitsOf(value) >= 2 &&
    !isDate(value) &&
    !/^[.,]\d{2}\b|^[./-]\d{1,2}[./-]\d{2}|^:\d{2}|^\s?%/.test(next) &&
    !/^\d+[x×]$/i.test(value)
  );
}

const isDate = (text: string): boolean => /^\d{1,4}\s?[-/.]\s?\d{1,2}\s?[-/.]\s?\d{2,4}\b/.test(text.trim());

function match(line: Line, pattern: RegExp, certainty: number): Found | undefined {
  const result = pattern.exec(line.text);
  const value = result?.groups?.['v'];
  if (!result || value === undefined) return undefined;
  const index = result.index + result[0].lastIndexOf(value);
  return { value: value.trim(), line, index, length: value.length, certainty };
}

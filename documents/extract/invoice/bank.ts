import type { Line } from '../../layout/lines.ts';
import type { ExtractionField } from '../../types.ts';
import type { ExtractContext } from '../context.ts';
import { wordsAt } from '../date-field.ts';
import { fieldOf } from '../field.ts';
import { fold, type LabelledValue, labelledValues, type ValueReader } from '../labels.ts';

/** Characters of an IBAN by country (ISO 13616, SWIFT's registry). */
const LENGTHS: Record<string, number> = Object.fromEntries(
  'AD24 AE23 AT20 BE16 BG22 BH22 CH21 CY28 CZ24 DE22 DK18 EE20 ES24 FI18 FR27 GB22 GI23 GR27 HR21 HU28 IE22 IL23 IS26 IT27 KW30 LB28 LI21 LT20 LU20 LV21 MC27 MT31 MU30 NL18 NO15 PK24 PL28 PT25 QA29 RO24 SA24 SE24 SI19 SK24 SM27 TN24 TR26 UA29'
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);
/** Countries whose account numbers are digits only: a letter in them is a misread digit. */
const DIGITS_ONLY = new Set(['DE', 'AT', 'BE', 'ES', 'DK', 'FI', 'NO', 'SE', 'PL', 'PT', 'CZ', 'SK', 'HU', 'EE', 'LT']);
const MISREAD: Record<string, string> = { O: '0', Q: '0', D: '0', I: '1', L: '1', S: '5', B: '8', Z: '2' };

const BANK_WORD = /\b(?:iban|bic|swift|bank\w*|sort\s*code|branch|routing|aba|konto|blz|remit\w*|transfer|rib)\b/;
const ACCOUNT = new RegExp(
  [
    String.raw`\b(?:bank\s*)?(?:account|acct|acc|a/c)\b\.?\s*(?:no\b\.?|number|#|nr\b\.?|num\b\.?)`,
    String.raw`\bbank\s*account\b`,
    String.raw`\bkonto(?:[\s-]*(?:nummer|nr)\b\.?)`,
    String.raw`\b(?:rekening|bankrekening)(?:nummer|nommer|[\s-]*nr)\b\.?`,
    String.raw`\b(?:numero|n[°º]\.?)\s*(?:de\s*)?(?:compte|cuenta|conto|conta)\b`,
  ].join('|'),
  'i',
);

export function bankFields(context: ExtractContext): Record<string, ExtractionField> {
  const fields: Record<string, ExtractionField> = {};
  const iban = findIban(context.lines);
  if (iban) fields['iban'] = iban.field;
  const swift = labelledValues(context.lines, /\b(?:swift|bic)(?:[\s/-]*(?:code|bic|swift|nr|no))*\b/, readBic)[0];
  put(fields, 'swift', swift, 0.93);
  const account = labelledValues(context.lines, ACCOUNT, readAccount).find((v) => isNearBank(context.lines, v.line));
  put(fields, 'bank_account', account, 0.85);
  put(fields, 'sort_code', labelledValues(context.lines, /\bsort(?:ing)?[\s-]*code\b/, readSortCode)[0], 0.9);
  put(
    fields,
    'routing_number',
    labelledValues(context.lines, /\b(?:aba|routing|ach|fedwire)\b(?:\s*(?:no|number|code|#))*/, readRouting)[0],
    0.9,
  );
  const bank = bankName(context.lines, iban?.line ?? account?.line ?? swift?.line);
  if (bank) fields['bank_name'] = bank;
  return fields;
}

function put(
  fields: Record<string, ExtractionField>,
  name: string,
  found: LabelledValue<string> | undefined,
  certainty: number,
): void {
  if (found) fields[name] = fieldOf(found.value, found.words, found.page, certainty);
}

interface FoundIban {
  field: ExtractionField;
  line: Line;
}

/** The first number that passes its check; else one of the right form behind the word IBAN, with less confidence. */
function findIban(lines: Line[]): FoundIban | undefined {
  let unsure: FoundIban | undefined;
  for (const line of lines) {
    for (const match of line.text.toUpperCase().matchAll(/\b[A-Z]{2}\d{2}(?=[ -]?[A-Z0-9]{2})/g)) {
      const read = ibanAt(line.text.toUpperCase(), match.index);
      if (!read) continue;
      const words = wordsAt(line, match.index, read.length);
      const labelled = /iban/.test(fold(line.text));
      if (read.valid) return { field: fieldOf(read.value, words, line.page, 0.98), line };
      if (labelled) unsure ??= { field: fieldOf(read.value, words, line.page, 0.72), line };
      else unsure ??= { field: fieldOf(read.value, words, line.page, 0.55), line };
    }
  }
  return unsure;
}

function ibanAt(text: string, index: number): { value: string; length: number; valid: boolean } | undefined {
  const expected = LENGTHS[text.slice(index, index + 2)];
  if (expected === undefined) return undefined;
  let value = '';
  let at = index;
  while (at < text.length && value.length < expected && /[A-Z0-9 -]/.test(text[at]!)) {
    if (/[A-Z0-9]/.test(text[at]!)) value += text[at]!;
    at++;
  }
  if (value.length !== expected || /[A-Z0-9]/.test(text[at] ?? '')) return undefined;
  const repaired = DIGITS_ONLY.has(value.slice(0, 2)) ? repair(value) : value;
  if (DIGITS_ONLY.has(value.slice(0, 2)) && /[A-Z]/.test(repaired.slice(4))) return undefined;
  return { value: repaired, length: at - index, valid: passesMod97(repaired) };
}

const repair = (iban: string): string =>
  iban.slice(0, 4) + Array.from(iban.slice(4), (character) => MISREAD[character] ?? character).join('');

/** ISO 7064 MOD 97-10, as ISO 13616 uses it: the first four characters go to the end, letters become 10 to 35. */
export function passesMod97(iban: string): boolean {
  let remainder = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    for (const digit of parseInt(character, 36).toString()) remainder = (remainder * 10 + Number(digit)) % 97;
  }
  return remainder === 1;
}

const readBic: ValueReader<string> = (text) => {
  const match =
    /^(?:(?:code|bic|swift)[\s.:/-]*)*(?<bic>[A-Z]{4}[\s]?[A-Z]{2}[\s]?[A-Z0-9]{2}[\s]?(?:[A-Z0-9]{3}\b)?)\b/.exec(
      text,
    );
  const bic = match?.groups?.['bic'];
  if (!match || bic === undefined) return undefined;
  return { value: bic.replace(/\s/g, ''), index: match[0].length - bic.length, length: bic.trimEnd().length };
};

const readAccount: ValueReader<string> = (text) => {
  const match = /^(?:\([^)]*\)\s*:?\s*)?(?<account>[A-Z]{0,4}\d[\dA-Z]*(?:[\s-]\d+)*)/.exec(text);
  const account = match?.groups?.['account'];
  if (!match || account === undefined || account.replace(/\D/g, '').length < 5) return undefined;
  return { value: account.replace(/\s/g, ''), index: match[0].length - account.length, length: account.length };
};

const readSortCode: ValueReader<string> = (text) => {
  const match = /^\d{2}[\s-]?\d{2}[\s-]?\d{2}\b/.exec(text);
  return match
    ? { value: match[0].replace(/\D/g, '').replace(/(\d\d)(?=\d)/g, '$1-'), index: 0, length: match[0].length }
    : undefined;
};

/** Nine digits with the American Bankers Association's check: 3·(a+d+g) + 7·(b+e+h) + (c+f+i) is a multiple of ten. */
const readRouting: ValueReader<string> = (text) => {
  const digits = /^\d{9}\b/.exec(text)?.[0];
  if (digits === undefined) return undefined;
  const sum = Array.from(digits, Number).reduce((total, digit, index) => total + digit * [3, 7, 1][index % 3]!, 0);
  return sum % 10 === 0 ? { value: digits, index: 0, length: 9 } : undefined;
};

const NEAR_LINES = 4;
const isNearBank = (lines: Line[], line: Line): boolean =>
  lines.some(
    (other) =>
      other.page === line.page && Math.abs(other.index - line.index) <= NEAR_LINES && BANK_WORD.test(fold(other.text)),
  );

const BANK_NAME =
  /\b\p{L}*(?:bank|sparkasse|banque|banco|banca|caixa|caisse d'epargne|credit (?:agricole|mutuel|lyonnais)|societe generale|rabo|barclays|hsbc|lloyds|natwest|santander|absa|nedbank|capitec|fnb)\b/u;
const NOT_A_NAME =
  /\b(?:bankverbindung|bank\s*(?:details|account|transfer|charges|information)|our bank|bank:?$|bankkonto|banking)\b|@|www\./;

/** The bank that a label names, or a name of a bank next to the account. */
function bankName(lines: Line[], account: Line | undefined): ExtractionField | undefined {
  const readName: ValueReader<string> = (text) => {
    const value = (/^[^,;:|]{3,60}/.exec(text)?.[0] ?? '')
      .replace(/\s+(?:iban|bic|swift|account|konto|sort)\b.*$/i, '')
      .trim();
    return /\p{L}{3}/u.test(value) && !/^\d/.test(value) ? { value, index: 0, length: value.length } : undefined;
  };
  const labelled = labelledValues(
    lines,
    /\b(?:bank\s*name|name\s*of\s*(?:the\s*)?bank|kreditinstitut|geldinstitut)\b\s*:?|^\W*(?:bank|banque|banco|banca)\s*:/,
    readName,
  )[0];
  if (labelled) return fieldOf(labelled.value, labelled.words, labelled.page, 0.85);
  const near = account
    ? lines.filter((line) => line.page === account.page && Math.abs(line.index - account.index) <= 3)
    : [];
  for (const line of near) {
    for (const segment of line.segments) {
      const part = segment.text.split(/[,;:|]/).find((one) => BANK_NAME.test(fold(one)) && !NOT_A_NAME.test(fold(one)));
      const value = part?.replace(/\s+(?:iban|bic|swift|account|konto|sort)\b.*$/i, '').trim();
      if (value === undefined || value.split(' ').length > 6 || /\d{3}/.test(value)) continue;
      const words = segment.words.filter((word) => value.includes(word.text.replace(/[,;:.]+$/, '')));
      return fieldOf(value, words, line.page, 0.65);
    }
  }
  return undefined;
}

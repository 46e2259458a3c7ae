import type { Line } from '../../layout/lines.ts';
import type { ExtractionField } from '../../types.ts';
import { addressLines, trimAddress } from '../address.ts';
import { POSTCODE, streetWords } from '../address-words.ts';
import { repairAddress } from '../address-spelling.ts';
import { fieldOf } from '../field.ts';
import { findMerchant, type Merchant } from './merchant.ts';

const HEAD_LIMIT = 20;

/** merchant_name and merchant_address. */
export function merchantFields(lines: Line[]): Record<string, ExtractionField> {
  const fields: Record<string, ExtractionField> = {};
  const merchant = findMerchant(lines);
  if (merchant) {
    const words = merchant.lines.flatMap((line) => line.words);
    fields['merchant_name'] = fieldOf(merchant.name, words, merchant.lines[0]!.page, merchant.certainty);
  }
  const address = findAddress(lines, merchant);
  if (address.length > 0) {
    const parts = address.map((line) => trimAddress(withoutName(line.text, merchant?.name)));
    const words = address.flatMap((line) => line.words);
    const value = repairAddress(parts.join(', '));
    fields['merchant_address'] = fieldOf(value, words, address[0]!.page, addressCertainty(value, address));
  }
  return fields;
}

/** What stands under the name; where there is nothing, anywhere in the head. */
function findAddress(lines: Line[], merchant: Merchant | undefined): Line[] {
  const named =
    merchant && merchant.inFoot !== true ? merchant.lines.at(-1)!.index + (merchant.inline === true ? 0 : 1) : 0;
  const after = Math.min(named, lines.length);
  const until = Math.min(lines.length, HEAD_LIMIT);
  const below = addressLines(lines, after, until);
  const found = below.length > 0 ? below : addressLines(lines, 0, until);
  const first = found[0];
  // The name again, with the branch: it heads the address and is no part of it.
  const repeats = first && merchant && found.length > 1 && !merchant.lines.includes(first);
  return repeats && startsWith(first.text, merchant.name) && !/\d/.test(first.text) ? found.slice(1) : found;
}

/** Torn or glued words, letters inside numbers, no postal code: signs of a reading that is wrong somewhere. */
function addressCertainty(text: string, lines: Line[]): number {
  const tokens = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  const odd = tokens.filter(
    (token) =>
      /\d{4,}\p{L}{2}|\p{L}{3,}\d{2,}/u.test(token) ||
      (/^\p{L}{4,}$/u.test(token) && !VOWEL.test(token)) ||
      isGlued(token),
  ).length;
  const lowest = Math.min(1, ...lines.flatMap((line) => line.words.map((word) => word.confidence)));
  const shape = (lines.length > 1 ? 0.9 : 0.75) * (POSTCODE.test(text) ? 1 : 0.88);
  return Math.max(0.2, shape - 0.12 * odd) * (0.4 + 0.6 * lowest);
}

const VOWEL = /[aeiouyáàâäãåæéèêëíìîïóòôöõøúùûü]/iu;

/** "JALANKANCIL": a street word with the next word glued to it. */
const isGlued = (token: string): boolean =>
  token.length >= 9 &&
  [...streetWords].some(
    (word) => word.length >= 5 && token.toLowerCase().startsWith(word) && token.length >= word.length + 3,
  );

const flat = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

const startsWith = (text: string, name: string): boolean => flat(name).length >= 4 && flat(text).startsWith(flat(name));

/** "Contoso 1822 S Island Ave": the address without the name that stands before it. */
function withoutName(text: string, name: string | undefined): string {
  if (name === undefined || !text.startsWith(`${name} `)) return text;
  const rest = text.slice(name.length);
  return /^[\s,]*\d/.test(rest) ? rest : text;
}

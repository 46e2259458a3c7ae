import type { Extraction, VendorMatch, VendorRecord } from '../types.ts';

/** As PostgreSQL's pg_trgm: names this alike are taken for the same. */
const SAME_NAME = 0.6;

/** Who sent the document, among the records: by its tax number, else by the likest name. */
export function matchVendor({ fields }: Extraction, vendors: VendorRecord[]): VendorMatch | null {
  const text = (...names: string[]): string => {
    const values = names.map((name) => fields[name]?.value);
    return values.find((value): value is string => typeof value === 'string') ?? '';
  };
  const number = plainNumber(text('vendor_tax_number', 'merchant_tax_number'));
  const byNumber =
    number === '' ? undefined : vendors.find(({ tax_number }) => plainNumber(tax_number ?? '') === number);
  if (byNumber) return { contact_id: byNumber.id, name: byNumber.name, matched_by: 'tax_number', score: 1 };
  const name = text('vendor_name', 'merchant_name');
  if (name === '') return null;
  let best: VendorMatch | null = null;
  for (const vendor of vendors) {
    const score = nameSimilarity(name, vendor.name);
    if (score < SAME_NAME || (best && score <= best.score)) continue;
    best = { contact_id: vendor.id, name: vendor.name, matched_by: 'name', score: Math.round(score * 1000) / 1000 };
  }
  return best;
}

/** Whether two names are taken for one company's. */
export const isSameName = (a: string, b: string): boolean => nameSimilarity(a, b) >= SAME_NAME;

const plainNumber = (value: string): string => value.toUpperCase().replace(/[^A-Z0-9]/g, '');

/** Shared three-letter pieces over all of them, of words padded with two blanks before and one after. */
export function nameSimilarity(a: string, b: string): number {
  const one = trigrams(a);
  const other = trigrams(b);
  const shared = [...one].filter((piece) => other.has(piece)).length;
  const all = one.size + other.size - shared;
  return all === 0 ? 0 : shared / all;
}

function trigrams(name: string): Set<string> {
  const words =
    name
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const pieces = new Set<string>();
  for (const word of words) {
    const padded = `  ${word} `;
    for (let at = 0; at + 3 <= padded.length; at++) pieces.add(padded.slice(at, at + 3));
  }
  return pieces;
}

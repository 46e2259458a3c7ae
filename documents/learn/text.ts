/** No label, name or address is longer; a hostile annotation may be. */
const LONGEST = 400;

/** The words of a page are compared many times; what was asked before is remembered, within bounds. */
const remembered = new Map<string, string>();
const MOST_REMEMBERED = 20_000;

/** Text as it is compared: capitals and digits only, without accents. */
export function flat(text: string): string {
  const known = remembered.get(text);
  if (known !== undefined) return known;
  const short = text.slice(0, LONGEST);
  const value = PLAIN.test(short)
    ? short.toUpperCase().replace(/[^A-Z0-9]+/g, '')
    : short
        .normalize('NFKD')
        .replace(/\p{M}/gu, '')
        .toUpperCase()
        .replace(/[^\p{L}\p{N}]+/gu, '');
  if (text.length > LONGEST) return value;
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(text, value);
  return value;
}

const PLAIN = /^[\x20-\x7e]*$/;

/** The same without digits: labels are constant, the numbers beside them are not. */
export const lettersOf = (text: string): string => flat(text).replace(/\p{N}+/gu, '');

/** 1 − edit distance / length of the longer; 0 where more than half of it differs: such texts have nothing in common. */
export function similarity(a: string, b: string): number {
  if (a === b) return 1;
  const longest = Math.max(a.length, b.length);
  if (Math.min(a.length, b.length) * 2 < longest) return 0;
  return 1 - distance(a, b, longest / 2) / longest;
}

/** More than the limit counts as everything: the length of the longer. */
function distance(a: string, b: string, limit: number): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    let least = i;
    const letter = a.charCodeAt(i - 1);
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (letter === b.charCodeAt(j - 1) ? 0 : 1);
      const value = Math.min(replaced, row[j]! + 1, next[j - 1]! + 1);
      next.push(value);
      if (value < least) least = value;
    }
    if (least > limit) return Math.max(a.length, b.length);
    row = next;
  }
  return row[b.length]!;
}

/** How well a text is found somewhere inside another: 1 − least edit distance to a part of it / its length (Sellers 1980). */
export function containment(part: string, whole: string): number {
  if (part === '') return 0;
  if (whole.includes(part)) return 1;
  let row = new Array<number>(whole.length + 1).fill(0);
  for (let i = 1; i <= part.length; i++) {
    const next = [i];
    for (let j = 1; j <= whole.length; j++) {
      const replaced = row[j - 1]! + (part.charCodeAt(i - 1) === whole.charCodeAt(j - 1) ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return Math.max(0, 1 - Math.min(...row) / part.length);
}

/** A's and 9's in place of letters and digits; runs of letters count once, and those of digits where `loose`. */
export function shapeOf(text: string, loose = false): string {
  const shape = text
    .slice(0, 80)
    .trim()
    .replace(/\p{L}+/gu, 'A')
    .replace(/\p{N}/gu, '9')
    .replace(/\s+/g, ' ');
  return (loose ? shape.replace(/9+/g, '9') : shape).slice(0, 24);
}

/** 32 bits of FNV-1a: enough to compare words without keeping them. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

export const mean = (values: number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

export function median(values: number[]): number {
  const ordered = [...values].sort((a, b) => a - b);
  return ordered[Math.floor(ordered.length / 2)] ?? 0;
}

/** Four digits are finer than any place on a page, and keep stored models small. */
export const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;

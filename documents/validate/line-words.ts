import { monthNames } from '../values/dates.ts';

const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** Words that say nothing of what was bought (English, German, French, Spanish, Dutch, Italian, Portuguese). */
const EMPTY_WORDS = new Set([
  ...'for the and with per from our your each incl und fur mit der die das den von pro zum zur pour les des par avec'.split(
    ' ',
  ),
  ...'une aux para con los las del por una voor met een van het alla della dei nel com dos das uma'.split(' '),
  // The rent of October is the rent of November. Short ones are words of their own: a set, out, may.
  ...[...monthNames].map(plain).filter((name) => name.length > 3),
]);

/** Words of three letters and more that say what a line is, without accents; a plural's s is dropped. */
export function wordsOf(text: string): string[] {
  const words = (plain(text).match(/\p{L}{3,}/gu) ?? []).filter((word) => !EMPTY_WORDS.has(word));
  return words.map((word) => (word.length > 4 ? word.replace(/(?<!s)s$/, '') : word));
}

/** The whole text, numbers too, without what differs between two prints of it. */
export const spelling = (text: string): string =>
  plain(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Words with what each of them weighs. */
export interface Weighed {
  weights: Map<string, number>;
  length: number;
}

/**
 * Weighs words by how rare they are among the texts that are compared (inverse document frequency, smoothed); words that
 * were never seen are the rarest.
 */
export function scaleOf(texts: string[][]): (words: string[]) => Weighed {
  const counts = new Map<string, number>();
  for (const words of texts) for (const word of new Set(words)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return (words) => {
    const weights = new Map(
      words.map((word) => [word, Math.log(1 + (texts.length + 1) / ((counts.get(word) ?? 0) + 1))]),
    );
    return { weights, length: Math.hypot(...weights.values()) };
  };
}

/** The cosine of two texts, 0 to 1. */
export function likeness(a: Weighed, b: Weighed): number {
  let dot = 0;
  for (const [word, weight] of a.weights) dot += weight * (b.weights.get(word) ?? 0);
  return dot === 0 ? 0 : dot / (a.length * b.length);
}

/** Where each word stands: the numbers of the texts that have it. */
export function indexOf(texts: Iterable<string>[]): Map<string, number[]> {
  const index = new Map<string, number[]>();
  for (const [number, words] of texts.entries()) {
    for (const word of new Set(words)) {
      const numbers = index.get(word);
      if (numbers) numbers.push(number);
      else index.set(word, [number]);
    }
  }
  return index;
}

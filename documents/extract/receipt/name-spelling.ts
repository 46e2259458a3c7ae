import type { Line } from '../../layout/lines.ts';
import { businessWords } from '../company.ts';
import { misreading } from '../misreading.ts';

/** Below it a short word may be read as the business word that it resembles. */
const DOUBTFUL = 0.92;

/**
 * A shop prints its name several times: in the head, in its web address, in the branch's line. A word of the name that
 * the rest of the page spells otherwise, in one letter and more than once, is put right; so are words of businesses.
 */
export function repairName(name: string, nameLines: Line[], lines: Line[]): string {
  const others = wordCounts(lines.filter((line) => !nameLines.includes(line)));
  return repairAmpersand(name).replace(/[\p{L}\p{N}'’]{4,}/gu, (word) => {
    const flat = flatten(word);
    if (!/\p{L}/u.test(flat) || businessWords.has(flat)) return word;
    const meant = elsewhere(flat, others) ?? businessWord(flat, confidenceOf(word, nameLines));
    return meant === undefined ? word : respelled(word, flat, meant);
  });
}

/** "STATIONERY S BOOKS", "HANDICRAFT 8 TAILORING": an ampersand between two words of a trade is read as what looks like it. */
const repairAmpersand = (name: string): string =>
  name.replace(/(?<=(\p{L}{4,}) )(?:8|S|E|6|8E|8\.)(?= (\p{L}{4,}))/gu, (sign, before: string, after: string) =>
    sign.startsWith('8') || (businessWords.has(flatten(before)) && businessWords.has(flatten(after))) ? '&' : sign,
  );

const flatten = (word: string): string => word.toLowerCase().replace(/['’]/g, '');

function wordCounts(lines: Line[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) {
    for (const [word] of line.text.matchAll(/[\p{L}\p{N}'’]{4,}/gu)) {
      counts.set(flatten(word), (counts.get(flatten(word)) ?? 0) + 1);
    }
  }
  return counts;
}

function elsewhere(word: string, others: Map<string, number>): string | undefined {
  if (others.has(word)) return undefined;
  return [...others].find(([other, count]) => {
    if (count < 2 || other.length !== word.length || /\d/.test(other)) return false;
    const cost = misreading(word, other, 1.2);
    return cost <= 0.5 || (cost <= 1.2 && word.length >= 6 && count >= 3);
  })?.[0];
}

function businessWord(word: string, confidence: number): string | undefined {
  if (word.length < 6 && confidence > DOUBTFUL) return undefined;
  const limit = word.length >= 8 ? 1 : 0.5;
  return [...businessWords]
    .filter((meant) => meant.length >= 4 && mayBe(word, meant))
    .find((meant) => misreading(word, meant, limit) <= limit);
}

/** The same length, or a letter lost inside: a letter more or less at the end is a plural or another word. */
const mayBe = (word: string, meant: string): boolean =>
  word.length === meant.length ||
  (word.length === meant.length - 1 && word.at(-1) === meant.at(-1) && word.length >= 8 && !meant.startsWith(word));

const confidenceOf = (word: string, lines: Line[]): number =>
  Math.min(1, ...lines.flatMap((line) => line.words.filter((w) => w.text.includes(word)).map((w) => w.confidence)));

/** The letters of `meant` in the case and with the apostrophe of the word as it was read. */
function respelled(word: string, flat: string, meant: string): string {
  if (flat.length !== meant.length) return word === word.toUpperCase() ? meant.toUpperCase() : capitalised(word, meant);
  let at = 0;
  return Array.from(word)
    .map((letter) => {
      if (/['’]/.test(letter)) return letter;
      const right = meant[at++]!;
      const upper = word === word.toUpperCase() || (letter !== letter.toLowerCase() && at === 1);
      return upper ? right.toUpperCase() : right;
    })
    .join('');
}

const capitalised = (word: string, meant: string): string =>
  /^\p{Lu}/u.test(word) ? meant.charAt(0).toUpperCase() + meant.slice(1) : meant;

import type { Word } from '../types.ts';

/** No label or value has so many letters in one word; text without spaces (Chinese, an address of the web) stays far below. */
const LONGEST_WORD = 300;
/** Words and letters of the fullest line that a page can have. */
const MOST_WORDS = 300;
const MOST_LETTERS = 3000;

/**
 * The words of a page that stand somewhere on it, each of a length that a word can have. A hostile text layer holds a
 * word of a million letters, or one at an endless place: what follows it is read as if it weren't there.
 */
export function printedWords(words: Word[]): Word[] {
  return words
    .filter(({ text, bbox }) => text.trim() !== '' && isPlace(bbox))
    .map((word) => (word.text.length <= LONGEST_WORD ? word : { ...word, text: clipped(word.text) }));
}

const isPlace = ({ x, y, width, height }: Word['bbox']): boolean =>
  [x, y, width, height].every(Number.isFinite) && width >= 0 && height >= 0;

/** Without half a character at its end. */
const clipped = (text: string): string => text.slice(0, LONGEST_WORD).replace(/[\uD800-\uDBFF]$/, '');

/**
 * A line in pieces that the patterns of the extractors get through in time: what they look for lies within a few words,
 * and ten thousand words side by side are no line.
 */
export function inBounds<T extends { text: string }>(line: T[]): T[][] {
  if (line.length <= MOST_WORDS && line.length * LONGEST_WORD <= MOST_LETTERS) return [line];
  const pieces: T[][] = [[]];
  let letters = 0;
  for (const word of line) {
    const piece = pieces.at(-1)!;
    letters += word.text.length + 1;
    if (piece.length > 0 && (piece.length >= MOST_WORDS || letters > MOST_LETTERS)) {
      pieces.push([word]);
      letters = word.text.length + 1;
    } else piece.push(word);
  }
  return pieces;
}

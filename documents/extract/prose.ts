import type { Line } from '../layout/lines.ts';
import type { Word } from '../types.ts';

/** Running text over lines and pages, in which the words of any stretch can be found again. */
export interface Prose {
  text: string;
  /** The words of a stretch, those on its first page only: a box lies on one page. */
  wordsAt(index: number, length: number): { words: Word[]; page: number };
  /** Where each line starts. */
  lineStarts: number[];
}

/** Page numbers and filing headers stand between the lines of a sentence that goes on over the page. */
const FURNITURE =
  /^\W*(?:page\s*)?\d{1,3}(?:\s*(?:of|\/|von|sur|de|van)\s*\d{1,3})?\W*$|^\W*EX-\d|^\W*exhibit\b.{0,16}$|^\W*(?:page|seite|pagina|página)\s+\d+\b.{0,12}$/i;

export function proseOf(lines: Line[]): Prose {
  const body = lines.filter((line) => !FURNITURE.test(line.text));
  const placed: { start: number; word: Word; page: number }[] = [];
  const lineStarts: number[] = [];
  let text = '';
  for (const line of body) {
    lineStarts.push(text.length);
    for (const word of line.words) {
      placed.push({ start: text.length, word, page: line.page });
      text += `${word.text} `;
    }
  }
  return {
    text,
    lineStarts,
    wordsAt(index, length) {
      const inside = placed.filter(({ start, word }) => start + word.text.length > index && start < index + length);
      const page = inside[0]?.page ?? 1;
      return { words: inside.filter((entry) => entry.page === page).map((entry) => entry.word), page };
    },
  };
}

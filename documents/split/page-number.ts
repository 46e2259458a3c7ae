import { clipped, fold } from '../classify/fold.ts';
import type { Line } from '../layout/lines.ts';

/** What a page says about its place: `Page 2 of 3`, `2/3`, or a bare number at the foot. */
export interface PageNumber {
  number: number;
  of: number | undefined;
  /** A bare number may be anything else. */
  bare: boolean;
}

/** Shares of the page's height in which page numbers stand. */
const HEAD = 0.16;
const FOOT = 0.86;
const MOST_PAGES = 300;

const OF = String.raw`(?:of|von|sur|de|di|van|da|daripada|aus|af|av|z|/|\||-)`;
// Folded text has i for l; digits are as they are printed.
const WORD = String.raw`(?:page|seite|pagina|pag|blad|bladsy|biad|biadsy|muka surat|muka|side|sida|strona|sheet|p)`;
const NAMED = new RegExp(String.raw`\b${WORD}\W{0,3}(\d{1,3})(?:\s*${OF}\s*(\d{1,3}))?(?![\d.,]*\d)`);
const OF_TOTAL = new RegExp(String.raw`(?:^|[^\d/.,-])(\d{1,3})\s*(?:/|of|von|sur)\s*(\d{1,3})\W*$`);
const BARE = /^\W{0,3}(\d{1,3})\W{0,3}$/;

/** The number printed at the head or foot of a page; named ones may stand anywhere near them. */
export function pageNumberOf(lines: Line[], height: number): PageNumber | undefined {
  const margins = lines.filter((line) => line.bbox.y < height * HEAD || line.bbox.y > height * FOOT);
  // A short page of a browser's print or a mail has its number right under the text.
  const last = lines.at(-1);
  const searched = last && !margins.includes(last) ? [...margins, last] : margins;
  const texts = searched.flatMap((line) => [line, ...line.segments].map(({ text }) => fold(text)));
  return (
    first(texts, (text) => readNumber(NAMED.exec(text))) ??
    first(texts, (text) => {
      const match = OF_TOTAL.exec(text);
      // 12/2024 is a month, 1/2 a page.
      return match && text.length < 40 ? readNumber(match) : undefined;
    }) ??
    bareNumber(lines, height)
  );
}

function readNumber(match: RegExpExecArray | null): PageNumber | undefined {
  if (!match) return undefined;
  const number = Number(match[1]);
  const of = match[2] === undefined ? undefined : Number(match[2]);
  if (number < 1 || number > MOST_PAGES || (of !== undefined && (of < number || of > MOST_PAGES))) return undefined;
  return { number, of, bare: false };
}

function bareNumber(lines: Line[], height: number): PageNumber | undefined {
  const foot = lines.filter((line) => line.bbox.y > height * FOOT);
  const found = first(foot, (line) => readNumber(BARE.exec(clipped(line.text))));
  return found && { ...found, bare: true };
}

function first<Item, Found>(items: Item[], find: (item: Item) => Found | undefined): Found | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

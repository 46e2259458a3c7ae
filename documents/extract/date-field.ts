import type { Line } from '../layout/lines.ts';
import type { Word } from '../types.ts';
import { type DateMatch, type DateOrder, findDates } from '../values/dates.ts';
import type { ExtractContext } from './context.ts';

export interface DateCandidate {
  iso: string;
  line: Line;
  words: Word[];
  /** Lower-case text before the date on its line, or of the line above when there is none. */
  label: string;
  ambiguous: boolean;
  /** A time of day stands on the same line. */
  withTime: boolean;
}

const TIME = /\b[0-2]?\d[:.][0-5]\d(?::[0-5]\d)?\s?(?:[ap]\.?m\b)?/i;

export function findDateCandidates(context: ExtractContext): DateCandidate[] {
  return context.lines.flatMap((line, position) =>
    datesOf(line.text, context.dateOrder).map((match) => {
      const before = line.text.slice(0, match.index);
      const above = context.lines[position - 1];
      const alone = !/\p{L}{3}/u.test(before);
      return {
        iso: match.iso,
        line,
        words: wordsAt(line, match.index, match.length),
        label:
          `${alone ? labelOver(line, above, wordsAt(line, match.index, match.length)) : ''} ${before}`.toLowerCase(),
        ambiguous: match.ambiguous,
        withTime: TIME.test(line.text.slice(match.index + match.length)),
      };
    }),
  );
}

/** Behind the label of a date, eight digits are one whose separators were lost: "DATE: 25042017", "Date 2504/2017". */
const UNSEPARATED = /(?<=\bdat(?:e|um|a)\b\W{0,3})(0[1-9]|[12]\d|3[01])[/.-]?(0[1-9]|1[0-2])[/.-]?(20\d{2})(?!\d)/i;

function datesOf(line: string, order: DateOrder): DateMatch[] {
  const found = findDates(repairDate(line), order);
  const match = found.length === 0 ? UNSEPARATED.exec(repairDate(line)) : null;
  if (!match) return found;
  const [date] = findDates(match.slice(1).join('/'), 'dmy');
  return date ? [{ ...date, index: match.index, length: match[0].length }] : [];
}

/** OCR puts letters for digits in dates: O for 0 and l or I for 1 between digits and separators. Keeps the length. */
function repairDate(text: string): string {
  return text
    .replace(/(?<=[\d/.-])[OoQ](?=[\d/.-])/g, '0')
    .replace(/(?<=[\d/.-])[lI|](?=[\d/.-])/g, '1')
    .replace(/(?<=[ap]m)[,.](?=\d)/gi, ' ')
    .replace(/\b[Oo](?=\d[/.-]\d)/g, '0')
    .replace(/\b0(?=ct\b)/gi, 'O');
}

function labelOver(line: Line, above: Line | undefined, words: Word[]): string {
  if (!above || above.page !== line.page || words.length === 0) return '';
  const left = words[0]!.bbox.x;
  const right = words.at(-1)!.bbox.x + words.at(-1)!.bbox.width;
  // A header cell right above; in a one-column page, the whole line.
  const cell = above.segments.find((s) => s.bbox.x < right && s.bbox.x + s.bbox.width > left);
  return cell?.text ?? '';
}

/** The words that cover a range of a line's text (words joined by one space). */
export function wordsAt(line: Line, index: number, length: number): Word[] {
  const found: Word[] = [];
  let at = 0;
  for (const word of line.words) {
    const end = at + word.text.length;
    if (end > index && at < index + length) found.push(word);
    at = end + 1;
  }
  return found;
}

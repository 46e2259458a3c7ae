import { type Line, textOf } from '../../layout/lines.ts';
import type { Word } from '../../types.ts';
import { endsAddress } from '../address.ts';
import { columnUnder, type Run, tailRun } from './columns.ts';
import { hasPostcode } from './postcode.ts';

const MARK = /^[|·•●¦*]$/;
const DASH = /^[-–—]$/;

/**
 * The parts of a line that signs divide: "Acme Ltd | 12 Mill Lane | Leeds LS1 4AB". Names have such signs too, so one of
 * the parts must be the town's or tell how to reach the party; a dash divides only where there is a town.
 */
export function piecesOf(run: Run): Run[] {
  const divides = (word: Word): boolean => MARK.test(word.text) || DASH.test(word.text);
  const pieces: Word[][] = [[]];
  for (const word of run.words) {
    if (divides(word)) pieces.push([]);
    else pieces.at(-1)!.push(word);
  }
  const filled = pieces.filter((words) => words.length > 0).map((words) => tailRun(run, words, textOf(words)));
  const dashed = run.words.some((word) => DASH.test(word.text));
  const divided = filled.some((piece) => hasPostcode(piece.text) || (!dashed && endsAddress(piece.text)));
  return filled.length > 1 && divided ? filled : [run];
}

/** What follows a name: the parts of its own line behind it, then the lines under it. */
export function blockUnder(lines: Line[], run: Run, maxLines = 14): Run[] {
  const segment = run.line.segments.find((one) => run.words[0] !== undefined && one.words.includes(run.words[0]));
  const whole: Run | undefined = segment && { ...segment, line: run.line };
  const pieces = whole ? piecesOf(whole) : [];
  if (whole === undefined || pieces.length < 2 || pieces[0]!.words[0] !== run.words[0])
    return columnUnder(lines, run, maxLines);
  return [...pieces.slice(1), ...columnUnder(lines, whole, maxLines)];
}

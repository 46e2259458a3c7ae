import { findAnchor } from './data-line.ts';
import { zoneLines } from './find.ts';
import { readFrenchCard } from './french.ts';
import { readThreeLines } from './three-line.ts';
import { readNameLine, readTwoLines } from './two-line.ts';
import type { Line } from '../layout/lines.ts';
import type { Mrz, ZoneLine } from './types.ts';

/** Lines of a zone follow each other; one line of other print may be read in between. */
const MAX_ROWS_APART = 3;

/**
 * The machine-readable zone of a passport, identity card or visa (ICAO Doc 9303) among the lines of a document, with
 * the reader's confusions repaired by the alphabets of the positions and by the check digits. Of several readings the
 * one with the most check digits counts. Undefined where no line holds two dates in the places of a zone.
 */
export function readMrz(lines: Line[]): Mrz | undefined {
  const candidates = zoneLines(lines);
  let best: Mrz | undefined;
  for (const [index, line] of candidates.entries()) {
    for (const reading of readingsAt(candidates, index, line)) {
      if (!best || worth(reading) > worth(best)) best = reading;
    }
  }
  return best;
}

function readingsAt(all: ZoneLine[], index: number, line: ZoneLine): Mrz[] {
  const above = all
    .slice(Math.max(0, index - MAX_ROWS_APART), index)
    .filter((other) => near(other, line))
    .reverse();
  const below = all
    .slice(index + 1, index + 1 + MAX_ROWS_APART)
    .find((other) => near(other, line) && other.row > line.row && isNames(other.text));
  const names = above.find((other) => other.row < line.row && readNameLine(other.text) !== undefined);
  const card = above.find((other) => other.row < line.row && /^.{0,2}[IAC]/.test(other.text) && /\d/.test(other.text));
  const french = above.find((other) => /^[I1]DFRA/.test(other.text));
  return [
    french ? readFrenchCard(french, line) : undefined,
    findAnchor(line.text, 'before', 13) ? readTwoLines(names, line) : undefined,
    findAnchor(line.text, 'after', 0) ? readThreeLines(card, line, below) : undefined,
  ].filter((reading) => reading !== undefined);
}

const near = (a: ZoneLine, b: ZoneLine): boolean => a.page === b.page && Math.abs(a.row - b.row) <= MAX_ROWS_APART;

const isNames = (text: string): boolean => /^[A-Z0-9]{2,}</.test(text) && (text.match(/\d/g)?.length ?? 0) <= 3;

const worth = (reading: Mrz): number =>
  reading.checks.passed * 3 -
  (reading.checks.total - reading.checks.passed) +
  reading.lines.length * 2 +
  (reading.surname ? 1 : 0);

import type { Line } from '../layout/lines.ts';
import { clipped } from './fold.ts';

/** Readers drop or double a `<`: lines of 30, 36 and 44 letters (ICAO 9303 parts 4 to 6) are told apart by these bounds. */
const SHORT_LINE = 33;
const LONG_LINE = 40;
const FEWEST = 22;

/** Whether the document has a machine-readable zone, and of which kind: passports begin with P, cards with I, A or C. */
export function mrzFeatures(lines: Line[]): string[] {
  const zone = lines.map((line) => clipped(line.text).replace(/\s/g, '')).filter(isZoneLine);
  const names = new Set<string>();
  const longest = Math.max(0, ...zone.map((text) => text.length));
  if (zone.length > 0) names.add('mrz');
  if (longest >= LONG_LINE) names.add('mrz of a booklet');
  else if (longest >= SHORT_LINE) names.add('mrz of 36');
  else if (longest > 0) names.add('mrz of a card');
  for (const text of zone) {
    if (/^P[A-Z<][A-Z<]{3}/.test(text)) names.add('mrz begins P');
    if (/^(?:[IAC][A-Z<1]?)[A-Z<]{3}.*</.test(text) && longest < LONG_LINE) names.add('mrz begins IAC');
    if (/^V[A-Z<][A-Z<]{3}.*<</.test(text)) names.add('mrz begins V');
  }
  return [...names];
}

/** Capitals, digits and fillers only; some readers take the filler for « or for a run of K. */
function isZoneLine(text: string): boolean {
  const fillers = text.match(/[<«‹]/g)?.length ?? 0;
  return text.length >= FEWEST && fillers >= 2 && /^[A-Z0-9<«‹]+$/.test(text.toUpperCase());
}

import { boxOf, type Candidate, type Piece, printedText, textOfPiece } from './candidates.ts';
import type { PageView } from './page-view.ts';
import { lettersOf, shapeOf } from './text.ts';
import type { ValueKind } from './types.ts';

/** What can be seen of a place on a page: everything that the places of other samples are compared by. */
export interface Sighting {
  left: string;
  above: string;
  right: string;
  x: number;
  top: number;
  bottom: number;
  /** Height of the print over the usual one. */
  height: number;
  shape: string;
  words: number;
  lines: number;
  starts: boolean;
  ends: boolean;
}

const LABEL = 24;
/** How many heights above a value its column's label may stand. */
const ABOVE = 6;

/** Amounts are aligned by their last digit, all else by its beginning. */
export const isRightAligned = (kind: ValueKind): boolean => kind === 'number' || kind === 'money';

const seen = new WeakMap<Candidate, Sighting>();

export function sightingOf(view: PageView, kind: ValueKind, candidate: Candidate): Sighting {
  const known = seen.get(candidate);
  if (known) return known;
  const sighting = look(view, kind, candidate);
  seen.set(candidate, sighting);
  return sighting;
}

function look(view: PageView, kind: ValueKind, candidate: Candidate): Sighting {
  const first = candidate.pieces[0]!;
  const last = candidate.pieces.at(-1)!;
  const box = boxOf(first);
  const { page } = first.line;
  const top = view.yOf(page, box.y + box.height / 2);
  const printed = printedText(candidate.pieces);
  return {
    left: leftOf(first),
    above: aboveOf(view, first),
    right: rightOf(last),
    x: view.xOf(page, isRightAligned(kind) ? box.x + box.width : box.x),
    top,
    bottom: view.end - top,
    height: box.height / view.height,
    shape: shapeOf(printed, kind !== 'text' || printed.length > LABEL),
    words: printed.split(/\s+/).length,
    lines: candidate.pieces.length,
    starts: startsSegment(first),
    ends: endsSegment(last),
  };
}

function segmentAt({ line, start }: Piece): { from: number; to: number } {
  const segment = line.atoms.find((atom) => start >= atom.start && start < atom.end)?.segment ?? 0;
  const own = line.atoms.filter((atom) => atom.segment === segment);
  return { from: own[0]?.start ?? 0, to: own.at(-1)?.end ?? line.text.length };
}

/** The label is on the same line: in the value's own phrase, else the phrase before. */
function leftOf(piece: Piece): string {
  const { from } = segmentAt(piece);
  const own = lettersOf(piece.line.text.slice(from, piece.start));
  if (own !== '' || from === 0) return own.slice(-LABEL);
  const before = segmentAt({ ...piece, start: from - 2 });
  return lettersOf(piece.line.text.slice(before.from, from)).slice(-LABEL);
}

function rightOf(piece: Piece): string {
  const end = Math.max(0, piece.end - 1);
  const { to } = segmentAt({ ...piece, start: end });
  return lettersOf(piece.line.text.slice(piece.end, to)).slice(0, LABEL);
}

function aboveOf(view: PageView, piece: Piece): string {
  const box = boxOf(piece);
  for (let index = piece.line.index - 1; index >= Math.max(0, piece.line.index - ABOVE); index--) {
    const line = view.lines[index]!;
    if (line.page !== piece.line.page || box.y - line.bbox.y > box.height * ABOVE) break;
    const over = line.segments.find(
      ({ bbox }) => bbox.x < box.x + box.width && bbox.x + bbox.width > box.x && bbox.y + bbox.height / 2 < box.y,
    );
    const text = over ? lettersOf(over.text) : '';
    if (text !== '') return text.slice(0, LABEL);
  }
  return '';
}

const startsSegment = (piece: Piece): boolean => lettersAndDigits(textBefore(piece)) === '';
const endsSegment = (piece: Piece): boolean => lettersAndDigits(textBehind(piece)) === '';
const lettersAndDigits = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '');

const textBefore = (piece: Piece): string => piece.line.text.slice(segmentAt(piece).from, piece.start);

function textBehind(piece: Piece): string {
  const { to } = segmentAt({ ...piece, start: Math.max(piece.start, piece.start + textOfPiece(piece).length - 1) });
  return piece.line.text.slice(piece.end, to);
}

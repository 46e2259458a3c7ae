import type { PageBox } from '../types.ts';
import { blocksFrom, boxOf, type Candidate, candidatesOf, type Piece, printedText, spansOf } from './candidates.ts';
import { alike, type Comparisons } from './evidence.ts';
import type { PageView, ViewLine } from './page-view.ts';
import { type Sighting, sightingOf } from './sighting.ts';
import { flat, mean, similarity } from './text.ts';
import { type Locale, sameValue } from './values.ts';
import type { ValueKind } from './types.ts';

/** Readers slip; a text with more than every fifth letter wrong is another one. */
const ALIKE = 0.8;
/** Two letters of three in a short text are no slip. */
const SHORT = 5;
const MOST_PLACES = 8;
/** Widths of the printed area by which the same place moves between samples. */
const PLACE_SPREAD = 0.05;

/** An annotation as it was given: the value, and where its owner saw it. */
export interface Target {
  value: unknown;
  bbox?: PageBox | undefined;
}

/** The places on the pages that hold an annotated value, the most alike first. */
export function locate(view: PageView, kind: ValueKind, target: Target, locale: Locale): Candidate[] {
  const found =
    kind === 'text' ? locateText(view, String(target.value)) : locateTyped(view, kind, target.value, locale);
  const inBox = target.bbox ? found.filter((candidate) => liesIn(candidate, target.bbox!)) : [];
  if (target.bbox && inBox.length === 0) return [...boxed(view, kind, target, locale), ...found].slice(0, MOST_PLACES);
  return (inBox.length > 0 ? inBox : found).slice(0, MOST_PLACES);
}

function locateTyped(view: PageView, kind: ValueKind, value: unknown, locale: Locale): Candidate[] {
  const all = candidatesOf(view, kind, locale, { words: [1, 6], lines: [1, 1] });
  return all.filter((candidate) => sameValue(kind, candidate.value, value));
}

function locateText(view: PageView, value: string): Candidate[] {
  const target = flat(value);
  if (target === '') return [];
  const count = value.trim().split(/\s+/).length;
  const scored = view.lines.flatMap((line) => [
    ...inLine(line, target, count),
    ...(target.length > SHORT * 2 ? overLines(view, line, target) : []),
  ]);
  const best = Math.max(0, ...scored.map(({ like }) => like));
  return scored
    .filter(({ like }) => like >= best - 0.05)
    .sort((a, b) => b.like - a.like || a.candidate.pieces.length - b.candidate.pieces.length)
    .map(({ candidate }) => candidate);
}

interface Scored {
  candidate: Candidate;
  like: number;
}

function inLine(line: ViewLine, target: string, count: number): Scored[] {
  const spans = spansOf(line, [Math.max(1, count - 2), Math.min(count + 2, 3)]);
  const all = count > 1 ? [...spans, ...spansOf(line, [1, count + 3])] : spans;
  const found = all.flatMap((piece) => scored([piece], target));
  const best = Math.max(0, ...found.map(({ like }) => like));
  return found.filter(({ like }) => like === best).slice(0, 2);
}

/** A value that runs on in the lines below, from where its beginning is read. */
function overLines(view: PageView, line: ViewLine, target: string): Scored[] {
  const firsts = spansOf(line, [1, 60]).filter((piece) => {
    const text = flat(line.text.slice(piece.start, piece.end));
    return text.length < target.length && similarity(text, target.slice(0, text.length)) >= 0.7;
  });
  const found = firsts
    .flatMap((first) => blocksFrom(view, first).slice(1))
    .flatMap((block) => [block, ...trimmed(block)])
    .flatMap((block) => scored(block, target));
  const best = Math.max(0, ...found.map(({ like }) => like));
  return found.filter(({ like }) => like === best).slice(0, 1);
}

/** The same block with the last line cut off behind each of its words. */
function trimmed(block: Piece[]): Piece[][] {
  const last = block.at(-1)!;
  return last.line.atoms
    .filter((atom) => atom.start >= last.start && atom.end < last.end)
    .map((atom) => [...block.slice(0, -1), { ...last, end: atom.end }]);
}

function scored(pieces: Piece[], target: string): Scored[] {
  const text = flat(printedText(pieces));
  const like = similarity(text, target);
  const enough = target.length <= SHORT ? like === 1 : like >= ALIKE;
  return enough ? [{ candidate: { pieces, value: undefined }, like }] : [];
}

const liesIn = ({ pieces }: Candidate, box: PageBox): boolean =>
  pieces.every((piece) => {
    const { x, y, width, height } = boxOf(piece);
    const [cx, cy] = [x + width / 2, y + height / 2];
    return (
      piece.line.page === box.page &&
      cx >= box.x - height &&
      cx <= box.x + box.width + height &&
      cy >= box.y - height / 2 &&
      cy <= box.y + box.height + height / 2
    );
  });

/** What is printed in the box, where the value itself can't be read there. */
function boxed(view: PageView, kind: ValueKind, { bbox }: Target, locale: Locale): Candidate[] {
  if (kind !== 'text')
    return candidatesOf(view, kind, locale, { words: [1, 6], lines: [1, 1] }).filter((one) => liesIn(one, bbox!));
  const pieces = view.lines.flatMap((line) => {
    const inside = line.atoms.filter((atom) =>
      liesIn({ pieces: [{ line, start: atom.start, end: atom.end }], value: undefined }, bbox!),
    );
    const [first, last] = [inside[0], inside.at(-1)];
    return first && last ? [{ line, start: first.start, end: last.end }] : [];
  });
  return pieces.length === 0 ? [] : [{ pieces, value: undefined }];
}

/**
 * Of the places in which each sample has its value, those that are alike over the samples: a total may be printed four
 * times, but beside its label in all of them. A place is as good as its likest counterparts in the other samples.
 * Undefined for a sample whose value was not found.
 */
export function consistent(views: PageView[], kind: ValueKind, found: Candidate[][]): (Candidate | undefined)[] {
  const cache: Comparisons = new Map();
  const sightings = found.map((candidates, index) =>
    candidates.map((candidate) => sightingOf(views[index]!, kind, candidate)),
  );
  return found.map((candidates, index) => {
    if (candidates.length < 2) return candidates[0];
    const others = sightings.filter((own, at) => at !== index && own.length > 0);
    const scores = sightings[index]!.map((own) =>
      mean(others.map((other) => Math.max(...other.map((one) => pairLikeness(own, one, cache))))),
    );
    return candidates[scores.indexOf(Math.max(...scores))];
  });
}

/** How alike two places on two samples are, in the weights of the evidence. */
function pairLikeness(a: Sighting, b: Sighting, cache: Comparisons): number {
  const close = (x: number, y: number): number => Math.exp(-(((x - y) / PLACE_SPREAD) ** 2) / 2);
  return (
    4.5 * alike(cache, a.left, b.left) +
    2 * alike(cache, a.above, b.above) +
    alike(cache, a.right, b.right) +
    1.5 * close(a.x, b.x) +
    1.5 * Math.max(close(a.top, b.top), close(a.bottom, b.bottom)) +
    close(a.height * PLACE_SPREAD, b.height * PLACE_SPREAD) +
    (a.shape === b.shape ? 1 : 0) +
    (a.starts === b.starts ? 0.3 : 0) +
    (a.ends === b.ends ? 0.3 : 0)
  );
}

import type { Candidate } from './candidates.ts';
import { printedText } from './candidates.ts';
import type { PageView, Phrase } from './page-view.ts';
import { isRightAligned, type Sighting, sightingOf } from './sighting.ts';
import { flat, similarity } from './text.ts';
import type { FieldPlaces, Label, Spread, ValueKind } from './types.ts';

/** What speaks for a place; each from 0 to 1. `absent` speaks for there being no value at all. */
export const evidenceNames = [
  'absent', 'left', 'above', 'right', 'x', 'top', 'bottom', 'anchors', 'shape', 'height', 'known', 'bounds',
] as const; // prettier-ignore

/** What each is worth before any sample was seen, in log odds. */
export const priorWeights: readonly number[] = [7.5, 4.5, 2, 0.7, 1.5, 1.5, 1.5, 4, 2, 0.8, 3, 1.2];

/** A candidate whose value is absent: its evidence is that and nothing else. */
export const absence: readonly number[] = evidenceNames.map((name) => (name === 'absent' ? 1 : 0));

/** Texts compared once for a page, however many candidates ask. */
export type Comparisons = Map<string, number>;

const LOOSE_X = 0.03;
const ANCHOR_X = 0.06;
/** Samples too few to know how far a place may move. */
const UNSURE_SPREAD = 0.04;

export interface Look {
  view: PageView;
  kind: ValueKind;
  places: FieldPlaces;
  known: [value: unknown, count: number][];
  cache: Comparisons;
  /** Where the anchors of the field stand on this page. */
  anchors: Phrase[][];
  /** What texts were found worth, so that no text is compared twice. */
  worth: Record<'left' | 'above' | 'right' | 'shape' | 'known', Map<string, number>>;
}

export function lookFor(
  view: PageView,
  kind: ValueKind,
  places: FieldPlaces,
  known: [value: unknown, count: number][],
  cache: Comparisons,
): Look {
  const anchors = places.anchors.map(({ text }) =>
    view.phrases.filter((phrase) => alike(cache, phrase.text, text) >= 0.8),
  );
  const worth = { left: new Map(), above: new Map(), right: new Map(), shape: new Map(), known: new Map() };
  return { view, kind, places, known, cache, anchors, worth };
}

export function evidenceFor(look: Look, candidate: Candidate, seen?: Sighting): number[] {
  const { view, kind, places, cache, worth } = look;
  const sighting = seen ?? sightingOf(view, kind, candidate);
  const wider = UNSURE_SPREAD / places.count;
  return [
    0,
    remembered(worth.left, sighting.left, () => labelled(places.left, sighting.left, cache)),
    remembered(worth.above, sighting.above, () => labelled(places.above, sighting.above, cache)),
    remembered(worth.right, sighting.right, () => labelled(places.right, sighting.right, cache)),
    near(places.x, sighting.x, LOOSE_X),
    near(places.top, sighting.top, wider),
    near(places.bottom, sighting.bottom, wider),
    anchored(look, sighting, wider),
    remembered(worth.shape, sighting.shape, () => labelled(places.shapes, sighting.shape, cache)),
    near(places.height, sighting.height, 0.2),
    knownAs(look, candidate),
    bounded(places, sighting),
  ];
}

function remembered(known: Map<string, number>, text: string, find: () => number): number {
  let value = known.get(text);
  if (value === undefined) known.set(text, (value = find()));
  return value;
}

/** How like the most similar label of the samples; a rare label counts less. */
function labelled(labels: Label[], text: string, cache: Comparisons): number {
  let best = 0;
  for (const [label, share] of labels) {
    const weight = Math.sqrt(share);
    if (weight > best) best = Math.max(best, weight * Math.max(0, alike(cache, label, text) * 2 - 1));
  }
  return best;
}

/** Similarity, remembered: labels are few and candidates many. */
export function alike(cache: Comparisons, a: string, b: string): number {
  if (a === b) return 1;
  if (Math.min(a.length, b.length) * 2 < Math.max(a.length, b.length)) return 0;
  const key = `${a}\n${b}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const value = similarity(a, b);
  cache.set(key, value);
  return value;
}

const near = ([centre, deviation]: Spread, value: number, loose: number): number =>
  bell((value - centre) / (deviation + loose));

const bell = (distance: number): number => Math.exp(-(distance ** 2) / 2);

function anchored({ places, anchors, kind }: Look, sighting: Sighting, wider: number): number {
  let sum = 0;
  let all = 0.5;
  for (const [index, anchor] of places.anchors.entries()) {
    const found = anchors[index] ?? [];
    if (found.length === 0) continue;
    all += anchor.share;
    const across = isRightAligned(kind) ? ANCHOR_X * 1.5 : ANCHOR_X;
    const closeness = found.map(
      ({ x, y }) =>
        bell((sighting.x - x - anchor.dx) / across) *
        bell((sighting.top - y - anchor.dy) / (anchor.spread + Math.min(wider, LOOSE_X / 3))),
    );
    sum += anchor.share * Math.max(...closeness);
  }
  return sum / all;
}

function knownAs({ known, cache, kind, worth }: Look, candidate: Candidate): number {
  const [first] = known;
  if (!first) return 0;
  const best = (like: (value: unknown) => number): number =>
    Math.max(...known.map(([value, count]) => Math.sqrt(count / first[1]) * Math.max(0, like(value) * 2 - 1)));
  if (kind !== 'text') return best((value) => (value === candidate.value ? 1 : 0));
  const text = flat(printedText(candidate.pieces));
  return remembered(worth.known, text, () => best((value) => alike(cache, flat(String(value)), text)));
}

const bounded = ({ starts, ends, words, lines }: FieldPlaces, sighting: Sighting): number =>
  ((sighting.starts ? starts : 1 - starts) +
    (sighting.ends ? ends : 1 - ends) +
    inside(words, sighting.words) +
    inside(lines, sighting.lines)) /
  4;

const inside = ([least, most]: readonly [number, number], value: number): number =>
  value >= least && value <= most ? 1 : 0;

export function scoreOf(weights: readonly number[], evidence: readonly number[]): number {
  let sum = 0;
  for (let index = 0; index < evidence.length; index++) sum += evidence[index]! * (weights[index] ?? 0);
  return sum;
}

/** Probabilities of choices by their scores. */
export function softmax(scores: number[]): number[] {
  const highest = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - highest));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}

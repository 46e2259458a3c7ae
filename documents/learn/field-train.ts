import { type Candidate, candidatesOf, printedText } from './candidates.ts';
import { absence, evidenceFor, lookFor, priorWeights, scoreOf } from './evidence.ts';
import { consistent, locate, type Target } from './locate.ts';
import type { PageView } from './page-view.ts';
import { placesOf } from './places.ts';
import { decide } from './decide.ts';
import { type Sighting, sightingOf } from './sighting.ts';
import { flat, rounded } from './text.ts';
import { canonical, type Locale, sameValue } from './values.ts';
import type { PlainField } from './definition.ts';
import type { FieldModel, FieldPlaces, ValueKind } from './types.ts';
import { type Choice, fitWeights } from './weights.ts';

/** A sample as the field is learned from it. */
export interface FieldSample {
  view: PageView;
  locale: Locale;
  /** Undefined where the sample says nothing of the field. */
  target: Target | undefined;
}

interface Known extends FieldSample {
  /** Undefined: the document has no value. */
  value: unknown;
  place: { candidate: Candidate; sighting: Sighting } | undefined;
}

/** Candidates that the fit looks at: the likeliest before it. */
const SHORT_LIST = 40;
const MOST_FOLDS = 12;
const MOST_KNOWN = 12;
const CONSTANT = 0.7;

export function trainField(field: PlainField, samples: FieldSample[]): FieldModel {
  const { kind } = field;
  const known = knownSamples(kind, samples);
  const choices = known.map((sample) => choiceOf(kind, sample, known));
  const weights = fitWeights(choices);
  const whole = modelOf(field, known, weights);
  const asked = known.filter((sample) => sample.value !== undefined);
  if (asked.length === 0) return { ...whole, accuracy: null };
  const right = known.filter((sample, index) => {
    if (sample.value === undefined) return false;
    const fold = foldOf(index, known.length);
    const others = known.filter((other) => other !== sample);
    const learned = fitWeights(choices.filter((_, at) => foldOf(at, known.length) !== fold));
    const decision = decide(sample.view, modelOf(field, others, learned), sample.locale);
    return decision !== undefined && sameValue(kind, decision.value, sample.value);
  });
  return { ...whole, accuracy: rounded(right.length / asked.length) };
}

const foldOf = (index: number, count: number): number => index % Math.min(count, MOST_FOLDS);

function knownSamples(kind: ValueKind, samples: FieldSample[]): Known[] {
  const told = samples.filter((sample) => sample.target !== undefined);
  const values = told.map(({ target, locale }) => canonical(kind, target!.value, locale));
  const found = told.map(({ view, target, locale }, index) =>
    values[index] === undefined ? [] : locate(view, kind, { ...target, value: values[index] }, locale),
  );
  const chosen = consistent(
    told.map(({ view }) => view),
    kind,
    found,
  );
  return told.map((sample, index) => {
    const candidate = chosen[index];
    const place = candidate && { candidate, sighting: sightingOf(sample.view, kind, candidate) };
    return { ...sample, value: values[index], place };
  });
}

function modelOf({ name, kind, required }: PlainField, known: Known[], weights: number[]): FieldModel {
  return {
    name,
    kind,
    required,
    places: placesAmong(known),
    known: knownValues(kind, known),
    joiner: joinerOf(known),
    weights: weights.map(rounded),
    accuracy: null,
  };
}

function placesAmong(known: Known[]): FieldPlaces | null {
  const places = known.flatMap(({ place, view }) =>
    place ? [{ sighting: place.sighting, phrases: view.phrases }] : [],
  );
  return places.length === 0 ? null : placesOf(places);
}

/** The values as they were annotated, where at least one is shared by several samples. */
function knownValues(kind: ValueKind, known: Known[]): [value: unknown, count: number][] {
  const counts: [value: unknown, count: number][] = [];
  for (const { value } of known) {
    if (value === undefined) continue;
    const entry = counts.find(([other]) => sameValue(kind, other, value));
    if (entry) entry[1]++;
    else counts.push([value, 1]);
  }
  counts.sort((a, b) => b[1] - a[1]);
  const most = counts[0]?.[1] ?? 0;
  // Two equal amounts are chance, the same one nearly always is a fixed price.
  const repeats = most > 1 && (kind === 'text' || most >= known.length * CONSTANT);
  return repeats ? counts.slice(0, MOST_KNOWN) : [];
}

/** What the annotations write where the page begins a new line. */
function joinerOf(known: Known[]): string {
  const counts = new Map<string, number>();
  for (const { place, value } of known) {
    if (typeof value !== 'string' || !place) continue;
    const { pieces } = place.candidate;
    for (const [index, piece] of pieces.slice(0, -1).entries()) {
      const joint = jointIn(value, printedText([piece]), printedText([pieces[index + 1]!]));
      if (joint !== undefined) counts.set(joint, (counts.get(joint) ?? 0) + 1);
    }
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? ' ';
}

function jointIn(value: string, before: string, behind: string): string | undefined {
  const last = before
    .split(/\s+/)
    .at(-1)
    ?.replace(/[^\p{L}\p{N}]+$/u, '');
  const next = behind.split(/\s+/)[0];
  if (!last || !next) return undefined;
  const at = value.indexOf(last);
  const to = at < 0 ? -1 : value.indexOf(next, at + last.length);
  const joint = to < 0 ? undefined : value.slice(at + last.length, to);
  return joint !== undefined && joint.length <= 3 && !/[\p{L}\p{N}]/u.test(joint) ? joint : undefined;
}

/** What the fit learns from one sample: its candidates as the other samples make them look. */
function choiceOf(kind: ValueKind, sample: Known, known: Known[]): Choice {
  const others = known.filter((other) => other !== sample);
  const places = placesAmong(others);
  if (!places) return { evidence: [], right: [] };
  const look = lookFor(sample.view, kind, places, knownValues(kind, others), new Map());
  const rows = candidatesOf(sample.view, kind, sample.locale, places).map((candidate) => {
    const evidence = evidenceFor(look, candidate);
    return { evidence, right: isRight(kind, sample, candidate), score: scoreOf(priorWeights, evidence) };
  });
  rows.sort((a, b) => b.score - a.score);
  const list = [...rows.slice(0, SHORT_LIST), ...rows.slice(SHORT_LIST).filter(({ right }) => right)];
  return {
    evidence: [...list.map(({ evidence }) => evidence), [...absence]],
    right: [...list.map(({ right }) => right), sample.value === undefined],
  };
}

function isRight(kind: ValueKind, { value, place }: Known, candidate: Candidate): boolean {
  if (value === undefined) return false;
  if (kind !== 'text') return sameValue(kind, candidate.value, value);
  const text = flat(printedText(candidate.pieces));
  if (place && text === flat(printedText(place.candidate.pieces))) return true;
  return typeof value === 'string' && text === flat(value);
}

import type { Word } from '../types.ts';
import { type Candidate, candidatesOf, printedText, wordsOf } from './candidates.ts';
import { absence, type Comparisons, evidenceFor, lookFor, scoreOf, softmax } from './evidence.ts';
import type { PageView } from './page-view.ts';
import { containment, flat } from './text.ts';
import { likeness, type Locale, sameValue } from './values.ts';
import type { FieldModel, ValueKind } from './types.ts';

export interface Decision {
  value: unknown;
  /** Probability among the places of the page, if the page has the model's layout. */
  chance: number;
  /** Null where the value isn't printed: every document of the layout has it. */
  candidate: Candidate | null;
}

const NEGLIGIBLE = 1e-4;
/** A reading this like a value that the samples share is a slip of the reader. */
const SLIP = 0.75;
/** Share of the samples that have a usual value, and from how many letters on one is too long to be told by a digit. */
const USUAL = 0.7;
const LONG = 20;
/** Share of the samples that must agree on a value before it is answered without being read. */
const CONSTANT = 0.99;

/** The value of a field on a page that has the model's layout; undefined where it has none. */
export function decide(
  view: PageView,
  model: FieldModel,
  locale: Locale,
  cache: Comparisons = new Map(),
): Decision | undefined {
  const { kind, places, known, weights } = model;
  if (!places) return unprinted(model);
  const look = lookFor(view, kind, places, known, cache);
  const rows = candidatesOf(view, kind, locale, places).map((candidate) => {
    const value = kind === 'text' ? spelled(model, printed(candidate, model.joiner)) : candidate.value;
    return { candidate, value, score: scoreOf(weights, evidenceFor(look, candidate)) };
  });
  return likeliest(kind, rows, scoreOf(weights, absence)) ?? constantOnPage(model, view);
}

export interface Rated {
  candidate: Candidate;
  value: unknown;
  score: number;
}

/** The value whose places are the likeliest together; undefined where none at all is likelier. */
export function likeliest(kind: ValueKind, rows: Rated[], absent: number): Decision | undefined {
  const chances = softmax([...rows.map(({ score }) => score), absent]);
  const groups: { value: unknown; chance: number; candidate: Candidate; best: number }[] = [];
  for (const [index, { candidate, value }] of rows.entries()) {
    const chance = chances[index]!;
    if (chance < NEGLIGIBLE) continue;
    const group = groups.find((other) => sameValue(kind, other.value, value));
    if (!group) groups.push({ value, chance, candidate, best: chance });
    else {
      group.chance += chance;
      if (chance > group.best) Object.assign(group, { candidate, best: chance });
    }
  }
  const best = groups.sort((a, b) => b.chance - a.chance)[0];
  return best && best.chance >= chances.at(-1)! ? best : undefined;
}

/** A value that all samples have and that no place on their pages shows: a logo's name, a fixed currency. */
function unprinted({ known }: FieldModel): Decision | undefined {
  const total = known.reduce((sum, [, count]) => sum + count, 0);
  const [first] = known;
  return first && first[1] >= total * CONSTANT ? { value: first[0], chance: 0.8, candidate: null } : undefined;
}

/** No place is likely, but the page holds the value that every sample has, badly read or cut by a fold. */
function constantOnPage(model: FieldModel, view: PageView): Decision | undefined {
  const [first] = model.known;
  if (!first || model.kind !== 'text' || model.known.length > 1 || typeof first[0] !== 'string') return undefined;
  const found = containment(flat(first[0]), view.flat.slice(0, 6000));
  return found >= SLIP ? { value: first[0], chance: 0.7 * found, candidate: null } : undefined;
}

const MARKS_AT_ENDS = /^[\s:;,=#*|]+|[\s:;,=#*|]+$/g;

/** A text value as it is answered: without the marks that part it from its label. */
export function printed({ pieces }: Candidate, joiner = ' '): string {
  const parts = pieces.map((piece) =>
    printedText([piece]).replace(joiner.trim() === '' ? /^\s+|\s+$/g : MARKS_AT_ENDS, ''),
  );
  return parts.join(joiner).replace(MARKS_AT_ENDS, '');
}

/**
 * The annotated spelling of a value that the samples share. A number that differs in a digit is another number, but for
 * long texts (an address) that nearly all documents of the layout have.
 */
function spelled({ known, kind }: FieldModel, text: string): string {
  const total = known.reduce((sum, [, count]) => sum + count, 0);
  const [best] = known
    .map(([value, count]) => ({ value: String(value), count, like: likeness(kind, value, text) }))
    .sort((a, b) => b.like - a.like || b.count - a.count);
  if (!best || best.count < 2 || best.like < SLIP) return text;
  const usual = best.count >= total * USUAL && (best.like >= 0.9 || known.length === 1) && best.value.length >= LONG;
  const sameNumbers = !/\d/.test(best.value) || numbersIn(best.value) === numbersIn(text);
  return usual || sameNumbers || best.like === 1 ? best.value : text;
}

const numbersIn = (text: string): string => text.replace(/[^0-9]/g, '');

export const wordsIn = ({ pieces }: Candidate): Word[] => pieces.flatMap(wordsOf);

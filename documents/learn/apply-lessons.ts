import { roundConfidence } from '../extract/field.ts';
import { pageBox } from '../layout/lines.ts';
import type { Extraction, ExtractionField, PageText } from '../types.ts';
import { candidatesOf, type Extent } from './candidates.ts';
import { type Decision, likeliest, printed, type Rated, wordsIn } from './decide.ts';
import { absence, type Comparisons, evidenceFor, lookFor, priorWeights, scoreOf } from './evidence.ts';
import { isOfIssuer, issuerView } from './issuer.ts';
import { locate } from './locate.ts';
import type { PageView } from './page-view.ts';
import { sightingOf } from './sighting.ts';
import { containment, flat, mean, similarity } from './text.ts';
import { type Locale, localeOf, sameValue } from './values.ts';
import type { FieldPlaces, Lesson, LessonField } from './types.ts';

/** More lessons of one issuer teach nothing more. */
const MOST_LESSONS = 12;

/** A field that is to be left out, or undefined for one that stays as it is. */
type Learned = ExtractionField | 'none' | undefined;

interface Scene {
  view: PageView;
  locale: Locale;
  cache: Comparisons;
}

/**
 * An extraction with the fields put right that the lessons of the same issuer and type tell of. Lessons are given oldest
 * first; of constants that disagree, the one that the page shows wins, then what most lessons say, then the newest. Of
 * another issuer's document nothing changes.
 */
export function applyLessons(pages: PageText[], extraction: Extraction, lessons: Lesson[]): Extraction {
  const sameType = lessons.filter((lesson) => lesson.document_type === extraction.document_type);
  if (sameType.length === 0) return extraction;
  const issuer = issuerView(pages, extraction);
  const own = sameType.filter((lesson) => isOfIssuer(issuer, lesson)).slice(-MOST_LESSONS);
  if (own.length === 0) return extraction;
  const scene: Scene = { view: issuer.view, locale: localeOf(issuer.view.text), cache: new Map() };
  const fields = new Map(Object.entries(extraction.fields));
  for (const name of new Set(own.flatMap((lesson) => Object.keys(lesson.fields)))) {
    const told = own.flatMap((lesson) => (Object.hasOwn(lesson.fields, name) ? [lesson.fields[name]!] : []));
    const current = fields.get(name);
    const constant = told.at(-1)!.way === 'constant';
    const learned = constant ? constantField(scene, current, told) : placedField(scene, current, told);
    if (learned === 'none') fields.delete(name);
    else if (learned) fields.set(name, learned);
  }
  return { ...extraction, fields: Object.fromEntries(fields) };
}

const MISREAD = 0.8;
const ON_PAGE = 0.85;
const CONFIRMED = 0.95;
/** Three letters stand in some word of every page. */
const LEAST_SHOWN = 5;

function constantField(scene: Scene, current: ExtractionField | undefined, told: LessonField[]): Learned {
  const read = flatText(current?.value);
  const confirmed = told.findLast(({ after }) => read !== '' && flatText(after) === read);
  if (confirmed && current)
    return { ...current, value: confirmed.after, confidence: Math.max(current.confidence, CONFIRMED) };
  const best = told
    .map((field, index) => ({ ...fitOf(field, read, scene.view), after: field.after, index }))
    .filter(({ fits }) => fits)
    .map((one) => ({ ...one, votes: told.filter(({ after }) => flatText(after) === flatText(one.after)).length }))
    .sort((a, b) => Math.round(10 * (b.like - a.like)) || b.votes - a.votes || b.index - a.index)[0];
  if (!best) return undefined;
  if (typeof best.after !== 'string') return 'none';
  const place = locate(scene.view, 'text', { value: best.after }, scene.locale)[0];
  const bbox = place ? pageBox(wordsIn(place), place.pieces[0]!.line.page) : (current?.bbox ?? null);
  return { ...current, value: best.after, confidence: roundConfidence(0.75 + 0.22 * Math.max(best.like, 0.5)), bbox };
}

const flatText = (value: unknown): string => (typeof value === 'string' ? flat(value) : '');

/** A lesson's value fits where the page's is a misreading of it, is wrong in the same way again, or the page shows it. */
function fitOf({ before, after }: LessonField, read: string, view: PageView): { fits: boolean; like: number } {
  const [wrong, right] = [flatText(before), flatText(after)];
  const mistaken = wrong === read || (read !== '' && similarity(wrong, read) >= ON_PAGE);
  if (right === '') return { fits: mistaken && read !== '', like: 0 };
  const like = similarity(read, right);
  const shown = right.length >= LEAST_SHOWN ? containment(right, view.flat) : 0;
  return { fits: like >= MISREAD || mistaken || shown >= ON_PAGE, like: Math.max(like, shown) };
}

/** Sure enough to overrule what was read without the lessons. */
const OVERRULES = 0.6;

function placedField(scene: Scene, current: ExtractionField | undefined, told: LessonField[]): Learned {
  const { kind } = told.at(-1)!;
  const same = told.filter((field) => field.kind === kind && field.places.length > 0);
  const found = placed(scene, current, same);
  if (!found?.candidate || found.chance < OVERRULES) return undefined;
  const agrees = current !== undefined && sameValue(kind, current.value, found.value);
  if (same.at(-1)!.after === null) return agrees ? 'none' : undefined;
  const confidence = roundConfidence(found.chance * (0.85 + 0.12 * Math.min(1, same.length / 4)));
  if (agrees) return { ...current, confidence: Math.max(current.confidence, confidence) };
  const words = wordsIn(found.candidate);
  return { value: found.value, confidence, bbox: pageBox(words, found.candidate.pieces[0]!.line.page) };
}

/** What it is worth, in log odds, that the extraction was right on all of the issuer's documents before. */
const TRACK_RECORD = 2;

/**
 * The value at the place that the lessons tell of. A lesson may know several places of its value (a total is printed more
 * than once): the place that most lessons know is meant.
 */
function placed(
  { view, locale, cache }: Scene,
  current: ExtractionField | undefined,
  told: LessonField[],
): Decision | undefined {
  if (told.length === 0) return undefined;
  const { kind } = told[0]!;
  const looks = told.map(({ places }) => places.map((place) => lookFor(view, kind, place, [], cache)));
  const record = mean(told.map(({ before, after }) => (sameValue(kind, before, after) ? TRACK_RECORD : 0)));
  const extent = extentOf(told.flatMap(({ places }) => places));
  const rows: Rated[] = candidatesOf(view, kind, locale, extent).map((candidate) => {
    const sighting = sightingOf(view, kind, candidate);
    const scores = looks.map((own) =>
      Math.max(...own.map((look) => scoreOf(priorWeights, evidenceFor(look, candidate, sighting)))),
    );
    const value = kind === 'text' ? printed(candidate) : candidate.value;
    const asBefore = current !== undefined && sameValue(kind, current.value, value);
    return { candidate, value, score: mean(scores) + (asBefore ? record : 0) };
  });
  return likeliest(kind, rows, scoreOf(priorWeights, absence));
}

const extentOf = (places: FieldPlaces[]): Extent => ({
  words: [Math.min(...places.map((p) => p.words[0])), Math.max(...places.map((p) => p.words[1]))],
  lines: [Math.min(...places.map((p) => p.lines[0])), Math.max(...places.map((p) => p.lines[1]))],
  starts: mean(places.map((p) => p.starts)),
  ends: mean(places.map((p) => p.ends)),
});

import type { Extraction, PageText } from '../types.ts';
import { issuerOf } from './issuer.ts';
import { locate } from './locate.ts';
import { type PageView, viewOf } from './page-view.ts';
import { placesOf } from './places.ts';
import { sightingOf } from './sighting.ts';
import { canonical, type Locale, localeOf } from './values.ts';
import type { Lesson, LessonField, ValueKind } from './types.ts';

/** What is the same on every document of an issuer. Bank accounts are not among them: a changed one must be seen. */
const CONSTANTS = /^(?:vendor|merchant)_(?:name|address|phone|email|tax_number)$|^(?:bank_name|issuer|swift|currency)$/;
/** Fields have plain names; `line_items[0].gl_code` is no field. */
const FIELD_NAME = /^\w{1,100}$/;
const LONGEST_VALUE = 500;
const MOST_PLACES = 6;
const MOST_ANCHORS = 4;
const MOST_CORRECTIONS = 40;

/**
 * What corrections teach of the issuer of a document: for its own name, address and numbers the right spelling, for all
 * else the place. A value that the page doesn't show as it was given teaches no place. Values that were right already may
 * be given, too: they teach the same. Undefined where nothing can be learned.
 */
export function lessonOf(
  pages: PageText[],
  extraction: Extraction,
  corrections: Record<string, unknown>,
): Lesson | undefined {
  const view = viewOf(pages);
  const locale = localeOf(view.text, Object.values(corrections));
  const given = Object.entries(corrections).filter(([name, value]) => FIELD_NAME.test(name) && isPlain(value));
  const fields = given
    .slice(0, MOST_CORRECTIONS)
    .map(([name, value]) => [name, lessonField(view, locale, name, extraction.fields, value)] as const)
    .filter(([, field]) => field.way === 'constant' || field.places.length > 0);
  if (fields.length === 0) return undefined;
  const right = Object.fromEntries(given.map(([name, value]) => [name, { value, confidence: 1, bbox: null }]));
  const after = { ...extraction, fields: { ...extraction.fields, ...right } };
  return {
    version: 1,
    document_type: extraction.document_type,
    ...issuerOf(view, extraction, after),
    fields: Object.fromEntries(fields),
  };
}

const isPlain = (value: unknown): boolean =>
  value === null ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isFinite(value)) ||
  (typeof value === 'string' && value.trim() !== '' && value.length <= LONGEST_VALUE);

function lessonField(
  view: PageView,
  locale: Locale,
  name: string,
  fields: Extraction['fields'],
  after: unknown,
): LessonField {
  const current = Object.hasOwn(fields, name) ? fields[name] : undefined;
  const before = isPlain(current?.value) ? (current?.value ?? null) : null;
  const shown = after ?? before;
  const kind = kindOf(shown);
  const way = CONSTANTS.test(name) && typeof shown === 'string' ? 'constant' : 'place';
  const value = way === 'constant' ? undefined : canonical(kind, shown, locale);
  const found = value === undefined ? [] : locate(view, kind, { value }, locale);
  const places = found
    .slice(0, MOST_PLACES)
    .map((candidate) => placesOf([{ sighting: sightingOf(view, kind, candidate), phrases: view.phrases }]))
    .map((place) => ({ ...place, anchors: place.anchors.slice(0, MOST_ANCHORS) }));
  return { before, after, way, kind, places };
}

function kindOf(value: unknown): ValueKind {
  if (typeof value === 'number') return 'money';
  if (typeof value === 'boolean') return 'boolean';
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? 'date' : 'text';
}

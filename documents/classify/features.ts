import { layoutLines, type Line } from '../layout/lines.ts';
import type { PageText } from '../types.ts';
import { fold, foldedPattern } from './fold.ts';
import { labels } from './labels.ts';
import { mrzFeatures } from './mrz-features.ts';
import { shapeFeatures } from './shape-features.ts';
import { titleFeatures } from './title-features.ts';

/** A document's type shows on its first pages and, for contracts and statements, on its last. */
const FIRST_PAGES = 3;
/** More than this many hits of a label say that the document is about it. */
const MANY = 3;

const LABELS = Object.entries(labels).map(([name, source]) => ({ name, pattern: foldedPattern(source, 'gm') }));

/** What the classifier looks at, as the names of the features that a document has; each is there or not. */
export function documentFeatures(pages: PageText[]): Set<string> {
  const ordered = [...pages].sort((a, b) => a.page - b.page);
  const looked = ordered.length > FIRST_PAGES ? [...ordered.slice(0, FIRST_PAGES - 1), ordered.at(-1)!] : ordered;
  const lines = layoutLines(looked);
  const features = new Set<string>(['always']);
  for (const name of labelFeatures(lines)) features.add(name);
  for (const name of titleFeatures(lines, ordered[0])) features.add(name);
  for (const name of shapeFeatures(ordered, lines)) features.add(name);
  for (const name of mrzFeatures(lines)) features.add(name);
  return features;
}

function labelFeatures(lines: Line[]): string[] {
  // A heading of one of two columns is a segment of its line.
  const whole = lines.map((line) => fold(line.text)).join('\n');
  const parts = lines.filter((line) => line.segments.length > 1).flatMap((line) => line.segments);
  const cells = parts.map((segment) => fold(segment.text)).join('\n');
  return LABELS.flatMap(({ name, pattern }) => {
    const hits = whole.match(pattern)?.length ?? 0;
    if (hits === 0) return pattern.test(cells) ? resetting(pattern, [`has ${name}`]) : [];
    return hits >= MANY ? [`has ${name}`, `many ${name}`] : [`has ${name}`];
  });
}

/** A global pattern remembers where `test` found it. */
function resetting(pattern: RegExp, found: string[]): string[] {
  pattern.lastIndex = 0;
  return found;
}

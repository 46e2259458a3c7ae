import type { PageView, Phrase } from './page-view.ts';
import type { Sighting } from './sighting.ts';
import { mean, rounded, similarity } from './text.ts';
import type { Anchor, FieldPlaces, Label, Spread } from './types.ts';

/** A value's place in one sample, with the phrases around it. */
export interface Place {
  sighting: Sighting;
  phrases: Phrase[];
}

const MOST_ANCHORS = 8;
const MOST_LABELS = 6;
const MISREAD = 0.75;
/** A phrase that fewer samples have is not of the layout but of the document. */
const ANCHOR_SHARE = 0.5;
/** Nothing on a photo is placed more exactly than this, in widths of the printed area. */
const LEAST_SPREAD = 0.012;

/** What the places of a field have in common. `places` is not empty. */
export function placesOf(places: Place[]): FieldPlaces {
  const sightings = places.map((place) => place.sighting);
  const share = (has: (sighting: Sighting) => boolean): number => rounded(mean(sightings.map((s) => (has(s) ? 1 : 0))));
  const range = (pick: (sighting: Sighting) => number): [number, number] => {
    const values = sightings.map(pick);
    return [Math.min(...values), Math.max(...values)];
  };
  return {
    count: places.length,
    left: labelsOf(sightings.map((s) => s.left)),
    above: labelsOf(sightings.map((s) => s.above)),
    right: labelsOf(sightings.map((s) => s.right)),
    x: spreadOf(sightings.map((s) => s.x)),
    top: spreadOf(sightings.map((s) => s.top)),
    bottom: spreadOf(sightings.map((s) => s.bottom)),
    height: spreadOf(sightings.map((s) => s.height)),
    shapes: labelsOf(sightings.map((s) => s.shape)),
    anchors: anchorsOf(places),
    words: range((s) => s.words),
    lines: range((s) => s.lines),
    starts: share((s) => s.starts),
    ends: share((s) => s.ends),
  };
}

/** Texts and their shares; a text that is another one misread counts for that. */
export function labelsOf(texts: string[]): Label[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  const ordered = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const merged: [string, number][] = [];
  for (const [text, count] of ordered) {
    const home = merged.find(([other]) => other !== '' && similarity(other, text) >= MISREAD);
    if (home) home[1] += count;
    else merged.push([text, count]);
  }
  return merged
    .sort((a, b) => b[1] - a[1])
    .slice(0, MOST_LABELS)
    .map(([text, count]) => [text, rounded(count / texts.length)]);
}

function spreadOf(values: number[]): Spread {
  const centre = mean(values);
  const deviation = Math.sqrt(mean(values.map((value) => (value - centre) ** 2)));
  return [rounded(centre), rounded(Math.max(LEAST_SPREAD, deviation))];
}

/** The phrases that lie at the same distance from the value in most samples; of one sample, those nearest to it. */
function anchorsOf(places: Place[]): Anchor[] {
  const groups = new Map<string, { dx: number; dy: number }[]>();
  for (const { sighting, phrases } of places) {
    const nearest = new Map<string, { dx: number; dy: number }>();
    for (const { text, x, y } of phrases) {
      const offset = { dx: sighting.x - x, dy: sighting.top - y };
      const known = nearest.get(text);
      if (!known || Math.abs(offset.dy) < Math.abs(known.dy)) nearest.set(text, offset);
    }
    for (const [text, offset] of nearest) {
      const group = groups.get(text);
      if (group) group.push(offset);
      else groups.set(text, [offset]);
    }
  }
  return [...groups]
    .filter(([, offsets]) => offsets.length >= places.length * ANCHOR_SHARE)
    .map(([text, offsets]) => anchorOf(text, offsets, places.length))
    .sort((a, b) => worth(b) - worth(a) || (a.text < b.text ? -1 : 1))
    .slice(0, MOST_ANCHORS);
}

function anchorOf(text: string, offsets: { dx: number; dy: number }[], samples: number): Anchor {
  const [dy, spread] = spreadOf(offsets.map((offset) => offset.dy));
  return { text, dx: rounded(mean(offsets.map((o) => o.dx))), dy, spread, share: rounded(offsets.length / samples) };
}

const worth = ({ share, spread, dx, dy }: Anchor): number => share - 3 * spread - 0.3 * Math.hypot(dx, dy);

/** Phrases that most of the samples have: what tells this layout from others. */
export function layoutOf(views: PageView[], least = 0.6, most = 40): Label[] {
  const counts = new Map<string, number>();
  for (const view of views) {
    for (const text of new Set(view.phrases.map((phrase) => phrase.text)))
      counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts]
    .filter(([text, count]) => text.length >= 4 && count >= Math.max(Math.min(2, views.length), views.length * least))
    .sort((a, b) => b[1] - a[1] || b[0].length - a[0].length || (a[0] < b[0] ? -1 : 1))
    .slice(0, most)
    .map(([text, count]) => [text, rounded(count / views.length)]);
}

/** Share of a layout's phrases that stand on the pages; long phrases tell more than short ones. */
export function likenessTo(layout: Label[], view: PageView): number {
  const weight = ([text, share]: Label): number => share * Math.sqrt(text.length);
  const all = layout.reduce((sum, label) => sum + weight(label), 0);
  const texts = [...new Set(view.phrases.map((phrase) => phrase.text))];
  const has = (text: string): boolean => texts.some((other) => other === text || similarity(other, text) >= 0.8);
  return all === 0 ? 0 : layout.filter(([text]) => has(text)).reduce((sum, label) => sum + weight(label), 0) / all;
}

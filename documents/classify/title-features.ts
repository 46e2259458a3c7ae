import type { Line, Segment } from '../layout/lines.ts';
import type { PageText } from '../types.ts';
import { fold, foldedPattern } from './fold.ts';
import { type TitleName, titles } from './titles.ts';

/** Where a document names itself: how much of its line the name fills, how large it is, how far up it stands. */
export interface Title {
  name: TitleName;
  /** Share of the line's letters that belong to the name. */
  coverage: number;
  /** Height of its letters over that of running text. */
  scale: number;
  /** 0 at the top of the page, 1 at its bottom. */
  height: number;
}

/** A line that says little else is a title, and one that says much else is a sentence. */
const TITLE_COVERAGE = 0.55;
const LOUD = 1.35;
const HEAD = 0.33;
const TOP = 0.15;

const PATTERNS = (Object.keys(titles) as TitleName[]).map((name) => ({
  name,
  pattern: foldedPattern(titles[name].map((source) => `(?:${source})`).join('|')),
}));

export function titleFeatures(lines: Line[], first: PageText | undefined): string[] {
  const found = first ? documentTitles(lines, first) : [];
  const names = new Set<string>();
  for (const title of found) {
    names.add(`says ${title.name}`);
    if (title.height < HEAD) names.add(`head ${title.name}`);
    if (title.coverage < TITLE_COVERAGE) continue;
    names.add(`alone ${title.name}`);
    if (title.height < HEAD) names.add(`title ${title.name}`);
    if (title.height < TOP) names.add(`top ${title.name}`);
    if (title.scale >= LOUD && title.height < 0.5) names.add(`loud ${title.name}`);
  }
  const best = strongestTitle(found);
  if (best) names.add(`best ${best.name}`);
  return [...names];
}

/** Every name of a document type on its first page. */
export function documentTitles(lines: Line[], first: PageText): Title[] {
  const usual = usualHeight(first);
  const upper = lines.filter((line) => line.page === first.page);
  return upper.flatMap((line) =>
    candidates(line).flatMap((segment) => {
      const text = fold(segment.text);
      return PATTERNS.flatMap(({ name, pattern }) => {
        const match = pattern.exec(text);
        if (!match) return [];
        const coverage = letterCount(match[0]) / Math.max(1, letterCount(text));
        const scale = segment.bbox.height / usual;
        return [{ name, coverage, scale, height: segment.bbox.y / Math.max(1, first.height) }];
      });
    }),
  );
}

/** The name that is printed largest, fills its line best and stands highest: what the page says that it is. */
export function strongestTitle(found: Title[]): Title | undefined {
  const strength = ({ coverage, scale, height }: Title): number => Math.min(scale, 3) * coverage * (1 - 0.7 * height);
  const able = found.filter((title) => title.coverage >= 0.3 && title.height < 0.6);
  return able.reduce<Title | undefined>(
    (best, title) => (best && strength(best) >= strength(title) ? best : title),
    undefined,
  );
}

const candidates = (line: Line): Pick<Segment, 'text' | 'bbox'>[] =>
  line.segments.length > 1 ? [line, ...line.segments] : [line];

const letterCount = (text: string): number => text.replace(/[^a-z]/g, '').length;

/** Height of the usual word in pixels. */
function usualHeight(page: PageText): number {
  const heights = page.words.map((word) => word.bbox.height).sort((a, b) => a - b);
  return Math.max(1, heights[Math.floor(heights.length / 2)] ?? 1);
}

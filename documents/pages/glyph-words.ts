import { unionBox } from '../layout/lines.ts';
import type { Rotation, Word } from '../types.ts';
import { type Glyph, type GlyphOrGap, turnBox } from './glyphs.ts';

/** A gap of this share of the character height splits a word even where the PDF has no space character. */
const GAP_SHARE = 0.45;
/** A figure this much smaller than the letter before it, and set higher, is a note's number or a price's cents. */
const SUPERSCRIPT_SIZE = 0.78;

export interface GlyphWord extends Word {
  turned: Rotation;
}

/** Characters to words: at white space, at gaps, at another line or direction. */
export function wordsOfGlyphs(glyphs: Iterable<GlyphOrGap>, width: number, height: number): GlyphWord[] {
  const words: GlyphWord[] = [];
  let run: Glyph[] = [];
  const finish = (): void => {
    const word = run.length > 0 ? toWord(run) : undefined;
    if (word) words.push(word);
    run = [];
  };
  for (const glyph of glyphs) {
    if (glyph === 'gap') {
      finish();
      continue;
    }
    const last = run.at(-1);
    if (last && isRepeated(last, glyph)) continue;
    if (last && breaksBefore(last, glyph, width, height)) finish();
    run.push(glyph);
  }
  finish();
  return words;
}

/** Bold print made by printing a letter twice, a little aside. The letters of a ligature (ff, tt) share one box. */
function isRepeated(last: Glyph, next: Glyph): boolean {
  if (last.text !== next.text) return false;
  const [dx, dy] = [Math.abs(last.box.x - next.box.x), Math.abs(last.box.y - next.box.y)];
  return dx + dy > 0 && dx < last.box.width * 0.2 && dy < 2;
}

function breaksBefore(last: Glyph, next: Glyph, width: number, height: number): boolean {
  if (last.turned !== next.turned) return true;
  if (last.turned === undefined) return isApart(last, next);
  // Turned so that the line runs to the right.
  const upright = ((360 - last.turned) % 360) as Rotation;
  const a = turnBox(last.box, upright, width, height);
  const b = turnBox(next.box, upright, width, height);
  const size = Math.max(a.height, b.height, 4);
  const otherLine = b.y > a.y + a.height + size * 0.3 || b.y + b.height < a.y - size * 0.3;
  const gap = b.x - (a.x + a.width);
  if (otherLine || gap > size * GAP_SHARE || gap < -size * 3) return true;
  const raised = b.y + b.height < a.y + a.height - size * 0.12;
  return raised && b.height < a.height * SUPERSCRIPT_SIZE && /[\d*†]/.test(next.text) && /[\p{L}\d%]/u.test(last.text);
}

/** Of slanted letters there is no line to measure along: one more than a letter's size away begins another word. */
function isApart(last: Glyph, next: Glyph): boolean {
  const size = Math.max(last.box.width, last.box.height);
  return Math.max(Math.abs(last.box.x - next.box.x), Math.abs(last.box.y - next.box.y)) > size * 1.5;
}

function toWord(run: Glyph[]): GlyphWord | undefined {
  const text = run
    .map((glyph) => glyph.text)
    .join('')
    .toWellFormed()
    .normalize('NFKC')
    // What a font maps to no character, what joins and directs letters of some scripts, and the mark at the beginning of a
    // file: nothing that is seen.
    // eslint-disable-next-line no-control-regex -- controls are what is looked for
    .replace(/[\0-\u001F\u007F\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu, '');
  if (text === '') return undefined;
  return { text, confidence: 1, bbox: unionBox(run.map((glyph) => glyph.box)), turned: run[0]!.turned ?? 0 };
}

/** Letters between them in a spaced-out word stand less than this many heights apart. */
const SPACED_GAP = 1.1;
const MIN_SPACED_LETTERS = 3;

/** Titles set as `T O T A L` become words again: at least three single letters at even distances. */
export function joinSpacedLetters(words: GlyphWord[]): GlyphWord[] {
  const joined: GlyphWord[] = [];
  for (let start = 0; start < words.length;) {
    const end = spacedRun(words, start);
    const run = words.slice(start, end);
    if (run.length >= MIN_SPACED_LETTERS) {
      const text = run.map((word) => word.text).join('');
      joined.push({ ...run[0]!, text, bbox: unionBox(run.map((word) => word.bbox)) });
    } else joined.push(...run);
    start = end;
  }
  return joined;
}

function spacedRun(words: GlyphWord[], start: number): number {
  const first = words[start]!;
  let end = start + 1;
  if (!isCapital(first)) return end;
  let usual: number | undefined;
  for (; end < words.length; end++) {
    const [last, next] = [words[end - 1]!, words[end]!];
    const gap = next.bbox.x - (last.bbox.x + last.bbox.width);
    const size = first.bbox.height;
    const level = Math.abs(next.bbox.y - first.bbox.y) < size * 0.2;
    if (!isCapital(next) || !level || gap < 0 || gap > size * SPACED_GAP) break;
    // The first gap is that between letters; one half as wide again lies between two words.
    if (usual !== undefined && gap > usual * 1.6 + size * 0.08) break;
    usual ??= gap;
  }
  return end;
}

const isCapital = (word: GlyphWord): boolean => word.turned === 0 && /^\p{Lu}$/u.test(word.text);

/** A word painted twice in the same place is one word. */
export function dropRepeated(words: GlyphWord[]): GlyphWord[] {
  const seen = new Set<string>();
  return words.filter(({ text, bbox }) => {
    const key = `${text}@${String(Math.round(bbox.x / 4))},${String(Math.round(bbox.y / 4))}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

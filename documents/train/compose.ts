import type { DocumentType, PageText, Word } from '../types.ts';
import { layoutLines } from '../layout/lines.ts';
import { pageNumberOf } from '../split/page-number.ts';
import type { Random } from './random.ts';

export interface Part {
  type: DocumentType;
  issuer: string;
  pages: PageText[];
}

/** A file of several documents, whose boundaries are known. */
export interface Composed {
  pages: PageText[];
  /** Index of the part that each page belongs to; a blank page belongs to none. */
  owner: (number | undefined)[];
}

const SHEET = { width: 1654, height: 2339 };

/** Files as people make them: any papers together, papers of one type or issuer, pictures on sheets, blank separators. */
export function composeFile(random: Random, parts: Part[]): Composed {
  const kind = random.pick(['mixed', 'type', 'issuer', 'alone'] as const);
  const chosen = chooseParts(random, parts, kind);
  const asPictures = random.chance(0.3);
  const separated = random.chance(0.2);
  const pages: PageText[] = [];
  const owner: (number | undefined)[] = [];
  for (const [index, part] of chosen.entries()) {
    if (separated && index > 0) {
      pages.push(blankPage());
      owner.push(undefined);
    }
    const onSheet = random.chance(0.8);
    for (const page of shortened(random, part)) {
      const sheet = asPictures || (page.source === 'ocr' && onSheet) ? placeOnSheet(page) : page;
      pages.push(asPictures ? { ...sheet, source: 'ocr' } : sheet);
      owner.push(index);
    }
  }
  return { pages: pages.map((page, index) => ({ ...page, page: index + 1 })), owner };
}

function chooseParts(random: Random, parts: Part[], kind: 'mixed' | 'type' | 'issuer' | 'alone'): Part[] {
  const first = random.pick(parts);
  const long = parts.filter((part) => part.pages.length > 1);
  if (kind === 'alone' && long.length > 0) return [random.pick(long)];
  const alike = parts.filter(
    (part) =>
      part !== first &&
      (kind === 'mixed' || (kind === 'type' ? part.type === first.type : part.issuer === first.issuer)),
  );
  return [first, ...random.shuffle(alike).slice(0, random.integer(1, 5))];
}

/**
 * A full page that nothing follows is common (forms, letters, certificates) but rare among these documents: some long ones
 * without page numbers end after their first pages.
 */
function shortened(random: Random, { pages }: Part): PageText[] {
  const [first] = pages;
  if (!first || pages.length === 1 || !random.chance(0.35)) return pages;
  if (pageNumberOf(layoutLines([first]), first.height)) return pages;
  return pages.slice(0, random.integer(1, pages.length - 1));
}

function blankPage(): PageText {
  return { page: 1, ...SHEET, dpi: 200, words: [], source: 'ocr', rotation: 0, language: 'en' };
}

/** The same picture is placed the same way each time. */
const placed = new WeakMap<Word[], Word[]>();

/** A picture as a program puts it on an A4 page: as large as the margins allow, in the middle. */
export function placeOnSheet(page: PageText): PageText {
  const known = placed.get(page.words);
  if (known) return { ...page, ...SHEET, words: known };
  const scale = Math.min((SHEET.width * 0.94) / page.width, (SHEET.height * 0.94) / page.height);
  const [left, top] = [(SHEET.width - page.width * scale) / 2, (SHEET.height - page.height * scale) / 2];
  const words = page.words.map((word) => ({
    ...word,
    bbox: {
      x: word.bbox.x * scale + left,
      y: word.bbox.y * scale + top,
      width: word.bbox.width * scale,
      height: word.bbox.height * scale,
    },
  }));
  placed.set(page.words, words);
  return { ...page, ...SHEET, words };
}

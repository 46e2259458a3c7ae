import type { RgbImage } from '../ocr/engine.ts';
import type { Rotation, Word } from '../types.ts';
import { dropRepeated, type GlyphWord, joinSpacedLetters, wordsOfGlyphs } from './glyph-words.ts';
import { type Glyph, GlyphReader, type GlyphOrGap, turnBox } from './glyphs.ts';
import type { Pdfium } from './pdfium.ts';
import { type PageGeometry, renderPage } from './raster.ts';
import { wordLikeness } from './text-trust.ts';

export interface TextLayer {
  /** In pixels of the page turned by `rotation`. */
  words: Word[];
  /** 0 to 1: how far the characters can be believed. */
  trust: number;
  /** How far the page must be turned clockwise for most of its text to stand upright. */
  rotation: Rotation;
  /** Share of the characters that a scanner laid unseen over its picture. */
  invisible: number;
}

const NO_LAYER: TextLayer = { words: [], trust: 0, rotation: 0, invisible: 0 };
/** With less of its words looking like words, a layer's mapping is broken; a scanner's reading must look better. */
const MIN_LIKENESS = 0.55;
const MIN_SCANNER_LIKENESS = 0.85;

/** The words of a page's text layer as a person reads them, and whether they are what the page shows. */
export function readTextLayer(module: Pdfium, page: number, geometry: PageGeometry): TextLayer {
  const text = module._FPDFText_LoadPage(page);
  if (text === 0) return NO_LAYER;
  const reader = new GlyphReader(module, page, text, geometry);
  try {
    return layerOf([...reader.read()], module, page, geometry);
  } finally {
    reader.close();
    module._FPDFText_ClosePage(text);
  }
}

function layerOf(glyphs: GlyphOrGap[], module: Pdfium, page: number, geometry: PageGeometry): TextLayer {
  const { width, height } = geometry;
  const characters = glyphs.filter((glyph) => glyph !== 'gap');
  if (characters.length === 0) return NO_LAYER;
  const rotation = usualTurn(characters);
  const found = wordsOfGlyphs(glyphs, width, height).filter((word) => isOnPage(word, geometry));
  const shown = visibleWords(dropRepeated(found), module, page, geometry);
  const words = joinSpacedLetters(shown.map((word) => upright(word, rotation, geometry)));
  const share = (test: (glyph: Glyph) => boolean): number => characters.filter(test).length / characters.length;
  const invisible = share((glyph) => glyph.invisible);
  const likeness = wordLikeness(words);
  const believed = likeness >= (invisible > 0.5 ? MIN_SCANNER_LIKENESS : MIN_LIKENESS);
  return {
    words: words.map(({ text, confidence, bbox }) => ({ text, confidence, bbox })),
    trust: believed ? 1 - share((glyph) => glyph.doubtful) : 0,
    rotation,
    invisible,
  };
}

/** Most pages have one direction; a page whose text runs up its side was scanned or laid out sideways. */
function usualTurn(glyphs: Glyph[]): Rotation {
  const counts = new Map<Rotation, number>();
  for (const { turned } of glyphs) if (turned !== undefined) counts.set(turned, (counts.get(turned) ?? 0) + 1);
  const usual = [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
  return ((360 - usual) % 360) as Rotation;
}

function upright(word: GlyphWord, rotation: Rotation, { width, height }: PageGeometry): GlyphWord {
  const turned = ((word.turned + rotation) % 360) as Rotation;
  return { ...word, turned, bbox: turnBox(word.bbox, rotation, width, height) };
}

function isOnPage({ bbox }: Word, { width, height }: PageGeometry): boolean {
  const [x, y] = [bbox.x + bbox.width / 2, bbox.y + bbox.height / 2];
  return x >= 0 && y >= 0 && x <= width && y <= height;
}

/** The picture that words are looked for in needs no more detail than to tell ink from paper. */
const LOOK_SHARE = 0.25;
/** Grey levels between the ink and the paper of the palest text that is read by eye. */
const MIN_CONTRAST = 14;

/** Leaves out what nobody sees: white on white, covered, clipped, in a hidden layer. */
function visibleWords(words: GlyphWord[], module: Pdfium, page: number, geometry: PageGeometry): GlyphWord[] {
  const size = {
    width: Math.max(1, Math.round(geometry.width * LOOK_SHARE)),
    height: Math.max(1, Math.round(geometry.height * LOOK_SHARE)),
    dpi: Math.round(geometry.dpi * LOOK_SHARE),
  };
  if (words.length === 0) return words;
  const picture = renderPage(module, page, size);
  // A full stop or a dash of small print may fall between the pixels.
  return words.filter((word) => !/[\p{L}\p{N}]{2}/u.test(word.text) || hasInk(picture, word));
}

function hasInk({ data, width, height }: RgbImage, { bbox }: Word): boolean {
  const left = Math.max(0, Math.floor(bbox.x * LOOK_SHARE));
  const right = Math.min(width - 1, Math.ceil((bbox.x + bbox.width) * LOOK_SHARE));
  const top = Math.max(0, Math.floor(bbox.y * LOOK_SHARE));
  const bottom = Math.min(height - 1, Math.ceil((bbox.y + bbox.height) * LOOK_SHARE));
  for (let channel = 0; channel < 3; channel++) {
    let [low, high] = [255, 0];
    for (let y = top; y <= bottom; y++) {
      for (let at = (y * width + left) * 3 + channel; at <= (y * width + right) * 3 + channel; at += 3) {
        const value = data[at]!;
        if (value < low) low = value;
        if (value > high) high = value;
        if (high - low >= MIN_CONTRAST) return true;
      }
    }
  }
  return false;
}

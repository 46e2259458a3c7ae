import type { Word } from '../types.ts';
import type { Pdfium } from './pdfium.ts';
import type { PageGeometry } from './raster.ts';

export interface TextLayer {
  words: Word[];
  /** 0 to 1: how far the characters can be believed. */
  trust: number;
}

interface Character {
  text: string;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** A gap of this share of the character height splits a word even where the PDF has no space character. */
const GAP_SHARE = 0.45;

/** The words of a page's text layer, in page pixels. */
export function readTextLayer(module: Pdfium, page: number, geometry: PageGeometry): TextLayer {
  const text = module._FPDFText_LoadPage(page);
  if (text === 0) return { words: [], trust: 0 };
  const scratch = module.wasmExports.malloc(64);
  try {
    return collect(module, page, text, geometry, scratch);
  } finally {
    module.wasmExports.free(scratch);
    module._FPDFText_ClosePage(text);
  }
}

function collect(module: Pdfium, page: number, text: number, geometry: PageGeometry, scratch: number): TextLayer {
  const count = module._FPDFText_CountChars(text);
  const words: Word[] = [];
  let run: Character[] = [];
  let printable = 0;
  let doubtful = 0;
  const finish = (): void => {
    if (run.length > 0) words.push(toWord(run));
    run = [];
  };
  for (let index = 0; index < count; index++) {
    const code = module._FPDFText_GetUnicode(text, index);
    if (code <= 0x20 || code === 0xa0 || /\s/.test(String.fromCodePoint(code))) {
      finish();
      continue;
    }
    printable++;
    if (isDoubtful(code) || module._FPDFText_HasUnicodeMapError(text, index) === 1) doubtful++;
    const character = characterAt(module, page, text, index, code, geometry, scratch);
    if (!character) continue;
    if (run.length > 0 && breaksBefore(run.at(-1)!, character)) finish();
    run.push(character);
  }
  finish();
  return { words, trust: printable === 0 ? 0 : 1 - doubtful / printable };
}

/** Replacement, private-use and control characters: the font has no usable mapping to Unicode. */
function isDoubtful(code: number): boolean {
  return code === 0xfffd || code === 0xfffe || code === 0xffff || (code >= 0xe000 && code <= 0xf8ff) || code < 0x20;
}

function characterAt(
  module: Pdfium,
  page: number,
  text: number,
  index: number,
  code: number,
  geometry: PageGeometry,
  scratch: number,
): Character | undefined {
  const [l, r, b, t] = [scratch, scratch + 8, scratch + 16, scratch + 24];
  if (module._FPDFText_GetCharBox(text, index, l, r, b, t) === 0) return undefined;
  const view = new DataView(module.HEAPU8.buffer);
  const [left, right] = [view.getFloat64(l, true), view.getFloat64(r, true)];
  let [bottom, top] = [view.getFloat64(b, true), view.getFloat64(t, true)];
  // The font's own ascent and descent: a dot or a dash then stands as high as the letters of its line.
  if (module._FPDFText_GetLooseCharBox(text, index, scratch) !== 0) {
    const loose = { top: view.getFloat32(scratch + 4, true), bottom: view.getFloat32(scratch + 12, true) };
    if (loose.top > loose.bottom && loose.top >= top - 1 && loose.bottom <= bottom + 1) ({ top, bottom } = loose);
  }
  const a = toDevice(module, page, geometry, left, top, scratch);
  const c = toDevice(module, page, geometry, right, bottom, scratch);
  return {
    text: String.fromCodePoint(code),
    left: Math.min(a.x, c.x),
    right: Math.max(a.x, c.x),
    top: Math.min(a.y, c.y),
    bottom: Math.max(a.y, c.y),
  };
}

/** PageToDevice answers whole pixels; asking at 16 times the size keeps the boxes of small print exact. */
const DEVICE_SCALE = 16;

function toDevice(
  module: Pdfium,
  page: number,
  geometry: PageGeometry,
  x: number,
  y: number,
  scratch: number,
): { x: number; y: number } {
  const outX = scratch + 40;
  const outY = scratch + 44;
  const width = geometry.width * DEVICE_SCALE;
  const height = geometry.height * DEVICE_SCALE;
  module._FPDF_PageToDevice(page, 0, 0, width, height, 0, x, y, outX, outY);
  const view = new DataView(module.HEAPU8.buffer);
  return { x: view.getInt32(outX, true) / DEVICE_SCALE, y: view.getInt32(outY, true) / DEVICE_SCALE };
}

function breaksBefore(previous: Character, next: Character): boolean {
  const height = Math.max(previous.bottom - previous.top, next.bottom - next.top, 4);
  const otherLine = next.top > previous.bottom + height * 0.3 || next.bottom < previous.top - height * 0.3;
  const gap = next.left - previous.right;
  return otherLine || gap > height * GAP_SHARE || gap < -height * 3;
}

function toWord(run: Character[]): Word {
  const left = Math.min(...run.map((c) => c.left));
  const top = Math.min(...run.map((c) => c.top));
  const right = Math.max(...run.map((c) => c.right));
  const bottom = Math.max(...run.map((c) => c.bottom));
  return {
    text: run
      .map((c) => c.text)
      .join('')
      .normalize('NFKC'),
    confidence: 1,
    bbox: { x: left, y: top, width: right - left, height: bottom - top },
  };
}

import type { Box, Rotation } from '../types.ts';
import type { Pdfium } from './pdfium.ts';
import type { PageGeometry } from './raster.ts';

/** One character of a text layer as it stands on the rendered page. */
export interface Glyph {
  text: string;
  /** In page pixels. */
  box: Box;
  /** How far its line is turned clockwise on the page; undefined for slanted text (a watermark). */
  turned: Rotation | undefined;
  /** The font maps it to no character of any script. */
  doubtful: boolean;
  /** Drawn in no ink: render mode 3 (ISO 32000-1 §9.3.6), as a scanner lays its reading over its picture. */
  invisible: boolean;
}

/** A character, or a gap between words: white space, and the end of a line. */
export type GlyphOrGap = Glyph | 'gap';

const INVISIBLE = 3;
const SLANT_TOLERANCE = 12;
/** PageToDevice answers whole pixels; asked for a page 16 times as large, at points this far apart, it is exact enough. */
const DEVICE_SCALE = 16;
const PROBE = 1000;
/** On a page every hyphen is drawn, the soft one too: TeX sets all of its hyphens so. */
const SOFT_HYPHEN = 0xad;
/** What PDFium makes of a hyphen that breaks a word at the end of its line. */
const LINE_END_HYPHEN = 2;

/** Every character of a page in the order of its text, which need not be that of its lines. */
export class GlyphReader {
  readonly #module: Pdfium;
  readonly #text: number;
  readonly #toDevice: (x: number, y: number) => Point;
  readonly #scratch: number;
  readonly #turns = new Map<number, Rotation | undefined>();
  #object = 0;
  #objectInvisible = false;

  constructor(module: Pdfium, page: number, text: number, geometry: PageGeometry) {
    this.#module = module;
    this.#text = text;
    this.#scratch = module.wasmExports.malloc(64);
    this.#toDevice = deviceTransform(module, page, geometry, this.#scratch);
  }

  close(): void {
    this.#module.wasmExports.free(this.#scratch);
  }

  *read(): Generator<GlyphOrGap> {
    const count = this.#module._FPDFText_CountChars(this.#text);
    for (let index = 0; index < count; index++) {
      const glyph = this.#at(index);
      if (glyph) yield glyph;
    }
  }

  #at(index: number): GlyphOrGap | undefined {
    const code = this.#module._FPDFText_GetUnicode(this.#text, index);
    const broken = code === LINE_END_HYPHEN && this.#module._FPDFText_IsHyphen(this.#text, index) === 1;
    const hyphen = broken || code === SOFT_HYPHEN;
    const text = hyphen ? '-' : String.fromCodePoint(code);
    if (/[\s\u200B]/u.test(text)) return 'gap';
    const box = this.#box(index);
    if (!box) return undefined;
    const unmapped = isDoubtful(code) || this.#module._FPDFText_HasUnicodeMapError(this.#text, index) === 1;
    return { text, box, turned: this.#turn(index), doubtful: !hyphen && unmapped, invisible: this.#isInvisible(index) };
  }

  #box(index: number): Box | undefined {
    const [l, r, b, t] = [0, 8, 16, 24].map((offset) => this.#scratch + offset) as [number, number, number, number];
    if (this.#module._FPDFText_GetCharBox(this.#text, index, l, r, b, t) === 0) return undefined;
    const view = new DataView(this.#module.HEAPU8.buffer);
    let [left, right] = [view.getFloat64(l, true), view.getFloat64(r, true)];
    let [bottom, top] = [view.getFloat64(b, true), view.getFloat64(t, true)];
    // The font's own ascent and descent: a dot or a dash then stands as high as the letters of its line.
    if (this.#module._FPDFText_GetLooseCharBox(this.#text, index, this.#scratch) !== 0) {
      const loose = [0, 4, 8, 12].map((offset) => view.getFloat32(this.#scratch + offset, true));
      const [looseLeft, looseTop, looseRight, looseBottom] = loose as [number, number, number, number];
      if (looseTop > looseBottom && looseTop >= top - 1 && looseBottom <= bottom + 1) {
        [top, bottom] = [looseTop, looseBottom];
        // Of letters that run up or down the page, the line lies across: its thickness is their width.
        if (sideways(this.#turn(index)) && looseLeft <= left + 1 && looseRight >= right - 1) {
          [left, right] = [looseLeft, looseRight];
        }
      }
    }
    const a = this.#toDevice(left, top);
    const c = this.#toDevice(right, bottom);
    return { x: Math.min(a.x, c.x), y: Math.min(a.y, c.y), width: Math.abs(a.x - c.x), height: Math.abs(a.y - c.y) };
  }

  /** Of the few angles on a page each is measured once: where a step along its line leads on the rendered page. */
  #turn(index: number): Rotation | undefined {
    // PDFium counts clockwise.
    const angle = -this.#module._FPDFText_GetCharAngle(this.#text, index);
    if (!this.#turns.has(angle)) {
      const origin = this.#toDevice(0, 0);
      const ahead = this.#toDevice(Math.cos(angle) * 100, Math.sin(angle) * 100);
      const degrees = (Math.atan2(ahead.y - origin.y, ahead.x - origin.x) * 180) / Math.PI;
      const quarter = (Math.round(degrees / 90) * 90 + 360) % 360;
      const slant = Math.abs(degrees - Math.round(degrees / 90) * 90);
      this.#turns.set(angle, slant > SLANT_TOLERANCE ? undefined : (quarter as Rotation));
    }
    return this.#turns.get(angle);
  }

  #isInvisible(index: number): boolean {
    const object = this.#module._FPDFText_GetTextObject(this.#text, index);
    if (object !== this.#object) {
      this.#object = object;
      this.#objectInvisible = object !== 0 && this.#module._FPDFTextObj_GetTextRenderMode(object) === INVISIBLE;
    }
    return this.#objectInvisible;
  }
}

/** From points of the page's own system to pixels of the rendered page: an affine map, so three points tell it. */
function deviceTransform(
  module: Pdfium,
  page: number,
  geometry: PageGeometry,
  scratch: number,
): (x: number, y: number) => Point {
  const at = (x: number, y: number): Point => {
    const [width, height] = [geometry.width * DEVICE_SCALE, geometry.height * DEVICE_SCALE];
    module._FPDF_PageToDevice(page, 0, 0, width, height, 0, x, y, scratch + 40, scratch + 44);
    const view = new DataView(module.HEAPU8.buffer);
    return {
      x: view.getInt32(scratch + 40, true) / DEVICE_SCALE,
      y: view.getInt32(scratch + 44, true) / DEVICE_SCALE,
    };
  };
  const [origin, right, up] = [at(0, 0), at(PROBE, 0), at(0, PROBE)];
  return (x, y) => ({
    x: origin.x + ((right.x - origin.x) * x + (up.x - origin.x) * y) / PROBE,
    y: origin.y + ((right.y - origin.y) * x + (up.y - origin.y) * y) / PROBE,
  });
}

interface Point {
  x: number;
  y: number;
}

const sideways = (turned: Rotation | undefined): boolean => turned === 90 || turned === 270;

/** Replacement, private-use and control characters: the font has no usable mapping to Unicode. */
function isDoubtful(code: number): boolean {
  return (
    code === 0xfffd ||
    code === 0xfffe ||
    code === 0xffff ||
    (code >= 0xe000 && code <= 0xf8ff) ||
    code < 0x20 ||
    (code >= 0x7f && code <= 0x9f)
  );
}

/** Where a box lies after its page, `width` × `height` pixels, was turned clockwise. */
export function turnBox(box: Box, rotation: Rotation, width: number, height: number): Box {
  const { x, y, width: w, height: h } = box;
  if (rotation === 90) return { x: height - y - h, y: x, width: h, height: w };
  if (rotation === 180) return { x: width - x - w, y: height - y - h, width: w, height: h };
  if (rotation === 270) return { x: y, y: width - x - w, width: h, height: w };
  return box;
}

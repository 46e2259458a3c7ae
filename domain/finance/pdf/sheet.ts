import { degrees, rgb } from 'pdf-lib';
import type { PDFDocument, PDFPage, RGB } from 'pdf-lib';
import type { Face, Faces } from './fonts.ts';

export const INK = rgb(0.13, 0.15, 0.19);
export const SOFT_INK = rgb(0.42, 0.45, 0.5);
export const RULE = rgb(0.82, 0.84, 0.87);
export const SHADE = rgb(0.95, 0.96, 0.97);
const WATERMARK = rgb(0.91, 0.92, 0.94);

const MARGIN = 48;
/** Below the last line: the footer. */
const FOOT = 40;
const A4 = { width: 595.28, height: 841.89 };
const LETTER = { width: 612, height: 792 };
/** Where Letter is the paper in the printer. */
const LETTER_COUNTRIES = new Set(['US', 'CA', 'MX', 'CL', 'CO', 'CR', 'DO', 'GT', 'PA', 'PH', 'PR', 'SV', 'VE']);

export interface TextStyle {
  face?: Face;
  size?: number;
  colour?: RGB;
  /** Where `x` is: the left end of the text, or its right end. */
  align?: 'left' | 'right';
}

/** The pages of one document, written from top to bottom. What doesn't fit goes on to a new page. */
export class Sheet {
  readonly faces: Faces;
  readonly left = MARGIN;
  readonly right: number;
  /** The upper edge of what is written next. */
  y = 0;
  /** Drawn at the top of every page but the first. */
  onNewPage: () => void = () => undefined;
  readonly #pdf: PDFDocument;
  readonly #paper: { width: number; height: number };
  readonly #watermark: string | undefined;
  #page: PDFPage;

  constructor(pdf: PDFDocument, faces: Faces, { country, watermark }: { country: string; watermark?: string }) {
    this.#pdf = pdf;
    this.faces = faces;
    this.#paper = LETTER_COUNTRIES.has(country) ? LETTER : A4;
    this.#watermark = watermark;
    this.right = this.#paper.width - MARGIN;
    this.#page = this.#addPage();
  }

  get width(): number {
    return this.right - this.left;
  }

  /** Which page is being written. */
  get pageNumber(): number {
    return this.#pdf.getPageCount();
  }

  /** What is left of this page. */
  get room(): number {
    return this.y - MARGIN - FOOT;
  }

  /** Goes on to a new page where less than `height` is left, and answers whether it did. */
  need(height: number): boolean {
    if (this.room >= height) return false;
    this.#page = this.#addPage();
    this.onNewPage();
    return true;
  }

  /** One line whose upper edge is `y`; the text must be printable. */
  text(text: string, x: number, y: number, style: TextStyle = {}): void {
    const { face = this.faces.regular, size = 9, colour = INK, align = 'left' } = style;
    if (text === '') return;
    const from = align === 'left' ? x : x - face.width(text, size);
    // The letters' own height is a little more than their size; this puts capitals in the middle of the line.
    this.#page.drawText(text, { x: from, y: y - size * 1.05, size, font: face.font, color: colour });
  }

  rule(y: number, { from = this.left, to = this.right, thickness = 0.5, colour = RULE } = {}): void {
    this.#page.drawLine({ start: { x: from, y }, end: { x: to, y }, thickness, color: colour });
  }

  box(x: number, top: number, width: number, height: number, colour: RGB = SHADE): void {
    this.#page.drawRectangle({ x, y: top - height, width, height, color: colour });
  }

  /** At the foot of each page, once all are there: words on the left, and which page it is. */
  footers(words: string, pageOf: (page: number, of: number) => string): void {
    const pages = this.#pdf.getPages();
    for (const [index, page] of pages.entries()) {
      this.#page = page;
      const y = MARGIN + 12;
      const style = { size: 7.5, colour: SOFT_INK };
      this.rule(y + 6);
      this.text(words, this.left, y, style);
      const place = this.faces.regular.printable(pageOf(index + 1, pages.length));
      this.text(place, this.right, y, { ...style, align: 'right' });
    }
  }

  #addPage(): PDFPage {
    const page = this.#pdf.addPage([this.#paper.width, this.#paper.height]);
    this.y = this.#paper.height - MARGIN;
    if (this.#watermark !== undefined) this.#drawWatermark(page, this.#watermark);
    return page;
  }

  #drawWatermark(page: PDFPage, words: string): void {
    const { bold } = this.faces;
    const text = bold.printable(words);
    const { width, height } = this.#paper;
    const size = Math.min(110, (0.8 * Math.hypot(width, height) * 0.8) / bold.width(text, 1));
    const half = (bold.width(text, size) / 2) * Math.SQRT1_2;
    const at = { x: width / 2 - half + size * 0.25, y: height / 2 - half - size * 0.25 };
    page.drawText(text, { ...at, size, font: bold.font, color: WATERMARK, rotate: degrees(45) });
  }
}

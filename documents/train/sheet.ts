import type { PageText, Word } from '../types.ts';
import type { Random } from './random.ts';

export interface SheetStyle {
  width: number;
  height: number;
  /** Height of a letter of running text, in pixels. */
  size: number;
  source: PageText['source'];
  language: string;
  /** Share of the words that are misread. */
  noise: number;
  /** Written at the foot of each page; `{n}` and `{m}` are its number and the number of pages. */
  footer?: string;
  /** Written at the head of the second and later pages. */
  runningHead?: string;
}

/** Share of the height of a letter that it is wide. */
const LETTER = 0.5;
const LINE = 1.55;
const MARGIN = 0.05;

/** Types words on pages from the top down, breaking to a new page at the bottom; readers' faults are put in as it goes. */
export class Sheet {
  private readonly random: Random;
  private readonly style: SheetStyle;
  private readonly pages: Word[][] = [[]];
  private y: number;

  constructor(random: Random, style: SheetStyle) {
    this.random = random;
    this.style = style;
    this.y = style.height * MARGIN;
  }

  /** Cells of one row, each at its share of the page's width; a scale enlarges the print. */
  row(cells: [at: number, text: string][], scale = 1): void {
    const size = this.style.size * scale;
    if (this.y + size * LINE > this.style.height * (1 - MARGIN * 1.6)) this.breakPage();
    for (const [at, text] of cells) this.type(at * this.style.width, this.y, text, size);
    this.y += size * LINE;
  }

  centred(text: string, scale = 1): void {
    const width = text.length * this.style.size * scale * LETTER;
    this.row([[Math.max(0.02, (this.style.width - width) / 2 / this.style.width), text]], scale);
  }

  gap(lines = 1): void {
    this.y += this.style.size * LINE * lines;
  }

  breakPage(): void {
    this.pages.push([]);
    this.y = this.style.height * MARGIN;
    if (this.style.runningHead !== undefined) this.row([[0.08, this.style.runningHead]]);
  }

  finish(): PageText[] {
    const { width, height, size, source, language, footer } = this.style;
    return this.pages.map((words, index) => {
      if (footer !== undefined) {
        const text = footer.replace('{n}', String(index + 1)).replace('{m}', String(this.pages.length));
        this.type(width * 0.45, height * 0.965, text, size * 0.8, words);
      }
      return { page: index + 1, width, height, dpi: 200, words, source, rotation: 0, language };
    });
  }

  private type(x: number, y: number, text: string, size: number, words: Word[] = this.pages.at(-1)!): void {
    let left = x;
    for (const token of this.misreadGaps(text)) {
      const width = token.length * size * LETTER;
      const confidence = this.style.source === 'ocr' ? 0.8 + this.random.next() * 0.2 : 1;
      words.push({ text: this.misread(token), confidence, bbox: { x: left, y, width, height: size } });
      left += width + size * LETTER;
    }
  }

  /** Readers of pictures lose gaps. */
  private misreadGaps(text: string): string[] {
    const tokens = text.split(/\s+/).filter((token) => token !== '');
    const joined: string[] = [];
    for (const token of tokens) {
      if (joined.length > 0 && this.random.chance(this.style.noise * 1.5)) joined.push(`${joined.pop()!}${token}`);
      else joined.push(token);
    }
    return joined;
  }

  private misread(token: string): string {
    if (!this.random.chance(this.style.noise)) return token;
    const plain = token.normalize('NFKD').replace(/\p{M}/gu, '');
    const at = this.random.integer(0, Math.max(0, plain.length - 1));
    const swap: Record<string, string> = { O: '0', '0': 'O', I: 'l', l: '1', i: 'l', S: '5', e: 'c', B: '8', n: 'r' };
    return plain.slice(0, at) + (swap[plain[at] ?? ''] ?? '') + plain.slice(at + 1);
  }
}

import type { Line } from '../layout/lines.ts';
import type { PageText } from '../types.ts';
import { clipped } from './fold.ts';

const AMOUNT = /\d[.,]\d{2}(?!\d)/;
const AMOUNTS = /\d[.,]\d{2}(?!\d)/g;
const DATE = /\b\d{1,4}[./-]\d{1,2}[./-]\d{2,4}\b|\b\d{1,2}[ -][A-Za-z]{3,9}\.?[ -]\d{2,4}\b|\b[A-Za-z]{3,9} \d{1,2}\b/;
/** A row of a ledger begins with its date. */
const LEDGER_ROW =
  /^\W*(?:\d{1,4}[./-]\d{1,2}(?:[./-]\d{2,4})?|\d{1,2}[ -]?[A-Za-z]{3,9}|[A-Za-z]{3,9} \d{1,2})\b.*\d[.,]\d{2}/;
/** So many words on a line make a sentence. */
const SENTENCE = 9;
const TIME = /\b\d{1,2}:\d{2}(?::\d{2})?\b/;
/** The numbers that ISO/IEC 18013-1 gives to the fields of a driving licence. */
const LICENCE_NUMBER = /^\W*(?:1|2|3|4a|4b|4c|4d|5|9)\.? ?\S/i;

/** What the page looks like: till rolls are narrow, cards wide with little text, contracts full of sentences. */
export function shapeFeatures(pages: PageText[], lines: Line[]): string[] {
  const first = pages[0];
  if (!first) return [];
  const words = pages.reduce((sum, page) => sum + page.words.length, 0) / pages.length;
  const count = Math.max(1, lines.length);
  const texts = lines.map((line) => clipped(line.text));
  const share = (test: (text: string) => boolean): number => texts.filter(test).length / count;
  const sentences = share((text) => text.split(' ').length >= SENTENCE && !AMOUNT.test(text));
  const ledger = texts.filter((text) => LEDGER_ROW.test(text));
  const flags: [string, boolean][] = [
    ['scan', first.source === 'ocr'],
    ['several pages', pages.length > 1],
    ['many pages', pages.length > 3],
    ['balance column', ledger.filter((text) => (text.match(AMOUNTS) ?? []).length >= 2).length >= 2],
    ['time of day', texts.some((text) => TIME.test(text))],
    ['licence numbering', texts.filter((text) => LICENCE_NUMBER.test(text)).length >= 4 && words < 120],
    ['no amounts', !texts.some((text) => AMOUNT.test(text))],
    ['bullets', texts.filter((text) => /^\s*[•·▪●–-] ?\S/.test(text)).length >= 3],
  ];
  return [
    ...flags.filter(([, is]) => is).map(([name]) => name),
    ...atLeast('width over height', first.width / Math.max(1, first.height), [0.45, 0.62, 0.85, 1.2]),
    ...atLeast('words', words, [25, 60, 110, 200, 350]),
    ...atLeast('print', printSize(first), [0.012, 0.018, 0.025, 0.034]),
    ...atLeast(
      'amount lines',
      share((text) => AMOUNT.test(text)),
      [0.08, 0.2, 0.35, 0.55],
    ),
    ...atLeast('sentences', sentences, [0.08, 0.25, 0.5]),
    ...atLeast('ledger rows', ledger.length, [2, 5, 12]),
    ...atLeast('dates', texts.filter((text) => DATE.test(text)).length, [2, 5]),
  ];
}

/** A quantity as the thresholds that it reaches, so that a linear model can bend. */
const atLeast = (name: string, value: number, thresholds: number[]): string[] =>
  thresholds.filter((threshold) => value >= threshold).map((threshold) => `${name} >= ${String(threshold)}`);

/** Height of the usual word as a share of the page's width: 0.01 to 0.02 on a sheet, twice that on a till roll. */
function printSize(page: PageText): number {
  const heights = page.words.map((word) => word.bbox.height).sort((a, b) => a - b);
  return (heights[Math.floor(heights.length / 2)] ?? 0) / Math.max(1, page.width);
}

import { describe, expect, test } from '@jest/globals';
import { documentTypes } from '../../../documents/index.ts';
import { extractFields } from '../../../documents/extract/extract.ts';
import { layoutLines } from '../../../documents/layout/lines.ts';
import type { Box, PageText } from '../../../documents/index.ts';
import { typedPage } from '../support.ts';

const TEXT = ['Acme Hardware          INVOICE', 'Total            118.00'];

/** The typed page with a hostile word put before its own. */
function withWord(text: string, bbox: Partial<Box> = {}): PageText {
  const page = typedPage(TEXT);
  const word = { text, confidence: 0.9, bbox: { x: 0, y: 400, width: 50, height: 20, ...bbox } };
  return { ...page, words: [word, ...page.words] };
}

const seconds = (work: () => void): number => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
};

describe('words that no page can hold', () => {
  test.each<[string, Partial<Box>]>([
    ['nowhere', { x: Number.NaN }],
    ['endlessly far', { y: Number.POSITIVE_INFINITY }],
    ['of endless size', { height: Number.POSITIVE_INFINITY }],
    ['of negative size', { width: -50 }],
  ])('a word %s is not there, and the others are read as without it', (_name, bbox) => {
    expect(layoutLines([withWord('hostile', bbox)])).toEqual(layoutLines([typedPage(TEXT)]));
  });

  test('a word without text is not there', () => {
    expect(layoutLines([withWord(' ')])).toEqual(layoutLines([typedPage(TEXT)]));
  });

  test('a word farther off than whole numbers count is a line of its own', () => {
    const lines = layoutLines([withWord('far', { y: 1e300 })]);
    expect(lines.map((line) => line.text)).toEqual(['Acme Hardware INVOICE', 'Total 118.00', 'far']);
  });

  test('a word of 100,000 characters is cut, never within a character', () => {
    const line = layoutLines([withWord(`a${'😀'.repeat(50_000)}`)]).at(-1)!;
    expect(line.text.length).toBeLessThanOrEqual(300);
    expect(line.text.isWellFormed()).toBe(true);
  });

  test('ten thousand words side by side are lines of at most 300 words and 3,000 letters, none lost', () => {
    const words = Array.from({ length: 10_000 }, (_, index) => ({
      text: String(index),
      confidence: 0.9,
      bbox: { x: index * 60, y: 40, width: 50, height: 20 },
    }));
    const lines = layoutLines([{ ...typedPage([]), words }]);
    expect(Math.max(...lines.map((line) => line.words.length))).toBeLessThanOrEqual(300);
    expect(Math.max(...lines.map((line) => line.text.length))).toBeLessThanOrEqual(3000);
    expect(lines.flatMap((line) => line.words.map((word) => word.text))).toEqual(words.map((word) => word.text));
  });

  test('a line of few long words is cut at 3,000 letters, too', () => {
    const words = Array.from({ length: 40 }, (_, index) => ({
      text: 'x'.repeat(300),
      confidence: 0.9,
      bbox: { x: index * 60, y: 40, width: 50, height: 20 },
    }));
    const lines = layoutLines([{ ...typedPage([]), words }]);
    expect(lines.length).toBeGreaterThan(1);
    expect(Math.max(...lines.map((line) => line.text.length))).toBeLessThanOrEqual(3000);
  });
});

describe('time', () => {
  test('a page of 12,000 words in 1,000 rows is laid out in a fraction of a second', () => {
    const row = Array.from({ length: 12 }, (_, column) => `word${String(column)}`).join(' ');
    const page = typedPage(Array.from({ length: 1000 }, () => row));
    layoutLines([page]);
    expect(seconds(() => layoutLines([page]))).toBeLessThan(0.4);
  });

  test.each([...documentTypes])('a word of 100,000 points among those of a %s stops no pattern', (document_type) => {
    const page = withWord('.'.repeat(100_000), { y: 40, x: 400 });
    expect(seconds(() => extractFields([page], { document_type }))).toBeLessThan(1);
  });
});

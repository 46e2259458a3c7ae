import { describe, expect, test } from '@jest/globals';
import { layoutLines } from '../../../documents/layout/lines.ts';
import { typedPage } from '../support.ts';

describe('lines', () => {
  const text = ['Acme Hardware          INVOICE', '12 Mill Street', 'Total            118.00'];

  test('words join in reading order, wide gaps split cells', () => {
    const lines = layoutLines([typedPage(text)]);
    expect(lines.map((line) => line.segments.map((segment) => segment.text))).toEqual([
      ['Acme Hardware', 'INVOICE'],
      ['12 Mill Street'],
      ['Total', '118.00'],
    ]);
  });

  test('a skewed page keeps its lines', () => {
    const lines = layoutLines([typedPage(text, { skew: 0.02 })]);
    expect(lines.map((line) => line.text)).toEqual(['Acme Hardware INVOICE', '12 Mill Street', 'Total 118.00']);
  });

  test('pages follow each other, and a line knows its page', () => {
    const second = { ...typedPage(['page two']), page: 2 };
    expect(layoutLines([typedPage(['page one']), second]).map((line) => [line.page, line.text])).toEqual([
      [1, 'page one'],
      [2, 'page two'],
    ]);
  });

  test.each([0.03, -0.03, 0.1])('the rows of a table on a page that falls by %f keep their far cells', (skew) => {
    const rows = Array.from(
      { length: 12 },
      (_, row) => `Item ${String(row)} of the list${' '.repeat(28)}${String(row)}.50 EUR`,
    );
    const lines = layoutLines([typedPage(rows, { skew, width: 1000 })]);
    expect(lines.map((line) => line.text)).toEqual(rows.map((row) => row.replace(/ +/g, ' ')));
  });

  test('a text layer is taken as level: a raised word tilts nothing', () => {
    const page = typedPage(['one two three', 'four five six']);
    page.words[2]!.bbox.y -= 4;
    expect(layoutLines([{ ...page, source: 'text_layer' }]).map((line) => line.text)).toEqual([
      'one two three',
      'four five six',
    ]);
  });
});

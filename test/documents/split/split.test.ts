import { describe, expect, test } from '@jest/globals';
import { createDocumentEngine, type PageText } from '../../../documents/index.ts';
import { splitPages } from '../../../documents/split/split.ts';
import { generateDocument } from '../../../documents/train/generate.ts';
import { Random } from '../../../documents/train/random.ts';
import { sharedDataIsThere, sharedFile, typedPage } from '../support.ts';

const A4 = { width: 1654, height: 2339 };
/** Pages in the order of the file. */
const file = (pages: PageText[]): PageText[] => pages.map((page, index) => ({ ...page, page: index + 1 }));
/** A typed page on a sheet of paper, with its foot. */
const sheet = (lines: string[], foot?: string): PageText => {
  const page = { ...typedPage(lines, { width: A4.width }), height: A4.height };
  if (foot === undefined) return page;
  const words = foot.split(' ').map((text, index) => ({
    text,
    confidence: 1,
    bbox: { x: 700 + index * 90, y: 2260, width: 80, height: 20 },
  }));
  return { ...page, words: [...page.words, ...words] };
};
const grouped = (pages: PageText[]): number[][] => splitPages(file(pages)).map((document) => document.pages);

const rows = Array.from({ length: 60 }, (_, row) => `Article ${String(row)}      2      10.00      20.00`);
const invoice = (number: string, foot?: string): PageText =>
  sheet(['Acme Ltd', 'INVOICE', `Invoice No: ${number}`, 'Bill To', 'Zen Ltd', 'Total 10.00'], foot);
const receipt = (shop: string): PageText =>
  typedPage([shop, 'RECEIPT', '21/03/2018 14:22', 'Coffee  4.50', 'TOTAL  4.50', 'CASH  5.00', 'CHANGE  0.50'], {
    width: 420,
  });
const prose = Array.from(
  { length: 30 },
  () => 'the receiving party shall not disclose confidential information to any third party and',
);
const passport = typedPage(
  [
    'PASSPORT   P   UTO   L898902C3',
    'Surname   ERIKSSON',
    'Given names   ANNA MARIA',
    'Nationality   UTOPIAN',
    'Date of birth   12 AUG 1974   Sex F   Place of birth ZENITH',
    'Date of issue   16 APR 2007   Date of expiry   15 APR 2012',
    'Authority   PASSPORT OFFICE',
    'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<',
    'L898902C36UTO7408122F1204159ZE184226B<<<<<10',
  ],
  { width: 900 },
);
const blank = sheet([]);

describe('boundaries', () => {
  test('numbered pages tell where each document ends', () => {
    const pages = [
      sheet(['Acme Ltd', 'INVOICE', 'Invoice No: 4711', ...rows], 'Page 1 of 2'),
      sheet(['Acme Ltd', ...rows, 'Total 10.00'], 'Page 2 of 2'),
      sheet(['Borg Ltd', 'INVOICE', 'Invoice No: 9988', ...rows], 'Page 1 of 1'),
    ];
    expect(grouped(pages)).toEqual([[1, 2], [3]]);
  });

  test('papers of different kinds are different documents', () => {
    const pages = [
      invoice('4711'),
      receipt('Corner Cafe'),
      passport,
      sheet(['NON-DISCLOSURE AGREEMENT', 'WHEREAS the parties wish', ...prose]),
    ];
    const found = splitPages(file(pages));
    expect(found.map((document) => document.pages)).toEqual([[1], [2], [3], [4]]);
    expect(found.map(({ type }) => type)).toEqual(['invoice', 'receipt', 'passport', 'contract']);
    expect(found.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
  });

  test('two invoices on the same letterhead with different numbers', () => {
    expect(grouped([invoice('4711'), invoice('4712')])).toEqual([[1], [2]]);
  });

  test('a contract that runs on in mid-sentence stays whole', () => {
    const pages = [
      sheet(['NON-DISCLOSURE AGREEMENT', 'THIS AGREEMENT is made between the parties', ...prose, ...prose]),
      sheet([...prose, ...prose]),
      sheet([...prose, 'IN WITNESS WHEREOF the undersigned have signed', 'By: ____________']),
    ];
    expect(grouped(pages)).toEqual([[1, 2, 3]]);
  });

  test('blank pages separate documents and belong to none', () => {
    expect(grouped([invoice('4711'), blank, receipt('Corner Cafe')])).toEqual([[1], [3]]);
  });

  test('blank backs of two-sided sheets separate nothing', () => {
    const first = sheet(['AGREEMENT', 'between the parties', ...prose, ...prose], 'Page 1 of 2');
    const second = sheet([...prose, 'IN WITNESS WHEREOF'], 'Page 2 of 2');
    expect(grouped([first, blank, second, blank])).toEqual([[1, 3]]);
  });

  test('pages may come in any order', () => {
    const pages = file([invoice('4711'), receipt('Corner Cafe'), invoice('4712')]);
    expect(splitPages([...pages].reverse())).toEqual(splitPages(pages));
  });

  test.each([
    ['no pages', []],
    ['only blank pages', [blank, blank]],
  ])('%s: no documents', (_, pages) => {
    expect(splitPages(file(pages))).toEqual([]);
  });
});

describe('confidence', () => {
  test('a single page is surely one document', () => {
    expect(splitPages([invoice('4711')])).toEqual([{ index: 0, pages: [1], type: 'invoice', confidence: 1 }]);
  });

  test('lies between 0 and 1, and is higher where page numbers agree', () => {
    const numbered = splitPages(file([invoice('4711', 'Page 1 of 1'), invoice('4712', 'Page 1 of 1')]));
    const plain = splitPages(file([sheet(rows), sheet(rows)]));
    for (const { confidence } of [...numbered, ...plain]) {
      expect(confidence).toBeGreaterThan(0);
      expect(confidence).toBeLessThanOrEqual(1);
    }
    expect(numbered[0]!.confidence).toBeGreaterThan(0.9);
  });
});

test('invented contracts and statements of several pages stay whole', () => {
  const random = new Random(99);
  const documents = (['contract', 'bank_statement', 'supplier_statement'] as const).flatMap((type) =>
    Array.from({ length: 25 }, () => generateDocument(random, type, 'en')).filter(({ pages }) => pages.length > 1),
  );
  const broken = documents.filter(({ pages }) => splitPages(pages).length > 1);
  expect(documents.length).toBeGreaterThan(20);
  expect(broken.length / documents.length).toBeLessThan(0.1);
});

const onRealDocuments = sharedDataIsThere ? describe : describe.skip;

onRealDocuments('real documents', () => {
  test('two real agreements of five pages each', async () => {
    const engine = createDocumentEngine({ processes: 1 });
    const bytes = sharedFile('split/split_14_same_type.pdf');
    const pages = await Promise.all(Array.from({ length: 10 }, (_, index) => engine.readPage(bytes, index + 1)));
    const found = engine.split(pages);
    await engine.close();
    expect(found.map((document) => document.pages)).toEqual([
      [1, 2, 3, 4, 5],
      [6, 7, 8, 9, 10],
    ]);
    expect(found.every(({ type }) => type === 'contract')).toBe(true);
  });
});

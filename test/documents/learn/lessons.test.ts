import { expect, test } from '@jest/globals';
import { applyLessons } from '../../../documents/learn/apply-lessons.ts';
import { lessonOf } from '../../../documents/learn/lessons.ts';
import type { Extraction, Lesson } from '../../../documents/index.ts';
import { typedPage } from '../support.ts';

interface Bill {
  name?: string;
  printedName?: string;
  tax?: string;
  net: string;
  gross: string;
  visit: string;
}

const head = ['12 Quay Street Unit 4', 'Saltwater Bay 4021', 'Telephone 041 555 0199'];

const pageOf = ({ name = 'Salty Anchor Trading', printedName = name, tax = 'ZA4410098765', net, gross, visit }: Bill) =>
  typedPage([printedName, ...head, `Reg ${tax}`, '', `Visit on ${visit}`, `Goods       ${net}`, `Including levy      ${gross}`, 'Come again']); // prettier-ignore

/** What a reader that takes the wrong amount and spells the name as it is printed would say. */
const readingOf = ({
  name = 'Salty Anchor Trading',
  printedName = name,
  tax = 'ZA4410098765',
  net,
}: Bill): Extraction => ({
  document_type: 'receipt',
  document_type_confidence: 0.9,
  fields: Object.fromEntries(
    Object.entries({ merchant_name: printedName, merchant_tax_number: tax, total: Number(net) }).map(([key, value]) => [
      key,
      { value, confidence: 0.6, bbox: null },
    ]),
  ),
  line_items: [],
  alternatives: [],
});

const learn = (bill: Bill, corrections: Record<string, unknown>): Lesson =>
  lessonOf([pageOf(bill)], readingOf(bill), corrections)!;
const apply = (bill: Bill, lessons: Lesson[]) => applyLessons([pageOf(bill)], readingOf(bill), lessons).fields;

const first: Bill = { net: '10.00', gross: '11.50', visit: '05/03/2024' };
const later: Bill[] = [
  { net: '20.00', gross: '23.00', visit: '06/04/2024' },
  { net: '7.40', gross: '8.51', visit: '21/04/2024' },
  { net: '120.00', gross: '138.00', visit: '02/05/2024' },
];

test('one corrected total puts the next three of the issuer right, with the box of the right amount', () => {
  const lessons = [learn(first, { total: 11.5 })];
  for (const bill of later) {
    const { total } = apply(bill, lessons);
    expect(total?.value).toBe(Number(bill.gross));
    expect(total?.bbox).toMatchObject({ page: 1 });
    expect(total?.confidence).toBeGreaterThan(0.5);
  }
});

test('a field that was not found is found where the correction saw it', () => {
  const lessons = [learn(first, { date: '2024-03-05' })];
  expect(apply(later[1]!, lessons)['date']?.value).toBe('2024-04-21');
});

test('a misread name of the issuer is spelled as it was corrected, however it is misread', () => {
  const lessons = [learn({ ...first, printedName: 'Sa1ty Anch0r Tradlng' }, { merchant_name: 'Salty Anchor Trading' })];
  for (const printedName of ['Sa1ty Anch0r Tradlng', 'Salty Anchcr Tradinq', 'Salty Anchor Trading'])
    expect(apply({ ...later[0]!, printedName }, lessons)['merchant_name']?.value).toBe('Salty Anchor Trading');
});

test('a field corrected to nothing is left out where it is misread again', () => {
  const bill = { ...first, net: '10.00' };
  const lessons = [learn(bill, { total: null })];
  expect(apply(later[0]!, lessons)).not.toHaveProperty('total');
});

test('of corrections that disagree on a constant, the one that was read wins over the newer', () => {
  const lessons = ['Salty Anchor Trading', 'Salty Anchor Tradinq'].map((merchant_name) =>
    learn(first, { merchant_name }),
  );
  expect(apply(later[0]!, lessons)['merchant_name']?.value).toBe('Salty Anchor Trading');
});

test('another issuer of the same layout, and another type, stay as they are', () => {
  const lessons = [learn(first, { total: 11.5, merchant_name: 'Salty Anchor' })];
  const page = typedPage(['Blue Whale Books', '3 Hill Lane', 'Upper Dale 1177', 'Phone 012 444 9981', 'Reg ZA9990001112', '', 'Visit on 01/02/2024', 'Goods       9.00', 'Including levy      10.35']); // prettier-ignore
  const reading = readingOf({ name: 'Blue Whale Books', tax: 'ZA9990001112', net: '9.00', gross: '', visit: '' });
  expect(applyLessons([page], reading, lessons)).toBe(reading);
  const contract = { ...readingOf(later[0]!), document_type: 'contract' };
  expect(applyLessons([pageOf(later[0]!)], contract, lessons)).toBe(contract);
});

test('a bank account is never taken from an earlier document', () => {
  const lesson = learn(first, { iban: 'DE89370400440532013000' });
  expect(lesson).toBeUndefined();
});

test('a lesson keeps hashes of the page’s head, not its words', () => {
  expect(JSON.stringify(learn(first, { total: 11.5 }))).not.toMatch(/Quay|QUAY|0199/);
});

test.each([
  ['nothing', {}],
  ['a value that the page does not show', { total: 999.99 }],
  ['names that are no fields', { 'line_items[0].gl_code': '6200', 'a.b': 1 }],
  ['values that are no values', { total: { deep: 1 }, date: ['x'], note: '', sum: NaN }],
  ['a huge text', { note: 'x'.repeat(1_000_000) }],
])('%s teaches nothing', (_, corrections) => {
  expect(lessonOf([pageOf(first)], readingOf(first), corrections)).toBeUndefined();
});

test('lessons don’t break on empty pages, and patterns in values are text', () => {
  const lessons = [learn({ ...first, printedName: '(a+)+$ [Trading]' }, { merchant_name: '(a+)+$ [Trading] .*' })];
  const empty = { ...readingOf(first), fields: {} };
  expect(applyLessons([], empty, lessons).fields).toEqual({});
  expect(applyLessons([typedPage([])], empty, lessons).fields).toEqual({});
});

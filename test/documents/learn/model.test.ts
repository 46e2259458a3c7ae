import { expect, test } from '@jest/globals';
import { extractWithModel } from '../../../documents/learn/apply.ts';
import { trainModel } from '../../../documents/learn/train.ts';
import type { TrainingSample } from '../../../documents/index.ts';
import { typedPage } from '../support.ts';

/** A meter reading sheet: a layout that no built-in type knows. */
interface Sheet {
  meter: string;
  date: string;
  printed: string;
  reading: string;
  charge: string;
  rows: [string, string, string][];
}

const sheets: Sheet[] = [
  { meter: 'MX-20417', date: '2024-03-05', printed: '05/03/2024', reading: '18,204', charge: '412.50', rows: [['Peak', '120', '300.00'], ['Night', '75', '112.50']] },
  { meter: 'MX-31180', date: '2024-04-17', printed: '17/04/2024', reading: '2,991', charge: '88.10', rows: [['Peak', '20', '50.10'], ['Weekend', '19', '38.00']] },
  { meter: 'MX-00562', date: '2024-05-29', printed: '29/05/2024', reading: '40,117', charge: '1,090.00', rows: [['Peak', '300', '750.00'], ['Night', '200', '300.00'], ['Weekend', '20', '40.00']] },
  { meter: 'MX-77201', date: '2024-06-11', printed: '11/06/2024', reading: '7,650', charge: '205.75', rows: [['Night', '137', '205.75']] },
]; // prettier-ignore

const pageOf = ({ meter, printed, reading, charge, rows }: Sheet) =>
  typedPage([
    'Northern Grid Company',
    'Field office Harbour Road 7',
    '',
    `Meter no: ${meter}        Visit: ${printed}`,
    `Counter stand    ${reading}`,
    '',
    'Tariff           Units      Amount',
    ...rows.map(([tariff, units, amount]) => `${tariff.padEnd(17)}${units.padStart(5)}${amount.padStart(12)}`),
    `Sum to be paid            ${charge}`,
    'Signature of the reader',
  ]);

const numberOf = (text: string): number => Number(text.replaceAll(',', ''));

const sampleOf = (sheet: Sheet): TrainingSample => ({
  pages: [pageOf(sheet)],
  annotations: {
    company: 'Northern Grid Company',
    meter: sheet.meter,
    visited: sheet.date,
    stand: numberOf(sheet.reading),
    charge: sheet.charge,
    tariffs: sheet.rows.map(([tariff, units, amount]) => ({ tariff, units: Number(units), amount: numberOf(amount) })),
  },
});

const definition = {
  fields: [
    { name: 'company' },
    { name: 'meter', type: 'string', required: true },
    { name: 'visited', type: 'date' },
    { name: 'stand', type: 'integer' },
    { name: 'charge', type: 'currency' },
    { name: 'tariffs', type: 'table', columns: ['tariff', 'units', 'amount'] },
  ],
};

const fresh: Sheet = {
  meter: 'MX-90003', date: '2024-07-23', printed: '23/07/2024', reading: '12,345', charge: '640.20',
  rows: [['Peak', '100', '250.20'], ['Night', '260', '390.00']],
}; // prettier-ignore

test('a model of four samples reads the fields and the table of a document that it has not seen', () => {
  const model = trainModel(definition, sheets.map(sampleOf));
  const { fields, line_items, document_type } = extractWithModel([pageOf(fresh)], model, {
    document_type: 'custom:mdl_1',
  });
  expect(document_type).toBe('custom:mdl_1');
  expect(Object.fromEntries(Object.entries(fields).map(([name, { value }]) => [name, value]))).toEqual({
    company: 'Northern Grid Company',
    meter: 'MX-90003',
    visited: '2024-07-23',
    stand: 12_345,
    charge: 640.2,
    tariffs: [
      { tariff: 'Peak', units: 100, amount: 250.2 },
      { tariff: 'Night', units: 260, amount: 390 },
    ],
  });
  expect(line_items).toHaveLength(2);
  expect(fields['charge']?.bbox).toMatchObject({ page: 1 });
  expect(fields['charge']?.confidence).toBeGreaterThan(0.7);
});

test('accuracy is what samples left out of the training were read with, and the same samples give the same model', () => {
  const model = trainModel(definition, sheets.map(sampleOf));
  expect(model.accuracy).toBeGreaterThan(0.9);
  expect(model.field_accuracy).toMatchObject({ meter: 1, visited: 1, charge: 1 });
  expect(JSON.stringify(trainModel(definition, sheets.map(sampleOf)))).toBe(JSON.stringify(model));
});

test('a document of another layout gives no field that one would trust', () => {
  const model = trainModel(definition, sheets.map(sampleOf));
  const other = typedPage(['ACME Stationery', 'Invoice 4711', '12/01/2024', 'Pencils 3.00', 'Total 3.00']);
  const { fields, document_type_confidence } = extractWithModel([other], model);
  expect(document_type_confidence).toBeLessThan(0.2);
  expect(Object.values(fields).filter(({ confidence }) => confidence >= 0.5)).toEqual([]);
});

test('an annotated box says which of two equal values is meant', () => {
  const lines = (first: string, second: string) => [`Paid ${first}`, `Due ${second}`];
  const sample = (first: string, second: string) => {
    const page = typedPage(lines(first, second));
    const { bbox } = page.words.at(-1)!;
    return { pages: [page], annotations: { due: { value: Number(second), bbox: { ...bbox, page: 1 } } } };
  };
  const model = trainModel({ fields: [{ name: 'due', type: 'number' }] }, [
    sample('5.00', '5.00'),
    sample('7.00', '7.00'),
  ]);
  expect(extractWithModel([typedPage(lines('1.00', '9.00'))], model).fields['due']?.value).toBe(9);
});

test('a field that a document lacks is not made up', () => {
  const with_ = (note?: string) =>
    typedPage(['Order 17', 'Harbour Road', ...(note ? [`Discount: ${note}`] : []), 'Thank you']);
  const samples = ['1.50', undefined, '2.25', undefined, '3.75'].map((note) => ({
    pages: [with_(note)],
    annotations: { discount: note === undefined ? null : Number(note) },
  }));
  const model = trainModel({ fields: [{ name: 'discount', type: 'money' }] }, samples);
  expect(extractWithModel([with_()], model).fields).toEqual({});
  expect(extractWithModel([with_('4.40')], model).fields['discount']?.value).toBe(4.4);
});

test.each([
  ['no fields', { fields: [] }, 2, 'fields'],
  ['an unknown type', { fields: [{ name: 'a', type: 'blob' }] }, 2, 'fields[0].type'],
  ['a name twice', { fields: [{ name: 'a' }, { name: 'a' }] }, 2, 'fields[1].name'],
  ['a table without columns', { fields: [{ name: 'a', type: 'table' }] }, 2, 'fields[0].columns'],
  ['one sample', { fields: [{ name: 'a' }] }, 1, 'documents'],
  ['51 samples', { fields: [{ name: 'a' }] }, 51, 'documents'],
])('%s is refused', (_, asked, count, field) => {
  const samples = Array.from({ length: count }, () => ({ pages: [], annotations: {} }));
  expect(() => trainModel(asked, samples)).toThrow(expect.objectContaining({ code: 'BAD_MODEL', field }));
});

test('hostile samples cost little and teach nothing', () => {
  const evil = '(a+)+$'.repeat(50_000);
  const samples = [
    { pages: [], annotations: { company: evil, __proto__: { value: 1 }, tariffs: evil } },
    { pages: [typedPage([])], annotations: { company: { value: { deep: [] }, bbox: 'x' }, charge: Infinity } },
    {
      pages: [typedPage(['.*'.repeat(5000)])],
      annotations: { company: '.*', charge: '9'.repeat(10_000), visited: evil },
    },
  ];
  const started = performance.now();
  const model = trainModel(definition, samples);
  expect(() => extractWithModel([], model)).not.toThrow();
  expect(extractWithModel([typedPage([])], model).fields).toEqual({});
  expect(performance.now() - started).toBeLessThan(5000);
});

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { classifyPages } from '../../../documents/classify/classify.ts';
import { extractFields } from '../../../documents/extract/extract.ts';
import { createDocumentEngine, type DocumentEngine, type Extraction } from '../../../documents/index.ts';
import { validateExtraction } from '../../../documents/validate/validate.ts';
import { sharedDataIsThere, sharedFile, typedPage } from '../support.ts';

const roll = [
  '   SUNRISE HARDWARE SDN BHD (123456-X)',
  '   12 Jalan Besar 3/4, Taman Mewah,',
  '   47810 Petaling Jaya, Selangor',
  '   Tel: 03-7788 9900',
  '   GST ID: 001234567890',
  '          TAX INVOICE',
  'Receipt No: CS00012',
  'Date: 03/04/2018   14:05:09',
  'Cashier: USER',
  'HAMMER                     20.00 SR',
  'NAILS 1KG                   5.52 SR',
  'Sub Total                  25.52',
  'Rounding                   -0.02',
  'TOTAL RM                   25.50',
  'CASH                       30.00',
  'CHANGE                      4.50',
  'GST Summary   Amount(RM)   Tax(RM)',
  'SR (6%)          24.08      1.44',
  'Thank you, please come again',
];
const valueOf = (extraction: Extraction, field: string): unknown => extraction.fields[field]?.value;

describe('receipt fields', () => {
  const page = typedPage(roll, { width: 440 });
  const receipt = extractFields([page], { document_type: 'receipt' });

  test('is classified as a receipt', () => {
    expect(classifyPages([page]).document_type).toBe('receipt');
  });

  test('merchant, address, numbers', () => {
    expect(valueOf(receipt, 'merchant_name')).toBe('SUNRISE HARDWARE SDN BHD');
    expect(valueOf(receipt, 'merchant_address')).toBe('12 Jalan Besar 3/4, Taman Mewah, 47810 Petaling Jaya, Selangor');
    expect(valueOf(receipt, 'merchant_phone')).toBe('03-7788 9900');
    expect(valueOf(receipt, 'merchant_tax_number')).toBe('001234567890');
    expect(valueOf(receipt, 'receipt_number')).toBe('CS00012');
  });

  test('the total is what was paid after rounding, not the subtotal or the cash', () => {
    expect(valueOf(receipt, 'total')).toBe(25.5);
    expect(valueOf(receipt, 'subtotal')).toBe(25.52);
    expect(valueOf(receipt, 'cash')).toBe(30);
    expect(valueOf(receipt, 'change')).toBe(4.5);
    expect(valueOf(receipt, 'currency')).toBe('MYR');
  });

  test('an ambiguous date is read day first unless the client is American', () => {
    expect(valueOf(receipt, 'date')).toBe('2018-04-03');
    expect(valueOf(extractFields([page], { document_type: 'receipt', country: 'US' }), 'date')).toBe('2018-03-04');
    expect(valueOf(receipt, 'time')).toBe('14:05:09');
  });

  test('each field has a box on its page and a confidence between 0 and 1', () => {
    for (const [name, field] of Object.entries(receipt.fields)) {
      expect(field.confidence).toBeGreaterThan(0);
      expect(field.confidence).toBeLessThan(1);
      if (name !== 'currency') expect(field.bbox).toMatchObject({ page: 1, width: expect.any(Number) });
    }
  });

  test('fields below the threshold are left out', () => {
    const strict = extractFields([page], { document_type: 'receipt', confidence_threshold: 0.999 });
    expect(strict.fields).toEqual({});
  });

  test('cash minus change is checked against the total', () => {
    expect(validateExtraction(receipt).checks).toContainEqual(
      expect.objectContaining({ rule: 'cash_minus_change_equals_total', passed: true }),
    );
  });

  test('a page without words gives no fields and no error', () => {
    expect(extractFields([typedPage([])], { document_type: 'receipt' }).fields).toEqual({});
  });
});

const onRealDocuments = sharedDataIsThere ? describe : describe.skip;
onRealDocuments('real receipts (shared/data)', () => {
  let engine: DocumentEngine;
  beforeAll(() => {
    engine = createDocumentEngine({ processes: 1 });
  });
  afterAll(() => engine.close());

  test('a photographed receipt is read to its fields', async () => {
    const page = await engine.readPage(sharedFile('receipts/sroie_157.jpg'), 1);
    const receipt = engine.extract([page]);
    expect(receipt.document_type).toBe('receipt');
    expect(valueOf(receipt, 'merchant_name')).toBe('Golden Scoop Sdn Bhd');
    expect(valueOf(receipt, 'date')).toBe('2018-02-16');
    expect(valueOf(receipt, 'total')).toBe(21.5);
  });

  test.each([
    ['rot90_0_sroie_008.jpg', 270],
    ['rot180_0_sroie_083.jpg', 180],
    ['rot270_0_sroie_154.jpg', 90],
    ['exif6_0_sroie_404.jpg', 0],
  ])('%s is turned upright', async (file, rotation) => {
    const page = await engine.readPage(sharedFile(`variants/${file}`), 1);
    expect(page.rotation).toBe(rotation);
    expect(page.height).toBeGreaterThan(page.width);
  });
});

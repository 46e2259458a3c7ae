import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { createDocumentEngine, type DocumentEngine, type Extraction, type PageText } from '../../../documents/index.ts';

const file = readFileSync(new URL('../../fixtures/documents/invoice-text-layer.pdf', import.meta.url));
const valueOf = (extraction: Extraction, field: string): unknown => extraction.fields[field]?.value;

describe('invoice with a text layer', () => {
  let engine: DocumentEngine;
  let page: PageText;
  let invoice: Extraction;

  beforeAll(async () => {
    engine = createDocumentEngine({ processes: 1 });
    page = await engine.readPage(file, 1);
    invoice = engine.extract([page]);
  });
  afterAll(() => engine.close());

  test('words come from the text layer, with boxes in the pixels of the page', () => {
    expect(page).toMatchObject({ source: 'text_layer', width: 1700, height: 2200, dpi: 200, rotation: 0 });
    const title = page.words.find((word) => word.text === 'INVOICE');
    expect(title?.bbox.x).toBeGreaterThan(1300);
    expect(title?.confidence).toBe(1);
  });

  test('is an invoice, with number, dates, parties and amounts', () => {
    expect(invoice.document_type).toBe('invoice');
    expect(valueOf(invoice, 'invoice_number')).toBe('IN916183');
    expect(valueOf(invoice, 'invoice_date')).toBe('2025-04-16');
    expect(valueOf(invoice, 'due_date')).toBe('2025-05-16');
    expect(valueOf(invoice, 'purchase_order_number')).toBe('PO98065');
    expect(valueOf(invoice, 'vendor_name')).toBe('Summit Tool & Die Inc.');
    expect(valueOf(invoice, 'vendor_address')).toBe('12 Mill Street, Leeds LS1 4AB');
  });

  test('line items are rows of their table and add up', () => {
    expect(invoice.line_items[0]).toMatchObject({
      description: { value: 'Stainless hex bolts M8' },
      quantity: { value: 33 },
      unit_price: { value: 0.5 },
      total: { value: 16.5 },
    });
    const { checks } = engine.validate(invoice);
    expect(checks.map((check) => check.rule)).toContain('lines_add_up');
    expect(checks.filter((check) => !check.passed)).toEqual([]);
  });

  test('pages survive being stored as JSON between two steps', () => {
    expect(engine.extract([JSON.parse(JSON.stringify(page)) as PageText])).toEqual(invoice);
  });

  test('classification alternatives and the type sum to at most 1', () => {
    const { confidence, alternatives } = engine.classify([page]);
    expect(confidence + alternatives.reduce((sum, t) => sum + t.confidence, 0)).toBeLessThanOrEqual(1.001);
  });
});

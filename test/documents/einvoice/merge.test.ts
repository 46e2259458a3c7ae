import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createDocumentEngine, type DocumentEngine, type Extraction, type PageText } from '../../../documents/index.ts';
import { ciiInvoice, ciiPage, minimumInvoice, pdfWith, ublDocument } from './fixtures.ts';

let engine: DocumentEngine;
beforeAll(() => {
  engine = createDocumentEngine({ processes: 1 });
});
afterAll(() => engine.close());

async function read(bytes: Uint8Array, type?: string): Promise<{ extraction: Extraction; page: PageText }> {
  const page = await engine.readPage(bytes, 1);
  const einvoice = await engine.readEInvoice(bytes);
  const extraction = engine.extract([page], { einvoice, ...(type === undefined ? {} : { document_type: type }) });
  return { extraction, page };
}

const withXml = (lines: string[], content = ciiInvoice()): Promise<Uint8Array> =>
  pdfWith(lines, { content, name: 'factur-x.xml' });

function textUnder(page: PageText, extraction: Extraction, name: string): string {
  const box = extraction.fields[name]?.bbox;
  if (!box) return '';
  const inside = page.words.filter(({ bbox }) => {
    const [x, y] = [bbox.x + bbox.width / 2, bbox.y + bbox.height / 2];
    return x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height;
  });
  return inside.map((word) => word.text).join(' ');
}

const einvoiceCheck = (extraction: Extraction): unknown =>
  engine.validate(extraction).checks.find((check) => check.rule === 'einvoice_matches_page');

describe('an e-invoice in a PDF', () => {
  test('gives the XML values, sure, with the boxes of where the page prints them', async () => {
    const { extraction, page } = await read(await withXml(ciiPage()));
    expect(extraction).toMatchObject({ document_type: 'invoice', document_type_confidence: 0.99 });
    expect(extraction.fields['total']).toMatchObject({ value: 1473.22, confidence: 0.99, source: 'xml' });
    const printed = Object.fromEntries(
      ['invoice_number', 'invoice_date', 'due_date', 'vendor_address', 'subtotal', 'total', 'amount_due', 'iban'].map(
        (name) => [name, textUnder(page, extraction, name)],
      ),
    );
    expect(printed).toEqual({
      invoice_number: 'RE-2026/0042',
      invoice_date: '04.03.2026',
      due_date: '3. April 2026',
      vendor_address: 'Lieferantenstraße 20 80333 München',
      subtotal: '1.238,00',
      total: '1.473,22',
      amount_due: '1.373,22',
      iban: 'DE02 1203 0000 0000 2020 51',
    });
    // What the page does not print has no box.
    expect(extraction.fields['customer_address']).toMatchObject({ bbox: null });
    expect(extraction.fields['swift']).toMatchObject({ value: 'BYLADEM1001', bbox: null });
  });

  test('its lines have the boxes of their rows', async () => {
    const { extraction } = await read(await withXml(ciiPage()));
    const [first, second] = extraction.line_items;
    expect(first).toMatchObject({ quantity: { value: 120 }, unit_price: { value: 9.9 }, total: { value: 1188 } });
    expect(second).toMatchObject({ description: { value: 'Schrauben M6' }, unit_price: { value: 0.125 } });
    const rows = [first, second].map((line) => [line?.description.bbox?.y, line?.total.bbox?.y]);
    expect(rows[0]?.[0]).toBeCloseTo(rows[0]?.[1] ?? NaN, 0);
    expect(rows[1]?.[0]).toBeGreaterThan(rows[0]?.[0] ?? NaN);
  });

  test('a page that agrees passes its check', async () => {
    const { extraction } = await read(await withXml(ciiPage()));
    expect(einvoiceCheck(extraction)).toMatchObject({ passed: true });
  });

  test('a page that asks for another sum than its XML is reported, with both values', async () => {
    const { extraction } = await read(await withXml(ciiPage('9.473,22', '9.473,22')));
    expect(extraction.fields['total']?.value).toBe(1473.22);
    expect(einvoiceCheck(extraction)).toMatchObject({
      passed: false,
      message: expect.stringMatching(/total: the XML says 1473.22, the page 9473.22/),
    });
  });

  test('of a MINIMUM invoice the lines come from the page', async () => {
    const page = ciiPage('671,15', '470,15');
    const { extraction } = await read(await withXml(page, minimumInvoice));
    expect(extraction.fields['invoice_number']).toMatchObject({ value: 'FA-2026-17', source: 'xml' });
    expect(extraction.line_items.map((line) => line.description.value)).toContain('Trennblätter A4');
    expect(extraction.fields['iban']?.source).toBeUndefined();
  });

  test('asked for as a bill it is one; asked for as a contract its XML is left aside', async () => {
    const bytes = await withXml(ciiPage());
    const bill = await read(bytes, 'bill');
    expect(bill.extraction).toMatchObject({ document_type: 'bill', fields: { total: { source: 'xml' } } });
    const contract = await read(bytes, 'contract');
    expect(contract.extraction.document_type).toBe('contract');
    expect(contract.extraction.einvoice).toBeUndefined();
  });

  test('thresholds and line items are the caller’s as ever', async () => {
    const bytes = await withXml(ciiPage());
    const page = await engine.readPage(bytes, 1);
    const einvoice = await engine.readEInvoice(bytes);
    const extraction = engine.extract([page], { einvoice, confidence_threshold: 0.995, extract_line_items: false });
    expect(extraction).toMatchObject({ fields: {}, line_items: [] });
  });

  test('inspect says what the file carries', async () => {
    await expect(engine.inspect(await withXml(ciiPage()))).resolves.toMatchObject({
      mime: 'application/pdf',
      einvoice: { syntax: 'cii', profile: 'urn:cen.eu:en16931:2017' },
    });
  });
});

describe('a bare XML file', () => {
  const bytes = new TextEncoder().encode(ublDocument('Invoice', '380'));

  test('is a file of one page, whose words are its fields', async () => {
    await expect(engine.inspect(bytes)).resolves.toMatchObject({
      mime: 'application/xml',
      pages: 1,
      einvoice: { syntax: 'ubl' },
    });
    const { extraction, page } = await read(bytes);
    expect(page).toMatchObject({ page: 1, source: 'text_layer', rotation: 0 });
    expect(engine.classify([page]).document_type).toBe('invoice');
    const texts = ['invoice_number', 'vendor_address', 'total', 'due_date'].map((n) => textUnder(page, extraction, n));
    expect(texts).toEqual(['INV-77', '1 High Street, Leeds LS1 4AP', '120', '2026-03-03']);
    expect(einvoiceCheck(extraction)).toMatchObject({ passed: true });
  });

  test('has no second page', async () => {
    await expect(engine.readPage(bytes, 2)).rejects.toMatchObject({ field: 'page' });
  });

  test('a hostile one is refused by inspect', async () => {
    const bomb = new TextEncoder().encode('<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>');
    await expect(engine.inspect(bomb)).rejects.toMatchObject({ code: 'BROKEN', field: 'file' });
  });
});

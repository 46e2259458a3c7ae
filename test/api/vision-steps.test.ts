import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import sharp from 'sharp';
import { statement } from '../../platform/db/statement.ts';
import { PlatformProcesses } from '../chaos/platform-processes.ts';
import type { Answer } from '../chaos/platform-processes.ts';
import { creditsLeft, grantCredits } from '../support/credits.ts';
import type { SpawnedProcess } from '../support/stack.ts';

const GRANT = 100;
const SUPPLIER = statement(`
  insert into contacts (client_id, contact_type, name, tax_number) values ($1, 'supplier', $2, $3)`);

const ORDER = [
  'PURCHASE ORDER',
  'Meridian Foods (Pty) Ltd',
  '14 Harbour Road, Cape Town 8001',
  'PO Number: PO-77120            Date: 2026-02-11',
  'Supplier: Northwind Packaging CC',
  'Description                 Qty     Unit Price     Amount',
  'Corrugated box 40x30          200         4.50     900.00',
  'Packing tape clear             50         2.00     100.00',
  'Subtotal                                          1000.00',
  'VAT 15%                                            150.00',
  'Total                                    ZAR      1150.00',
];

let platform: PlatformProcesses;
let api: SpawnedProcess;
let invoice: Buffer;

beforeAll(async () => {
  platform = await PlatformProcesses.create({ DOCUMENT_PROCESSES: '1' });
  const { clientId, system } = platform.tenant;
  await grantCredits(system, clientId, GRANT);
  [api] = await Promise.all([platform.startApi(), platform.startWorker('documents')]);
  invoice = await readFile(new URL('../fixtures/documents/invoice-text-layer.pdf', import.meta.url));
});

afterAll(() => platform.close());

const call = (endpoint: string, bytes: Uint8Array, fields: Record<string, unknown> = {}): Promise<Answer> =>
  platform.post(api, `/api/v1/vision/${endpoint}`, { file_base64: Buffer.from(bytes).toString('base64'), ...fields });

const balance = (): Promise<number> => creditsLeft(platform.tenant.system, platform.tenant.clientId);

/** What a call costs, as the balance says. */
async function costOf(work: () => Promise<Answer>): Promise<{ answer: Answer; cost: number }> {
  const before = await balance();
  const answer = await work();
  return { answer, cost: before - (await balance()) };
}

/** An invoice and a purchase order, one page each. */
async function twoDocuments(): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const [page] = await pdf.copyPages(await PDFDocument.load(invoice), [0]);
  if (page !== undefined) pdf.addPage(page);
  const order = pdf.addPage([595, 842]);
  const font = await pdf.embedFont(StandardFonts.Courier);
  for (const [row, text] of ORDER.entries()) order.drawText(text, { x: 40, y: 780 - row * 24, size: 12, font });
  return pdf.save();
}

/** A slip of paper with print on it. */
function receiptPaper(): Promise<Buffer> {
  const lines = ['CORNER CAFE', '12 Main Road', 'Coffee   3.50', 'Bagel    4.20', 'TOTAL    7.70', 'Thank you'];
  const print = lines.map((line, row) => `<text x="30" y="${String(70 + row * 60)}">${line}</text>`).join('');
  const svg = `<svg width="300" height="500" xmlns="http://www.w3.org/2000/svg"><rect width="300" height="500" fill="#fdfdfb"/>
    <g font-family="monospace" font-size="26" fill="#222">${print}</g></svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}

describe('POST /classify', () => {
  it('answers the type with its alternatives, which sum to 1, and costs a quarter of a credit', async () => {
    const { answer, cost } = await costOf(() => call('classify', invoice));
    const { status, body } = answer;
    expect({ status, ...body }).toMatchObject({ status: 200, document_type: 'invoice', credits_used: 0.25 });
    const others = body['alternatives'] as { type: string; confidence: number }[];
    const sum = others.reduce((total, { confidence }) => total + confidence, Number(body['confidence']));
    expect(sum).toBeCloseTo(1, 1);
    expect(cost).toBe(0.25);
  });
});

describe('POST /split', () => {
  it('answers the documents with their pages and types, and costs half a credit a boundary', async () => {
    const file = await twoDocuments();
    const { answer, cost } = await costOf(() => call('split', file));
    expect(answer.body).toMatchObject({
      success: true,
      documents: [
        { index: 0, pages: [1], type: 'invoice' },
        { index: 1, pages: [2], type: 'purchase_order' },
      ],
      credits_used: 0.5,
    });
    expect(cost).toBe(0.5);
  });

  it('of one document finds no boundary and costs nothing', async () => {
    const { answer, cost } = await costOf(() => call('split', invoice));
    expect(answer.body['documents']).toHaveLength(1);
    expect({ cost, used: answer.body['credits_used'] }).toEqual({ cost: 0, used: 0 });
  });
});

describe('POST /crop', () => {
  it('answers each paper as a PNG with its place, free of charge', async () => {
    const paper = await receiptPaper();
    const photo = await sharp({ create: { width: 1_000, height: 800, channels: 3, background: '#303438' } })
      .composite([
        { input: paper, left: 100, top: 120 },
        { input: paper, left: 560, top: 150 },
      ])
      .png()
      .toBuffer();
    const { answer, cost } = await costOf(() => call('crop', photo));
    const { images, regions } = answer.body as { images: string[]; regions: { bbox: Record<string, number> }[] };
    expect(images.length).toBe(2);
    expect(regions.map(({ bbox }) => bbox['page'])).toEqual([1, 1]);
    for (const image of images) {
      const { format, width } = await sharp(Buffer.from(image, 'base64')).metadata();
      expect({ format, isPaper: Math.abs(width - 300) < 20 }).toEqual({ format: 'png', isPaper: true });
    }
    expect(cost).toBe(0);
  });
});

describe('POST /pipeline', () => {
  it('carries out the steps for each document found, and charges the extraction’s pages only', async () => {
    const steps = [{ action: 'split' }, { action: 'classify' }, { action: 'extract' }];
    const file = await twoDocuments();
    const { answer, cost } = await costOf(() => call('pipeline', file, { steps }));
    expect(answer.body).toMatchObject({
      success: true,
      results: [
        {
          document: { index: 0, pages: [1] },
          document_type: 'invoice',
          fields: { invoice_number: { value: 'IN916183' } },
        },
        {
          document: { index: 1, pages: [2] },
          document_type: 'purchase_order',
          fields: { purchase_order_number: { value: 'PO-77120', bbox: { page: 2 } }, total: { value: 1150 } },
        },
      ],
      credits_used: 2,
    });
    expect(cost).toBe(2);
  });

  it('refuses an order of steps that makes no sense, and says which', async () => {
    const { status, body } = await call('pipeline', invoice, {
      steps: [{ action: 'extract' }, { action: 'classify' }],
    });
    expect(status).toBe(400);
    expect(body['error']).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field: 'steps[1].action' }] });
  });

  it('refuses a webhook_url that could never be told anything: without a step that extracts', async () => {
    const callback = { webhook_url: 'https://books.example/done' };
    const steps = [{ action: 'split' }, { action: 'classify' }];
    for (const { answer, cost } of [
      await costOf(() => call('pipeline', invoice, { ...callback, steps })),
      await costOf(() => call('classify', invoice, callback)),
      await costOf(() => call('split', invoice, callback)),
      await costOf(() => call('crop', invoice, callback)),
    ]) {
      expect({ status: answer.status, cost }).toEqual({ status: 400, cost: 0 });
      expect(answer.body['error']).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field: 'webhook_url' }] });
    }
    const { body } = await call('pipeline', invoice, { ...callback, steps });
    expect(body['error']).toMatchObject({ message: expect.stringMatching(/extract step.*GET \/results\/\{id\}/) });
  });
});

describe('POST /extract of a file with several documents', () => {
  it('with split answers the first at the top and each of them in documents', async () => {
    const { body } = await call('extract', await twoDocuments(), { split: true });
    expect(body).toMatchObject({
      document_type: 'invoice',
      documents: [
        { document: { pages: [1] }, document_type: 'invoice' },
        { document: { pages: [2] }, document_type: 'purchase_order' },
      ],
      credits_used: 2,
    });
  });
});

describe('validation', () => {
  it('verifies the vendor against the client’s suppliers, by tax number and by name', async () => {
    const plain = await call('extract', invoice, { validation: { check_vendor_against_master: true } });
    expect(plain.body['validation']).toMatchObject({ vendor_verified: false, vendor: null });
    const { fields } = plain.body as { fields: Record<string, { value: string }> };
    const { clientId, system } = platform.tenant;
    await system.query(SUPPLIER, [clientId, `${fields['vendor_name']?.value ?? ''} Ltd`, null]);
    const known = await call('extract', invoice, { validation: { check_vendor_against_master: true } });
    expect(known.body['validation']).toMatchObject({ vendor_verified: true, vendor: { matched_by: 'name' } });
  });

  it('applies rules of the caller’s own', async () => {
    const custom_rules = [
      { field: 'invoice_number', rule: 'regex', value: '^IN\\d+$' },
      { field: 'iban', rule: 'required', message: 'Ask for the account.' },
    ];
    const { body } = await call('extract', invoice, { validation: { custom_rules } });
    expect(body['validation']).toMatchObject({
      rule_results: [
        { field: 'invoice_number', rule: 'regex', passed: true },
        { field: 'iban', rule: 'required', passed: false, message: 'Ask for the account.' },
      ],
    });
  });
});

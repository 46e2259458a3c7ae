import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { PDFDocument } from 'pdf-lib';
import sharp from 'sharp';
import { PlatformProcesses } from '../chaos/platform-processes.ts';
import type { Answer } from '../chaos/platform-processes.ts';
import { creditsLeft, grantCredits } from '../support/credits.ts';
import type { SpawnedProcess } from '../support/stack.ts';
import { pdfWithUnmapped } from '../support/unmapped-pdf.ts';

const GRANT = 4;

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

function extract(bytes: Uint8Array, fields: Record<string, unknown> = {}): Promise<Answer> {
  return platform.post(api, '/api/v1/vision/extract', {
    file_base64: Buffer.from(bytes).toString('base64'),
    ...fields,
  });
}

const balance = (): Promise<number> => creditsLeft(platform.tenant.system, platform.tenant.clientId);

async function blankPdf(pages: number): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  for (let page = 0; page < pages; page += 1) pdf.addPage([200, 200]);
  return pdf.save();
}

describe('a synchronous extraction', () => {
  it('answers the fields with confidence and box, flat, and charges one credit a page', async () => {
    const { status, body } = await extract(invoice);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      success: true,
      document_type: 'invoice',
      credits_used: 1,
      fields: { invoice_number: { value: 'IN916183', bbox: { page: 1 } }, invoice_date: { value: '2025-04-16' } },
      meta: { request_id: body['request_id'] },
    });
    expect(Array.isArray(body['line_items'])).toBe(true);
    expect(await balance()).toBe(GRANT - 1);
  });

  it('leaves out fields below the threshold, and line items when they are not wanted', async () => {
    const { status, body } = await extract(invoice, { confidence_threshold: 1, extract_line_items: false });
    expect({ status, fields: body['fields'], lines: body['line_items'] }).toEqual({
      status: 200,
      fields: {},
      lines: [],
    });
    const { invoice_number: sure } = body['left_out'] as Record<string, number>;
    expect(sure).toBeGreaterThan(0.5);
    expect(sure).toBeLessThan(1);
  });
});

it('a document whose font maps characters to U+0000, which no database keeps, is answered like any other', async () => {
  const lines = ['Tax Invoice', 'Invoice number: IN~V-7731', 'Invoice date: 2026-03-02', 'Total ZAR 115.00'];
  const { status, body } = await extract(await pdfWithUnmapped(lines), { document_type: 'invoice' });
  expect({ status, fields: body['fields'] }).toMatchObject({
    status: 200,
    fields: { invoice_number: { value: 'INV-7731' } },
  });
});

describe('a document that cannot be read', () => {
  it.each<[string, () => Promise<Uint8Array>, number, string]>([
    ['text', () => Promise.resolve(Buffer.from('not a document at all')), 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['a PDF cut short', () => Promise.resolve(invoice.subarray(0, 60)), 422, 'UNPROCESSABLE_ENTITY'],
    ['more pages than a synchronous call takes', () => blankPdf(11), 422, 'UNPROCESSABLE_ENTITY'],
    ['more pages than there are credits for', () => blankPdf(9), 422, 'UNPROCESSABLE_ENTITY'],
    ['an image of too many pixels', hugeImage, 422, 'UNPROCESSABLE_ENTITY'],
  ])('is refused and costs nothing: %s', async (_what, bytes, status, code) => {
    const before = await balance();
    const answer = await extract(await bytes());
    expect(answer).toMatchObject({ status, body: { success: false, error: { code } } });
    expect(await balance()).toBe(before);
  });
});

it('pages beyond the balance are refused with what there is and what they would cost', async () => {
  const left = await balance();
  const { body } = await extract(await blankPdf(9));
  expect(body['error']).toMatchObject({
    message: `Not enough credits: 9 needed, ${String(left)} left.`,
    details: [
      { field: 'credits_remaining', issue: String(left) },
      { field: 'credits_required', issue: '9' },
    ],
  });
});

/** 144 megapixels of one colour: a few kilobytes on the wire. */
function hugeImage(): Promise<Uint8Array> {
  const create = { width: 12_000, height: 12_000, channels: 3 as const, background: '#ffffff' };
  return sharp({ create }).png().toBuffer();
}

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { PDFDocument } from 'pdf-lib';
import { createDocumentEngine, type DocumentEngine } from '../../../documents/index.ts';

const invoice = readFileSync(new URL('../../fixtures/documents/invoice-text-layer.pdf', import.meta.url));
let engine: DocumentEngine;

beforeAll(() => {
  engine = createDocumentEngine({ processes: 1 });
});
afterAll(() => engine.close());

/** A PNG whose header promises far more pixels than its bytes hold. */
function pngOf(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const frame = Buffer.alloc(8 + body.length);
    frame.writeUInt32BE(data.length, 0);
    body.copy(frame, 4);
    frame.writeUInt32BE(crc32(body), 4 + body.length);
    return frame;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(1e6))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let k = 0; k < 8; k++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/** What a writer of protected PDFs leaves: a standard security handler whose password we don't have. */
const encryptedPdf = (): Buffer => {
  const hex = 'ab'.repeat(32);
  const objects = [
    '1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n',
    '2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n',
    '3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>\nendobj\n',
    `4 0 obj\n<< /Filter /Standard /V 1 /R 2 /Length 40 /P -4 /O <${hex}> /U <${hex}> >>\nendobj\n`,
  ];
  let body = '%PDF-1.4\n';
  const offsets = objects.map((object) => {
    const at = body.length;
    body += object;
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const id = 'cd'.repeat(16);
  const trailer = `trailer\n<< /Size 5 /Root 1 0 R /Encrypt 4 0 R /ID [<${id}><${id}>] >>\nstartxref\n${String(body.length)}\n%%EOF\n`;
  return Buffer.from(`${body}xref\n0 5\n0000000000 65535 f \n${offsets.join('')}${trailer}`, 'latin1');
};

describe('inspect', () => {
  test('knows a PDF by its content', async () => {
    await expect(engine.inspect(invoice)).resolves.toEqual({
      mime: 'application/pdf',
      pages: 1,
      bytes: invoice.length,
      encrypted: false,
    });
  });

  test.each([
    ['an empty file', Buffer.alloc(0), 'EMPTY'],
    ['text that calls itself an image', Buffer.from('<html>not an image</html>'), 'UNSUPPORTED_TYPE'],
    ['a PDF cut short', Buffer.from(invoice.subarray(0, 60)), 'BROKEN'],
    ['a PNG cut short', pngOf(100, 100).subarray(0, 20), 'BROKEN'],
    ['a PNG of 40,000 by 40,000 pixels', pngOf(40_000, 40_000), 'TOO_LARGE'],
    ['a file over the byte limit', Buffer.concat([invoice, Buffer.alloc(21 * 1024 * 1024)]), 'TOO_LARGE'],
    ['a PDF with a password', encryptedPdf(), 'ENCRYPTED'],
  ])('refuses %s', async (_name, bytes, code) => {
    await expect(engine.inspect(bytes)).rejects.toMatchObject({ name: 'DocumentError', code, field: 'file' });
    expect(engine.stats()).toMatchObject({ children: 1, restarts: 0 });
  });

  test('refuses a PDF with too many pages', async () => {
    const pdf = await PDFDocument.create();
    for (let page = 0; page < 51; page++) pdf.addPage([200, 200]);
    await expect(engine.inspect(await pdf.save())).rejects.toMatchObject({ code: 'TOO_MANY_PAGES' });
  });

  test('refuses to read a bomb that was never inspected', async () => {
    await expect(engine.readPage(pngOf(40_000, 40_000), 1)).rejects.toMatchObject({ code: 'BROKEN' });
  });

  test('a page that does not exist is an error of the page', async () => {
    await expect(engine.readPage(invoice, 7)).rejects.toMatchObject({ field: 'page' });
  });
});

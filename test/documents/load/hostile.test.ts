import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { createDocumentEngine, type DocumentEngine } from '../../../documents/index.ts';
import { sniffMime } from '../../../documents/load/sniff.ts';
import { sharedDataIsThere, sharedFile } from '../support.ts';
import {
  encryptedPdf,
  hugeImage,
  jpegOf,
  pdfDrawing,
  pdfPage,
  rawPdf,
  stream,
  tiffOf,
  webpOf,
} from './hostile-files.ts';

let engine: DocumentEngine;
beforeAll(() => {
  engine = createDocumentEngine({ processes: 1 });
});
afterAll(() => engine.close());

const text = (content: string): Buffer => Buffer.from(content, 'latin1');
const refusal = (code: string, message: RegExp): unknown =>
  expect.objectContaining({
    name: 'DocumentError',
    code,
    message: expect.stringMatching(message),
    field: 'file',
  });

describe('types by content', () => {
  test.each([
    ['%PDF-1.7\n', 'application/pdf'],
    ['\x1b%-12345X@PJL\r\n%PDF-1.4', 'application/pdf'],
    ['\xff\xd8\xff\xe0 with %PDF-1.4 in a comment', 'image/jpeg'],
    ['PK\x03\x04 with %PDF-1.4 inside', undefined],
    ['<html>%PDF-1.4</html>', undefined],
    ['MZ program %PDF-1.4', undefined],
    ['II*\0', 'image/tiff'],
    ['MM\0*', 'image/tiff'],
    ['\0\0\0\x18ftypheic', 'image/heic'],
    ['\0\0\0\x18ftypmif1', 'image/heic'],
    ['\0\0\0\x18ftypisom', undefined],
    ['\0\0\0\x18ftypavif', undefined],
    ['\xef\xbb\xbf <?xml version="1.0"?>', 'application/xml'],
    ['<!-- made by us --><ubl:Invoice xmlns:ubl="urn:x">', 'application/xml'],
    ['<invoices>', undefined],
  ])('%j is %s', (content, mime) => {
    expect(sniffMime(text(content))).toBe(mime);
  });

  test.each([
    ['PK\x03\x04word/document.xml', /ZIP archive or an Office document/],
    ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', /old Office document/],
    ['<!DOCTYPE html><html>', /HTML page/],
    ['<svg xmlns="http://www.w3.org/2000/svg">', /SVG drawing/],
    ['GIF89a', /GIF picture/],
    ['MZ\x90', /program/],
    ['just words', /^Accepted are PDF, PNG/],
  ])('%j is refused by the name of what it is', async (content, message) => {
    await expect(engine.inspect(text(content))).rejects.toEqual(refusal('UNSUPPORTED_TYPE', message));
  });
});

describe('pictures that claim too much', () => {
  test.each([
    ['a JPEG', jpegOf(60_000, 60_000)],
    ['a WebP', webpOf(16_000, 16_000)],
    ['a TIFF', tiffOf([[60_000, 60_000]])],
    [
      'a TIFF whose last page is huge',
      tiffOf([
        [8, 8],
        [8, 8],
        [60_000, 60_000],
      ]),
    ],
  ])('%s of many megapixels is refused from its header, with both figures', async (_name, bytes) => {
    await expect(engine.inspect(bytes)).rejects.toEqual(
      refusal('TOO_LARGE', /\d+ × \d+ pixels; the limit is 100000000/),
    );
    expect(engine.stats().restarts).toBe(0);
  });

  test('a TIFF of more pages than the limit', async () => {
    const pages = Array.from({ length: 60 }, (): [number, number] => [8, 8]);
    await expect(engine.inspect(tiffOf(pages))).rejects.toEqual(refusal('TOO_MANY_PAGES', /60 pages; the limit is 50/));
  });

  test('a TIFF whose directories run in a circle ends', async () => {
    const bytes = tiffOf([
      [8, 8],
      [8, 8],
    ]);
    bytes.writeUInt32LE(8, bytes.length - 4);
    await expect(engine.inspect(bytes)).resolves.toMatchObject({ pages: 2 });
  });

  test('text that inflates to 200 MB in a PNG takes no memory', async () => {
    const png = await sharp({ create: { width: 20, height: 20, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    const bomb = Buffer.concat([text('Comment\0\0'), deflateSync(Buffer.alloc(200e6))]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(bomb.length, 0);
    frame.write('zTXt', 4, 'latin1');
    // Behind IHDR; a wrong checksum is a broken file, which is as good a refusal.
    const bytes = Buffer.concat([png.subarray(0, 33), frame, bomb, Buffer.alloc(4), png.subarray(33)]);
    await engine.inspect(bytes).catch((error: unknown) => {
      expect(error).toMatchObject({ name: 'DocumentError' });
    });
    expect(engine.stats().restarts).toBe(0);
  });

  test('frames of an animation are no pages', async () => {
    const frame = { create: { width: 20, height: 60, channels: 3, background: '#fff' } } as const;
    const raw = await sharp(frame).raw().toBuffer();
    const bytes = await sharp(raw, { raw: { width: 20, height: 60, channels: 3, pageHeight: 20 } })
      .webp()
      .toBuffer();
    await expect(engine.inspect(bytes)).resolves.toMatchObject({ mime: 'image/webp', pages: 1 });
  });

  test('a HEIC cut short is broken', async () => {
    const bytes = text('\0\0\0\x18ftypheic\0\0\0\0mif1heic\0\0\0\x08meta');
    await expect(engine.inspect(bytes)).rejects.toMatchObject({ code: 'BROKEN', field: 'file' });
  });
});

describe('PDF bombs', () => {
  test.each([
    ['an image', pdfDrawing(hugeImage('FlateDecode'))],
    ['a JPEG 2000 image', pdfDrawing(hugeImage('JPXDecode'))],
    ['a JBIG2 image', pdfDrawing(hugeImage('JBIG2Decode'))],
    [
      'an image within a form',
      pdfDrawing(
        stream(
          '/Type /XObject /Subtype /Form /BBox [0 0 1 1] /Resources << /XObject << /Y 6 0 R >> >>',
          Buffer.from('/Y Do'),
        ),
        hugeImage('FlateDecode'),
      ),
    ],
  ])('%s of 60,000 × 60,000 pixels is refused before it is drawn', async (_name, bytes) => {
    await expect(engine.readPage(bytes, 1)).rejects.toEqual(refusal('TOO_LARGE', /60000 × 60000 pixels; the limit is/));
    expect(engine.stats().restarts).toBe(0);
  });

  test('a page of 200 × 200 inches is read small; a larger one is refused', async () => {
    const { width, height } = await engine.readPage(pdfPage('0 0 14400 14400'), 1);
    expect(width * height).toBeLessThanOrEqual(12_100_000);
    await expect(engine.inspect(pdfPage('0 0 144000 144000'))).rejects.toEqual(
      refusal('TOO_LARGE', /2000 × 2000 inches; the limit is 200 × 200/),
    );
  });

  test('content that inflates twice to 200 MB, a page tree 3,000 deep, a tree that contains itself: the child lives', async () => {
    const bomb = deflateSync(deflateSync(Buffer.alloc(200e6)));
    const nested = pdfPage('0 0 595 842', stream('/Filter [/FlateDecode /FlateDecode]', bomb));
    await expect(engine.readPage(nested, 1)).resolves.toMatchObject({ words: [] });
    const levels = Array.from({ length: 3_000 }, (_, i) => `<< /Type /Pages /Kids [${String(i + 3)} 0 R] /Count 1 >>`);
    const deep = rawPdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      ...levels,
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>',
    ]);
    await expect(engine.inspect(deep)).rejects.toMatchObject({ code: 'BROKEN' });
    const circle = rawPdf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>']);
    await expect(engine.inspect(circle)).rejects.toMatchObject({ code: 'BROKEN' });
    expect(engine.stats().restarts).toBe(0);
  });

  test('an attachment that inflates to 200 MB is not read, the page is', async () => {
    const bytes = rawPdf([
      '<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles << /Names [(a.xml) 4 0 R] >> >> >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>',
      '<< /Type /Filespec /F (a.xml) /EF << /F 5 0 R >> >>',
      stream('/Type /EmbeddedFile /Filter /FlateDecode', deflateSync(Buffer.alloc(200e6, 0x20))),
    ]);
    await expect(engine.inspect(bytes)).resolves.toMatchObject({ pages: 1 });
    expect(engine.stats().restarts).toBe(0);
  });
});

describe('protected PDFs', () => {
  test('one that only its owner may change is read', async () => {
    const bytes = encryptedPdf('');
    await expect(engine.inspect(bytes)).resolves.toMatchObject({ pages: 1 });
    const { words } = await engine.readPage(bytes, 1);
    expect(words.map((word) => word.text).join(' ')).toMatch(/^Owner only: this page may be read by anybody/);
  });

  test('one that asks for a password is refused', async () => {
    await expect(engine.inspect(encryptedPdf('open sesame'))).rejects.toEqual(refusal('ENCRYPTED', /password/));
  });
});

(sharedDataIsThere ? describe : describe.skip)('HEIC photos', () => {
  test('have their size before a pixel is decoded, and are read like the photo they were made from', async () => {
    const bytes = sharedFile('variants/heic_1_sroie_239.heic');
    await expect(engine.inspect(bytes)).resolves.toMatchObject({ mime: 'image/heic', pages: 1 });
    await expect(engine.inspect(bytes, { maxPixels: 1000 })).rejects.toEqual(refusal('TOO_LARGE', /limit is 1000/));
    const { words, rotation } = await engine.readPage(bytes, 1);
    expect(rotation).toBe(0);
    expect(words.map((word) => word.text).join(' ')).toMatch(/SEGI/i);
    await expect(engine.readPage(bytes, 2)).rejects.toMatchObject({ field: 'page' });
  });
});

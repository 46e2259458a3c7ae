import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import sharp from 'sharp';
import { ciiInvoice, ciiPage, pdfWith, ublDocument } from './einvoice/fixtures.ts';

const SCRIPT = resolve(import.meta.dirname, '../../documents/read.ts');
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'read-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** `npm run read` as a process of its own. */
function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((done) => {
    execFile(process.execPath, [SCRIPT, ...args], { env: { PATH: process.env['PATH'] } }, (error, out, err) => {
      done({ code: error ? Number(error.code) : 0, out, err });
    });
  });
}

function file(name: string, content: Uint8Array | string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function twoPages(): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (const text of ['Invoice number 4711 of the first page, in full', 'Total due on the second page: 99.00 EUR']) {
    pdf.addPage([595, 842]).drawText(text, { x: 50, y: 700, size: 12, font });
  }
  return pdf.save();
}

describe('npm run read', () => {
  test('tells people what was found, and where the XML and the page disagree', async () => {
    const lines = ciiPage('9.473,22', '9.473,22');
    const path = file('invoice.pdf', await pdfWith(lines, { content: ciiInvoice(), name: 'factur-x.xml' }));
    const { code, out } = await run(path);
    expect(code).toBe(0);
    expect(out).toMatch(/^invoice \(0\.99, from its cii XML\)/);
    expect(out).toMatch(/total +0\.99 {2}1473\.22/);
    expect(out).toMatch(/· Trennblätter A4 {2}120 {2}9\.9 {2}1188/);
    expect(out).toMatch(/! einvoice_matches_page: total: the XML says 1473\.22, the page 9473\.22/);
  });

  test('--json prints one JSON value with everything in it', async () => {
    const { out } = await run(file('invoice.xml', ublDocument('Invoice', '380')), '--json');
    expect(JSON.parse(out)).toMatchObject({
      info: { mime: 'application/xml', pages: 1 },
      document_type: 'invoice',
      fields: { total: { value: 120, source: 'xml' } },
      validation: { checks: expect.any(Array) },
      pages: [{ page: 1 }],
    });
  });

  test('--overlay draws a picture a page, or the one that is asked for', async () => {
    const path = file('two.pdf', await twoPages());
    expect(await run(path, '--overlay', join(folder, 'all.png'))).toMatchObject({ code: 0 });
    expect(await run(path, '--overlay', join(folder, 'one.png'), '--page', '2')).toMatchObject({ code: 0 });
    const pictures = readdirSync(folder).filter((name) => name.endsWith('.png'));
    expect(pictures.sort()).toEqual(['all-1.png', 'all-2.png', 'one.png']);
    await expect(sharp(join(folder, 'one.png')).metadata()).resolves.toMatchObject({ width: 1653, height: 2339 });
  });

  test.each([
    [[], /npm run read -- FILE/],
    [['/no/such/file.pdf'], /^\/no\/such\/file\.pdf can't be read: ENOENT/],
    [['--nonsense'], /Unknown option '--nonsense'/],
    [['a.pdf', '--type', 'poem'], /^--type poem: no such type\. Types: invoice, receipt/],
    [['a.pdf', '--language', 'German'], /^--language German: two small letters/],
    [['a.pdf', '--page', '0'], /^--page 0: a page number is expected/],
  ])('%j is answered by one clear message', async (args, message) => {
    const { code, out, err } = await run(...args);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(message);
    expect(err).not.toMatch(/\n\s+at /);
  });

  test('--steps runs a pipeline and prints a result for each document found', async () => {
    const { code, out } = await run(file('two-pages.pdf', await twoPages()), '--steps', 'classify,extract', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual([
      expect.objectContaining({ document: { index: 0, pages: [1, 2] }, document_type: expect.any(String) }),
    ]);
  });

  test('steps in an order that makes no sense are refused before the file is read', async () => {
    const { code, err } = await run(file('any.pdf', Buffer.from('%PDF-')), '--steps', 'extract,split');
    expect(code).toBe(1);
    expect(err).toMatch(/--steps extract,split: Step 2 \(split\): nothing can follow extract\./);
  });

  test('a refused file is told by its code, a page that is not there by the number of pages', async () => {
    await expect(run(file('page.html', '<html></html>'))).resolves.toMatchObject({
      code: 1,
      err: expect.stringMatching(/^UNSUPPORTED_TYPE: The content is an HTML page/),
    });
    await expect(run(file('two.pdf', await twoPages()), '--page', '3')).resolves.toMatchObject({
      code: 1,
      err: expect.stringMatching(/^--page 3: the file has 2/),
    });
  });
});

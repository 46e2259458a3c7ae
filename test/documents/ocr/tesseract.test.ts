import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { createDocumentEngine, type DocumentEngine, type PageText, type Rotation } from '../../../documents/index.ts';

const run = promisify(execFile);

const LINES = ['HARBOUR STATIONERS LTD', 'Date: 14/03/2024', 'Copy paper 12.50', 'Envelopes 4.25', 'TOTAL 16.75'];

/** A typed page as PNG, drawn by the machine's own font. */
async function drawnPage(turned: Rotation = 0): Promise<Buffer> {
  const rows = LINES.map((line, row) => `<text x="60" y="${String(110 + row * 80)}">${line}</text>`).join('');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="520"><rect width="800" height="520" fill="#fff"/>
    <g font-family="DejaVu Sans, Arial, Helvetica, sans-serif" font-size="40">${rows}</g></svg>`;
  const upright = await sharp(Buffer.from(svg)).png().toBuffer();
  return sharp(upright).rotate(turned).png().toBuffer();
}

const textOf = (page: PageText): string => page.words.map((word) => word.text).join(' ');

describe('Tesseract as the reader of the engine', () => {
  let engine: DocumentEngine;
  beforeAll(() => {
    engine = createDocumentEngine({ reader: 'tesseract', processes: 1 });
  });
  afterAll(() => engine.close());

  it('reads every word of a typed page, with boxes in page pixels', async () => {
    const page = await engine.readPage(await drawnPage(), 1);
    expect(textOf(page)).toBe(LINES.join(' '));
    expect(page).toMatchObject({ width: 800, height: 520, source: 'ocr', rotation: 0, language: 'en' });
    const total = page.words.at(-1)!;
    expect(total.confidence).toBeGreaterThan(0.8);
    expect(total.confidence).toBeLessThanOrEqual(1);
    // The baseline of the last line is at 430; its digits are about 30 pixels high.
    expect(total.bbox.y).toBeGreaterThan(390);
    expect(total.bbox.y + total.bbox.height).toBeLessThan(440);
    expect(total.bbox.x).toBeGreaterThan(150);
  });

  it.each([90, 180, 270] as const)('reads a page that was turned by %i degrees', async (turned) => {
    const page = await engine.readPage(await drawnPage(turned), 1);
    expect(textOf(page)).toBe(LINES.join(' '));
    expect(page).toMatchObject({ rotation: 360 - turned, width: 800, height: 520 });
  });

  it('reads a page without text as a page without words', async () => {
    const blank = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    expect((await engine.readPage(blank, 1)).words).toEqual([]);
  });
});

/** Runs in every thread of a fresh process: no socket can be opened, and `broken` can't be loaded (`by` helper threads only). */
const preload = (broken: string, by: 'all' | 'helpers' = 'all'): string =>
  `data:text/javascript,${encodeURIComponent(`
    import { registerHooks } from 'node:module';
    import { Socket } from 'node:net';
    import { isMainThread } from 'node:worker_threads';
    const isBroken = ${String(by === 'all')} || !isMainThread;
    const refuse = (...to) => { process._rawDebug('NETWORK', JSON.stringify(to)); throw new Error('no network'); };
    Socket.prototype.connect = refuse;
    globalThis.fetch = refuse;
    registerHooks({
      resolve(name, context, next) {
        if (isBroken && name === ${JSON.stringify(broken)}) throw new Error('no native binding for this platform');
        return next(name, context);
      },
    });`)}`;

const READ_ONCE = resolve(import.meta.dirname, 'read-once.ts');

describe('createOcrEngine', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ocr-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const read = async (broken: string, reader = ''): Promise<{ stdout: string; stderr: string }> =>
    run(process.execPath, ['--import', preload(broken), READ_ONCE], {
      cwd: folder,
      env: { PATH: process.env['PATH'], READER: reader, PAGE: (await drawnPage()).toString('base64') },
    });

  it('falls back to Tesseract with a log line where onnxruntime has no native binding', async () => {
    const { stdout, stderr } = await read('onnxruntime-node');
    expect(stdout).toContain("LOG documents: PP-OCR can't be loaded, pages are read with Tesseract instead: no native");
    expect(stdout).toContain('NAME tesseract-5');
    expect(stdout).toContain(`TEXT ${LINES.join(' ')}`);
    // Nothing was fetched, and no language data was left behind in the working folder.
    expect(stderr).not.toContain('NETWORK');
    expect(await readdir(folder)).toEqual([]);
  });

  it('takes PP-OCR, without a log line, where it can be loaded', async () => {
    const { stdout, stderr } = await read('nothing');
    expect(stdout).toContain('NAME pp-ocr-v4');
    expect(stdout).not.toContain('LOG');
    expect(stderr).not.toContain('NETWORK');
  });

  describe('with a second thread', () => {
    const readWith = async (threads: string, hooks = preload('nothing')): Promise<string> => {
      const page = (await drawnPage()).toString('base64');
      const env = { PATH: process.env['PATH'], READER: 'ppocr', THREADS: threads, PAGE: page };
      return (await run(process.execPath, ['--import', hooks, READ_ONCE], { cwd: folder, env })).stdout;
    };

    it('reads the same lines in the same order, and lets the process end', async () => {
      const alone = await readWith('1');
      expect(alone).toContain('TEXT HARBOUR STATIONERS LTD');
      expect(await readWith('2')).toBe(alone);
    });

    it('reads every line itself where that thread can load no recogniser', async () => {
      expect(await readWith('2', preload('onnxruntime-node', 'helpers'))).toContain('TEXT HARBOUR STATIONERS LTD');
    });
  });

  it('never puts another reader in the place of one that was asked for by name', async () => {
    await expect(read('onnxruntime-node', 'ppocr')).rejects.toThrow('no native binding for this platform');
  });
});

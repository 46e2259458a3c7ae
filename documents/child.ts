import sharp from 'sharp';
import { cropImage } from './crop/crop.ts';
import { readEInvoice } from './einvoice/read.ts';
import { DocumentError, firstLine } from './errors.ts';
import { inspectDocument } from './load/inspect.ts';
import { createOcrEngine } from './ocr/create.ts';
import type { OcrEngine } from './ocr/engine.ts';
import type { PageReader } from './pages/read-page.ts';
import { readPage } from './pages/read-page.ts';
import type { ChildAnswer, ChildRequest } from './pool/protocol.ts';
import { readerNames } from './types.ts';

const threads = Number(process.env['DOCUMENTS_THREADS'] ?? '1');
// libvips would keep decoded pages for reuse; no page is read twice here.
sharp.cache(false);
sharp.concurrency(threads);

const chosen = readerNames.find((name) => name === process.env['DOCUMENTS_READER']);
let ocr: Promise<OcrEngine> | undefined;
const reader: PageReader = {
  ocr: () => (ocr ??= createOcrEngine({ threads, reader: chosen, log: (line) => process.stderr.write(`${line}\n`) })),
};

/** One request at a time: the pool sends the next only after the answer to the last. */
async function answer(request: ChildRequest): Promise<ChildAnswer> {
  try {
    if (request.kind === 'inspect') {
      return { id: request.id, ok: true, value: await inspectDocument(request.bytes, request.limits) };
    }
    if (request.kind === 'einvoice') {
      return { id: request.id, ok: true, value: await readEInvoice(request.bytes) };
    }
    if (request.kind === 'crop') {
      return { id: request.id, ok: true, value: await cropImage(reader, request.bytes, request.page) };
    }
    return { id: request.id, ok: true, value: await readPage(reader, request.bytes, request.page, request.language) };
  } catch (error) {
    if (error instanceof DocumentError) {
      return { id: request.id, ok: false, code: error.code, message: error.message, field: error.field };
    }
    return { id: request.id, ok: false, code: 'BROKEN', message: `The document can't be read: ${firstLine(error)}` };
  }
}

process.on('message', (request: ChildRequest) => {
  void answer(request).then((result) => {
    process.send?.(result);
    // Rasters and tensors lie outside of V8's heap, so it sees no reason to collect them before hundreds of MB are held.
    // A look at the headers leaves none, and the page's reading is about to follow it.
    if (request.kind === 'read' || request.kind === 'crop') globalThis.gc?.();
  });
});
// The parent is gone, even by kill -9: nobody is left to answer to.
process.on('disconnect', () => process.exit(0));
// Ctrl-C reaches the whole process group; the parent decides when its children go.
process.on('SIGINT', () => undefined);

await reader.ocr();
process.send?.({ id: 0, ok: true, value: 'ready' } satisfies ChildAnswer);

import { createServer, type Server } from 'node:http';
import { type DocumentEngine, DocumentError } from '../../documents/index.ts';
import { extractUncalibrated } from '../../documents/extract/extract.ts';
import { readPages } from './page-cache.ts';

interface Body {
  file_base64: string;
  document_type?: string;
}

interface ShimOptions {
  /** Folder of stored words. */
  cache?: string | undefined;
  /** Confidences as the extractors give them, before they are calibrated. */
  isRaw?: boolean;
}

/** The engine behind the paths that score.py calls: no API, database or workflow. */
export function serveEngine(engine: DocumentEngine, options: ShimOptions = {}): Promise<Server> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Body;
      answer(engine, request.url ?? '', body, options)
        .then((value) => response.end(JSON.stringify(value)))
        .catch((error: unknown) => {
          if (!(error instanceof DocumentError)) console.error(error);
          response.statusCode = error instanceof DocumentError ? 422 : 500;
          response.end(JSON.stringify({ error: String(error) }));
        });
    });
  });
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done(server)));
}

async function answer(
  engine: DocumentEngine,
  path: string,
  body: Body,
  { cache, isRaw = false }: ShimOptions,
): Promise<unknown> {
  const bytes = Buffer.from(body.file_base64, 'base64');
  if (path === '/crop') {
    const { images, regions } = await engine.crop(bytes);
    return { success: true, images: images.map((png) => Buffer.from(png).toString('base64')), regions };
  }
  const pages = await readPages(engine, bytes, cache);
  if (path === '/classify') return { success: true, ...engine.classify(pages) };
  if (path === '/split') return { success: true, documents: engine.split(pages) };
  const hint = body.document_type === undefined ? {} : { document_type: body.document_type };
  return isRaw ? extractUncalibrated(pages, hint) : engine.extract(pages, hint);
}

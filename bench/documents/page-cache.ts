import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DocumentEngine, DocumentError, type PageText } from '../../documents/index.ts';

/**
 * Reads every page of a file, or takes the pages that an earlier run stored: so extractors are measured on a few hundred
 * documents in seconds. The store knows nothing of the reader that filled it: another reader needs another folder.
 */
export async function readPages(engine: DocumentEngine, bytes: Buffer, folder?: string): Promise<PageText[]> {
  const path =
    folder === undefined ? undefined : join(folder, `${createHash('sha256').update(bytes).digest('hex')}.json`);
  if (path !== undefined && existsSync(path)) return stored(await readFile(path, 'utf8'));
  try {
    const { pages } = await engine.inspect(bytes);
    const read = await Promise.all(Array.from({ length: pages }, (_, index) => engine.readPage(bytes, index + 1)));
    await store(path, read);
    return read;
  } catch (error) {
    if (error instanceof DocumentError) await store(path, { refused: [error.code, error.message] });
    throw error;
  }
}

type Stored = PageText[] | { refused: [DocumentError['code'], string] };

function stored(text: string): PageText[] {
  const found = JSON.parse(text) as Stored;
  if (Array.isArray(found)) return found;
  throw new DocumentError(...found.refused);
}

async function store(path: string | undefined, value: Stored): Promise<void> {
  if (path === undefined) return;
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, JSON.stringify(value));
}

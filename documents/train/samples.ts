import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDocumentEngine } from '../engine.ts';
import { detectLanguage } from '../ocr/language.ts';
import type { DocumentEngine, DocumentType, PageText } from '../types.ts';

interface Row {
  file: string;
  base_file?: string;
  task: string;
  set: string;
  document_type: string;
  accept_types?: string[];
  fields?: { vendor_name?: string; bank_name?: string };
}

/** A real document of known type, as pages of text. */
export interface Sample {
  file: string;
  type: DocumentType;
  /** Types that are right too: a utility bill proves an address. */
  accepted: string[];
  /** Documents of one issuer or template share it: they never stand on both sides of a test. */
  issuer: string;
  pages: PageText[];
}

/** The single documents of the manifest in `data`. Pages are taken from the folder `cache`; those absent are read once. */
export async function loadSamples(data: string, cache: string): Promise<Sample[]> {
  const rows = (await readFile(join(data, 'manifest.jsonl'), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);
  const issuers = new Map(rows.map((row) => [row.file, issuerOf(row)]));
  const engine = createDocumentEngine();
  const samples: Sample[] = [];
  for (const row of rows.filter(({ task }) => task === 'extract')) {
    const pages = await readOnce(engine, await readFile(join(data, row.file)), cache);
    if (!pages) continue;
    // The stored words may be older than the list of languages.
    for (const page of pages) page.language = detectLanguage(page.words);
    samples.push({
      file: row.file,
      type: row.document_type as DocumentType,
      accepted: [row.document_type, ...(row.accept_types ?? [])],
      issuer: issuers.get(row.base_file ?? row.file) ?? issuerOf(row),
      pages,
    });
  }
  await engine.close();
  return samples;
}

/** Spelling differs between the documents of one issuer, so its first letters stand for it. */
function issuerOf({ fields, file, document_type }: Row): string {
  const template = /synth_dev\d+/.exec(file)?.[0];
  if (template !== undefined) return `${document_type} ${template}`;
  if (file.includes('rendercv')) return 'rendercv';
  const name = fields?.vendor_name ?? fields?.bank_name;
  if (name === undefined) return file;
  return name
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .slice(0, 8);
}

/** The stored pages of a file, under the hash of its bytes; undefined where the engine refuses it. */
async function readOnce(engine: DocumentEngine, bytes: Buffer, cache: string): Promise<PageText[] | undefined> {
  const path = join(cache, `${createHash('sha256').update(bytes).digest('hex')}.json`);
  if (existsSync(path)) {
    const stored = JSON.parse(await readFile(path, 'utf8')) as PageText[] | { refused: unknown };
    return Array.isArray(stored) ? stored : undefined;
  }
  try {
    const { pages } = await engine.inspect(bytes);
    const read = await Promise.all(Array.from({ length: pages }, (_, index) => engine.readPage(bytes, index + 1)));
    await mkdir(cache, { recursive: true });
    await writeFile(path, JSON.stringify(read));
    return read;
  } catch {
    return undefined;
  }
}

import { readFile, writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { createDocumentEngine, type DocumentEngine, DocumentError, runPipeline } from './index.ts';
import { drawOverlay } from './pages/overlay.ts';
import { type Order, parseOrder, UsageError } from './read-arguments.ts';
import type { Extraction, PageText, Validation } from './types.ts';

/** Reads one file and prints what the engine found: for people by default, everything as JSON with --json. */
async function main(): Promise<void> {
  const order = parseOrder(process.argv.slice(2));
  const bytes = await contentOf(order.path);
  const engine = createDocumentEngine({ processes: 1 });
  try {
    if (order.steps === undefined) await readFileWith(engine, bytes, order);
    else await runSteps(engine, bytes, order, order.steps);
  } finally {
    await engine.close();
  }
}

async function contentOf(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new UsageError(`${path} can't be read: ${(error as Error).message}`);
  }
}

async function readFileWith(engine: DocumentEngine, bytes: Buffer, order: Order): Promise<void> {
  const info = await engine.inspect(bytes);
  if (order.page !== undefined && order.page > info.pages) {
    throw new UsageError(`--page ${String(order.page)}: the file has ${String(info.pages)}`);
  }
  const pages: PageText[] = [];
  for (let page = 1; page <= info.pages; page++) {
    pages.push(await engine.readPage(bytes, page, order.language === undefined ? {} : { language: order.language }));
  }
  const einvoice = info.einvoice && (await engine.readEInvoice(bytes));
  const extraction = engine.extract(pages, {
    ...(order.type === undefined ? {} : { document_type: order.type }),
    ...(einvoice ? { einvoice } : {}),
  });
  const validation = engine.validate(extraction);
  if (order.json) console.log(JSON.stringify({ info, ...extraction, validation, pages }, null, 1));
  else print(extraction, validation);
  if (order.overlay !== undefined) await writeOverlays(order.overlay, bytes, pages, extraction, order.page);
}

async function runSteps(
  engine: DocumentEngine,
  bytes: Buffer,
  { json, type, language }: Order,
  actions: NonNullable<Order['steps']>,
): Promise<void> {
  const options = type === undefined ? {} : { options: { document_type: type } };
  const steps = actions.map((action) => (action === 'extract' ? { action, ...options } : { action }));
  const found = await runPipeline(engine, bytes, steps, language === undefined ? {} : { language });
  if (json) {
    console.log(JSON.stringify(found, null, 1));
    return;
  }
  for (const { document, fields = {}, line_items = [], ...rest } of found) {
    const { document_type = 'document', document_type_confidence = 1 } = rest;
    console.log(`document ${String(document.index + 1)}, page ${document.pages.join(', ')}`);
    const extraction = { document_type, document_type_confidence, fields, line_items, alternatives: [] };
    print(extraction, engine.validate(extraction));
  }
}

async function writeOverlays(
  path: string,
  bytes: Buffer,
  pages: PageText[],
  extraction: Extraction,
  only: number | undefined,
): Promise<void> {
  const drawn = pages.filter(({ page }) => only === undefined || page === only);
  for (const page of drawn) {
    const extension = extname(path);
    const stem = extension === '' ? path : path.slice(0, -extension.length);
    const file = drawn.length === 1 ? path : `${stem}-${String(page.page)}${extension}`;
    await writeFile(file, await drawOverlay(bytes, page, extraction));
  }
}

function print(extraction: Extraction, validation: Validation): void {
  const from = extraction.einvoice ? `, from its ${extraction.einvoice.syntax} XML` : '';
  console.log(`${extraction.document_type} (${extraction.document_type_confidence.toFixed(2)}${from})`);
  for (const [name, field] of Object.entries(extraction.fields)) {
    console.log(`  ${name.padEnd(24)} ${field.confidence.toFixed(2)}  ${shown(field.value)}`);
  }
  for (const item of extraction.line_items) {
    const { description, ...others } = item;
    const cells = Object.values(others).map(({ value }) =>
      value === null || value === undefined ? '–' : shown(value),
    );
    console.log(`  · ${shown(description.value)}  ${cells.join('  ')}`);
  }
  for (const check of validation.checks.filter(({ passed }) => !passed)) {
    console.log(`  ! ${check.rule}: ${check.message}`);
  }
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

main().catch((error: unknown) => {
  if (error instanceof DocumentError) console.error(`${error.code}: ${error.message}`);
  else console.error(error instanceof UsageError ? error.message : error);
  process.exitCode = 1;
});

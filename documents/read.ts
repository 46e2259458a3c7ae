import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { createDocumentEngine, DocumentError } from './index.ts';
import { drawOverlay } from './pages/overlay.ts';
import type { Extraction, PageText } from './types.ts';

const USAGE = 'npm run read -- FILE [--json] [--overlay OUT.png] [--type TYPE] [--language xx] [--page N]';

/** Reads one file and prints what the engine found: for people by default, everything as JSON with --json. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      overlay: { type: 'string' },
      type: { type: 'string' },
      language: { type: 'string' },
      page: { type: 'string', default: '1' },
    },
  });
  const [path] = positionals;
  if (path === undefined) throw new Error(USAGE);
  const bytes = await readFile(path);
  const engine = createDocumentEngine({ processes: 1 });
  try {
    const info = await engine.inspect(bytes);
    const pages: PageText[] = [];
    for (let page = 1; page <= info.pages; page++) {
      pages.push(
        await engine.readPage(bytes, page, values.language === undefined ? {} : { language: values.language }),
      );
    }
    const extraction = engine.extract(pages, values.type === undefined ? {} : { document_type: values.type });
    const validation = engine.validate(extraction);
    if (values.json) console.log(JSON.stringify({ info, ...extraction, validation, pages }, null, 1));
    else print(extraction);
    const shown = pages[Number(values.page) - 1];
    if (values.overlay !== undefined && shown)
      await writeFile(values.overlay, await drawOverlay(bytes, shown, extraction));
  } finally {
    await engine.close();
  }
}

function print(extraction: Extraction): void {
  console.log(`${extraction.document_type} (${String(extraction.document_type_confidence)})`);
  for (const [name, field] of Object.entries(extraction.fields)) {
    console.log(`  ${name.padEnd(24)} ${field.confidence.toFixed(2)}  ${String(field.value)}`);
  }
  for (const item of extraction.line_items) {
    const cells = [item.quantity.value, item.unit_price.value, item.total.value].map((value) =>
      typeof value === 'number' ? String(value) : '–',
    );
    console.log(`  · ${String(item.description.value)}  ${cells.join('  ')}`);
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof DocumentError ? `${error.code}: ${error.message}` : error);
  process.exitCode = 1;
});

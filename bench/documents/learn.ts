import { existsSync, readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { createDocumentEngine, type Lesson, type PageText } from '../../documents/index.ts';

/**
 * What learning brings: sets learn_train → learn_eval of shared/data, 8 + 8 receipts of each of 4 issuers.
 *
 *   node bench/documents/learn.ts --cache FOLDER [--samples 8]     FOLDER: stored words of pages (score-engine.ts --cache)
 *
 * Rows: exact values before; after corrections of what was wrong only; after 8 documents whose values were all given; with
 * a custom model of 8 samples. Last line: documents of other issuers that any of these lessons changed.
 */
const DATA = resolve(import.meta.dirname, '../../../shared/data');
const TYPES: Record<string, string> = { date: 'date', total: 'currency' };
const FIELDS = { vendor_name: 'merchant_name', vendor_address: 'merchant_address', date: 'date', total: 'total' };

interface Row {
  file: string;
  set: string;
  task: string;
  family?: string;
  fields: Record<string, unknown>;
}

type Count = [right: number, asked: number];

const option = (name: string): string | undefined => {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
};

const letters = (value: unknown): string =>
  String(value)
    .toUpperCase()
    .replaceAll('&', 'AND')
    .replace(/[^A-Z0-9]/g, '');

const isExact = (truth: unknown, given: unknown): boolean =>
  typeof truth === 'number' ? Math.abs(Number(given) - truth) < 0.005 : letters(truth) === letters(given);

const percent = ([right, asked]: Count): string => (right / asked).toFixed(3);

function stored(folder: string, file: string): PageText[] | undefined {
  const name = createHash('sha256')
    .update(readFileSync(join(DATA, file)))
    .digest('hex');
  const path = join(folder, `${name}.json`);
  const pages = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as unknown) : undefined;
  return Array.isArray(pages) ? (pages as PageText[]) : undefined;
}

const engine = createDocumentEngine({ processes: 1 });

const valuesOf = (pages: PageText[], lessons: Lesson[] = []): Record<string, { value: unknown }> =>
  engine.extract(pages, { document_type: 'receipt', lessons }).fields;

/** What a person's look at a document teaches: all of its values given, or those corrected that were wrong. */
function learn({ fields }: Row, pages: PageText[], all: boolean): Lesson[] {
  const extraction = engine.extract(pages, { document_type: 'receipt' });
  const told = Object.entries(FIELDS).filter(
    ([name, ours]) => all || !isExact(fields[name], extraction.fields[ours]?.value),
  );
  const lesson = engine.lessonOf(
    pages,
    extraction,
    Object.fromEntries(told.map(([name, ours]) => [ours, fields[name]])),
  );
  return lesson ? [lesson] : [];
}

/** Prints one issuer's rows and adds them to the totals; answers its lessons. */
function issuer(
  family: string,
  train: Row[],
  evaluate: Row[],
  read: (row: Row) => PageText[],
  totals: Count[],
): Lesson[] {
  const corrected = train.flatMap((row) => learn(row, read(row), false));
  const given = train.flatMap((row) => learn(row, read(row), true));
  const definition = Object.keys(FIELDS).map((name) => ({ name, type: TYPES[name] }));
  const started = performance.now();
  const model = engine.trainModel(
    { fields: definition },
    train.map((row) => ({ pages: read(row), annotations: row.fields })),
  );
  const seconds = (performance.now() - started) / 1000;
  for (const [name, ours] of Object.entries(FIELDS)) {
    const answers = evaluate.map((row) => {
      const pages = read(row);
      const custom = engine.extractWith(pages, model).fields[name];
      const fields = [valuesOf(pages)[ours], valuesOf(pages, corrected)[ours], valuesOf(pages, given)[ours], custom];
      return fields.map((field) => isExact(row.fields[name], field?.value));
    });
    const counts = totals.map((total, column): Count => {
      const right = answers.filter((answer) => answer[column]).length;
      total[0] += right;
      total[1] += answers.length;
      return [right, answers.length];
    });
    console.log(`${family} ${name}: ${counts.map(percent).join(' ')}`);
  }
  console.log(
    `  model: ${seconds.toFixed(2)} s, leave-one-out accuracy ${String(model.accuracy)}; ` +
      `${String(corrected.length)} of ${String(train.length)} documents needed a correction`,
  );
  return [...corrected, ...given];
}

function main(folder: string, samples: number): void {
  const rows = readFileSync(join(DATA, 'manifest.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row)
    .filter((row) => row.task === 'extract');
  const read = (row: Row): PageText[] => stored(folder, row.file) ?? [];
  const totals = Array.from({ length: 4 }, (): Count => [0, 0]);
  const lessons: Lesson[] = [];
  console.log('issuer and field: before, wrong values corrected, all values given, custom model');
  for (const family of new Set(rows.flatMap((row) => (row.set === 'learn_train' ? [row.family ?? ''] : [])))) {
    const own = (set: string): Row[] => rows.filter((row) => row.set === set && row.family === family);
    lessons.push(...issuer(family, own('learn_train').slice(0, samples), own('learn_eval'), read, totals));
  }
  console.log(`ALL: ${totals.map(percent).join(' ')}`);
  const others = rows.filter((row) => !row.set.startsWith('learn_')).map(read);
  const changed = others.filter(
    (pages) => JSON.stringify(engine.extract(pages)) !== JSON.stringify(engine.extract(pages, { lessons })),
  );
  console.log(`other issuers: ${String(changed.length)} of ${String(others.length)} documents changed`);
  void engine.close();
}

const folder = option('--cache');
if (!existsSync(DATA)) console.log(`skipped: ${DATA} is not there`);
else if (folder === undefined) console.log('--cache FOLDER: the words of the pages as score-engine.ts stores them');
else main(folder, Number(option('--samples') ?? 8));

import { existsSync, readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import sharp from 'sharp';
import { layoutLines, textOf } from '../../documents/layout/lines.ts';
import { PpOcr, type PpOcrOptions } from '../../documents/ocr/ppocr.ts';
import { readPage } from '../../documents/pages/read-page.ts';
import type { PageText } from '../../documents/types.ts';
import { halfNames, manifestOfHalf } from './halves.ts';
import { openPdf } from '../../documents/pages/pdfium.ts';
import { pageGeometry, renderPage } from '../../documents/pages/raster.ts';
import { readTextLayer } from '../../documents/pages/text-layer.ts';
import { addTruth, addWords, emptyTally, printTally, type Tally, type TruthRow } from './truth.ts';

/**
 * Reads real pictures with several settings of the reader, page by page in turn, and prints for each the share of the
 * known values that its text holds and the time of a page: the row by which a step of reading is kept or thrown out.
 *
 *   node bench/documents/read-quality.ts [--variants ch,en,latin] [--sample 60] [--half dev|check] [--set receipt]
 *                                        [--variant-set lowres,rot90] [--printed DPI] [--misses]
 *
 * With --printed the PDFs are taken that have a text layer: their first pages, rendered as a JPEG of that resolution, are
 * read, and every word of the layer is truth.
 *
 * One thread, in this process; seconds of CPU, so that other work on the machine counts less. Peak memory is the process's own and means something with one variant only.
 */
const DATA = resolve(import.meta.dirname, '../../../shared/data');

type Settings = Omit<PpOcrOptions, 'threads'>;

const presets: Record<string, Settings> = {
  best: {},
  ch: { alphabet: 'ch' },
  en: { alphabet: 'en' },
  latin: { alphabet: 'latin' },
};

const options = new Map<string, string>();
for (const [i, name] of process.argv.entries()) {
  const value = process.argv[i + 1];
  options.set(name, value === undefined || value.startsWith('--') ? '' : value);
}

const printedDpi = options.has('--printed') ? Number(options.get('--printed') || 150) : undefined;

interface Row extends TruthRow {
  file: string;
  task: string;
  set: string;
  variant?: string;
}

/** The half's documents that are pictures, evenly thinned out to the sample. */
function chooseRows(): Row[] {
  const half = halfNames.find((name) => name === options.get('--half')) ?? 'dev';
  const all = readFileSync(manifestOfHalf(DATA, half), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);
  const sets = options.get('--set')?.split(',');
  const variants = options.get('--variant-set')?.split(',');
  const rows = all.filter(
    (row) =>
      row.task === 'extract' &&
      (printedDpi === undefined ? /\.(jpe?g|png|webp|tiff?)$/i : /\.pdf$/i).test(row.file) &&
      (!sets || sets.includes(row.set)) &&
      (!variants || variants.includes(row.variant ?? '')),
  );
  const sample = Math.min(rows.length, Number(options.get('--sample') ?? 60));
  const step = rows.length / sample;
  return rows.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step));
}

/** The page's picture, and where it is made of a text layer, the words of that. */
async function pictureOf(row: Row): Promise<{ bytes: Buffer; words?: string[] } | undefined> {
  const bytes = readFileSync(resolve(DATA, row.file));
  if (printedDpi === undefined) return { bytes };
  const pdf = await openPdf(bytes);
  try {
    const { layer, image } = pdf.withPage(0, (page) => {
      const geometry = pageGeometry(pdf.module, page);
      const layer = readTextLayer(pdf.module, page, geometry);
      return { layer, image: { ...renderPage(pdf.module, page, geometry), dpi: geometry.dpi } };
    });
    if (layer.trust < 0.9 || layer.words.length < 20) return undefined;
    const raw = { width: image.width, height: image.height, channels: 3 as const };
    const width = Math.round((image.width * printedDpi) / image.dpi);
    const jpeg = await sharp(image.data, { raw }).resize({ width }).jpeg({ quality: 70 }).toBuffer();
    return { bytes: jpeg, words: layer.words.map((word) => word.text) };
  } finally {
    pdf.close();
  }
}

interface Run {
  name: string;
  ocr: PpOcr;
  tally: Tally;
  seconds: number[];
}

const textOfPage = (page: PageText): string =>
  layoutLines([page])
    .map((line) => textOf(line.words))
    .join('\n');

async function main(): Promise<void> {
  if (!existsSync(DATA)) {
    console.log(`skipped: ${DATA} is not there`);
    return;
  }
  sharp.cache(false);
  sharp.concurrency(1);
  const names = (options.get('--variants') ?? 'best').split(',');
  const runs: Run[] = [];
  for (const name of names) {
    const settings = presets[name];
    if (!settings) throw new Error(`--variants takes ${Object.keys(presets).join(', ')}; not ${name}`);
    runs.push({ name, ocr: await PpOcr.create({ threads: 1, ...settings }), tally: emptyTally(), seconds: [] });
  }
  const rows = chooseRows();
  let peak = 0;
  for (const [index, row] of rows.entries()) {
    const picture = await pictureOf(row);
    if (!picture) continue;
    // In turn, each first as often as the others: a machine that is busy for a while is busy for all.
    const first = index % runs.length;
    for (const run of [...runs.slice(first), ...runs.slice(0, first)]) {
      const started = process.cpuUsage();
      const page = await readPage({ ocr: () => Promise.resolve(run.ocr) }, picture.bytes, 1);
      const { user, system } = process.cpuUsage(started);
      run.seconds.push((user + system) / 1e6);
      const missed = picture.words
        ? addWords(run.tally, picture.words, page.words)
        : addTruth(run.tally, row, textOfPage(page));
      if (options.has('--misses')) {
        for (const value of missed) console.log(`${run.name}\t${basename(row.file)}\t${value}`);
      }
      globalThis.gc?.();
      peak = Math.max(peak, process.memoryUsage.rss() / 1e6);
    }
  }
  console.log(`${String(rows.length)} pages; peak RSS ${peak.toFixed(0)} MB`);
  for (const { name, tally, seconds } of runs) {
    const sorted = [...seconds].sort((a, b) => a - b);
    const at = (share: number): string => (sorted[Math.floor(sorted.length * share)] ?? NaN).toFixed(2);
    const mean = seconds.reduce((sum, value) => sum + value, 0) / seconds.length;
    console.log(
      `${name.padEnd(14)} ${printTally(tally)}  CPU s/page p50 ${at(0.5)} p95 ${at(0.95)} mean ${mean.toFixed(2)}`,
    );
  }
  for (const { ocr } of runs) await ocr.close();
}

await main();

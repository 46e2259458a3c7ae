import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createDocumentEngine } from '../documents/index.ts';
import type { DocumentEngine } from '../documents/index.ts';
import type { BenchOptions } from './options.ts';
import { ROOT } from './pinned.ts';
import { printTable, residentMegabytes, verdict, waitForQuiet } from './report.ts';
import { startStack } from './stack.ts';
import type { BenchStack } from './stack.ts';
import { median, quantile } from './statistics.ts';
import { BenchTenants } from './tenants.ts';
import { benchScale } from './vision-scale.ts';

interface Timings {
  api: number[];
  engine: number[];
  tesseract: number[];
}

interface ManifestLine {
  file: string;
  set: string;
}

const DATA = resolve(ROOT, '../shared/data');
const OVERHEAD = { share: 0.1, seconds: 0.06 };
const API_P95_SECONDS = 1.5;
const TESSERACT_FACTOR = 1.5;

/** Receipts through the synchronous API, beside the same engine called directly, in turns on the same files; then scale. */
export async function benchVision(options: BenchOptions): Promise<void> {
  if (!existsSync(join(DATA, 'manifest.jsonl'))) {
    console.log(`skipped: the documents are not at ${DATA}`);
    return;
  }
  if ('api'.includes(options.only)) await benchApi(options);
  if ('scale'.includes(options.only)) await benchScale(receipts(options.receipts), options.pages);
}

async function benchApi(options: BenchOptions): Promise<void> {
  const files = receipts(options.receipts);
  const passes = options.runs;
  console.log(
    `${String(files.length)} receipts of ${DATA}, one request at a time, ${String(passes)} pass(es) after a warm-up; ` +
      'API, worker and engine unpinned, the engine with its default processes and threads on both sides',
  );
  const stack = await startStack({ workers: ['platform', 'documents'], profileDir: options.profileDir });
  const engine = createDocumentEngine({ log: (line) => console.error(line) });
  try {
    const extract = await syncExtract(stack, options.receipts * (passes + 1) + 10);
    await waitForQuiet(options);
    const timings = await measure(files, passes, extract, engine);
    print(timings);
    const children = residentMegabytes(stack.pids['worker documents'] ?? 0);
    console.log(`RSS of the documents worker without its engine processes: ${children.toFixed(0)} MB`);
    console.log('accuracy, peak memory and s/page of the engine alone: node bench/documents/score-engine.ts');
  } finally {
    await engine.close();
    await stack.stop();
  }
}

/** Receipts spread over the set, the same ones in each run. */
function receipts(count: number): string[] {
  const lines = readFileSync(join(DATA, 'manifest.jsonl'), 'utf8').trim().split('\n');
  const files = lines
    .map((line) => JSON.parse(line) as ManifestLine)
    .filter(({ set }) => set === 'receipt')
    .map(({ file }) => join(DATA, file));
  const step = Math.max(1, Math.floor(files.length / count));
  return files.filter((_, index) => index % step === 0).slice(0, count);
}

type Extract = (bytes: Buffer) => Promise<void>;

async function syncExtract(stack: BenchStack, credits: number): Promise<Extract> {
  const tenants = new BenchTenants(stack);
  const [key] = await tenants.create(1, 1);
  if (key === undefined) throw new Error('no client was made');
  await tenants.grantCredits(key.clientId, credits);
  await tenants.close();
  return async (bytes) => {
    const response = await fetch(`${stack.apiUrl}/api/v1/vision/extract`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key.apiKey}` },
      body: JSON.stringify({ file_base64: bytes.toString('base64') }),
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`extract answered ${String(response.status)}: ${text.slice(0, 500)}`);
  };
}

/** What a call through the API makes the engine do. */
async function extractDirectly(engine: DocumentEngine, bytes: Buffer): Promise<void> {
  const { pages } = await engine.inspect(bytes);
  const texts = await Promise.all(Array.from({ length: pages }, (_, index) => engine.readPage(bytes, index + 1)));
  engine.classify(texts);
  engine.validate(engine.extract(texts, { confidence_threshold: 0.5 }));
}

async function measure(files: string[], passes: number, extract: Extract, engine: DocumentEngine): Promise<Timings> {
  const timings: Timings = { api: [], engine: [], tesseract: [] };
  const native = hasTesseract();
  const [first = ''] = files;
  // The models are loaded at the first page of each engine process.
  for (let index = 0; index < 2; index += 1) {
    await extract(readFileSync(first));
    await extractDirectly(engine, readFileSync(first));
  }
  for (let pass = 0; pass < passes; pass += 1) {
    for (const file of files) {
      const bytes = readFileSync(file);
      timings.api.push(await seconds(() => extract(bytes)));
      timings.engine.push(await seconds(() => extractDirectly(engine, bytes)));
      if (native) timings.tesseract.push(await seconds(() => readNatively(file)));
    }
  }
  return timings;
}

async function seconds(work: () => Promise<void> | void): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1_000;
}

function hasTesseract(): boolean {
  return spawnSync('tesseract', ['--version'], { stdio: 'ignore' }).status === 0;
}

function readNatively(file: string): void {
  const env = { ...process.env, OMP_THREAD_LIMIT: '1' };
  execFileSync('tesseract', [file, '-', '--psm', '6'], { stdio: 'ignore', env });
}

function print({ api, engine, tesseract }: Timings): void {
  const line = (name: string, values: number[]): string[] => [
    name,
    String(values.length),
    quantile(values, 0.5).toFixed(3),
    quantile(values, 0.95).toFixed(3),
  ];
  const lines = [line('POST /api/v1/vision/extract (sync)', api), line('engine called directly', engine)];
  if (tesseract.length > 0) lines.push(line('native tesseract, psm 6, 1 thread', tesseract));
  printTable(['s/page', 'pages', 'p50', 'p95'], lines);
  const perSecond = (values: number[]): string => (values.length / values.reduce((sum, s) => sum + s, 0)).toFixed(2);
  console.log(`requests/s, one at a time: ${perSecond(api)} through the API, ${perSecond(engine)} directly`);
  if (tesseract.length === 0) console.log('native tesseract: not installed, no row beside it');

  // Of each page against itself: the medians of both sides may be of different pages.
  const overhead = median(api.map((value, index) => value - (engine[index] ?? NaN)));
  const direct = median(engine);
  const allowed = OVERHEAD.share * direct + OVERHEAD.seconds;
  const apiP95 = quantile(api, 0.95);
  const goals = [
    [
      'overhead of the API over the engine, p50 s',
      overhead.toFixed(3),
      `≤ 10% + 60 ms = ${allowed.toFixed(3)}`,
      verdict(overhead <= allowed),
    ],
    [
      's a receipt through the API, p95',
      apiP95.toFixed(3),
      `≤ ${API_P95_SECONDS.toFixed(1)}`,
      verdict(apiP95 <= API_P95_SECONDS),
    ],
  ];
  if (tesseract.length > 0) {
    const ratio = median(api) / median(tesseract);
    goals.push([
      'API p50 ÷ native tesseract p50',
      ratio.toFixed(2),
      `≤ ${String(TESSERACT_FACTOR)}`,
      verdict(ratio <= TESSERACT_FACTOR),
    ]);
  }
  printTable(['measure', 'ours', 'target', ''], goals);
}

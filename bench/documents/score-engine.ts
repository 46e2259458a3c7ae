import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { availableParallelism, cpus } from 'node:os';
import { resolve } from 'node:path';
import {
  createDocumentEngine,
  type DocumentEngine,
  DocumentError,
  type PageText,
  readerNames,
  type ReaderName,
} from '../../documents/index.ts';

/**
 * Runs shared/data/score.py, unchanged, against the engine itself: a bare HTTP shim, no API, database or workflow.
 * So the figures have the scorer's own sampling and comparison rules, and the difference from a run against the live
 * server is what the platform around the engine costs.
 *
 *   node bench/documents/score-engine.ts [--reader ppocr|tesseract] [score.py options]
 *                                                               default: --set receipt --sample 50 --seed 1
 */
const DATA = resolve(import.meta.dirname, '../../../shared/data');
const given = process.argv.slice(2);
const reader = takeReader(given);
const scorerOptions = given.length > 0 ? given : ['--set', 'receipt', '--sample', '50', '--seed', '1'];
const tasks = given.includes('--tasks') ? [] : ['--tasks', 'extract'];

/** Takes `--reader NAME` out of the arguments: the rest is the scorer's. */
function takeReader(options: string[]): ReaderName | undefined {
  const at = options.indexOf('--reader');
  if (at < 0) return undefined;
  const [, value] = options.splice(at, 2);
  const found = readerNames.find((name) => name === value);
  if (!found) throw new Error(`--reader takes ${readerNames.join(' or ')}, not ${String(value)}`);
  return found;
}

async function read(engine: DocumentEngine, bytes: Buffer): Promise<PageText[]> {
  const { pages } = await engine.inspect(bytes);
  return Promise.all(Array.from({ length: pages }, (_, index) => engine.readPage(bytes, index + 1)));
}

function serve(engine: DocumentEngine): Promise<Server> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as { file_base64: string; document_type?: string };
      const options = body.document_type === undefined ? {} : { document_type: body.document_type };
      read(engine, Buffer.from(body.file_base64, 'base64'))
        .then((pages) =>
          request.url === '/classify' ? { success: true, ...engine.classify(pages) } : engine.extract(pages, options),
        )
        .then((answer) => response.end(JSON.stringify(answer)))
        .catch((error: unknown) => {
          response.statusCode = error instanceof DocumentError ? 422 : 500;
          response.end(JSON.stringify({ error: String(error) }));
        });
    });
  });
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done(server)));
}

/** Resident MB of this process and its children now. */
function residentMb(): number {
  const table = execFileSync('ps', ['-e', '-o', 'pid=,ppid=,rss=']).toString().trim().split('\n');
  const rows = table.map((line) => line.trim().split(/\s+/).map(Number));
  const mine = rows.filter(([pid, parent]) => pid === process.pid || parent === process.pid);
  return mine.reduce((sum, [, , rss]) => sum + (rss ?? 0) / 1024, 0);
}

/** Native tesseract on the same pages, one thread, as targets.md measured it; undefined where it is not installed. */
function nativeTesseract(files: string[]): number[] | undefined {
  try {
    execFileSync('tesseract', ['--version'], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  return files.map((file) => {
    const started = performance.now();
    execFileSync('tesseract', [file, '-', '--psm', '6'], {
      stdio: 'ignore',
      env: { ...process.env, OMP_THREAD_LIMIT: '1' },
    });
    return (performance.now() - started) / 1000;
  });
}

const median = (values: number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

async function main(): Promise<void> {
  if (!existsSync(DATA)) {
    console.log(`skipped: ${DATA} is not there`);
    return;
  }
  console.log(
    `${cpus()[0]?.model ?? 'unknown CPU'}, ${String(availableParallelism())} cores, Node ${process.version}, reader ${reader ?? 'default'}`,
  );
  const engine = createDocumentEngine({ log: console.error, ...(reader === undefined ? {} : { reader }) });
  const server = await serve(engine);
  const base = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  let peak = 0;
  const watch = setInterval(() => (peak = Math.max(peak, residentMb())), 200);
  const scorer = spawn('python3', [`${DATA}/score.py`, '--base', base, '--data', DATA, ...tasks, ...scorerOptions], {
    stdio: 'inherit',
  });
  process.exitCode = await new Promise<number>((done) => scorer.once('exit', (code) => done(code ?? 1)));
  clearInterval(watch);
  console.log(`peak RSS of this process and its children: ${peak.toFixed(0)} MB (target <= 900)`);
  const manifest = readFileSync(`${DATA}/manifest.jsonl`, 'utf8').trim().split('\n');
  const receipts = manifest
    .map((line) => JSON.parse(line) as { set: string; file: string })
    .filter((row) => row.set === 'receipt');
  const native = nativeTesseract(receipts.slice(0, 20).map((row) => `${DATA}/${row.file}`));
  if (native)
    console.log(`native tesseract, psm 6, 1 thread: ${median(native).toFixed(2)} s/page p50 on 20 of the receipts`);
  else console.log('native tesseract: not installed, no row beside it');
  server.closeAllConnections();
  server.close();
  await engine.close();
}

await main();

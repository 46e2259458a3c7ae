import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { availableParallelism, cpus } from 'node:os';
import { createDocumentEngine, readerNames } from '../../documents/index.ts';
import { halfNames, manifestOfHalf } from './halves.ts';
import { DATA, manifestRows } from './scorer.ts';
import { serveEngine } from './shim.ts';

/**
 * Runs shared/data/score.py, unchanged, against the engine itself: a bare HTTP shim, no API, database or workflow.
 * So the figures have the scorer's own sampling and comparison rules, and the difference from a run against the live
 * server is what the platform around the engine costs.
 *
 *   node bench/documents/score-engine.ts [--reader ppocr|tesseract] [--cache FOLDER] [--half dev|check] [score.py options]
 *                                                               default: --set receipt --sample 50 --seed 1
 *
 * With --cache the words of a page are stored at the first run and taken from there afterwards: times mean nothing then.
 */
const given = process.argv.slice(2);
const reader = oneOf('--reader', readerNames);
const half = oneOf('--half', halfNames);
const cache = take('--cache');
const scorerOptions = given.length > 0 ? given : ['--set', 'receipt', '--sample', '50', '--seed', '1'];
const tasks = given.includes('--tasks') ? [] : ['--tasks', 'extract'];

/** Takes `--name VALUE` out of the arguments: the rest is the scorer's. */
function take(name: string): string | undefined {
  const at = given.indexOf(name);
  return at < 0 ? undefined : given.splice(at, 2)[1];
}

function oneOf<Name extends string>(option: string, names: readonly Name[]): Name | undefined {
  const value = take(option);
  const found = names.find((name) => name === value);
  if (value !== undefined && !found) throw new Error(`${option} takes ${names.join(' or ')}, not ${value}`);
  return found;
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
  const server = await serveEngine(engine, { cache });
  const base = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const manifest = half === undefined ? [] : ['--manifest', manifestOfHalf(DATA, half)];
  let peak = 0;
  const watch = setInterval(() => (peak = Math.max(peak, residentMb())), 200);
  const scorer = spawn(
    'python3',
    [`${DATA}/score.py`, '--base', base, '--data', DATA, ...manifest, ...tasks, ...scorerOptions],
    {
      stdio: 'inherit',
    },
  );
  process.exitCode = await new Promise<number>((done) => scorer.once('exit', (code) => done(code ?? 1)));
  clearInterval(watch);
  console.log(`peak RSS of this process and its children: ${peak.toFixed(0)} MB (target <= 900)`);
  if (cache === undefined) compareTesseract();
  server.closeAllConnections();
  server.close();
  await engine.close();
}

/** How long native tesseract takes for the same kind of page. */
function compareTesseract(): void {
  const receipts = manifestRows().filter((row) => row.set === 'receipt');
  const native = nativeTesseract(receipts.slice(0, 20).map((row) => `${DATA}/${row.file}`));
  if (native)
    console.log(`native tesseract, psm 6, 1 thread: ${median(native).toFixed(2)} s/page p50 on 20 of the receipts`);
  else console.log('native tesseract: not installed, no row beside it');
}

await main();

import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { canPin } from './pinned.ts';
import type { RunningScript } from './pinned.ts';
import { printTable, residentMegabytes, verdict } from './report.ts';
import { startStack } from './stack.ts';
import type { BenchStack } from './stack.ts';
import { BenchTenants } from './tenants.ts';

const SCALE_GOAL = 1.8;
/** How much more memory the last fifth of the pages may take than the second: the first warms up. */
const MEMORY_GOAL = 1.15;
const SAMPLE_MS = 250;
const MAX_JOBS_AT_ONCE = 500;

interface Run {
  workers: number;
  pages: number;
  pagesPerSecond: number;
  /** Resident megabytes of a worker with its child processes, sample by sample. */
  megabytes: number[];
}

/** Pages a second of one and of two documents workers, each held to a core, and how their memory stands over many pages. */
export async function benchScale(files: readonly string[], pages: number): Promise<void> {
  console.log(
    `${String(pages)} receipts as asynchronous jobs, queued before the workers start; each worker with one child process` +
      (canPin() ? ', held to a core of its own' : '; no taskset here: not held to a core, the factor says nothing'),
  );
  const runs = [await runWith(1, files, pages), await runWith(2, files, pages)];
  const [one, two] = runs as [Run, Run];
  printTable(
    ['documents workers', 'pages', 'pages/s', 'peak MB of a worker'],
    runs.map((run) => [
      String(run.workers),
      String(run.pages),
      run.pagesPerSecond.toFixed(2),
      Math.max(...run.megabytes).toFixed(0),
    ]),
  );
  const factor = two.pagesPerSecond / one.pagesPerSecond;
  const growth = peakOf(one.megabytes, 4) / peakOf(one.megabytes, 1);
  printTable(
    ['measure', 'ours', 'target', ''],
    [
      ['2 workers ÷ 1 worker, pages/s', factor.toFixed(2), `≥ ${String(SCALE_GOAL)}`, verdict(factor >= SCALE_GOAL)],
      [
        'peak memory, last fifth ÷ second fifth',
        growth.toFixed(2),
        `≤ ${String(MEMORY_GOAL)}`,
        verdict(growth <= MEMORY_GOAL),
      ],
    ],
  );
}

async function runWith(workers: number, files: readonly string[], pages: number): Promise<Run> {
  const stack = await startStack({ workers: ['platform'] });
  const started: RunningScript[] = [];
  const db = new pg.Client({ connectionString: stack.superuserUrl });
  await db.connect();
  try {
    await queueJobs(stack, files, pages);
    for (let core = 0; core < workers; core += 1) started.push(await stack.startDocuments(core));
    return { workers, pages, ...(await measure(db, pages, started)) };
  } finally {
    await Promise.all(started.map((worker) => worker.stop()));
    await db.end();
    await stack.stop();
  }
}

/** As many clients as it takes for no job to wait for another of its client. */
async function queueJobs(stack: BenchStack, files: readonly string[], pages: number): Promise<void> {
  const tenants = new BenchTenants(stack);
  const keys = await tenants.create(Math.ceil(pages / MAX_JOBS_AT_ONCE), 1);
  for (const { clientId } of keys) await tenants.grantCredits(clientId, MAX_JOBS_AT_ONCE);
  await tenants.close();
  for (let index = 0; index < pages; index += 1) {
    const bytes = readFileSync(files[index % files.length] ?? '');
    const response = await fetch(`${stack.apiUrl}/api/v1/vision/extract`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${keys[Math.floor(index / MAX_JOBS_AT_ONCE)]?.apiKey ?? ''}`,
      },
      body: JSON.stringify({ file_base64: bytes.toString('base64'), async: true }),
    });
    if (response.status !== 202)
      throw new Error(`extract answered ${String(response.status)}: ${await response.text()}`);
    await response.arrayBuffer();
  }
}

/** From the tenth to the ninetieth of a hundred pages: without the models' loading, and without the last worker's last page. */
async function measure(
  db: pg.Client,
  pages: number,
  workers: readonly RunningScript[],
): Promise<Pick<Run, 'pagesPerSecond' | 'megabytes'>> {
  const [from, to] = [Math.ceil(pages * 0.1), Math.floor(pages * 0.9)];
  const megabytes: number[] = [];
  let first: { at: number; done: number } | undefined;
  let last: { at: number; done: number } | undefined;
  for (;;) {
    const { rows } = await db.query<{ done: number; failed: number }>(
      `select (count(*) filter (where cardinality(pages_read) > 0))::int as done,
         (count(*) filter (where status = 'failed'))::int as failed from vision_requests`,
    );
    const { done = 0, failed = 0 } = rows[0] ?? {};
    if (failed > 0) throw new Error(`${String(failed)} of the jobs failed`);
    if (done >= from) first ??= { at: performance.now(), done };
    if (done >= to) last ??= { at: performance.now(), done };
    if (first !== undefined) megabytes.push(Math.max(...workers.map(({ pid }) => withChildren(pid))));
    if (done >= pages && first !== undefined && last !== undefined) {
      return { pagesPerSecond: ((last.done - first.done) / (last.at - first.at)) * 1_000, megabytes };
    }
    await sleep(SAMPLE_MS);
  }
}

function withChildren(pid: number): number {
  const pids = [pid, ...childrenOf(pid)];
  return pids.map(residentMegabytes).reduce((sum, megabytes) => sum + (Number.isNaN(megabytes) ? 0 : megabytes), 0);
}

/** None where the system has no /proc. */
function childrenOf(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${String(pid)}/task/${String(pid)}/children`, 'utf8');
    return text.split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** The highest sample of one fifth (0 to 4) of a run. */
function peakOf(samples: readonly number[], fifth: number): number {
  const size = Math.max(1, Math.ceil(samples.length / 5));
  return Math.max(0, ...samples.slice(fifth * size, (fifth + 1) * size));
}

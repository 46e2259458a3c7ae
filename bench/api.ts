import { entities } from '../domain/entities.ts';
import { foldWorkItems } from '../domain/work-items/index.ts';
import { SystemDatabase } from '../platform/db/database.ts';
import { createLogger } from '../platform/log.ts';
import { apiRows, CLIENTS, KEYS_PER_CLIENT, WORK_ITEM } from './api-rows.ts';
import type { Row } from './api-rows.ts';
import { cpuSeconds, cpuSecondsOfFamily } from './cpu.ts';
import { LIMIT_ROWS, createLimitTables, startLimitServer } from './limits/tables.ts';
import type { LimitKind, LimitServer } from './limits/tables.ts';
import { LoadClient, wireRequest } from './load-client.ts';
import type { LoadResult } from './load-client.ts';
import type { BenchOptions } from './options.ts';
import { SERVER_CORE } from './pinned.ts';
import { ms, printPinning, printTable, rate, residentMegabytes, verdict, waitForQuiet } from './report.ts';
import { startStack } from './stack.ts';
import type { BenchStack } from './stack.ts';
import { median } from './statistics.ts';

type Limits = Record<LimitKind, LimitServer & { requests: readonly string[] }>;

const LIMIT_NAMES: Record<LimitKind, string> = {
  bare: 'bare Express JSON',
  select: 'Express + 1 SELECT',
  insert: 'Express + 1 INSERT',
};

/** The API's paths beside the least that Express and PostgreSQL can do, in turns, so that both meet the same noise. */
export async function benchApi(options: BenchOptions, isWanted: (name: string) => boolean = () => true): Promise<void> {
  printPinning();
  const { seconds, runs, warmupSeconds, connections } = options;
  console.log(
    `${String(connections)} keep-alive connections, ${String(CLIENTS * KEYS_PER_CLIENT)} keys of ${String(CLIENTS)} clients, ` +
      `${String(runs)} × ${String(seconds)} s after ${String(warmupSeconds)} s of warm-up, medians; fsync on; ` +
      'no worker runs (what is created waits in the outbox)',
  );
  const stack = await startStack({
    workers: [],
    apiCore: SERVER_CORE,
    profileDir: options.profileDir,
    isLimited: options.isLimited,
  });
  const load = await LoadClient.start();
  const limits = await startLimits(stack);
  try {
    const rows = (await apiRows(stack)).filter(
      (row) =>
        row.name.includes(options.only) && isWanted(row.name) && (options.isLimited || row.expectedStatus !== 429),
    );
    const figures = await measure(rows, limits, stack, load, options);
    print(rows, figures);
    console.log(
      `\nRSS of the API under this load: ${residentMegabytes(stack.pids['api'] ?? 0).toFixed(0)} MB (target ≤ 250)`,
    );
  } finally {
    await Promise.allSettled([load.stop(), ...Object.values(limits).map((limit) => limit.stop())]);
    await stack.stop();
  }
}

async function startLimits({ ownerUrl }: BenchStack): Promise<Limits> {
  await createLimitTables(ownerUrl);
  const start = async (kind: LimitKind, requests: readonly string[]): Promise<Limits[LimitKind]> => ({
    ...(await startLimitServer(kind, ownerUrl)),
    requests,
  });
  const ids = Array.from({ length: 300 }, (_, index) => ((index * 7919) % LIMIT_ROWS) + 1);
  return {
    bare: await start('bare', [wireRequest({ method: 'GET', path: '/bare' })]),
    select: await start(
      'select',
      ids.map((id) => wireRequest({ method: 'GET', path: `/select/${String(id)}` })),
    ),
    insert: await start('insert', [wireRequest({ method: 'POST', path: '/insert', body: WORK_ITEM })]),
  };
}

interface Figure extends LoadResult {
  /** CPU time for one answer, in µs: hardly moved by what else runs on the machine. */
  serverCpu: number;
  databaseCpu: number;
}

type Figures = Map<string, Figure[]>;

async function measure(
  rows: readonly Row[],
  limits: Limits,
  stack: BenchStack,
  load: LoadClient,
  options: BenchOptions,
): Promise<Figures> {
  const { seconds, warmupSeconds, connections, runs } = options;
  const kinds = (['bare', 'select', 'insert'] as const).filter((kind) => rows.some((row) => row.of === kind));
  const jobs = [
    ...kinds.map((kind) => ({
      ...limits[kind],
      name: LIMIT_NAMES[kind],
      expectedStatus: 200,
      toleratedStatus: undefined,
    })),
    ...rows.map((row) => ({ ...row, port: stack.apiPort, pid: stack.pids['api'] ?? 0 })),
  ];
  const figures: Figures = new Map(jobs.map(({ name }) => [name, []]));
  const log = createLogger('bench', 'warn');
  const system = new SystemDatabase({ url: stack.systemUrl, poolSize: 1, applicationName: 'bench', entities, log });
  for (let round = 1; round <= runs; round += 1) {
    for (const { name, port, pid, requests, expectedStatus, toleratedStatus } of jobs) {
      // The worker's, every 30 seconds: without it the lists would count all that the writes before them made.
      await foldWorkItems(system);
      await waitForQuiet(options);
      const job = { port, requests, expectedStatus, toleratedStatus, connections, warmupSeconds, seconds };
      const used = (): [number, number] => [cpuSeconds(pid), cpuSecondsOfFamily(stack.pids['postgres'] ?? 0)];
      const before = used();
      const result = await load.run(job).catch((error: unknown) => {
        throw new Error(`${name}: ${String(error)}`, { cause: error });
      });
      const [serverCpu, databaseCpu] = used().map(
        (after, index) => ((after - (before[index] ?? NaN)) / result.answered) * 1e6,
      ) as [number, number];
      figures.get(name)?.push({ ...result, serverCpu, databaseCpu });
    }
  }
  await system.close();
  return figures;
}

function print(rows: readonly Row[], figures: Figures): void {
  const of = (name: string, pick: (result: Figure) => number): number => median((figures.get(name) ?? []).map(pick));
  const perSecond = (name: string): number => of(name, (result) => result.requestsPerSecond);
  const cpuOf = (name: string): number => of(name, (result) => result.serverCpu);
  const lines = rows.map(({ name, operations, of: other, target }) => {
    const limit = other in LIMIT_NAMES ? LIMIT_NAMES[other as LimitKind] : other;
    const ours = perSecond(name) * operations;
    const theirs = perSecond(limit);
    const ratio = ours / theirs;
    const serverCpu = (of: string): number => cpuOf(of) / (of === name ? operations : 1);
    const byCpu = serverCpu(limit) / serverCpu(name);
    return [
      name,
      rate(ours),
      limit,
      rate(theirs),
      ratio.toFixed(2),
      byCpu.toFixed(2),
      `≥ ${target.toFixed(2)}`,
      verdict(ratio >= target),
    ];
  });
  printTable(['path', 'ours/s', 'limit', 'limit/s', 'ratio', 'by CPU', 'target', ''], lines);

  console.log('by CPU: the same ratio from the CPU time of the server processes alone, which other load moves less');

  const operations = new Map(rows.map((row) => [row.name, row.operations]));
  const details = [...figures.keys()].map((name) => [
    name,
    ms(of(name, (result) => result.p50)),
    ms(of(name, (result) => result.p95)),
    ms(of(name, (result) => result.p99)),
    (cpuOf(name) / (operations.get(name) ?? 1)).toFixed(0),
    (of(name, (result) => result.databaseCpu) / (operations.get(name) ?? 1)).toFixed(0),
  ]);
  printTable(['a request', 'p50 ms', 'p95 ms', 'p99 ms', 'server CPU µs/op', 'PostgreSQL CPU µs/op'], details);
}

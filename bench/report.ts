import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchOptions } from './options.ts';
import { LOAD_CORE, SERVER_CORE, canPin } from './pinned.ts';

/** What the figures were measured on: ratios from another machine, or from a busy one, say something else. */
export async function printMachine(options: BenchOptions): Promise<void> {
  const gigabytes = (totalmem() / 2 ** 30).toFixed(1);
  const busy = await busyShare(1_000);
  console.log(`bench ${options.area}, ${new Date().toISOString()}`);
  console.log(
    `machine: ${cpus()[0]?.model ?? 'unknown CPU'}, ${String(availableParallelism())} cores, ${gigabytes} GB, ` +
      `Node ${process.version}, ${process.platform} ${process.arch}, ${(busy * 100).toFixed(0)}% busy before`,
  );
  if (busy > 0.1) console.log('note: others use this machine; the figures are noisy');
}

/** How much of all cores' time others use, over the next `milliseconds`. */
async function busyShare(milliseconds: number): Promise<number> {
  const before = cpuTimes();
  await sleep(milliseconds);
  const after = cpuTimes();
  return 1 - (after.idle - before.idle) / Math.max(1, after.all - before.all);
}

function cpuTimes(): { idle: number; all: number } {
  const sums = cpus().map(({ times }) => ({ idle: times.idle, all: Object.values(times).reduce((a, b) => a + b, 0) }));
  return { idle: sums.reduce((sum, { idle }) => sum + idle, 0), all: sums.reduce((sum, { all }) => sum + all, 0) };
}

const QUIET_TIMEOUT_MS = 60_000;

/** With --quiet: waits until nobody else uses the machine, but not for ever. */
export async function waitForQuiet({ isQuiet }: BenchOptions): Promise<void> {
  if (!isQuiet) return;
  const deadline = Date.now() + QUIET_TIMEOUT_MS;
  while ((await busyShare(700)) > 0.1) {
    if (Date.now() < deadline) continue;
    console.log('note: the machine did not become idle; measuring all the same');
    return;
  }
}

export function printPinning(): void {
  console.log(
    canPin()
      ? `server on core ${String(SERVER_CORE)}, load on core ${String(LOAD_CORE)} (taskset), PostgreSQL on either`
      : 'not pinned: taskset and two cores are needed for that; the load takes time from the server',
  );
}

/** A table in columns; numbers to the right. */
export function printTable(header: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
  console.log(`\n${line(header)}\n${widths.map((width) => '-'.repeat(width)).join('  ')}`);
  for (const row of rows) console.log(line(row));
}

export const verdict = (isReached: boolean): string => (isReached ? 'reached' : 'BELOW');

export const rate = (value: number): string => Math.round(value).toLocaleString('en-US');

/** Milliseconds, with as many digits as matter. */
export const ms = (value: number): string => (Number.isFinite(value) ? value.toFixed(value < 10 ? 2 : 0) : '-');

/** Resident megabytes of a process; NaN where the system doesn't tell. */
export function residentMegabytes(pid: number): number {
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8')) ?? [];
    return Number(kilobytes) / 1024;
  } catch {
    return NaN;
  }
}

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode, messageOf } from './errors.ts';

/**
 * How the API and the platform worker are started, here and in the image. Left alone, V8 lets the young generation grow to
 * 3 × 64 MB under load, the old one to four times what is alive before it is collected, and makes what has once lived long
 * old from the start: requests that end at once then pile up, which costs both memory and time (`npm run bench data`).
 */
export const SERVICE_NODE_ARGS = [
  '--max-semi-space-size=16',
  '--heap-growing-percent=60',
  '--no-allocation-site-pretenuring',
] as const;

export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

export interface CommandOptions {
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  uid?: number;
  gid?: number;
  timeoutMs?: number;
}

const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

/** Runs a program to its end and returns what it said; a program that can't be started or is killed has code -1. */
export function runCommand(
  program: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  const { timeoutMs, ...rest } = options;
  return new Promise((resolve) => {
    execFile(
      program,
      args,
      { ...rest, timeout: timeoutMs ?? 0, maxBuffer: MAX_OUTPUT_BYTES },
      (error, stdout, stderr) => {
        if (error === null) {
          resolve({ code: 0, stdout, stderr });
          return;
        }
        const code = typeof error.code === 'number' ? error.code : -1;
        resolve({ code, stdout, stderr: stderr === '' ? error.message : stderr });
      },
    );
  });
}

/** To kill(2), 0 and negative numbers are groups of processes, -1 every process there is: never let one through. */
function isProcessId(pid: number): boolean {
  return Number.isSafeInteger(pid) && pid > 0;
}

/** Whether a process with this id runs (a zombie does not). */
export function isRunning(pid: number): boolean {
  if (!isProcessId(pid)) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it lives, and belongs to another user.
    if (errorCode(error) !== 'EPERM') return false;
  }
  return processStat(pid)?.state !== 'Z';
}

/**
 * What tells a process from a later one with the same id: its start time. Undefined where it can't be found out.
 * Process ids are reused soon in a container, so that an id alone proves nothing.
 */
export async function processIdentity(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') return processStat(pid)?.startTime;
  const { code, stdout } = await runCommand('ps', ['-o', 'lstart=', '-p', String(pid)]);
  return code === 0 && stdout.trim() !== '' ? stdout.trim() : undefined;
}

/** The command line of a running process, its arguments separated by spaces; empty when it can't be read. */
export async function commandLine(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    try {
      return readFileSync(`/proc/${String(pid)}/cmdline`, 'utf8')
        .replaceAll('\0', ' ')
        .trim();
    } catch {
      return '';
    }
  }
  const { stdout } = await runCommand('ps', ['-o', 'command=', '-p', String(pid)]);
  return stdout.trim();
}

function processStat(pid: number): { state: string; startTime: string } | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const text = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
    // The second field is the program's name in brackets, which may hold spaces and brackets itself.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', startTime: fields[19] ?? '' };
  } catch {
    return undefined;
  }
}

export interface StopStep {
  signal: NodeJS.Signals;
  waitMs: number;
}

/** Sends the signals one after the other, each with its time to take effect, until the process is gone. */
export async function stopProcess(pid: number, steps: readonly StopStep[]): Promise<void> {
  if (!isProcessId(pid)) return;
  for (const { signal, waitMs } of steps) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (errorCode(error) === 'ESRCH') return;
      throw new Error(`can't stop process ${String(pid)}: ${messageOf(error)}`, { cause: error });
    }
    const deadline = Date.now() + waitMs;
    while (Date.now() < deadline) {
      if (!isRunning(pid)) return;
      await sleep(10);
    }
  }
  if (isRunning(pid)) throw new Error(`process ${String(pid)} does not stop`);
}

/** Waits for the promise, but no longer than `waitMs`; answers whether it has settled. */
export async function settledWithin(promise: Promise<unknown>, waitMs: number): Promise<boolean> {
  const timeout = new AbortController();
  const settled = promise.then(
    () => true,
    () => true,
  );
  const answer = await Promise.race([settled, sleep(waitMs, false, { signal: timeout.signal }).catch(() => false)]);
  timeout.abort();
  return answer;
}

import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { REPOSITORY } from './run-stack.ts';

export interface SpawnedProcess {
  pid: number;
  /** What the process sent with `{ type: 'ready' }`. */
  ready: Record<string, unknown>;
  /** Base address, for a process that serves HTTP. */
  url: string;
  /** Everything it has written so far. */
  output(): string;
  /** Dies at once, as by the kernel's out-of-memory killer. */
  kill9(): Promise<void>;
  /** SIGTERM, and waits for its orderly end; returns the exit code. */
  stop(): Promise<number | null>;
}

export interface SpawnOptions {
  args?: readonly string[];
  readyTimeoutMs?: number;
}

const READY_TIMEOUT_MS = 45_000;
const STOP_TIMEOUT_MS = 30_000;

/** Children of this test process; none outlives it, however it ends. */
const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** Forks a real process entry (`api/server.ts`, `worker/main.ts`) and resolves when it says that it is ready. */
export async function spawnProcess(
  entry: string,
  env: Record<string, string>,
  options: SpawnOptions = {},
): Promise<SpawnedProcess> {
  const child = fork(join(REPOSITORY, entry), [...(options.args ?? [])], {
    cwd: REPOSITORY,
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...env },
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  children.add(child);
  let output = '';
  const collect = (chunk: Buffer): void => {
    output += chunk.toString('utf8');
  };
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  const exited = new Promise<number | null>((resolve) => {
    child.once('exit', (code) => {
      children.delete(child);
      resolve(code);
    });
  });
  const ready = await awaitReady(child, exited, entry, () => output, options.readyTimeoutMs ?? READY_TIMEOUT_MS);
  return {
    pid: child.pid ?? -1,
    ready,
    url: typeof ready['url'] === 'string' ? ready['url'] : '',
    output: () => output,
    async kill9() {
      child.kill('SIGKILL');
      await exited;
    },
    async stop() {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
      const code = await exited;
      clearTimeout(timer);
      return code;
    },
  };
}

function awaitReady(
  child: ChildProcess,
  exited: Promise<number | null>,
  entry: string,
  output: () => string,
  timeoutMs: number,
): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const fail = (what: string): void => {
      child.kill('SIGKILL');
      reject(new Error(`${entry} ${what}; it wrote:\n${output().slice(-4_000)}`));
    };
    const timer = setTimeout(() => {
      fail(`was not ready within ${String(timeoutMs / 1000)} s`);
    }, timeoutMs);
    child.on('message', (message) => {
      if (!isReadyMessage(message)) return;
      clearTimeout(timer);
      resolve(message);
    });
    void exited.then((code) => {
      clearTimeout(timer);
      fail(`ended with code ${String(code)} before it was ready`);
    });
  });
}

function isReadyMessage(message: unknown): message is Record<string, unknown> {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === 'ready';
}

import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from './errors.ts';
import { readTextFile } from './files.ts';

const START_MS = 180_000;
const POLL_MS = 200;

export interface Ready {
  api_url: string;
  receiver_url: string;
  demo: { email: string; password: string; api_key: string };
}

/** Runs `work` against a fresh stack on free ports, in a folder of its own, and stops it. */
export async function withOwnStack<Result>(
  { root, varDir, environment }: { root: string; varDir: string; environment: Record<string, string> },
  work: (ready: Ready) => Promise<Result>,
): Promise<Result> {
  rmSync(varDir, { recursive: true, force: true });
  const ports = { API_PORT: '0', PG_PORT: '0', TEMPORAL_PORT: '0', TEMPORAL_UI_PORT: '0', RECEIVER_PORT: '0' };
  const stack = spawn(process.execPath, [join(root, 'dev/start.ts')], {
    cwd: root,
    stdio: ['ignore', openSync(`${varDir}.log`, 'w'), 'inherit'],
    env: { ...process.env, ...ports, VAR_DIR: varDir, LOG_LEVEL: 'warn', ...environment },
  });
  try {
    return await work(await whenReady(stack, varDir));
  } finally {
    await stop(stack);
  }
}

async function whenReady(stack: ChildProcess, varDir: string): Promise<Ready> {
  const until = performance.now() + START_MS;
  while (performance.now() < until) {
    const text = readTextFile(join(varDir, 'ready.json'));
    if (text !== undefined) return JSON.parse(text) as Ready;
    if (stack.exitCode !== null)
      throw new StartError(`the stack ended with ${String(stack.exitCode)}: see ${varDir}.log`);
    await sleep(POLL_MS);
  }
  throw new StartError(`the stack was not ready within ${String(START_MS / 1000)} s`);
}

async function stop(stack: ChildProcess): Promise<void> {
  if (stack.exitCode !== null) return;
  const ended = once(stack, 'exit');
  stack.kill('SIGINT');
  await ended;
}

import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
export const SERVER_CORE = 0;
export const LOAD_CORE = 1;

export interface ScriptOptions {
  args?: readonly string[];
  env?: NodeJS.ProcessEnv;
  /** The one core it may use; any without. */
  core?: number;
  nodeArgs?: readonly string[];
}

export interface RunningScript {
  child: ChildProcess;
  pid: number;
  /** The message it said `{ type: 'ready' }` with. */
  ready: Record<string, unknown>;
  stop(): Promise<void>;
}

const READY_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 20_000;
const KEPT_OUTPUT = 8_000;

let pinning: boolean | undefined;

/** Whether processes can be held to a core here: Linux's taskset, and a second core to hold the load to. */
export function canPin(): boolean {
  pinning ??= availableParallelism() >= 2 && spawnSync('taskset', ['--version'], { stdio: 'ignore' }).status === 0;
  return pinning;
}

const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** Starts a script of this repository with an IPC channel and resolves when it says that it is ready. */
export async function runScript(script: string, options: ScriptOptions = {}): Promise<RunningScript> {
  const { args = [], env = process.env, core, nodeArgs = [] } = options;
  const command = [process.execPath, ...nodeArgs, join(ROOT, script), ...args];
  // taskset replaces itself by its command, so that the channel and the process id are the script's own.
  const pinned = core !== undefined && canPin() ? ['taskset', '-c', String(core), ...command] : command;
  const child = spawn(pinned[0] ?? '', pinned.slice(1), { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  children.add(child);
  let output = '';
  const keep = (chunk: Buffer): void => {
    output = (output + chunk.toString('utf8')).slice(-KEPT_OUTPUT);
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => {
      children.delete(child);
      resolve();
    });
  });
  const ready = await whenReady(child, exited, () => `${script} did not become ready; it wrote:\n${output}`);
  return {
    child,
    pid: child.pid ?? -1,
    ready,
    async stop() {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
      await exited;
      clearTimeout(timer);
      if (/"level":(?:50|60|"error"|"fatal")/.test(output)) console.log(`${script} reported errors:\n${output}`);
    },
  };
}

function whenReady(
  child: ChildProcess,
  exited: Promise<void>,
  problem: () => string,
): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const fail = (): void => {
      child.kill('SIGKILL');
      reject(new Error(problem()));
    };
    const timer = setTimeout(fail, READY_TIMEOUT_MS);
    child.on('message', (message) => {
      if (typeof message !== 'object' || !('type' in message) || message.type !== 'ready') return;
      clearTimeout(timer);
      resolve({ ...message });
    });
    void exited.then(() => {
      clearTimeout(timer);
      fail();
    });
  });
}

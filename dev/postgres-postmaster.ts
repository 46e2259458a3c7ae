import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from './errors.ts';
import { commandLine, isRunning, stopProcess } from './processes.ts';

interface PostmasterFile {
  pid: number;
  status: string;
}

/** Lines of postmaster.pid, as PostgreSQL documents them: 1 is the process id, 8 the status. */
function readPostmasterFile(dataDir: string): PostmasterFile | undefined {
  try {
    const lines = readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number(lines[0]), status: (lines[7] ?? '').trim() };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Whether the server with this process id takes connections. */
export function isReady(dataDir: string, pid: number): boolean {
  const file = readPostmasterFile(dataDir);
  return file?.pid === pid && file.status === 'ready';
}

/**
 * What an earlier stack left when it was killed: a server that still runs is shut down (its stack is gone, we hold the
 * lock); a file whose process id belongs to another program by now is removed, since PostgreSQL would refuse to start.
 */
export async function clearStalePostmaster(dataDir: string): Promise<void> {
  const file = readPostmasterFile(dataDir);
  if (file === undefined || !isRunning(file.pid)) return;
  const command = await commandLine(file.pid);
  if (command.includes('postgres') && command.includes(dataDir)) {
    await stopProcess(file.pid, [
      { signal: 'SIGINT', waitMs: 20_000 },
      { signal: 'SIGQUIT', waitMs: 5_000 },
      { signal: 'SIGKILL', waitMs: 5_000 },
    ]);
    return;
  }
  rmSync(join(dataDir, 'postmaster.pid'), { force: true });
}

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PAGE_BYTES = 4096;

/** Resident memory of a process in MB, or undefined when it is gone. */
export async function residentMb(pid: number): Promise<number | undefined> {
  try {
    if (process.platform === 'linux') {
      const fields = (await readFile(`/proc/${String(pid)}/statm`, 'utf8')).split(' ');
      return (Number(fields[1]) * PAGE_BYTES) / 1e6;
    }
    const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)]);
    return (Number(stdout.trim()) * 1024) / 1e6;
  } catch {
    return undefined;
  }
}

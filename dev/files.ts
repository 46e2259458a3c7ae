import { chmodSync, mkdirSync, openSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorCode } from './errors.ts';

const MAX_LOG_BYTES = 20 * 1024 * 1024;

/** Writes a file as a whole or not at all, readable by its owner only. */
export function writePrivateFile(path: string, content: string): void {
  makePrivateFolder(dirname(path), false);
  const draft = `${path}.${String(process.pid)}.tmp`;
  writeFileSync(draft, content, { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, path);
}

/** Makes the folder; `secret` closes it to everyone but its owner, also where it existed before. */
export function makePrivateFolder(path: string, secret = true): void {
  mkdirSync(path, { recursive: true, mode: secret ? 0o700 : 0o755 });
  if (secret) chmodSync(path, 0o700);
}

/** Runs `work` under another umask; it must not wait for anything, since the umask is the whole process's. */
export function withUmask<T>(umask: number, work: () => T): T {
  const before = process.umask(umask);
  try {
    return work();
  } finally {
    process.umask(before);
  }
}

/** The text of a file, or undefined when there is none. */
export function readTextFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Path of a process's log; a log grown over 20 MB is set aside as `.1` first. */
export function logPath(varDir: string, name: string): string {
  const folder = join(varDir, 'log');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.log`);
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG_BYTES) renameSync(path, `${path}.1`);
  return path;
}

/** Opens a process's log to append to. */
export function openLog(varDir: string, name: string): { path: string; fd: number } {
  const path = logPath(varDir, name);
  return { path, fd: openSync(path, 'a', 0o640) };
}

/** The last lines of a text file. */
export function lastLines(path: string, count: number, fromByte = 0): string[] {
  const text = readFileSync(path).subarray(fromByte).toString('utf8');
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-count);
}

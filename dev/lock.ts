import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode } from './errors.ts';
import { isRunning, processIdentity } from './processes.ts';

export interface LockOwner {
  pid: number;
  /** Start time of the process, so that a later process with the same id is not taken for it. */
  identity?: string;
}

export interface Lock {
  release(): void;
}

const ATTEMPTS = 20;

/**
 * Takes the lock file at `path` for this process; returns the living owner when another has it. A lock whose owner is
 * gone (kill -9, power cut) is taken over.
 */
export async function acquireLock(path: string): Promise<Lock | { heldBy: LockOwner }> {
  mkdirSync(dirname(path), { recursive: true });
  const identity = await processIdentity(process.pid);
  const mine: LockOwner = identity === undefined ? { pid: process.pid } : { pid: process.pid, identity };
  const draft = `${path}.${String(process.pid)}.${String(performance.now())}`;
  writeFileSync(draft, JSON.stringify(mine), { mode: 0o644 });
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      if (tryLink(draft, path))
        return {
          release: () => {
            releaseLock(path, mine);
          },
        };
      const owner = readOwner(path);
      if (owner !== undefined && (await ownerLives(owner))) return { heldBy: owner };
      removeStale(path, owner);
    }
    throw new Error(`the lock ${path} can't be taken: it is made and removed again and again`);
  } finally {
    rmSync(draft, { force: true });
  }
}

async function ownerLives(owner: LockOwner): Promise<boolean> {
  if (!isRunning(owner.pid)) return false;
  const identity = await processIdentity(owner.pid);
  return owner.identity === undefined || identity === undefined || owner.identity === identity;
}

/** link(2) is atomic and fails when the name exists; the file has its content from the first moment on. */
function tryLink(draft: string, path: string): boolean {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

function readOwner(path: string): LockOwner | undefined {
  try {
    const owner = JSON.parse(readFileSync(path, 'utf8')) as Partial<LockOwner>;
    return typeof owner.pid === 'number' ? { ...owner, pid: owner.pid } : undefined;
  } catch {
    return undefined;
  }
}

/** Two processes may find the same stale lock: each moves away what it sees, and puts back what was not the stale one. */
function removeStale(path: string, stale: LockOwner | undefined): void {
  const aside = `${path}.stale.${String(process.pid)}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  if (JSON.stringify(readOwner(aside)) !== JSON.stringify(stale)) tryLink(aside, path);
  rmSync(aside, { force: true });
}

function releaseLock(path: string, mine: LockOwner): void {
  if (JSON.stringify(readOwner(path)) === JSON.stringify(mine)) rmSync(path, { force: true });
}

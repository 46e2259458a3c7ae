import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { StartError, messageOf } from './errors.ts';
import { readTextFile, withUmask, writePrivateFile } from './files.ts';
import { canRun, canUseFolder, postgresAccount } from './postgres-account.ts';
import type { Account } from './postgres-account.ts';
import { copyBinaries, packagedBinaries } from './postgres-binaries.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';

/** Where a stack's PostgreSQL lives and whom it runs as. */
export interface PostgresLocation {
  account: Account;
  binaries: PostgresBinaries;
  dataDir: string;
}

/** Folders outside a home that last (unlike /tmp, which systems clean), for what user postgres can't reach under var/. */
const OUTSIDE_FOLDERS = [
  '/var/lib/business-platform',
  '/usr/local/var/business-platform',
  '/var/tmp/business-platform',
];

/**
 * Data and binaries stay in `varDir` and `node_modules` where PostgreSQL's user can reach them. Where it can't (root,
 * in a clone under /root, say), both are put into a folder outside, and `var/postgres/location.json` tells where.
 */
export async function locatePostgres(varDir: string): Promise<PostgresLocation> {
  const home = resolve(varDir, 'postgres');
  const pointer = join(home, 'location.json');
  mkdirSync(home, { recursive: true, mode: 0o755 });
  const packaged = packagedBinaries();
  const outside = readPointer(pointer);
  if (outside !== undefined) return await outsideLocation(packaged, outside);

  const dataDir = join(home, 'data');
  const account = await postgresAccount(dataDir);
  if (account.uid === undefined) return { account, binaries: packaged, dataDir };
  giveTo(account, home);
  const [reachable, runnable] = await Promise.all([
    canUseFolder(account, home),
    canRun(account, join(packaged.root, 'bin', 'postgres')),
  ]);
  if (reachable && runnable) return { account, binaries: packaged, dataDir };
  if (reachable) return { account, binaries: copyBinaries(packaged, home), dataDir };
  if (existsSync(dataDir)) {
    throw new StartError(
      `PostgreSQL runs as user ${String(account.uid)}, which can no longer enter ${home}, where the data is. ` +
        'Let it through (chmod o+x on each folder above it) or move the clone back.',
    );
  }
  const folder = makeOutsideFolder(home);
  writePrivateFile(pointer, `${JSON.stringify({ folder })}\n`);
  return await outsideLocation(packaged, folder);
}

async function outsideLocation(packaged: PostgresBinaries, folder: string): Promise<PostgresLocation> {
  const dataDir = join(folder, 'data');
  if (!existsSync(folder)) {
    throw new StartError(
      `The database's folder ${folder} is gone (var/postgres/location.json names it). Restore it, or start with new ` +
        'data: move the var/ folder away.',
    );
  }
  const account = await postgresAccount(dataDir);
  giveTo(account, folder);
  return { account, binaries: copyBinaries(packaged, folder), dataDir };
}

function readPointer(path: string): string | undefined {
  const text = readTextFile(path);
  if (text === undefined) return undefined;
  try {
    return (JSON.parse(text) as { folder: string }).folder;
  } catch {
    throw new StartError(`${path} can't be read. It should hold {"folder": "<where the database is>"}.`);
  }
}

function makeOutsideFolder(home: string): string {
  const problems: string[] = [];
  for (const parent of OUTSIDE_FOLDERS) {
    try {
      // PostgreSQL's user goes through it, whatever our umask is.
      withUmask(0o022, () => mkdirSync(parent, { recursive: true, mode: 0o755 }));
      // Root runs what lies there, so nobody else may have made or be able to change it.
      const { uid, mode } = statSync(parent);
      if (uid !== 0 || (mode & 0o022) !== 0) throw new Error(`${parent} is not root's alone`);
      // A name of its own: what an earlier clone at the same place left there is not this one's.
      const folder = mkdtempSync(join(parent, 'stack-'));
      chmodSync(folder, 0o755);
      return folder;
    } catch (error) {
      problems.push(messageOf(error));
    }
  }
  throw new StartError(
    `PostgreSQL's user can't enter ${home}, and no folder outside could be made (${problems.join('; ')}). ` +
      'Move the clone to a folder that every user can enter, or set DATABASE_URL.',
  );
}

function giveTo(account: Account, folder: string): void {
  if (account.uid === undefined || account.gid === undefined) return;
  chownSync(folder, account.uid, account.gid);
}

import { statSync } from 'node:fs';
import { StartError } from './errors.ts';
import { runCommand } from './processes.ts';

/** The user that PostgreSQL runs as; empty for "this one". PostgreSQL refuses to run as root. */
export interface Account {
  uid?: number;
  gid?: number;
}

/**
 * This user, or, for root, the owner of an existing data folder, else the system's user `postgres`, which is made when
 * there is none, else `nobody` (a system without useradd).
 */
export async function postgresAccount(dataDir: string): Promise<Account> {
  if (process.getuid?.() !== 0) return {};
  const owner = statSync(dataDir, { throwIfNoEntry: false });
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const existing = await lookUp('postgres');
  if (existing !== undefined) return existing;
  await runCommand('useradd', [
    '--system',
    '--user-group',
    '--no-create-home',
    '--shell',
    '/usr/sbin/nologin',
    'postgres',
  ]);
  const account = (await lookUp('postgres')) ?? (await lookUp('nobody'));
  if (account !== undefined) return account;
  throw new StartError(
    'PostgreSQL does not run as root, and a user "postgres" could be neither found nor made. ' +
      'Make one (useradd --system postgres), run npm start as an ordinary user, or set DATABASE_URL.',
  );
}

async function lookUp(name: string): Promise<Account | undefined> {
  const [uid, gid] = await Promise.all([runCommand('id', ['-u', name]), runCommand('id', ['-g', name])]);
  if (uid.code !== 0 || gid.code !== 0) return undefined;
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

/** Whether `account` can go into `folder` and write there. */
export async function canUseFolder(account: Account, folder: string): Promise<boolean> {
  const { code } = await runCommand('/bin/sh', ['-c', 'cd "$1" && [ -w . ]', 'sh', folder], { ...account, cwd: '/' });
  return code === 0;
}

/** Whether `account` can run the program. */
export async function canRun(account: Account, program: string): Promise<boolean> {
  const { code } = await runCommand(program, ['--version'], { ...account, cwd: '/' });
  return code === 0;
}

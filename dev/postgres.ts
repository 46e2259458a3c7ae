import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  chownSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from './errors.ts';
import { lastLines, openLog } from './files.ts';
import { acquireLock } from './lock.ts';
import { claimPort } from './ports.ts';
import { locatePostgres } from './postgres-location.ts';
import type { PostgresLocation } from './postgres-location.ts';
import { clearStalePostmaster, isReady } from './postgres-postmaster.ts';
import { DATABASE_NAME, SUPERUSER, ensureRolesAndDatabase, rolePasswords, roleUrl } from './postgres-roles.ts';
import type { RolePasswords } from './postgres-roles.ts';
import { runCommand, settledWithin, stopProcess } from './processes.ts';

export interface PostgresOptions {
  varDir: string;
  /** 0 takes a free one. */
  port: number;
}

export interface RunningPostgres {
  /** Role `owner`: owns the database and its tables; for migrations. */
  ownerUrl: string;
  /** Role `app`: row-level security holds it to one tenant at a time. */
  appUrl: string;
  /** Role `system`: pre-authentication look-ups, relay and maintenance. */
  systemUrl: string;
  /** The superuser, for making databases; no process of ours gets it. */
  superuserUrl: string;
  port: number;
  pid: number;
  dataDir: string;
  /** Settles when the server's process is gone, wanted or not. */
  exited: Promise<void>;
  stop(): Promise<void>;
}

/** Tuned for a small machine; nothing here trades away durability (fsync and synchronous_commit stay on). */
const SETTINGS: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '128MB',
  effective_cache_size: '1GB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  wal_buffers: '8MB',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  random_page_cost: '1.1',
  max_parallel_workers_per_gather: '1',
  autovacuum_naptime: '20s',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] %q%u@%d ',
  log_checkpoints: 'off',
};

const START_TIMEOUT_MS = 60_000;
const POLL_MS = 15;
/** A postmaster that was killed leaves children behind, which hold its shared memory for a moment. */
const ORPHANED_CHILDREN_MS = 10_000;

/** Starts the embedded PostgreSQL of `varDir`, making database, roles and passwords at the first start. */
export async function startPostgres({ varDir, port: wanted }: PostgresOptions): Promise<RunningPostgres> {
  const location = await locatePostgres(varDir);
  // Beside the data, which may lie outside var/, where a copy of var/ would point to it as well.
  const lock = await acquireLock(join(dirname(location.dataDir), 'owner.lock'));
  if ('heldBy' in lock) {
    throw new StartError(
      `The database of ${varDir} is in use by another stack (process ${String(lock.heldBy.pid)}). Stop that one, or give this one a VAR_DIR of its own.`,
    );
  }
  try {
    const passwords = rolePasswords(varDir, location.dataDir);
    if (existsSync(location.dataDir)) checkDataDir(location);
    else await initialise(location, passwords);
    await clearStalePostmaster(location.dataDir);
    const server = await launch(varDir, location, wanted);
    const running = describe(server, location.dataDir, passwords, () => {
      lock.release();
    });
    await ensureRolesAndDatabase(server.port, passwords).catch(async (error: unknown) => {
      await running.stop();
      throw error;
    });
    return running;
  } catch (error) {
    lock.release();
    throw error;
  }
}

interface Server {
  child: ChildProcess;
  pid: number;
  port: number;
  exited: Promise<void>;
}

function describe(server: Server, dataDir: string, passwords: RolePasswords, unlock: () => void): RunningPostgres {
  const exited = server.exited.then(unlock);
  return {
    ownerUrl: roleUrl('owner', passwords, server.port),
    appUrl: roleUrl('app', passwords, server.port),
    systemUrl: roleUrl('system', passwords, server.port),
    superuserUrl: roleUrl(SUPERUSER, passwords, server.port, DATABASE_NAME),
    port: server.port,
    pid: server.pid,
    dataDir,
    exited,
    // SIGINT is PostgreSQL's fast shutdown, SIGQUIT its immediate one (it recovers from its log at the next start).
    async stop() {
      await stopProcess(server.pid, [
        { signal: 'SIGINT', waitMs: 20_000 },
        { signal: 'SIGQUIT', waitMs: 5_000 },
        { signal: 'SIGKILL', waitMs: 5_000 },
      ]);
      await exited;
    },
  };
}

/** initdb into a folder beside, renamed when complete, so that a start cut off half-way leaves no half database. */
async function initialise({ account, binaries, dataDir }: PostgresLocation, passwords: RolePasswords): Promise<void> {
  const draft = `${dataDir}.new`;
  rmSync(draft, { recursive: true, force: true });
  const folder = mkdtempSync(join(tmpdir(), 'business-platform-'));
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, `${passwords[SUPERUSER]}\n`, { mode: 0o600 });
  if (account.uid !== undefined && account.gid !== undefined) {
    for (const path of [folder, passwordFile]) chownSync(path, account.uid, account.gid);
  }
  // The built-in locale sorts and compares the same on every machine, whatever the system's C library is.
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const args = [
    `--pgdata=${draft}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    ...locale,
  ];
  const result = await runCommand(join(binaries.root, 'bin', 'initdb'), args, {
    ...account,
    cwd: '/',
    env: serverEnvironment(),
  });
  rmSync(folder, { recursive: true, force: true });
  if (result.code !== 0) {
    rmSync(draft, { recursive: true, force: true });
    throw new StartError(
      `PostgreSQL's data folder ${dataDir} could not be made:\n${indent(result.stderr || result.stdout)}`,
    );
  }
  renameSync(draft, dataDir);
}

function checkDataDir({ dataDir, binaries }: PostgresLocation): void {
  const versionFile = join(dataDir, 'PG_VERSION');
  const found = existsSync(versionFile) ? readFileSync(versionFile, 'utf8').trim() : undefined;
  const needed = binaries.version.split('.')[0];
  if (found === needed) return;
  const what =
    found === undefined
      ? 'is no PostgreSQL data folder'
      : `was made by PostgreSQL ${found}, and this is ${String(needed)}`;
  throw new StartError(`${dataDir} ${what}. ${keepOrMove(dataDir)}`);
}

async function launch(varDir: string, location: PostgresLocation, wanted: number): Promise<Server> {
  const deadline = Date.now() + ORPHANED_CHILDREN_MS;
  for (;;) {
    const port = await claimPort(wanted, 'PG_PORT', 'PostgreSQL');
    const log = openLog(varDir, 'postgres');
    const logStart = statSync(log.path).size;
    const server = spawnServer(location, port, log.fd);
    closeSync(log.fd);
    if (await becomesReady(server, location.dataDir)) return server;
    const said = lastLines(log.path, 8, logStart);
    const mayPass = said.some((line) => /shared memory block|lock file|Address already in use/.test(line));
    if (mayPass && Date.now() < deadline) {
      await sleep(250);
      continue;
    }
    throw new StartError(
      `PostgreSQL does not start on ${location.dataDir}. It said (${log.path}):\n${indent(said.join('\n'))}\n${keepOrMove(location.dataDir)}`,
    );
  }
}

function spawnServer({ account, binaries, dataDir }: PostgresLocation, port: number, logFd: number): Server {
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  // Detached: a Ctrl-C at the console must not reach the database before the processes that still use it.
  const child = spawn(join(binaries.root, 'bin', 'postgres'), ['-D', dataDir, '-p', String(port), ...settings], {
    ...account,
    cwd: '/',
    env: serverEnvironment(),
    detached: true,
    stdio: ['ignore', logFd, logFd],
  });
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => {
      resolve();
    });
    child.once('error', () => {
      resolve();
    });
  });
  return { child, pid: child.pid ?? -1, port, exited };
}

async function becomesReady(server: Server, dataDir: string): Promise<boolean> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    if (isReady(dataDir, server.pid)) return true;
    if (await settledWithin(server.exited, POLL_MS)) return false;
  }
  await stopProcess(server.pid, [
    { signal: 'SIGINT', waitMs: 10_000 },
    { signal: 'SIGKILL', waitMs: 5_000 },
  ]);
  return false;
}

/** Neither PG* variables nor locales of the caller may change what the server does. */
function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' };
}

function keepOrMove(dataDir: string): string {
  return `Nothing was changed there. To start with new data, move it away: mv '${dataDir}' '${dataDir}.aside'`;
}

function indent(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
}

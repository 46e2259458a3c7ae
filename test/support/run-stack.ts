import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { acquireLock } from '../../dev/lock.ts';
import { startPostgres } from '../../dev/postgres.ts';
import type { RunningPostgres } from '../../dev/postgres.ts';
import { runCommand, stopProcess } from '../../dev/processes.ts';
import { ensureSecrets } from '../../dev/secrets.ts';
import { startTemporal } from '../../dev/temporal.ts';
import type { RunningTemporal } from '../../dev/temporal.ts';

export const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));

/** The addresses that global-setup hands to the tests, as one environment variable. */
export const STACK_VARIABLE = 'TEST_STACK';

export interface StackAddresses {
  ownerUrl: string;
  appUrl: string;
  systemUrl: string;
  superuserUrl: string;
  /** Name of the database with all migrations applied that the tests' databases are copied from. */
  template: string;
  temporalAddress: string;
  secrets: Record<string, string>;
  varDir: string;
  /** For what the test files of one run share; empty when the run begins. */
  runFolder: string;
}

export interface RunStack {
  addresses: StackAddresses;
  stop(): Promise<void>;
}

const TEST_DATABASE_PREFIX = 'test_';
const TEMPLATE_PREFIX = 'template_';
const MAX_STACKS = 16;

/**
 * Starts what one test run shares. Its folder under var/test stays for the next run (a warm start takes a tenth of the
 * time), and so a crashed run leaves nothing behind that the next doesn't clear; runs side by side take a folder each.
 */
export async function startRunStack(): Promise<RunStack> {
  const { varDir, release } = await takeFolder();
  rmSync(join(varDir, 'temporal', 'temporal.sqlite'), { force: true });
  const [postgres, temporal] = await Promise.allSettled([
    startPostgres({ varDir, port: 0 }),
    startTemporal({
      varDir,
      port: 0,
      uiPort: 0,
      log: (line) => {
        process.stderr.write(`${line}\n`);
      },
    }),
  ]);
  const stop = async (): Promise<void> => {
    // Temporal's data is thrown away, so that its orderly end (1.5 s) would be for nothing.
    if (temporal.status === 'fulfilled') await stopProcess(temporal.value.pid, [{ signal: 'SIGKILL', waitMs: 5_000 }]);
    if (postgres.status === 'fulfilled') await postgres.value.stop();
    release();
  };
  try {
    if (postgres.status === 'rejected') throw postgres.reason;
    if (temporal.status === 'rejected') throw temporal.reason;
    return { addresses: await describe(varDir, postgres.value, temporal.value), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function describe(varDir: string, postgres: RunningPostgres, temporal: RunningTemporal): Promise<StackAddresses> {
  const { ownerUrl, appUrl, systemUrl, superuserUrl } = postgres;
  await trustTheKernel(superuserUrl);
  const template = await prepareTemplate(superuserUrl, ownerUrl);
  const { secrets } = ensureSecrets(varDir, {});
  const runFolder = join(varDir, 'run');
  rmSync(runFolder, { recursive: true, force: true });
  mkdirSync(runFolder);
  return {
    ownerUrl,
    appUrl,
    systemUrl,
    superuserUrl,
    template,
    temporalAddress: temporal.address,
    secrets: { ...secrets },
    varDir,
    runFolder,
  };
}

/**
 * Each test file copies a database of 13 MB, which takes seconds where all of it must reach the disk. The data of tests
 * need only outlive a process, not the machine; tests about that start a PostgreSQL of their own.
 */
async function trustTheKernel(superuserUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    await client.query('alter system set fsync = off');
    await client.query('alter system set full_page_writes = off');
    await client.query('select pg_reload_conf()');
  } finally {
    await client.end();
  }
}

async function takeFolder(): Promise<{ varDir: string; release: () => void }> {
  for (let slot = 1; slot <= MAX_STACKS; slot += 1) {
    const varDir = join(REPOSITORY, 'var', 'test', `stack-${String(slot)}`);
    mkdirSync(varDir, { recursive: true });
    const lock = await acquireLock(join(varDir, 'run.lock'));
    if (!('heldBy' in lock))
      return {
        varDir,
        release: () => {
          lock.release();
        },
      };
  }
  throw new Error(`more than ${String(MAX_STACKS)} test runs at once`);
}

/** The same server, another database. */
export function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.toString();
}

/** Drops what earlier runs left and returns the database with today's migrations, making it when they have changed. */
async function prepareTemplate(superuserUrl: string, ownerUrl: string): Promise<string> {
  const template = `${TEMPLATE_PREFIX}${migrationsHash()}`;
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ datname: string }>('select datname from pg_database where datname ~ $1', [
      `^(${TEST_DATABASE_PREFIX}|${TEMPLATE_PREFIX})`,
    ]);
    const existing = rows.map((row) => row.datname);
    for (const name of existing) if (name !== template) await client.query(`drop database ${name} with (force)`);
    if (existing.includes(template)) return template;
    const draft = `${TEST_DATABASE_PREFIX}draft_of_template`;
    await client.query(`create database ${draft} owner owner`);
    await migrate(withDatabase(ownerUrl, draft));
    await client.query(`alter database ${draft} rename to ${template}`);
    return template;
  } finally {
    await client.end();
  }
}

async function migrate(ownerUrl: string): Promise<void> {
  const env = { ...process.env, DATABASE_OWNER_URL: ownerUrl };
  const { code, stderr } = await runCommand(process.execPath, [join(REPOSITORY, 'platform/db/migrate.ts')], { env });
  if (code !== 0) throw new Error(`the migrations for the test template failed:\n${stderr}`);
}

function migrationsHash(): string {
  const folder = join(REPOSITORY, 'platform/db/migrations');
  const hash = createHash('sha256');
  for (const name of readdirSync(folder).sort()) hash.update(name).update(readFileSync(join(folder, name)));
  return hash.digest('hex').slice(0, 16);
}

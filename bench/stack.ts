import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { StartError } from '../dev/errors.ts';
import { startPostgres } from '../dev/postgres.ts';
import { API_NODE_ARGS, runCommand } from '../dev/processes.ts';
import { ensureSecrets } from '../dev/secrets.ts';
import { startTemporal } from '../dev/temporal.ts';
import { ROOT, runScript } from './pinned.ts';
import type { RunningScript } from './pinned.ts';

export interface StackOptions {
  workers: readonly ('platform' | 'documents')[];
  /** The core that the API is held to; any without. */
  apiCore?: number;
  profileDir?: string | undefined;
  /** Whether the rate limiter is on; off where a few keys carry all the load. */
  isLimited?: boolean;
}

export interface BenchStack {
  ownerUrl: string;
  appUrl: string;
  systemUrl: string;
  masterKey: string;
  apiUrl: string;
  apiPort: number;
  pids: Record<string, number>;
  stop(): Promise<void>;
}

const DATABASE_PREFIX = 'bench_';

/** Everything that was started, stopped in the opposite order. */
class Started {
  readonly #stops: (() => Promise<unknown>)[] = [];

  add(stop: () => Promise<unknown>): void {
    this.#stops.unshift(stop);
  }

  async stop(): Promise<void> {
    for (const stop of this.#stops.splice(0)) await stop().catch((error: unknown) => console.error(error));
  }
}

/**
 * The real processes on an embedded PostgreSQL (fsync on) and Temporal in var/bench, and a database that is new in each
 * run, so that no run pays for the rows of the one before.
 */
export async function startStack(options: StackOptions): Promise<BenchStack> {
  const started = new Started();
  try {
    return await launch(options, started);
  } catch (error) {
    await started.stop();
    throw error;
  }
}

async function launch(options: StackOptions, started: Started): Promise<BenchStack> {
  const varDir = join(ROOT, 'var', 'bench');
  mkdirSync(varDir, { recursive: true });
  const postgres = await startPostgres({ varDir, port: 0 });
  started.add(() => postgres.stop());
  const database = await createDatabase(postgres.superuserUrl);
  const [ownerUrl, appUrl, systemUrl] = [postgres.ownerUrl, postgres.appUrl, postgres.systemUrl].map((url) =>
    withDatabase(url, database),
  ) as [string, string, string];
  await migrate(ownerUrl);
  const { secrets } = ensureSecrets(varDir, {});
  const env: NodeJS.ProcessEnv = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    ...secrets,
    NODE_ENV: 'production',
    LOG_LEVEL: 'warn',
    API_PORT: '0',
    DATABASE_APP_URL: appUrl,
    DATABASE_SYSTEM_URL: systemUrl,
    TEMPORAL_TASK_QUEUE_PREFIX: `${database}-`,
    BLOB_DIR: join(varDir, 'blobs', database),
    WORKFLOW_BUNDLE_DIR: join(varDir, 'cache'),
    ALLOW_PRIVATE_TARGETS: 'true',
    RATE_LIMIT_DISABLED: String(options.isLimited !== true),
  };
  const pids: Record<string, number> = { postgres: postgres.pid };
  if (options.workers.length > 0) {
    const temporal = await startTemporal({ varDir, port: 0, uiPort: 0, log: (line) => console.log(line) });
    started.add(() => temporal.stop());
    env['TEMPORAL_ADDRESS'] = temporal.address;
    pids['temporal'] = temporal.pid;
  }
  for (const queue of options.workers) {
    const worker = await runScript('worker/main.ts', { args: ['--queue', queue], env });
    started.add(() => worker.stop());
    pids[`worker ${queue}`] = worker.pid;
  }
  const api = await startApi(options, env);
  started.add(() => api.stop());
  pids['api'] = api.pid;
  const apiUrl = String(api.ready['url']);
  const apiPort = Number(new URL(apiUrl).port);
  const { MASTER_KEY: masterKey } = secrets;
  return { ownerUrl, appUrl, systemUrl, masterKey, apiUrl, apiPort, pids, stop: () => started.stop() };
}

function startApi({ apiCore, profileDir }: StackOptions, env: NodeJS.ProcessEnv): Promise<RunningScript> {
  const profiling = profileDir === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDir}`];
  const nodeArgs = [...API_NODE_ARGS, ...profiling];
  return runScript('api/server.ts', { env, nodeArgs, ...(apiCore === undefined ? {} : { core: apiCore }) });
}

async function createDatabase(superuserUrl: string): Promise<string> {
  const name = `${DATABASE_PREFIX}${randomBytes(4).toString('hex')}`;
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ datname: string }>('select datname from pg_database where datname ~ $1', [
      `^${DATABASE_PREFIX}`,
    ]);
    for (const { datname } of rows) await client.query(`drop database ${datname} with (force)`);
    await client.query(`create database ${name} owner owner`);
    return name;
  } finally {
    await client.end();
  }
}

async function migrate(ownerUrl: string): Promise<void> {
  const env = { ...process.env, DATABASE_OWNER_URL: ownerUrl };
  const { code, stderr } = await runCommand(process.execPath, [join(ROOT, 'platform/db/migrate.ts')], { env });
  if (code !== 0) throw new StartError(`the migrations failed:\n${stderr}`);
}

function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.toString();
}

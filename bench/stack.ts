import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { StartError } from '../dev/errors.ts';
import { startPostgres } from '../dev/postgres.ts';
import { runCommand, SERVICE_NODE_ARGS } from '../dev/processes.ts';
import { ensureSecrets } from '../dev/secrets.ts';
import type { Secrets } from '../dev/secrets.ts';
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

/** A process of the stack that a run may kill. */
export type StackPart = 'api' | 'worker' | 'temporal' | 'postgres';

export interface BenchStack {
  superuserUrl: string;
  ownerUrl: string;
  appUrl: string;
  systemUrl: string;
  masterKey: string;
  apiUrl: string;
  apiPort: number;
  /** Where the server of Temporal is; empty without workers. */
  temporalAddress: string;
  /** Log of PostgreSQL. */
  postgresLog: string;
  /** Of the processes that run now. */
  pids: Record<string, number>;
  /** Starts one more documents worker, with one child process, held to a core. */
  startDocuments(core: number): Promise<RunningScript>;
  /** Ends a process as a crash would. */
  kill(part: StackPart): void;
  /** Starts a killed process again, where it was. */
  restart(part: StackPart): Promise<void>;
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
  const parts = new Parts(started);
  const postgres = await parts.start('postgres', (port) => startPostgres({ varDir, port }));
  const database = await createDatabase(postgres.superuserUrl);
  const [ownerUrl, appUrl, systemUrl, superuserUrl] = [
    postgres.ownerUrl,
    postgres.appUrl,
    postgres.systemUrl,
    postgres.superuserUrl,
  ].map((url) => withDatabase(url, database)) as [string, string, string, string];
  await migrate(ownerUrl);
  const { secrets } = ensureSecrets(varDir, {});
  const env = environment(options, { varDir, database, secrets, appUrl, systemUrl });
  if (options.workers.length > 0) {
    const log = (line: string): void => console.log(line);
    const temporal = await parts.start('temporal', (port) => startTemporal({ varDir, port, uiPort: 0, log }));
    env['TEMPORAL_ADDRESS'] = temporal.address;
  }
  for (const queue of options.workers) {
    await parts.start(queue === 'platform' ? 'worker' : 'worker documents', () =>
      runScript('worker/main.ts', {
        args: ['--queue', queue],
        env,
        nodeArgs: queue === 'platform' ? SERVICE_NODE_ARGS : [],
      }),
    );
  }
  const api = await parts.start('api', (port) => startApi(options, { ...env, API_PORT: String(port) }));
  const apiUrl = String(api.ready['url']);
  const { MASTER_KEY: masterKey } = secrets;
  return {
    superuserUrl,
    ownerUrl,
    appUrl,
    systemUrl,
    masterKey,
    apiUrl,
    apiPort: Number(new URL(apiUrl).port),
    temporalAddress: env['TEMPORAL_ADDRESS'] ?? '',
    postgresLog: join(varDir, 'log', 'postgres.log'),
    pids: parts.pids,
    startDocuments: (core) =>
      runScript('worker/main.ts', {
        args: ['--queue', 'documents'],
        env: { ...env, DOCUMENT_PROCESSES: '1' },
        core,
      }),
    kill: (part) => process.kill(parts.pids[part] ?? -1, 'SIGKILL'),
    restart: (part) => parts.restart(part),
    stop: () => started.stop(),
  };
}

interface Part {
  pid: number;
  port?: number;
  stop(): Promise<void>;
}

/** The processes by name, each with how it is started again on the port that it has. */
class Parts {
  readonly pids: Record<string, number> = {};
  readonly #started: Started;
  readonly #restarts = new Map<string, () => Promise<void>>();

  constructor(started: Started) {
    this.#started = started;
  }

  async start<P extends Part>(name: string, launchOn: (port: number) => Promise<P>): Promise<P> {
    const first = await launchOn(0);
    let running = first;
    const port = first.port ?? 0;
    this.pids[name] = first.pid;
    this.#restarts.set(name, async () => {
      running = await launchOn(port);
      this.pids[name] = running.pid;
    });
    this.#started.add(() => running.stop());
    return first;
  }

  async restart(name: string): Promise<void> {
    await this.#restarts.get(name)?.();
  }
}

function environment(
  options: StackOptions,
  facts: { varDir: string; database: string; secrets: Secrets; appUrl: string; systemUrl: string },
): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    ...facts.secrets,
    NODE_ENV: 'production',
    LOG_LEVEL: 'warn',
    API_PORT: '0',
    DATABASE_APP_URL: facts.appUrl,
    DATABASE_SYSTEM_URL: facts.systemUrl,
    TEMPORAL_TASK_QUEUE_PREFIX: `${facts.database}-`,
    BLOB_DIR: join(facts.varDir, 'blobs', facts.database),
    WORKFLOW_BUNDLE_DIR: join(facts.varDir, 'cache'),
    // As `npm start` has it.
    NODE_COMPILE_CACHE: join(facts.varDir, 'cache', 'modules'),
    ALLOW_PRIVATE_TARGETS: 'true',
    RATE_LIMIT_DISABLED: String(options.isLimited !== true),
  };
}

async function startApi(
  { apiCore, profileDir }: StackOptions,
  env: NodeJS.ProcessEnv,
): Promise<RunningScript & { port: number }> {
  const profiling = profileDir === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDir}`];
  const nodeArgs = [...SERVICE_NODE_ARGS, ...profiling];
  const api = await runScript('api/server.ts', { env, nodeArgs, ...(apiCore === undefined ? {} : { core: apiCore }) });
  return { ...api, port: Number(new URL(String(api.ready['url'])).port) };
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

import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from './errors.ts';
import { lastLines, openLog, readTextFile, writePrivateFile } from './files.ts';
import { isServing } from './grpc-health.ts';
import { acquireLock } from './lock.ts';
import { claimPort } from './ports.ts';
import { isRunning, processIdentity, settledWithin, stopProcess } from './processes.ts';
import type { StopStep } from './processes.ts';
import type { Progress } from './sdk-download.ts';
import { findTemporalCli } from './temporal-cli.ts';

export interface TemporalOptions {
  varDir: string;
  /** gRPC port; 0 takes a free one. */
  port: number;
  /** Port of the Web UI; 0 takes a free one. */
  uiPort: number;
  /** Hears of downloads and builds, which take their time. */
  log: Progress;
}

export interface RunningTemporal {
  address: string;
  uiUrl: string;
  port: number;
  uiPort: number;
  pid: number;
  cliPath: string;
  dbPath: string;
  /** Settles when the server's process is gone, wanted or not. */
  exited: Promise<void>;
  stop(): Promise<void>;
}

/** What the platform's workflows are found by in the Web UI. */
const SEARCH_ATTRIBUTES = ['ClientId=Keyword', 'WebhookId=Keyword', 'EventName=Keyword', 'DeliveryStatus=Keyword'];

/**
 * One partition per task queue: with a few workers on one machine, more of them only add a hop between a task and its
 * poller. The request limits of the dev server are made for a laptop's demo, and would hold back a burst of retries.
 */
const DYNAMIC_CONFIG = [
  // Tasks in the order of their priority, and clients in turn: one client's long documents leave room for another's page.
  'matching.useNewMatcher=true',
  'matching.enableFairness=true',
  'matching.numTaskqueueReadPartitions=1',
  'matching.numTaskqueueWritePartitions=1',
  'frontend.namespaceRPS=100000',
  'frontend.rps=100000',
  'history.rps=100000',
  'matching.rps=100000',
  'frontend.namespaceRPS.visibility=1000',
];

const HOST = '127.0.0.1';
const START_TIMEOUT_MS = 60_000;
const POLL_MS = 25;
const STOP_STEPS: readonly StopStep[] = [
  { signal: 'SIGTERM', waitMs: 10_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
];

/** Starts Temporal's dev server with its Web UI, its database file in `varDir`. */
export async function startTemporal(options: TemporalOptions): Promise<RunningTemporal> {
  const folder = join(options.varDir, 'temporal');
  mkdirSync(folder, { recursive: true });
  const lock = await acquireLock(join(folder, 'owner.lock'));
  if ('heldBy' in lock) {
    throw new StartError(
      `Temporal's database in ${options.varDir} is in use by another stack (process ${String(lock.heldBy.pid)}). Stop that one, or give this one a VAR_DIR of its own.`,
    );
  }
  try {
    await stopLeftover(folder);
    const cliPath = await findTemporalCli(options.log);
    const server = await launch(options, cliPath, join(folder, 'temporal.sqlite'));
    const exited = server.exited.then(() => {
      lock.release();
    });
    return {
      address: `${HOST}:${String(server.port)}`,
      uiUrl: `http://${HOST}:${String(server.uiPort)}`,
      port: server.port,
      uiPort: server.uiPort,
      pid: server.pid,
      cliPath,
      dbPath: server.dbPath,
      exited,
      async stop() {
        await stopProcess(server.pid, STOP_STEPS);
        await exited;
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

interface Server {
  pid: number;
  port: number;
  uiPort: number;
  dbPath: string;
  exited: Promise<void>;
}

async function launch(
  { varDir, port: wanted, uiPort: wantedUi }: TemporalOptions,
  cliPath: string,
  dbPath: string,
): Promise<Server> {
  const port = await claimPort(wanted, 'TEMPORAL_PORT', 'Temporal');
  const uiPort = await claimPort(wantedUi, 'TEMPORAL_UI_PORT', "Temporal's Web UI");
  const log = openLog(varDir, 'temporal');
  const logStart = statSync(log.path).size;
  // Detached: a Ctrl-C at the console must not reach Temporal before the workers that still report to it.
  const child = spawn(cliPath, serverArguments(port, uiPort, dbPath), {
    cwd: '/',
    env: serverEnvironment(),
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  closeSync(log.fd);
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => {
      resolve();
    });
    child.once('error', () => {
      resolve();
    });
  });
  const pid = child.pid ?? -1;
  await rememberServer(join(varDir, 'temporal'), pid);
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    if (await isServing(HOST, port)) return { pid, port, uiPort, dbPath, exited };
    if (await settledWithin(exited, POLL_MS)) break;
  }
  await stopProcess(pid, STOP_STEPS);
  const said = lastLines(log.path, 6, logStart)
    .map((line) => `  ${line}`)
    .join('\n');
  throw new StartError(
    `Temporal does not start (${cliPath}, database ${dbPath}). It said (${log.path}):\n${said}\n` +
      `Nothing was changed. If the database is broken, move it away and workflows start afresh: mv '${dbPath}' '${dbPath}.aside'`,
  );
}

function serverArguments(port: number, uiPort: number, dbPath: string): string[] {
  return [
    'server',
    'start-dev',
    '--ip',
    HOST,
    '--port',
    String(port),
    '--ui-port',
    String(uiPort),
    '--db-filename',
    dbPath,
    '--log-format',
    'json',
    '--log-level',
    'warn',
    ...SEARCH_ATTRIBUTES.flatMap((attribute) => ['--search-attribute', attribute]),
    ...DYNAMIC_CONFIG.flatMap((setting) => ['--dynamic-config-value', setting]),
  ];
}

/** TEMPORAL_* variables configure the CLI as a client, and would turn some of its flags round. */
function serverEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('TEMPORAL_')));
}

interface ServerRecord {
  pid: number;
  identity?: string;
}

const RECORD = 'server.json';

async function rememberServer(folder: string, pid: number): Promise<void> {
  const identity = await processIdentity(pid);
  const record: ServerRecord = identity === undefined ? { pid } : { pid, identity };
  writePrivateFile(join(folder, RECORD), `${JSON.stringify(record)}\n`);
}

/** Stops the server of a stack that was killed: it holds the database file, and its stack is gone (we have its lock). */
async function stopLeftover(folder: string): Promise<void> {
  const text = readTextFile(join(folder, RECORD));
  if (text === undefined) return;
  const record = parseRecord(text);
  if (record?.identity === undefined || !isRunning(record.pid)) return;
  if ((await processIdentity(record.pid)) === record.identity) await stopProcess(record.pid, STOP_STEPS);
}

function parseRecord(text: string): ServerRecord | undefined {
  try {
    return JSON.parse(text) as ServerRecord;
  } catch {
    return undefined;
  }
}

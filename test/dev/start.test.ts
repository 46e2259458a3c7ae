import { afterEach, expect, test } from '@jest/globals';
import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning } from '../../dev/processes.ts';
import { REPOSITORY } from '../support/run-stack.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface Ready {
  api_url: string;
  docs_url: string;
  temporal_ui_url: string;
  pids: Record<string, number>;
}

const folder = temporaryFolder();
const FREE_PORTS = { API_PORT: '0', PG_PORT: '0', TEMPORAL_PORT: '0', TEMPORAL_UI_PORT: '0' };

interface Start {
  process: ChildProcess;
  output: () => string;
  exited: Promise<number | null>;
}

const started: Start[] = [];
afterEach(async () => {
  for (const { process } of started) process.kill('SIGTERM');
  await Promise.all(started.splice(0).map(({ exited }) => exited));
});

function start(varDir: string, env: Record<string, string> = {}): Start {
  const inherited = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' };
  const child = spawn(process.execPath, [join(REPOSITORY, 'dev/start.ts'), '--no-demo'], {
    env: { ...inherited, ...FREE_PORTS, VAR_DIR: varDir, ...env },
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  const result = { process: child, output: () => output, exited };
  started.push(result);
  return result;
}

async function until(what: string, condition: () => boolean, stack: Start): Promise<void> {
  const deadline = Date.now() + 40_000;
  while (!condition()) {
    if (Date.now() > deadline || stack.process.exitCode !== null)
      throw new Error(`${what}: not so; output:\n${stack.output()}`);
    await sleep(50);
  }
}

async function untilReady(varDir: string, stack: Start): Promise<Ready> {
  const file = join(varDir, 'ready.json');
  await until('ready', () => existsSync(file), stack);
  return JSON.parse(readFileSync(file, 'utf8')) as Ready;
}

/** As versions before left it: documents in folders that every user of the machine may enter. */
function openFolderOfAnEarlierStart(varDir: string): void {
  mkdirSync(join(varDir, 'blobs', 'tenant'), { recursive: true });
  mkdirSync(join(varDir, 'secrets'));
  writeFileSync(join(varDir, 'blobs', 'tenant', 'document.pdf'), 'a document');
  for (const path of ['', 'secrets', 'blobs', 'blobs/tenant']) chmodSync(join(varDir, path), 0o755);
  chmodSync(join(varDir, 'blobs', 'tenant', 'document.pdf'), 0o644);
}

/** What another user could read or list: no more is looked at behind a folder that nobody else may enter. */
function openToOthers(varDir: string): string[] {
  const paths = [varDir];
  const open: string[] = [];
  for (const path of paths) {
    const found = statSync(path);
    // Root's PostgreSQL is another user, who passes through.
    const others = found.mode & (path === varDir && process.getuid?.() === 0 ? 0o066 : 0o077);
    if (others !== 0) open.push(`${path} ${(found.mode & 0o777).toString(8)}`);
    const closed = (found.mode & 0o077) === 0;
    if (found.isDirectory() && !closed) paths.push(...readdirSync(path).map((name) => join(path, name)));
  }
  return open;
}

test('starts everything, restarts what dies, refuses a second stack, and stops all on SIGINT', async () => {
  const varDir = join(folder, 'var');
  openFolderOfAnEarlierStart(varDir);
  const stack = start(varDir);
  const ready = await untilReady(varDir, stack);
  expect(statSync(join(varDir, 'ready.json')).mode & 0o777).toBe(0o600);
  expect(openToOthers(varDir)).toEqual([]);
  // Also in a folder that stood open: what the services write is closed by itself.
  for (const file of ['temporal/temporal.sqlite', 'log/api.log'])
    expect(statSync(join(varDir, file)).mode & 0o077).toBe(0);
  expect((await fetch(ready.temporal_ui_url)).status).toBe(200);
  expect((await fetch(`${ready.api_url}/api/v1/no-such-place`)).status).toBe(404);

  const client = (...args: string[]): string =>
    execFileSync(process.execPath, [join(REPOSITORY, 'dev/client.ts'), ...args], {
      env: { PATH: process.env['PATH'] ?? '', VAR_DIR: varDir },
      encoding: 'utf8',
    });
  const made = client('create', '--slug', 'first', '--name', 'First', '--owner-email', 'owner@first.example');
  expect(made).toContain(`${ready.api_url}/invitation?token=`);
  expect(client('list')).toMatch(/^first \(\d+\): First – tier free/);

  const second = start(varDir);
  expect(await second.exited).toBe(1);
  expect(second.output()).toContain(`Another stack runs on ${varDir} (process ${String(stack.process.pid)}`);
  expect(second.output()).not.toContain('    at ');

  process.kill(ready.pids['API'] ?? 0, 'SIGKILL');
  process.kill(ready.pids['PostgreSQL'] ?? 0, 'SIGKILL');
  await until(
    'restarted',
    () => stack.output().includes('API runs again') && stack.output().includes('PostgreSQL runs again'),
    stack,
  );
  expect(stack.output()).toContain('API ended unexpectedly (signal SIGKILL). Its last lines');
  expect((await fetch(`${ready.api_url}/api/v1/no-such-place`)).status).toBe(404);
  const now = await untilReady(varDir, stack);
  for (const name of ['API', 'PostgreSQL']) expect(now.pids[name]).not.toBe(ready.pids[name]);
  expect(Object.values(now.pids).filter((pid) => !isRunning(pid))).toEqual([]);
  expect({ ...now, pids: {} }).toEqual({ ...ready, pids: {} });
  expect(statSync(join(varDir, 'ready.json')).mode & 0o777).toBe(0o600);
  expect(openToOthers(varDir)).toEqual([]);

  stack.process.kill('SIGINT');
  expect(await stack.exited).toBe(0);
  expect(existsSync(join(varDir, 'ready.json'))).toBe(false);
  expect(Object.values(now.pids).filter((pid) => isRunning(pid))).toEqual([]);
});

test('a signal in the middle of the start stops what there is', async () => {
  const varDir = join(folder, 'early');
  const stack = start(varDir);
  await until('PostgreSQL runs', () => stack.output().includes('PostgreSQL'), stack);
  stack.process.kill('SIGTERM');
  expect(await stack.exited).toBe(0);
  expect(readFileSync(join(varDir, 'log', 'postgres.log'), 'utf8')).toContain('database system is shut down');
});

test('a port in use, a wrong variable and a broken secret each end in one message without a stack trace', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = String((server.address() as AddressInfo).port);
  const taken = start(join(folder, 'taken'), { TEMPORAL_UI_PORT: port });
  expect(await taken.exited).toBe(1);
  server.close();
  expect(taken.output()).toContain(`Port ${port} for Temporal's Web UI is in use`);
  expect(taken.output()).toContain('TEMPORAL_UI_PORT=');

  const wrong = start(join(folder, 'wrong'), { PG_PORT: 'x' });
  expect(await wrong.exited).toBe(1);
  expect(wrong.output()).toContain('  - PG_PORT=x is not a port: give 0 (a free one) to 65535.\n');

  writeFileSync(join(folder, 'taken', 'secrets', 'master.key'), 'short');
  const broken = start(join(folder, 'taken'));
  expect(await broken.exited).toBe(1);
  expect(broken.output()).toContain('master.key: must be 32 bytes in base64');
  for (const { output } of [taken, wrong, broken]) expect(output()).not.toMatch(/^ {4}at /m);
});

test('everything wrong in the environment is told in one message, and nothing is written', async () => {
  const varDir = join(folder, 'untouched');
  const stack = start(varDir, {
    API_PORT: 'abc',
    PG_PORT: 'def',
    TEMPORAL_CLI_PATH: folder,
    LOG_LEVEL: 'loud',
    DATABASE_POOL_SIZE: '-3',
    MASTER_KEY: 'short',
  });
  expect(await stack.exited).toBe(1);
  const names = [...stack.output().matchAll(/^ {2}- (\w+)/gm)].map(([, name]) => name);
  expect(names).toEqual(['API_PORT', 'PG_PORT', 'TEMPORAL_CLI_PATH', 'MASTER_KEY', 'LOG_LEVEL', 'DATABASE_POOL_SIZE']);
  expect(stack.output()).not.toMatch(/^ {4}at /m);
  expect(existsSync(varDir)).toBe(false);
});

test('a process that can’t be kept alive ends everything, and that is said', async () => {
  const varDir = join(folder, 'given-up');
  const stack = start(varDir);
  const { pids } = await untilReady(varDir, stack);
  for (let pid = pids['API'] ?? 0, deaths = 1; deaths <= 6; deaths += 1) {
    process.kill(pid, 'SIGKILL');
    const dead = pid;
    if (deaths === 6) break;
    await until('restarted', () => (pid = apiPid(varDir) ?? dead) !== dead, stack);
  }
  expect(await stack.exited).toBe(1);
  expect(stack.output()).toMatch(
    /API ended 6 times within a minute; it is not started again\.\n.*stopping everything\.\nStopped in [\d.]+ s\n$/,
  );
  expect(existsSync(join(varDir, 'ready.json'))).toBe(false);
}, 120_000);

function apiPid(varDir: string): number | undefined {
  return (JSON.parse(readFileSync(join(varDir, 'ready.json'), 'utf8')) as Ready).pids['API'];
}

test('an external database without secrets stops the start and names them all', async () => {
  const stack = start(join(folder, 'external'), { DATABASE_URL: 'postgresql://owner:x@127.0.0.1:1/none' });
  expect(await stack.exited).toBe(1);
  expect(stack.output()).toMatch(/MASTER_KEY is missing[\s\S]*JWT_KEYS is missing[\s\S]*CRON_SECRET is missing/);
});

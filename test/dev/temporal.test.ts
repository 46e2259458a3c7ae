import { afterEach, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isServing } from '../../dev/grpc-health.ts';
import { isRunning } from '../../dev/processes.ts';
import { startTemporal } from '../../dev/temporal.ts';
import type { RunningTemporal } from '../../dev/temporal.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
const running: RunningTemporal[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((temporal) => temporal.stop()));
});

const log = (): void => undefined;

test('serves, has its database in var/, and takes the same database again', async () => {
  const varDir = join(folder, 'var');
  const first = await startTemporal({ varDir, port: 0, uiPort: 0, log });
  expect(first.dbPath.startsWith(varDir)).toBe(true);
  await expect(isServing('127.0.0.1', first.port)).resolves.toBe(true);
  await first.stop();
  expect(isRunning(first.pid)).toBe(false);
  running.push(await startTemporal({ varDir, port: first.port, uiPort: first.uiPort, log }));
});

test('the server that a killed stack left behind is stopped', async () => {
  const varDir = join(folder, 'orphan');
  const script = `import { startTemporal } from ${JSON.stringify(new URL('../../dev/temporal.ts', import.meta.url).href)};
    const { pid } = await startTemporal({ varDir: ${JSON.stringify(varDir)}, port: 0, uiPort: 0, log() {} });
    console.log(pid);`;
  const stack = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(stack.stdout, 'data')) as [Buffer];
  stack.kill('SIGKILL');
  await once(stack, 'exit');
  const orphan = Number(line.toString());
  expect(isRunning(orphan)).toBe(true);
  running.push(await startTemporal({ varDir, port: 0, uiPort: 0, log }));
  expect(isRunning(orphan)).toBe(false);
});

test('a broken database is left as it is, and the message says how to go on', async () => {
  const varDir = join(folder, 'broken');
  mkdirSync(join(varDir, 'temporal'), { recursive: true });
  const file = join(varDir, 'temporal', 'temporal.sqlite');
  writeFileSync(file, 'this is no database, and long enough to be looked at'.repeat(20));
  const before = readFileSync(file);
  await expect(startTemporal({ varDir, port: 0, uiPort: 0, log })).rejects.toThrow(
    /Temporal does not start[\s\S]*not a database[\s\S]*mv '/,
  );
  expect(readFileSync(file).equals(before)).toBe(true);
});

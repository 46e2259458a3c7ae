import { expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning } from '../../dev/processes.ts';
import { processService } from '../../dev/services.ts';
import { readSettings } from '../../dev/settings.ts';
import { Supervisor } from '../../dev/supervisor.ts';
import { Terminal } from '../../dev/terminal.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
const settings = { ...readSettings([], { VAR_DIR: join(folder, 'var') }).settings, root: folder };

function supervise(script: string): { supervisor: Supervisor; lines: string[]; givenUp: Promise<string> } {
  const name = `process-${String(performance.now())}`;
  writeFileSync(join(folder, `${name}.mjs`), script);
  const lines: string[] = [];
  const terminal = new Terminal((line) => lines.push(line));
  const spec = { name, script: `${name}.mjs`, env: process.env, stopMs: 500 };
  let giveUp: (message: string) => void;
  const givenUp = new Promise<string>((resolve) => (giveUp = resolve));
  const start = processService({ settings, terminal }, spec, {});
  return {
    supervisor: new Supervisor(name, start, terminal, {
      onGivenUp: (message) => {
        giveUp(message);
      },
    }),
    lines,
    givenUp,
  };
}

const READY = "process.send({ type: 'ready' }); setInterval(() => {}, 1000);";

test('a process that was killed runs again, as another one', async () => {
  const { supervisor, lines } = supervise(`console.error('my last words'); ${READY}`);
  await supervisor.start();
  const first = supervisor.pid ?? 0;
  process.kill(first, 'SIGKILL');
  while (!lines.some((line) => line.includes('runs again'))) await sleep(20);
  expect(lines.join('\n')).toMatch(/ended unexpectedly \(signal SIGKILL\). Its last lines[\s\S]*my last words/);
  expect(supervisor.pid).not.toBe(first);
  await supervisor.stop();
  expect(isRunning(supervisor.pid ?? 0)).toBe(false);
});

test('after five restarts within a minute it is given up', async () => {
  const { supervisor, lines, givenUp } = supervise(`${READY} setTimeout(() => process.exit(7), 20);`);
  await supervisor.start();
  await expect(givenUp).resolves.toContain('ended 6 times within a minute');
  expect(lines.filter((line) => line.includes('runs again'))).toHaveLength(5);
  await supervisor.stop();
});

test('a first start that fails is the caller’s to hear of, with what the process said', async () => {
  const { supervisor } = supervise("console.error('PORT: is missing'); process.exit(1);");
  await expect(supervisor.start()).rejects.toThrow(/ended before it was ready \(exit code 1\)[\s\S]*PORT: is missing/);
});

test('a process that ignores SIGTERM is killed when its time is over', async () => {
  const { supervisor } = supervise(`process.on('SIGTERM', () => {}); ${READY}`);
  await supervisor.start();
  const started = performance.now();
  await supervisor.stop();
  expect(performance.now() - started).toBeGreaterThan(450);
  expect(isRunning(supervisor.pid ?? 0)).toBe(false);
});

test('a stop in the middle of a start ends the process that is not ready yet', async () => {
  const { supervisor } = supervise('setInterval(() => {}, 1000);');
  const starting = supervisor.start();
  const outcome = starting.catch((error: unknown) => String(error));
  await sleep(100);
  await supervisor.stop();
  await expect(outcome).resolves.toContain('ended before it was ready');
  expect(isRunning(supervisor.pid ?? 0)).toBe(false);
});

import { expect, test } from '@jest/globals';
import { Terminal, shortLogLine, timed } from '../../dev/terminal.ts';

test('warnings and worse are shown in short form, the rest is not', () => {
  expect(shortLogLine('{"level":"info","msg":"listening"}')).toBeUndefined();
  expect(shortLogLine('{"level":"warn","msg":"slow","request_id":"r1","pid":3}')).toBe('warn: slow request_id=r1');
  expect(shortLogLine('{"level":"error","msg":"failed","err":{"message":"no route","stack":"…"}}')).toBe(
    'error: failed: no route',
  );
  expect(shortLogLine('{"level":"WARN","msg":"as Temporal writes it"}')).toBe('warn: as Temporal writes it');
  expect(shortLogLine('{ not json')).toBeUndefined();
});

test('a process that repeats itself is cut short, each on its own', () => {
  const lines: string[] = [];
  const terminal = new Terminal((line) => lines.push(line));
  for (let index = 0; index < 50; index += 1) terminal.child('api', `warn: ${String(index)}`, 'api.log');
  terminal.child('worker', 'warn: other', 'worker.log');
  expect(lines.filter((line) => line.startsWith('[api]'))).toHaveLength(6);
  expect(lines.at(-1)).toBe('[worker] warn: other');
});

test('steps that run side by side are printed in order, each with its own time', async () => {
  const lines: string[] = [];
  const terminal = new Terminal((line) => lines.push(line));
  const slow = timed(() => new Promise<number>((resolve) => setTimeout(resolve, 120, 1)));
  const quick = timed(() => 2);
  await terminal.step('slow', slow, (value) => `value ${String(value)}`);
  await terminal.step('quick', quick, (value) => `value ${String(value)}`);
  expect(lines[0]).toMatch(/^ {2}slow +0\.1 s {3}value 1$/);
  expect(lines[1]).toMatch(/^ {2}quick +0\.0 s {3}value 2$/);
});

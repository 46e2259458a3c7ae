import { expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { acquireLock } from '../../dev/lock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();

test('a lock is held until it is released', async () => {
  const path = join(folder, 'a.lock');
  const first = await acquireLock(path);
  if ('heldBy' in first) throw new Error('the lock was not free');
  await expect(acquireLock(path)).resolves.toEqual({ heldBy: expect.objectContaining({ pid: process.pid }) });
  first.release();
  expect(existsSync(path)).toBe(false);
  const second = await acquireLock(path);
  expect('heldBy' in second).toBe(false);
});

test('the lock of a process that was killed is taken over', async () => {
  const path = join(folder, 'b.lock');
  const script = `import { acquireLock } from ${JSON.stringify(new URL('../../dev/lock.ts', import.meta.url).href)};
    await acquireLock(${JSON.stringify(path)}); console.log('held'); setInterval(() => {}, 1000);`;
  const owner = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(owner.stdout, 'data');
  await expect(acquireLock(path)).resolves.toEqual({ heldBy: expect.objectContaining({ pid: owner.pid }) });
  owner.kill('SIGKILL');
  await once(owner, 'exit');
  expect('heldBy' in (await acquireLock(path))).toBe(false);
});

test('a lock of another process with the same id, long gone, is taken over', async () => {
  const path = join(folder, 'c.lock');
  writeFileSync(path, JSON.stringify({ pid: process.pid, identity: 'another start time' }));
  expect('heldBy' in (await acquireLock(path))).toBe(false);
});

test('of many who find a stale lock at once, one gets it', async () => {
  const path = join(folder, 'd.lock');
  writeFileSync(path, 'cut off in the middle of a wri');
  const results = await Promise.all(Array.from({ length: 8 }, () => acquireLock(path)));
  expect(results.filter((result) => !('heldBy' in result))).toHaveLength(1);
  expect(readdirSync(folder).filter((name) => name.startsWith('d.lock'))).toEqual(['d.lock']);
});

import { afterEach, describe, expect, test } from '@jest/globals';
import { fork } from 'node:child_process';
import { getEventListeners } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ChildPool, type PoolOptions } from '../../../documents/pool/pool.ts';

const SCRIPT = fileURLToPath(new URL('./misbehaving-child.ts', import.meta.url));
const pools: ChildPool[] = [];

function poolOf(options: Partial<PoolOptions> = {}): ChildPool {
  const pool = new ChildPool({
    script: SCRIPT,
    size: 1,
    threads: 1,
    memoryLimitMb: 300,
    timeoutMs: 20_000,
    recycleAfter: 100,
    log: () => undefined,
    ...options,
  });
  pools.push(pool);
  return pool;
}

const order = (pool: ChildPool, text: string, signal?: AbortSignal): Promise<unknown> =>
  pool.run({ kind: 'read', bytes: Buffer.from(text), page: 1 }, signal);

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function until(condition: () => boolean): Promise<void> {
  for (let i = 0; i < 100 && !condition(); i++) await new Promise((resolve) => setTimeout(resolve, 50));
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

describe('child pool', () => {
  test('a file that crashes its reader twice is BROKEN, and the next file is read by a fresh child', async () => {
    const pool = poolOf();
    await expect(order(pool, 'crash')).rejects.toMatchObject({ code: 'BROKEN' });
    await expect(order(pool, 'read me')).resolves.toEqual(expect.any(Number));
    expect(pool.stats()).toMatchObject({ children: 1, restarts: 2 });
  });

  test('a call that hangs is killed at its time limit', async () => {
    const pool = poolOf({ timeoutMs: 300 });
    await expect(order(pool, 'hang')).rejects.toMatchObject({ code: 'TIMEOUT' });
    await expect(order(pool, 'read me')).resolves.toEqual(expect.any(Number));
  });

  test('a child over its memory limit is killed before it takes the machine', async () => {
    const pool = poolOf();
    await expect(order(pool, 'eat')).rejects.toMatchObject({ code: 'OUT_OF_RESOURCES' });
    await expect(order(pool, 'read me')).resolves.toEqual(expect.any(Number));
  });

  test('a child that takes more than the limit in one gulp is killed while it fills it', async () => {
    const pool = poolOf();
    await expect(order(pool, 'gulp')).rejects.toMatchObject({ code: 'OUT_OF_RESOURCES' });
    await expect(order(pool, 'read me')).resolves.toEqual(expect.any(Number));
  });

  test('a file that needs memory which the files before it left full gets a fresh child', async () => {
    const pool = poolOf();
    await order(pool, 'keep 140 MB');
    await expect(order(pool, 'keep 140 MB')).resolves.toEqual(expect.any(Number));
    expect(pool.stats().restarts).toBe(1);
    await expect(order(pool, 'gulp')).rejects.toMatchObject({ code: 'OUT_OF_RESOURCES' });
  });

  test('a file whose reader the system kills twice lacks memory; it is not called broken', async () => {
    const pool = poolOf();
    await expect(order(pool, 'be killed')).rejects.toMatchObject({ code: 'OUT_OF_RESOURCES' });
    await expect(order(pool, 'read me')).resolves.toEqual(expect.any(Number));
  });

  test.each(['say null', 'say garbage'])('a child that answers garbage (%s) is replaced', async (text) => {
    const pool = poolOf();
    await expect(order(pool, text)).rejects.toMatchObject({ code: 'BROKEN' });
    await expect(order(pool, 'read me')).resolves.toEqual(expect.any(Number));
  });

  test('an answer to another question is not taken for one to this', async () => {
    const pool = poolOf();
    await expect(order(pool, 'answer another')).resolves.toEqual(expect.any(Number));
    await expect(order(pool, 'answer twice')).resolves.toEqual(expect.any(Number));
    await expect(order(pool, 'read me')).resolves.toEqual(expect.any(Number));
  });

  test('a child that dies while idle is replaced when it is needed', async () => {
    const pool = poolOf();
    const pid = await order(pool, 'die later');
    await until(() => !isRunning(pid as number));
    await expect(order(pool, 'read me')).resolves.not.toBe(pid);
  });

  test('one hostile file among several costs its own child only', async () => {
    const pool = poolOf({ size: 2, timeoutMs: 1_000 });
    const calls = ['hang', 'read me', 'crash', 'read me', 'sleep', 'read me'].map((text) => order(pool, text));
    const ends = await Promise.allSettled(calls);
    expect(ends.map((end) => end.status)).toEqual([
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
      'fulfilled',
    ]);
    expect(pool.stats()).toMatchObject({ children: 2, queued: 0 });
  });

  test('a signal that is used for many calls keeps no listener of those that ended', async () => {
    const pool = poolOf();
    const { signal } = new AbortController();
    for (let call = 0; call < 5; call++) await order(pool, 'read me', signal);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  test('an aborted call frees its child; an aborted queued call never starts', async () => {
    const pool = poolOf();
    await order(pool, 'warm up');
    const running = new AbortController();
    const queued = new AbortController();
    const first = order(pool, 'hang', running.signal);
    const second = order(pool, 'hang', queued.signal);
    queued.abort(new Error('no longer wanted'));
    await expect(second).rejects.toThrow('no longer wanted');
    running.abort(new Error('cancelled'));
    await expect(first).rejects.toThrow('cancelled');
    await expect(order(pool, 'read me')).resolves.toEqual(expect.any(Number));
  });

  test('calls beyond the children wait in the queue, in order', async () => {
    const pool = poolOf();
    await order(pool, 'warm up');
    const calls = [order(pool, 'sleep'), order(pool, 'sleep'), order(pool, 'sleep')];
    expect(pool.stats().queued).toBe(2);
    await Promise.all(calls);
    expect(pool.stats().queued).toBe(0);
  });

  test('a child is replaced after the calls that it may do', async () => {
    const pool = poolOf({ recycleAfter: 2 });
    const pids = [await order(pool, 'a'), await order(pool, 'b'), await order(pool, 'c')];
    expect(pids[0]).toBe(pids[1]);
    expect(pids[2]).not.toBe(pids[0]);
  });

  test('a lazy pool starts children for calls that wait, and no more than it may have', async () => {
    const pool = poolOf({ size: 2, lazy: true });
    expect(pool.stats().children).toBe(0);
    await order(pool, 'one at a time');
    await order(pool, 'one at a time');
    expect(pool.stats()).toMatchObject({ children: 1, restarts: 0 });
    const calls = [order(pool, 'sleep'), order(pool, 'sleep'), order(pool, 'sleep')];
    expect(pool.stats().children).toBe(2);
    await Promise.all(calls);
    expect(pool.stats()).toMatchObject({ children: 2, restarts: 0, queued: 0 });
  });

  test('a call may have a time limit of its own', async () => {
    const pool = poolOf();
    const call = pool.run({ kind: 'read', bytes: Buffer.from('hang'), page: 1 }, undefined, 300);
    await expect(call).rejects.toMatchObject({ code: 'TIMEOUT', message: 'Reading took longer than 300 ms.' });
  });

  test('close ends the children and refuses what waits', async () => {
    const pool = poolOf();
    const pid = (await order(pool, 'read me')) as number;
    await pool.close();
    await until(() => !isRunning(pid));
    expect(isRunning(pid)).toBe(false);
    await expect(order(pool, 'too late')).rejects.toMatchObject({ code: 'OUT_OF_RESOURCES' });
  });

  test('children exit when their parent is killed', async () => {
    const parent = fork(fileURLToPath(new URL('./pool-parent.ts', import.meta.url)), [], {
      execArgv: [],
      env: { PATH: process.env['PATH'] },
    });
    const pid = await new Promise<number>((resolve) => parent.once('message', (message) => resolve(message as number)));
    expect(isRunning(pid)).toBe(true);
    parent.kill('SIGKILL');
    await until(() => !isRunning(pid));
    expect(isRunning(pid)).toBe(false);
  });
});

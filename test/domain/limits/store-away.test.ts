import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startTcpProxy } from '../../chaos/tcp-proxy.ts';
import type { TcpProxy } from '../../chaos/tcp-proxy.ts';
import { testDatabase, uniqueName } from '../../support/stack.ts';
import type { TestDatabase } from '../../support/stack.ts';
import { inTurn, limiterProcess, tally, until } from './support.ts';
import type { LimiterProcess } from './support.ts';

const POLICY = { perWindow: 100, burst: 1_000 };

let database: TestDatabase;
let proxy: TcpProxy;
let behindProxy: LimiterProcess;
let beside: LimiterProcess;
let subject: string;
beforeAll(async () => {
  database = await testDatabase();
  const url = new URL(database.systemUrl);
  proxy = await startTcpProxy(url.host);
  url.host = proxy.address;
  behindProxy = limiterProcess(url.toString());
  beside = limiterProcess(database.systemUrl);
});
beforeEach(() => {
  subject = uniqueName('key');
});
afterAll(async () => {
  await Promise.all([behindProxy.close(), beside.close()]);
  await proxy.close();
  await database.drop();
});

const messages = ({ logLines }: LimiterProcess) =>
  logLines.map((line) => (JSON.parse(line) as { msg: string }).msg).filter((text) => text.includes('rate limiter'));

describe('the store goes away', () => {
  it('limits hold within the process, go on where they stood, and meet the others’ again when it is back', async () => {
    await inTurn(behindProxy, 30, subject, POLICY);
    await proxy.cut();
    const alone = await inTurn(behindProxy, 30, subject, POLICY);
    expect(tally(alone).admitted).toBe(30);
    expect(alone.at(-1)!.remaining).toBe(40);
    const stranger = uniqueName('key');
    expect(tally(await inTurn(behindProxy, 110, stranger, POLICY))).toEqual({ admitted: 100, limited: 10, burst: 0 });
    expect(behindProxy.limiter.counts().fallback).toBe(true);

    await proxy.restore();
    await until(async () => {
      await inTurn(behindProxy, 1, stranger, POLICY);
      return !behindProxy.limiter.counts().fallback;
    });
    // What was admitted alone is told to the store, so that both processes together admit the limit and no more.
    let used = 60 + tally(await inTurn(behindProxy, 1, subject, POLICY)).admitted;
    await until(async () => {
      used += tally(await inTurn(beside, 1, subject, POLICY)).admitted;
      return used >= 100;
    });
    expect(tally(await inTurn(beside, 30, subject, POLICY)).admitted).toBe(0);
    expect(tally(await inTurn(behindProxy, 30, subject, POLICY)).admitted).toBe(0);
    expect(messages(behindProxy)).toEqual([
      'the store of the rate limiter is away: limits hold within each process meanwhile',
      'the store of the rate limiter is back',
    ]);
    expect(behindProxy.limiter.counts().storeFailures).toBeGreaterThan(0);
  });
});

describe('the store hangs', () => {
  let limiter: LimiterProcess;
  let holder: pg.Client;
  beforeEach(async () => {
    limiter = limiterProcess(database.systemUrl, { storeTimeoutMs: 250 });
    holder = new pg.Client({ connectionString: database.systemUrl });
    await holder.connect();
  });
  afterEach(async () => {
    await holder.end();
    await limiter.close();
  });
  const hang = async () => {
    await holder.query('begin');
    await holder.query('select 1 from rate_windows where subject = $1 for update', [subject]);
  };
  const answerAgain = async () => {
    await holder.query('commit');
    await until(async () => {
      await inTurn(limiter, 1, `${subject}b`, POLICY);
      return !limiter.limiter.counts().fallback;
    });
  };
  const admitted = async (count: number) => tally(await inTurn(limiter, count, subject, POLICY)).admitted;

  it('a request waits for it a quarter of a second at most; a lease that comes too late is given back', async () => {
    await inTurn(limiter, 10, subject, POLICY);
    await hang();
    const startedAt = performance.now();
    expect(tally(await inTurn(limiter, 60, subject, POLICY))).toEqual({ admitted: 60, limited: 0, burst: 0 });
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    expect(limiter.limiter.counts()).toMatchObject({ fallback: true });

    await answerAgain();
    let used = 70;
    await until(async () => (used += await admitted(1)) === 100);
    expect(await admitted(10)).toBe(0);
  });

  it('what was admitted meanwhile counts once, though a call that told it was answered too late', async () => {
    let used = await admitted(10);
    await hang();
    used += await admitted(40);
    await until(async () => {
      await sleep(200);
      used += await admitted(1);
      return limiter.limiter.counts().storeFailures >= 2;
    });
    await answerAgain();
    await until(async () => (used += await admitted(1)) === 100);
    expect(await admitted(10)).toBe(0);
  });
});

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { testDatabase, uniqueName } from '../../support/stack.ts';
import type { TestDatabase } from '../../support/stack.ts';
import { atOnce, inTurn, limiterProcess, tally, until } from './support.ts';
import type { LimiterProcess } from './support.ts';

let database: TestDatabase;
let running: LimiterProcess[] = [];
let subject: string;
beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(() => {
  subject = uniqueName('key');
});
afterEach(async () => {
  await Promise.all(running.map((process) => process.close()));
  running = [];
});
afterAll(() => database.drop());

function start(windowMs = 60_000): LimiterProcess {
  const process = limiterProcess(database.systemUrl, { windowMs });
  running.push(process);
  return process;
}

const WIDE = { perWindow: 100, burst: 1_000 };

describe('one process', () => {
  it('admits exactly the limit, and its remaining count goes down by one per request', async () => {
    const admissions = await inTurn(start(), 103, subject, WIDE);
    expect(admissions.map(({ remaining }) => remaining)).toEqual(
      [...Array(100).keys(), 0, 0, 0].toSorted((a, b) => b - a),
    );
    expect(tally(admissions)).toEqual({ admitted: 100, limited: 3, burst: 0 });
    const last = admissions.at(-1)!;
    expect(last).toMatchObject({ limit: 100, burst: 1_000, windowSeconds: 60 });
    expect(last.retryAfterSeconds).toBeGreaterThan(55);
    expect(new Set(admissions.map(({ resetsAt }) => resetsAt)).size).toBe(1);
  });

  it('admits exactly the limit of many requests at once', async () => {
    expect(tally(await atOnce(start(), 500, subject, WIDE))).toEqual({ admitted: 100, limited: 400, burst: 0 });
  });

  it('begins anew when the window is over', async () => {
    const process = start(1_500);
    const first = await inTurn(process, 12, subject, { perWindow: 10, burst: 1_000 });
    expect(tally(first).admitted).toBe(10);
    await sleep(first[0]!.resetsAt - Date.now() + 30);
    const [next] = await inTurn(process, 1, subject, { perWindow: 10, burst: 1_000 });
    expect(next).toMatchObject({ verdict: 'admitted', remaining: 9 });
  });

  it('admits at most the burst in a second, and the refused ones cost nothing of the window', async () => {
    const process = start();
    const policy = { perWindow: 100, burst: 20 };
    const first = await atOnce(process, 50, subject, policy);
    expect(tally(first)).toEqual({ admitted: 20, limited: 0, burst: 30 });
    expect(first.at(-1)).toMatchObject({ remaining: 80, retryAfterSeconds: 1 });
    await sleep(1_050);
    expect(tally(await inTurn(process, 50, subject, policy))).toEqual({ admitted: 20, limited: 0, burst: 30 });
  });

  it('counts subjects apart', async () => {
    const process = start();
    const policy = { perWindow: 5, burst: 1_000 };
    const both = await Promise.all([subject, `${subject}b`].map((name) => inTurn(process, 6, name, policy)));
    expect(both.map(tally)).toEqual([5, 5].map((admitted) => ({ admitted, limited: 1, burst: 0 })));
  });

  it('keeps counting down by one over idle seconds, in which it gives its tokens back', async () => {
    const process = start();
    const [first] = await inTurn(process, 1, subject, WIDE);
    await sleep(1_400);
    const later = await inTurn(process, 102, subject, WIDE);
    expect([first!.remaining, later[0]!.remaining, tally(later).admitted]).toEqual([99, 98, 99]);
  });

  it('lets few requests wait for the store and answers exhausted ones without it', async () => {
    const process = start();
    const policy = { perWindow: 1_000, burst: 1_000 };
    for (let index = 0; index < 400; index += 1) {
      await process.limiter.admit(subject, policy);
      if (index % 10 === 0) await sleep(2);
    }
    expect(process.limiter.counts().waited).toBeLessThan(20);
    await inTurn(process, 600, subject, policy);
    const before = process.limiter.counts();
    await inTurn(process, 5_000, subject, policy);
    const after = process.limiter.counts();
    expect(after.waited).toBe(before.waited);
    expect(after.leases - before.leases).toBeLessThan(6);
  });
});

describe('several processes', () => {
  it('admit the limit together, of ten times as many requests', async () => {
    const processes = [start(), start(), start(), start()];
    const policy = { perWindow: 400, burst: 1_000 };
    const answers = await Promise.all(processes.map((process) => atOnce(process, 1_000, subject, policy)));
    expect(tally(answers.flat()).admitted).toBe(400);
  });

  it('admit the burst together within a second', async () => {
    const processes = [start(), start(), start(), start()];
    const policy = { perWindow: 1_000, burst: 40 };
    const startedAt = performance.now();
    const answers = await Promise.all(processes.map((process) => atOnce(process, 100, subject, policy)));
    const { admitted } = tally(answers.flat());
    expect(admitted).toBeGreaterThanOrEqual(38);
    // The seconds are those of the clock: what takes less than one may lie in two.
    const seconds = Math.floor((performance.now() - startedAt) / 1_000) + 2;
    expect(admitted).toBeLessThanOrEqual(40 * seconds);
  });

  it('use what another one took and left unused for a second', async () => {
    const [one, other] = [start(), start()];
    await inTurn(one, 1, subject, WIDE);
    const first = await inTurn(other, 95, subject, WIDE);
    expect(tally(first)).toEqual({ admitted: 90, limited: 5, burst: 0 });
    let admitted = 90;
    await until(async () => {
      admitted += tally(await inTurn(other, 1, subject, WIDE)).admitted;
      return admitted === 99;
    });
    expect(tally(await inTurn(other, 5, subject, WIDE)).admitted).toBe(0);
  });

  it('use what another one held when it was stopped', async () => {
    const one = limiterProcess(database.systemUrl);
    await inTurn(one, 1, subject, WIDE);
    await one.close();
    expect(tally(await inTurn(start(), 105, subject, WIDE)).admitted).toBe(99);
  });
});

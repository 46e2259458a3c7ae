import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { entities } from '../../../domain/entities.ts';
import { createPostgresLeaseStore } from '../../../domain/limits/index.ts';
import type { Lease, LeaseRequest, LeaseStore } from '../../../domain/limits/lease-store.ts';
import { SystemDatabase } from '../../../platform/db/database.ts';
import { createLogger } from '../../../platform/log.ts';
import { testDatabase, uniqueName } from '../../support/stack.ts';
import type { TestDatabase } from '../../support/stack.ts';

let database: TestDatabase;
let system: SystemDatabase;
let store: LeaseStore;
let subject: string;
beforeAll(async () => {
  database = await testDatabase();
  const log = createLogger('test', 'silent');
  system = new SystemDatabase({ url: database.systemUrl, poolSize: 8, applicationName: 'test', entities, log });
  store = createPostgresLeaseStore(system);
});
beforeEach(() => {
  subject = uniqueName('key');
});
afterAll(async () => {
  await system.close();
  await database.drop();
});

const take = (more: Partial<LeaseRequest> = {}): Promise<Lease> =>
  store.lease({ subject, perWindow: 100, burst: 1_000, windowMs: 60_000, waiting: 1, spent: 0, ...more });

describe('a lease', () => {
  it('is a tenth of what is left, down to single tokens, until the window is used up', async () => {
    const slices: number[] = [];
    for (;;) {
      const { granted, left } = await take();
      if (granted === 0) break;
      slices.push(granted);
      expect(left).toBe(100 - slices.reduce((sum, slice) => sum + slice, 0));
    }
    expect(slices.slice(0, 4)).toEqual([10, 9, 9, 8]);
    expect(slices.slice(-10)).toEqual([2, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
    expect(slices.reduce((sum, slice) => sum + slice, 0)).toBe(100);
  });

  it('is at most a quarter of the burst, unless more requests wait', async () => {
    expect((await take({ burst: 20 })).granted).toBe(5);
    expect((await take({ burst: 20, waiting: 9 })).granted).toBe(9);
    expect((await take({ burst: 2, subject: uniqueName() })).granted).toBe(1);
  });

  it('is never more than the burst within one second, and says when the second is over', async () => {
    const first = await take({ burst: 20, waiting: 15 });
    const second = await take({ burst: 20, waiting: 15 });
    const third = await take({ burst: 20, waiting: 15 });
    expect([first.granted, second.granted, third.granted]).toEqual([15, 5, 0]);
    expect(third.secondEndsInMs).toBeGreaterThan(0);
    expect(third.secondEndsInMs).toBeLessThanOrEqual(1_000);
    await sleep(third.secondEndsInMs + 20);
    expect((await take({ burst: 20, waiting: 15 })).granted).toBe(15);
  });

  it('begins the window with the first one, and a new window when that is over', async () => {
    const first = await take({ windowMs: 1_000 });
    expect(first.endsInMs).toBeGreaterThan(990);
    await sleep(100);
    const second = await take({ windowMs: 1_000 });
    expect([second.windowId, second.left]).toEqual([first.windowId, 81]);
    expect(second.endsInMs).toBeLessThan(910);
    await sleep(second.endsInMs + 20);
    const third = await take({ windowMs: 1_000 });
    expect([third.granted, third.left]).toEqual([10, 90]);
    expect(third.windowId).toBeGreaterThan(first.windowId + 999);
  });

  it('counts what was spent without the store before it grants anything', async () => {
    expect(await take({ spent: 60 })).toMatchObject({ granted: 4, left: 36 });
    expect(await take({ spent: 500 })).toMatchObject({ granted: 0, left: 0 });
  });

  it('of many subjects at once is what each would have got alone', async () => {
    const asked = Array.from({ length: 300 }, (_, index) => ({
      subject: `${subject}-${String(index)}`,
      perWindow: 10 + index,
      waiting: 1 + (index % 7),
    }));
    const first = await Promise.all(asked.map((request) => take(request)));
    const second = await Promise.all(asked.map((request) => take(request)));
    const sizes = (left: number, waiting: number) => Math.max(waiting, Math.ceil(left / 10));
    for (const [index, { perWindow, waiting }] of asked.entries()) {
      const one = sizes(perWindow, waiting);
      const two = Math.min(sizes(perWindow - one, waiting), perWindow - one);
      expect([first[index]!.granted, second[index]!.granted]).toEqual([one, two]);
      expect(second[index]!.left).toBe(perWindow - one - two);
    }
  });

  it('never hands out a token twice, however many ask at once', async () => {
    const leases = await Promise.all(Array.from({ length: 60 }, () => take({ waiting: 3 })));
    expect(leases.reduce((sum, { granted }) => sum + granted, 0)).toBe(100);
  });
});

describe('giving back', () => {
  it('makes unused tokens of many subjects available again in one call', async () => {
    const subjects = [uniqueName(), uniqueName()];
    const leases = await Promise.all(subjects.map((name) => take({ subject: name })));
    await store.giveBack(
      leases.map(({ windowId }, index) => ({ subject: subjects[index]!, windowId, tokens: 6 + index })),
    );
    const after = await Promise.all(subjects.map((name) => take({ subject: name, waiting: 1 })));
    expect(after.map(({ granted, left }) => granted + left)).toEqual([96, 97]);
  });

  it('counts each of several returns of one subject in a call', async () => {
    const [{ windowId }, { granted }] = [await take(), await take()];
    const left = (await take()).left;
    await store.giveBack([10, granted].map((tokens) => ({ subject, windowId, tokens })));
    const next = await take();
    expect(next.left + next.granted).toBe(left + 10 + granted);
  });

  it('forgets tokens of a window that is over', async () => {
    const { windowId } = await take({ windowMs: 50 });
    await sleep(80);
    await take();
    await store.giveBack([{ subject, windowId, tokens: 10 }]);
    expect((await take()).left).toBe(81);
  });

  it('never deadlocks with leases and other batches in another order', async () => {
    const subjects = Array.from({ length: 20 }, () => uniqueName());
    const leases = await Promise.all(subjects.map((name) => take({ subject: name, waiting: 40 })));
    const returned = leases.map(({ windowId }, index) => ({ subject: subjects[index]!, windowId, tokens: 1 }));
    await Promise.all(
      Array.from({ length: 20 }, (_, round) =>
        Promise.all([
          store.giveBack(round % 2 === 0 ? returned : returned.toReversed()),
          ...subjects.map((name) => take({ subject: name })),
        ]),
      ),
    );
    const after = await Promise.all(subjects.map((name) => take({ subject: name })));
    for (const { granted, left } of after) expect(granted + left).toBeLessThanOrEqual(80);
  });
});

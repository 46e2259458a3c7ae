import { describe, expect, it } from '@jest/globals';
import { AdmissionTimes } from '../../../domain/limits/admission-times.ts';
import type { Lease } from '../../../domain/limits/lease-store.ts';
import { SubjectWindow } from '../../../domain/limits/subject-window.ts';

const WINDOW_MS = 60_000;
const lease = (granted: number, left: number, more: Partial<Lease> = {}): Lease => ({
  granted,
  left,
  windowId: 1_000_000,
  endsInMs: WINDOW_MS,
  secondEndsInMs: 400,
  ...more,
});
const window = (perWindow = 100, burst = 20) => new SubjectWindow('key:1', { perWindow, burst });
const verdicts = (subject: SubjectWindow, times: readonly number[]) => times.map((time) => subject.decide(time));
const fill = <T>(count: number, value: T): T[] => new Array<T>(count).fill(value);

describe('a subject’s window in one process', () => {
  it('knows nothing before its first lease, then counts down by one per request', () => {
    const subject = window();
    expect(subject.decide(0)).toBeUndefined();
    subject.apply(lease(3, 97), 0, 0);
    const remaining = [1, 2, 3].map((time) => [subject.decide(time), subject.remaining]);
    expect(remaining).toEqual([
      ['admitted', 99],
      ['admitted', 98],
      ['admitted', 97],
    ]);
    expect(subject.decide(4)).toBeUndefined();
  });

  it('is limited until its end once nothing is left, and then asks for a new window', () => {
    const subject = window(2);
    subject.apply(lease(2, 0), 0, 0);
    expect(verdicts(subject, [1, 2, 3, WINDOW_MS - 1])).toEqual(['admitted', 'admitted', 'limited', 'limited']);
    expect(subject.decide(WINDOW_MS)).toBeUndefined();
  });

  it('lets unused tokens die with the window they belong to', () => {
    const subject = window();
    subject.apply(lease(10, 90), 0, 0);
    subject.apply(lease(5, 95, { windowId: 2_000_000 }), 10, 0);
    expect(subject.remaining).toBe(100);
    expect(verdicts(subject, fill(6, 20)).at(-1)).toBeUndefined();
  });

  it('admits at most its burst in any one second, sliding', () => {
    const subject = window(100, 3);
    subject.apply(lease(50, 50), 0, 0);
    expect(verdicts(subject, [0, 600, 900, 999])).toEqual(['admitted', 'admitted', 'admitted', 'burst']);
    expect(verdicts(subject, [1_000, 1_001, 1_599, 1_600])).toEqual(['admitted', 'burst', 'burst', 'admitted']);
    expect(subject.remaining).toBe(95);
  });

  it('takes the store’s word that the second is full elsewhere, until that second is over', () => {
    const subject = window();
    subject.apply(lease(0, 60, { secondEndsInMs: 400 }), 0, 0);
    expect(verdicts(subject, [1, 399, 400])).toEqual(['burst', 'burst', undefined]);
  });

  it('fetches ahead when a quarter of a slice is left, but not for slices under 4', () => {
    const subject = window();
    subject.apply(lease(8, 92), 0, 0);
    verdicts(subject, fill(5, 1));
    expect(subject.wantsMore(1)).toBe(false);
    subject.decide(1);
    expect(subject.wantsMore(1)).toBe(true);
    const small = window();
    small.apply(lease(3, 20), 0, 0);
    verdicts(small, fill(3, 1));
    expect(small.wantsMore(1)).toBe(false);
  });

  it('asks again when exhausted, ever more seldom up to once a second', () => {
    const subject = window(1);
    subject.apply(lease(1, 0), 0, 0);
    subject.decide(0);
    const asked = Array.from({ length: 300 }, (_, index) => index * 10).filter((time) => subject.wantsMore(time));
    expect(asked).toEqual([0, 250, 750, 1_750, 2_750]);
  });

  it('follows a limit that is raised or lowered while the window runs', () => {
    const subject = window(10);
    subject.apply(lease(4, 6), 0, 0);
    subject.follow({ perWindow: 20, burst: 20 });
    expect(subject.remaining).toBe(20);
    subject.follow({ perWindow: 3, burst: 20 });
    expect(subject.remaining).toBe(3);
    subject.follow({ perWindow: 1, burst: 20 });
    expect(verdicts(subject, [1, 2])).toEqual(['admitted', 'limited']);
  });

  it('releases what it did not use, once, and still counts it as remaining', () => {
    const subject = window();
    subject.apply(lease(5, 95), 0, 0);
    subject.decide(1);
    expect(subject.release(2)).toEqual({ subject: 'key:1', windowId: 1_000_000, tokens: 4 });
    expect([subject.release(3), subject.remaining]).toEqual([undefined, 99]);
    expect(subject.decide(4)).toBeUndefined();
  });
});

describe('a subject’s window while the store is away', () => {
  it('goes on with what the store last said was left, and tells how much of it was spent', () => {
    const subject = window(10);
    subject.apply(lease(3, 7), 0, 0);
    verdicts(subject, fill(3, 1));
    subject.goOnAlone(2, 5_000_000, WINDOW_MS);
    expect(verdicts(subject, [3, 4])).toEqual(['admitted', 'admitted']);
    expect([subject.remaining, subject.debt]).toEqual([5, 2]);
    expect(subject.release(5)).toBeUndefined();
    subject.apply(lease(1, 4), 6, 2);
    expect([subject.remaining, subject.debt]).toEqual([5, 0]);
  });

  it('begins a window alone with the whole limit; the store’s next window takes over', () => {
    const subject = window(10);
    subject.goOnAlone(0, 5_000_000, WINDOW_MS);
    verdicts(subject, fill(4, 1));
    expect([subject.remaining, subject.debt, subject.resetsAt]).toEqual([6, 4, 5_060_000]);
    subject.decide(2);
    // Four were told with the call; the fifth came while it was on its way.
    subject.apply(lease(2, 4), 3, 4);
    expect([subject.remaining, subject.debt, subject.resetsAt]).toEqual([5, 0, 1_000_000]);
  });

  it('stays exhausted', () => {
    const subject = window(1);
    subject.apply(lease(1, 0), 0, 0);
    subject.decide(0);
    subject.goOnAlone(1, 5_000_000, WINDOW_MS);
    expect(verdicts(subject, [2, WINDOW_MS])).toEqual(['limited', undefined]);
  });
});

describe('admission times', () => {
  it('count as a plain list of the last second would, however they come', () => {
    const ring = new AdmissionTimes();
    const all: number[] = [];
    let now = 0;
    for (let index = 0; index < 2_000; index += 1) {
      now += (index * 7_919) % 40;
      if (index % 700 === 699) now += 1_500;
      if (index % 100 === 0) ring.shrink(now);
      expect(ring.countAt(now)).toBe(all.filter((time) => time > now - 1_000).length);
      ring.add(now);
      all.push(now);
    }
  });
});

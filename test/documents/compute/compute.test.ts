import { afterEach, describe, expect, test } from '@jest/globals';
import { computations } from '../../../documents/compute/computations.ts';
import { Computer, type ComputerOptions } from '../../../documents/compute/computer.ts';
import type { PageText } from '../../../documents/index.ts';
import { typedPage } from '../support.ts';

const computers: Computer[] = [];
function computerWith(options: Partial<ComputerOptions> = {}): Computer {
  const computer = new Computer({ processes: 1, memoryLimitMb: 900, log: () => undefined, ...options });
  computers.push(computer);
  return computer;
}
afterEach(async () => {
  await Promise.all(computers.splice(0).map((computer) => computer.close()));
});

const receipt = typedPage(['MERIDIAN FOODS', 'Invoice INV-7 2026-05-01', 'Bread 12.50', 'TOTAL 12.50']);

/** Pages of nearly nine thousand words each, as no document of its kind has. */
function pagesOf(words: number): PageText[] {
  const lines = Array.from({ length: 800 }, (_, n) => `Item ${String(n)} of the list at 12.50 and 3 more pieces`);
  const page = typedPage(lines);
  return Array.from({ length: Math.ceil(words / page.words.length) }, (_, n) => ({ ...page, page: n + 1 }));
}

describe('what is computed of a document', () => {
  test('is worked on at once where that is little, and is what the function gives', async () => {
    const computer = computerWith();
    expect(await computer.compute('classify', [[receipt]])).toEqual(computations.classify([receipt]));
    expect(await computer.compute('extract', [[receipt], {}])).toEqual(computations.extract([receipt]));
    expect(computer.stats().computed_apart).toBe(0);
  });

  test('of 400,000 words is worked on in a child, while the caller goes on', async () => {
    const computer = computerWith();
    const ends: string[] = [];
    const pages = pagesOf(400_000);
    const long = computer.compute('classify', [pages]).then((found) => {
      ends.push('long');
      return found;
    });
    expect(computer.stats().computed_apart).toBe(1);
    await computer.compute('classify', [[receipt]]);
    ends.push('short');
    expect((await long).document_type).toEqual(expect.any(String));
    expect(ends).toEqual(['short', 'long']);
  });

  test('gives the same in a child', async () => {
    const computer = computerWith({ largestInline: 0 });
    const pages = [receipt];
    const extraction = computations.extract(pages);
    expect(await computer.compute('extract', [pages, {}])).toEqual(JSON.parse(JSON.stringify(extraction)));
    expect(await computer.compute('lessonOf', [pages, extraction, {}])).toBeUndefined();
    const steps = [{ action: 'extract' as const }, { action: 'split' as const }];
    await expect(computer.compute('assemble', [steps, { pages, cuts: [] }])).rejects.toMatchObject({
      name: 'DocumentError',
      code: 'BAD_STEPS',
    });
    expect(computer.stats()).toMatchObject({ computed_apart: 3, restarts: 0 });
  });

  test('is a training always apart; what is wrong with it names its place', async () => {
    const computer = computerWith();
    const fields = [{ name: 'number', type: 'string' }];
    await expect(computer.compute('trainModel', [{ fields }, []])).rejects.toMatchObject({ code: 'BAD_MODEL' });
    expect(computer.stats().computed_apart).toBe(1);
  });

  test('costs its child where it takes longer than it may, and the next has a fresh one', async () => {
    const computer = computerWith({ timeoutMs: 1, largestInline: 100_000 });
    const endless = computer.compute('extract', [pagesOf(80_000), {}]);
    await expect(endless).rejects.toMatchObject({ code: 'TIMEOUT', message: 'Computing took longer than 1 ms.' });
    expect(computer.stats().restarts).toBe(1);
    expect((await computer.compute('classify', [[receipt]])).document_type).toEqual(expect.any(String));
  });

  test('is given up when its caller is no longer there', async () => {
    const computer = computerWith({ largestInline: 0 });
    const caller = new AbortController();
    const work = computer.compute('extract', [pagesOf(8_000), {}], caller.signal);
    caller.abort(new Error('cancelled'));
    await expect(work).rejects.toThrow('cancelled');
    await expect(computer.compute('classify', [[receipt]], caller.signal)).rejects.toThrow('cancelled');
  });
});

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isDeeperThan, JsonDepth } from '../../../api/http/json-depth.ts';

const deeper = (text: string, limit = 64): boolean => isDeeperThan(Buffer.from(text), limit);
const nested = (levels: number, open = '[', close = ']'): string => open.repeat(levels) + close.repeat(levels);

describe('isDeeperThan', () => {
  it('counts arrays and objects alike', () => {
    expect(deeper(nested(64))).toBe(false);
    expect(deeper(nested(65))).toBe(true);
    expect(deeper('{"a":['.repeat(32) + ']}'.repeat(32))).toBe(false);
    expect(deeper(`{"a":${nested(64)}}`)).toBe(true);
  });

  it('is about depth, not about how many there are', () => {
    expect(deeper(`[${'[[]],'.repeat(10_000)}[]]`, 3)).toBe(false);
  });

  it.each([
    ['brackets', `["${'['.repeat(100)}"]`],
    ['brackets behind an escaped quote', `["\\"${'['.repeat(100)}"]`],
    ['brackets behind escaped backslashes and quotes', `["\\\\\\"${'['.repeat(100)}"]`],
    ['brackets in a name', `{"${'{'.repeat(100)}":1}`],
  ])('does not count %s in a text', (_what, text) => {
    expect(deeper(text)).toBe(false);
  });

  it('counts on behind a text that ends in a backslash pair', () => {
    expect(deeper(`["\\\\",${nested(64)}]`)).toBe(true);
  });

  it('reads text that is cut off, or closes more than it opens', () => {
    expect(deeper(`"${'['.repeat(100)}`)).toBe(false);
    expect(deeper(']'.repeat(100))).toBe(false);
    expect(deeper('['.repeat(100))).toBe(true);
  });

  it.each([
    ['one long text', `["${'x'.repeat(1_000_000)}"]`],
    ['quotes in a text', `["${'\\"'.repeat(500_000)}"]`],
    ['short values', `[${'1,'.repeat(500_000)}1]`],
  ])('gets through much of %s', (_what, text) => {
    expect(deeper(text)).toBe(false);
  });
});

describe('JsonDepth', () => {
  it('says of text in parts what it says of the whole, wherever it is cut', () => {
    const json = fc.string({ unit: fc.constantFrom('[', ']', '{', '"', '\\', 'x'), maxLength: 40 });
    fc.assert(
      fc.property(json, fc.array(fc.nat(40), { maxLength: 4 }), (text, cuts) => {
        const bytes = Buffer.from(text);
        const ends = [...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
        const depth = new JsonDepth();
        const inParts = ends.some((end, index) => depth.goesBelow(3, bytes.subarray(ends[index - 1] ?? 0, end)));
        expect(inParts).toBe(isDeeperThan(bytes, 3));
      }),
      { numRuns: 2_000 },
    );
  });
});

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson } from '../../../domain/finance/export/canonical-json.ts';
import { toCsv } from '../../../domain/finance/export/csv.ts';

describe('toCsv', () => {
  const cell = (value: unknown): string => toCsv(['a'], [{ a: value }]).slice('a\r\n'.length, -'\r\n'.length);

  it('is RFC 4180: a heading, CRLF, and quotes where they are needed', () => {
    expect(
      toCsv(
        ['a', 'b'],
        [
          { a: 'x', b: 1 },
          { a: 'y, "z"\n', b: null },
        ],
      ),
    ).toBe('a,b\r\nx,1\r\n"y, ""z""\n",\r\n');
    expect(toCsv(['a', 'b'], [])).toBe('a,b\r\n');
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', '\r=1', '＝1', '\u00A0=1'])(
    'lets no formula be: %j',
    (text) => {
      expect(cell(text).replaceAll('"', '')).toBe(`'${text}`);
    },
  );

  it('leaves numbers, and texts that are no formula, as they are', () => {
    expect([-5, 1.5, true, null, 'a=b', '2026-01-01', { a: [1] }].map(cell)).toEqual([
      '-5',
      '1.5',
      'true',
      '',
      'a=b',
      '2026-01-01',
      '"{""a"":[1]}"',
    ]);
  });

  it('never begins a cell of text with the sign of a formula', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(cell(text)).not.toMatch(/^"?[\s]*[=+\-@]/);
      }),
    );
  });
});

describe('canonicalJson', () => {
  it('is RFC 8785: the example of its §3.2.3 sorts so', () => {
    const names = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\ud83d\ude00': 5, '\u0080': 6, '\u00f6': 7 };
    expect(canonicalJson(names)).toBe('{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\ud83d\ude00":5,"\ufb33":3}');
    expect(
      canonicalJson({ numbers: [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 1e-27], literals: [null, true, false] }),
    ).toBe('{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27]}');
  });

  it('says the same however the names are ordered, and reads back as what it was', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
    expect(canonicalJson({ b: 1, a: undefined, c: { z: 1, y: 2 } })).toBe('{"b":1,"c":{"y":2,"z":1}}');
  });
});

import { describe, expect, it } from '@jest/globals';
import { storableJson } from '../../platform/storable-json.ts';

/** What jsonb can hold: no NUL, no half of a surrogate pair. */
const texts = (json: string): string[] => Object.values(JSON.parse(json) as Record<string, string>);

describe('JSON of what was read from a document', () => {
  it('has no NUL and no half of a pair, also of a text that was cut', () => {
    const cut = 'Paid 😀'.slice(0, 6);
    expect(texts(storableJson({ nul: 'To\0tal', high: cut, low: '\udc00x' }))).toEqual([
      'Total',
      'Paid \ufffd',
      '\ufffdx',
    ]);
    expect(storableJson([{ value: '\0' }])).toBe('[{"value":""}]');
  });

  it('is otherwise what JSON.stringify makes', () => {
    const value = { whole: '😀', quoted: '\\u0000 "\\ud800"', lines: [1.5, null, true, undefined], left: undefined };
    expect(storableJson(value)).toBe(JSON.stringify(value));
  });
});

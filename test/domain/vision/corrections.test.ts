import { describe, expect, it } from '@jest/globals';
import { corrected } from '../../../domain/vision/corrections.rules.ts';

const bbox = { page: 1, x: 10, y: 20, width: 30, height: 8 };

describe('a corrected document', () => {
  it('is certain of what was corrected, and keeps what had been extracted', () => {
    const before = { fields: { total: { value: 10, confidence: 0.7, bbox } } };
    expect(corrected(before, [{ path: 'total', field: 'total', value: 12 }])).toEqual({
      fields: { total: { value: 12, confidence: 1, bbox, corrected: true, original_value: 10 } },
    });
  });

  it('no longer says of a field that it was left out, once somebody gave it', () => {
    const before = { fields: {}, left_out: { due_date: 0.41, currency: 0.3 } };
    const after = corrected(before, [{ path: 'due_date', field: 'due_date', value: '2026-12-01' }]);
    expect(after.left_out).toEqual({ currency: 0.3 });
    expect(after.fields).toHaveProperty('due_date.value', '2026-12-01');
  });

  it('changes a cell of one line, and no other', () => {
    const row = { total: { value: 5, confidence: 0.9 } };
    const after = corrected({ fields: {}, line_items: [row, row] }, [
      { path: 'line_items[1].total', field: 'total', line: 1, value: 6 },
    ]);
    expect(after.line_items.map(({ total }) => total.value)).toEqual([5, 6]);
  });
});

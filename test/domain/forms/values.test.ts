import { describe, expect, it } from '@jest/globals';
import type { FieldType, FormField } from '../../../domain/contracts/forms.ts';
import { fill } from '../../../domain/forms/values.ts';

const field = (field_type: FieldType, more: Partial<FormField> = {}): FormField => ({
  field_key: 'it',
  field_label: 'It',
  field_type,
  is_required: false,
  options: [],
  ...more,
});
const options = ['red', 'blue'];
const file = (bytes: number) => ({ file_name: 'a.bin', content_base64: Buffer.alloc(bytes, 7).toString('base64') });

describe('fill', () => {
  it.each<[FieldType, unknown]>([
    ['text', 'Ünïcode'],
    ['textarea', 'two\nlines'],
    ['number', -1.5],
    ['number', 0],
    ['date', '2024-02-29'],
    ['datetime', '2026-11-21T08:30:00+02:00'],
    ['datetime', '2026-11-21T08:30'],
    ['email', 'a@b.example'],
    ['phone', '+27 (0)13 555-0101'],
    ['select', 'red'],
    ['multiselect', ['red', 'blue']],
    ['checkbox', false],
  ])('a %s takes %j', (type, value) => {
    const choices = type.endsWith('select') ? { options } : {};
    expect(fill([field(type, { ...choices, is_required: true })], { it: value })).toEqual({
      data: { it: value },
      files: null,
    });
  });

  it.each<[FieldType, unknown, string]>([
    ['text', 7, 'BAD_REQUEST'],
    ['text', 'x'.repeat(2_001), 'VALIDATION_ERROR'],
    ['number', '7', 'BAD_REQUEST'],
    ['date', '2026-02-30', 'VALIDATION_ERROR'],
    ['date', '21.11.2026', 'VALIDATION_ERROR'],
    ['datetime', '2026-11-21', 'VALIDATION_ERROR'],
    ['email', 'nobody', 'VALIDATION_ERROR'],
    ['phone', 'call me', 'VALIDATION_ERROR'],
    ['phone', '   ', 'VALIDATION_ERROR'],
    ['select', 'green', 'VALIDATION_ERROR'],
    ['select', ['red'], 'BAD_REQUEST'],
    ['multiselect', 'red', 'BAD_REQUEST'],
    ['multiselect', ['red', 'green'], 'VALIDATION_ERROR'],
    ['multiselect', ['red', 'red'], 'VALIDATION_ERROR'],
    ['checkbox', 'yes', 'BAD_REQUEST'],
    ['file', 'a.bin', 'BAD_REQUEST'],
    ['file', { file_name: 'a.bin', content_base64: 'not base64!' }, 'VALIDATION_ERROR'],
    ['file', { file_name: 'a.bin' }, 'BAD_REQUEST'],
    ['file', file(1_048_577), 'VALIDATION_ERROR'],
  ])('a %s refuses %j', (type, value, code) => {
    const choices = type.endsWith('select') ? { options } : {};
    expect(() => fill([field(type, choices)], { it: value })).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(/^data\.it/) }),
    );
  });

  it.each([undefined, null, '', []])('%j counts as left out', (value) => {
    expect(fill([field('multiselect', { options })], { it: value })).toEqual({ data: {}, files: null });
    expect(() => fill([field('text', { is_required: true })], { it: value })).toThrow(
      expect.objectContaining({ code: 'BAD_REQUEST', message: 'data.it: is required' }),
    );
  });

  it('keeps the content of a file beside its name, size and digest', () => {
    const { data, files } = fill([field('file')], { it: file(1_048_576) });
    expect(data).toEqual({
      it: { file_name: 'a.bin', size: 1_048_576, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect(Buffer.from(files!['it']!, 'base64')).toHaveLength(1_048_576);
  });

  it('names every problem at once, unknown fields too', () => {
    const values = JSON.parse('{"it": 7, "other": 1, "__proto__": 1, "constructor": 1}') as Record<string, unknown>;
    expect(() => fill([field('text'), field('email', { field_key: 'mail', is_required: true })], values)).toThrow(
      expect.objectContaining({
        code: 'BAD_REQUEST',
        details: [
          { field: 'data.other', issue: 'is not a field of the form' },
          { field: 'data.__proto__', issue: 'is not a field of the form' },
          { field: 'data.constructor', issue: 'is not a field of the form' },
          { field: 'data.it', issue: 'must be a string' },
          { field: 'data.mail', issue: 'is required' },
        ],
      }),
    );
  });
});

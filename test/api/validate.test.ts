import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { nearestName, validateInput } from '../../api/validate.ts';
import { ApiError } from '../../domain/contracts/errors.ts';

const Schema = z.strictObject({
  limit: z.int().min(1).max(500).optional(),
  contact: z.int().positive().optional(),
  title: z.string().min(1).max(5).optional(),
  tags: z.array(z.string()).max(1).optional(),
  kind: z.enum(['job', 'task']).optional(),
  id: z.uuid().optional(),
  on: z.iso.date().optional(),
  place: z.strictObject({ latitude: z.number() }).nullable().optional(),
  lines: z.array(z.strictObject({ unit_price: z.number().optional() })).optional(),
  permissions: z.record(z.string(), z.literal(true)).optional(),
});

function refusalOf(input: unknown): { code: string; details: unknown } {
  try {
    validateInput(Schema, input);
  } catch (error) {
    if (error instanceof ApiError) return { code: error.code, details: error.details };
  }
  throw new Error('the input was accepted');
}

describe('validateInput', () => {
  it.each([
    [{ limit: 501 }, 'limit', 'must be at most 500', 'VALIDATION_ERROR'],
    [{ limit: 1e21 }, 'limit', 'must be at most 500', 'VALIDATION_ERROR'],
    [{ limit: 0 }, 'limit', 'must be at least 1', 'VALIDATION_ERROR'],
    [{ contact: 0 }, 'contact', 'must be greater than 0', 'VALIDATION_ERROR'],
    [{ title: '' }, 'title', 'must not be empty', 'VALIDATION_ERROR'],
    [{ title: 'too long' }, 'title', 'must have at most 5 characters', 'VALIDATION_ERROR'],
    [{ title: 7 }, 'title', 'must be a string', 'BAD_REQUEST'],
    [{ tags: ['a', 'b'] }, 'tags', 'must have at most 1 entry', 'VALIDATION_ERROR'],
    [{ kind: 'jobs' }, 'kind', 'must be one of job, task', 'VALIDATION_ERROR'],
    [{ id: 'x' }, 'id', 'must be a UUID', 'VALIDATION_ERROR'],
    [{ on: 'tomorrow' }, 'on', 'must be a date such as 2026-11-21', 'VALIDATION_ERROR'],
    [{ permissions: { read: false } }, 'permissions.read', 'must be true', 'VALIDATION_ERROR'],
    [{ titel: 'x' }, 'titel', 'is not a known field; did you mean title?', 'VALIDATION_ERROR'],
    [{ TITLE: 'x' }, 'TITLE', 'is not a known field; did you mean title?', 'VALIDATION_ERROR'],
    [
      { place: { latitude: 1, lattitude: 1 } },
      'place.lattitude',
      'is not a known field; did you mean latitude?',
      'VALIDATION_ERROR',
    ],
    [
      { lines: [{ unitPrice: 1 }] },
      'lines[0].unitPrice',
      'is not a known field; did you mean unit_price?',
      'VALIDATION_ERROR',
    ],
    [{ colour: 'x' }, 'colour', 'is not a known field', 'VALIDATION_ERROR'],
  ])('%j: one issue that names the field and the fix', (input, field, issue, code) => {
    expect(refusalOf(input)).toEqual({ code, details: [{ field, issue }] });
  });

  it('names a hundred fields at most, so that no refusal is larger than what it refuses', () => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`field_${String(n)}`, n]));
    const { code, details } = refusalOf(many);
    expect(code).toBe('VALIDATION_ERROR');
    expect(details).toHaveLength(100);
  });
});

describe('nearestName', () => {
  it.each([
    ['create_work_item', 'create-work-item'],
    ['getWorkItemTimeEntries', 'get-work-item-time-entries'],
    ['Create Work Item', 'create-work-item'],
    ['creat-workitm', 'create-work-item'],
    ['make-coffee', undefined],
    ['', undefined],
  ])('takes %s for %s, however its words are joined', (name, nearest) => {
    expect(nearestName(name, ['create-work-item', 'get-work-item-time-entries'])).toBe(nearest);
  });

  it('looks at no name whose length alone says that it is another', () => {
    expect(nearestName('a'.repeat(1_000_000), ['create-work-item'])).toBeUndefined();
  });
});

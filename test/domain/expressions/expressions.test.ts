import { describe, expect, it } from '@jest/globals';
import {
  brokenPlaceholders,
  conditionIssues,
  hasPlaceholder,
  interpolate,
  meets,
} from '../../../domain/expressions/index.ts';

const data = {
  work_item: { title: 'Pump', priority: 'urgent', estimated_hours: 8, contact_id: null, tags: ['a', 'b'] },
  items: [{ sku: 'X-1' }, { sku: 'X-2' }],
};

describe('interpolate', () => {
  it.each([
    ['{{ work_item.title }}', 'Pump'],
    ['Fix the {{work_item.title}} now', 'Fix the Pump now'],
    ['{{ items.1.sku }}', 'X-2'],
    ['{{ work_item.estimated_hours }}', 8],
    ['{{ work_item.tags }}', ['a', 'b']],
    ['tags {{ work_item.tags }}', 'tags ["a","b"]'],
    ['{{ work_item.nothing }}', null],
    ['<{{ work_item.nothing }}>', '<>'],
    ['<{{ work_item.contact_id }}>', '<>'],
    ['{{ __proto__.polluted }}', null],
    ['{{ work_item.constructor.name }}', null],
    ['{{ items.length }}', null],
    ['{{ a b }}', null],
    ['{ work_item.title }', '{ work_item.title }'],
  ])('%s is %j', (template, expected) => {
    expect(interpolate(template, data)).toEqual(expected);
  });

  it('fills in strings at any depth and leaves keys and other values alone', () => {
    const template = { '{{ key }}': [1, true, null, { deep: '{{ work_item.priority }}!' }] };
    expect(interpolate(template, data)).toEqual({ '{{ key }}': [1, true, null, { deep: 'urgent!' }] });
  });

  it('knows what is still to be filled in and what never can be', () => {
    expect(hasPlaceholder({ a: ['{{ x }}'] })).toBe(true);
    expect(hasPlaceholder({ a: ['x'] })).toBe(false);
    expect(brokenPlaceholders(['{{ ok.path }}', '{{ 1 + 1 }}', 'and {{ }} {{ __proto__.x }}'])).toEqual([
      '{{ 1 + 1 }}',
      '{{ }}',
      '{{ __proto__.x }}',
    ]);
  });
});

describe('meets', () => {
  it.each([
    [{ 'work_item.priority': 'urgent' }, true],
    [{ 'work_item.priority': 'low' }, false],
    [{ 'work_item.priority': { $in: ['high', 'urgent'] } }, true],
    [{ 'work_item.priority': { $ne: 'low' }, 'work_item.estimated_hours': { $gte: 8, $lt: 9 } }, true],
    [{ 'work_item.estimated_hours': { $gt: 8 } }, false],
    [{ 'work_item.title': { $lte: 'Q' } }, true],
    [{ 'work_item.title': { $gt: 3 } }, false],
    [{ 'work_item.contact_id': { $exists: false } }, true],
    [{ 'work_item.contact_id': null }, true],
    [{ 'work_item.missing': null }, true],
    [{ 'work_item.tags': ['a', 'b'] }, true],
    [{ 'items.0': { sku: 'X-1' } }, true],
    [{ $or: [{ 'items.0.sku': 'no' }, { 'items.1.sku': 'X-2' }] }, true],
    [{ $and: [{ 'items.0.sku': 'no' }, { 'items.1.sku': 'X-2' }] }, false],
    [{ $not: { 'work_item.priority': 'urgent' } }, false],
    [{}, true],
  ])('%j → %s', (condition, expected) => {
    expect(conditionIssues(condition)).toEqual([]);
    expect(meets(data, condition)).toBe(expected);
  });
});

describe('conditionIssues', () => {
  it.each([
    [{ 'work_item.priority': { $regex: '.*' } }, /\$regex is not an operator/],
    [{ 'work_item.priority': { $in: 'urgent' } }, /\$in must be a list/],
    [{ a: { $gt: true } }, /\$gt must be a number or a text/],
    [{ a: { $exists: 1 } }, /\$exists must be true or false/],
    [{ 'a b': 1 }, /neither a path nor/],
    [{ '__proto__.x': 1 }, /neither a path nor/],
    [{ $or: [] }, /\$or must be a list of conditions/],
    [{ $not: 'x' }, /must be an object/],
    [{ $where: 'x' }, /neither a path nor/],
    [{ $not: { $not: { $not: { $not: { $not: { a: 1 } } } } } }, /nested deeper/],
    [Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`a${String(i)}`, 1])), /more than 50 terms/],
  ])('%j', (condition, issue) => {
    expect(conditionIssues(condition).join('; ')).toMatch(issue);
  });

  it('finds nothing wrong with a good one', () => {
    expect(conditionIssues({ 'work_item.priority': { $in: ['high'] }, $or: [{ a: 1 }, { b: null }] })).toEqual([]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { filterIssues, matches } from '../../../domain/webhooks/subscription.ts';
import type { Subscription } from '../../../domain/webhooks/subscription.ts';

const subscription: Subscription = {
  events: new Set(['job.created', 'contact.created']),
  itemTypeFilter: null,
  itemSubtypeFilter: null,
  statusFilter: null,
  filter: null,
  isActive: true,
  isVerified: true,
};
const item = { item_type: 'job', item_subtype: 'repair', status: 'open' };

function event(
  data: Record<string, unknown>,
  name = 'job.created',
): { name: string; data: () => Record<string, unknown> } {
  return { name, data: () => data };
}

describe('matches', () => {
  it('goes by the name of the event', () => {
    expect(matches(subscription, event({ work_item: item }))).toBe(true);
    expect(matches(subscription, event({ work_item: item }, 'job.deleted'))).toBe(false);
  });

  it('leaves out inactive and unverified webhooks', () => {
    expect(matches({ ...subscription, isActive: false }, event({}))).toBe(false);
    expect(matches({ ...subscription, isVerified: false }, event({}))).toBe(false);
  });

  it('asks every flat filter that is set', () => {
    const filtered = { ...subscription, itemTypeFilter: 'job', itemSubtypeFilter: 'repair', statusFilter: 'open' };
    expect(matches(filtered, event({ work_item: item }))).toBe(true);
    expect(matches({ ...filtered, itemTypeFilter: 'task' }, event({ work_item: item }))).toBe(false);
    expect(matches({ ...filtered, itemSubtypeFilter: 'survey' }, event({ work_item: item }))).toBe(false);
    expect(matches({ ...filtered, statusFilter: 'closed' }, event({ work_item: item }))).toBe(false);
  });

  it('does not filter events without a work item', () => {
    const filtered = { ...subscription, statusFilter: 'closed' };
    expect(matches(filtered, event({ contact: {} }, 'contact.created'))).toBe(true);
  });

  it('filters the comments, attachments and appointments of a work item by that item', () => {
    const filtered = { ...subscription, events: new Set(['appointment.created']), itemTypeFilter: 'task' };
    expect(matches(filtered, event({ appointment: {}, work_item: item }, 'appointment.created'))).toBe(false);
    expect(matches(filtered, event({ appointment: {} }, 'appointment.created'))).toBe(true);
  });

  it('asks the condition on the payload', () => {
    const filter = { 'data.work_item.status': 'open', event: { $in: ['job.created'] } };
    expect(matches({ ...subscription, filter }, event({ work_item: item }))).toBe(true);
    expect(matches({ ...subscription, filter }, event({ work_item: { ...item, status: 'closed' } }))).toBe(false);
    expect(matches({ ...subscription, filter }, event({ contact: {} }, 'contact.created'))).toBe(false);
  });

  it('asks both kinds of filter', () => {
    const both = { ...subscription, filter: { 'data.work_item.status': 'open' }, itemTypeFilter: 'task' };
    expect(matches(both, event({ work_item: item }))).toBe(false);
  });

  it('does not read the data where no filter needs it', () => {
    const unread = { name: 'job.created', data: (): never => fail() };
    expect(matches(subscription, unread)).toBe(true);
  });
});

describe('filterIssues', () => {
  it('finds nothing wrong with a condition on event and data', () => {
    const filter = { $or: [{ event: 'job.created' }, { $not: { 'data.work_item.priority': { $in: ['low'] } } }] };
    expect(filterIssues(filter)).toEqual([]);
  });

  it('says where a path begins', () => {
    const [issue] = filterIssues({ 'work_item.priority': 'urgent' });
    expect(issue?.field).toBe('filter');
    expect(issue?.issue).toContain('data.work_item.priority');
    expect(filterIssues({ 'event.name': 'x' })).toHaveLength(1);
    expect(filterIssues({ $and: [{ database: 1 }] })).toHaveLength(1);
  });

  it('says what is no condition', () => {
    expect(filterIssues([])).toEqual([{ field: 'filter', issue: 'a condition must be an object' }]);
    expect(filterIssues({ 'data.a': { $near: 1 } })[0]?.issue).toContain('$near is not an operator');
  });
});

function fail(): never {
  throw new Error('the data was read');
}

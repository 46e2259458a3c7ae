import { describe, expect, it } from '@jest/globals';
import { matches } from '../../../domain/webhooks/subscription.rules.ts';
import type { Subscription } from '../../../domain/webhooks/subscription.rules.ts';

const subscription: Subscription = {
  events: new Set(['job.created', 'contact.created']),
  itemTypeFilter: null,
  itemSubtypeFilter: null,
  statusFilter: null,
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

  it('does not read the data where no filter needs it', () => {
    const unread = { name: 'job.created', data: (): never => fail() };
    expect(matches(subscription, unread)).toBe(true);
  });
});

function fail(): never {
  throw new Error('the data was read');
}

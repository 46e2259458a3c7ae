import { describe, expect, it } from '@jest/globals';
import type { Caller } from '../../../domain/contracts/caller.ts';
import { ratePolicyOf } from '../../../domain/limits/index.ts';

function caller(tier: string, more: Partial<Caller> = {}): Caller {
  const facts = { finance_tier: 'none', production_api_enabled: false };
  const place = { country: 'ZA', currency: 'ZAR', timezone: 'Africa/Johannesburg' };
  return {
    clientId: 1,
    client: { id: 1, slug: 'acme', name: 'Acme', tier, ...facts, ...place },
    actor: { type: 'user', id: '7' },
    userId: 7,
    role: 'member',
    scopes: new Set(),
    address: null,
    ...more,
  };
}
const key = (rateLimitPerMinute: number | null): Partial<Caller> => ({
  actor: { type: 'api_key', id: '9' },
  role: null,
  apiKey: { id: 9, environment: 'testing', rateLimitPerMinute },
});

describe('a caller’s limit', () => {
  it.each([
    ['a key without a limit of its own', 'enterprise', key(null), 'key:9', 100, 1_000],
    ['a key with one', 'enterprise', key(2_500), 'key:9', 2_500, 1_000],
    ['a key whose limit is above the ceiling, as after a downgrade', 'business', key(2_500), 'key:9', 300, 60],
    ['a user', 'professional', {}, 'user:7', 1_000, 200],
    ['a user of a free client', 'free', {}, 'user:7', 100, 20],
  ])('%s', (_name, tier, more, subject, perWindow, burst) => {
    expect(ratePolicyOf(caller(tier, more))).toEqual({ subject, policy: { perWindow, burst } });
  });
});

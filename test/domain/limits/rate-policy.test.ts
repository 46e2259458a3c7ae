import { describe, expect, it } from '@jest/globals';
import { DOCUMENT_AI_LIMITS } from '../../../domain/contracts/vision-requests.ts';
import type { Caller } from '../../../domain/contracts/caller.ts';
import { rateLimitsOf } from '../../../domain/limits/index.ts';

function caller(tier: string, more: Partial<Caller> = {}): Caller {
  const facts = { finance_tier: 'none', production_api_enabled: false };
  const document_ai = DOCUMENT_AI_LIMITS[tier] ?? { requests_per_minute: 0, concurrent_jobs: 0 };
  const place = { country: 'ZA', currency: 'ZAR', timezone: 'Africa/Johannesburg', document_ai };
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
    expect(rateLimitsOf(caller(tier, more), 'api')).toEqual([{ subject, policy: { perWindow, burst } }]);
  });

  it('Document AI counts a client’s requests together, by the limits of its tier', () => {
    for (const more of [key(null), {}]) {
      expect(rateLimitsOf(caller('business', more), 'document_ai')).toEqual([
        { subject: 'document-ai:1', policy: { perWindow: 200, burst: 60 } },
      ]);
    }
  });

  it('and those of its sandbox apart: tests take nothing from the calls that count', () => {
    const [limit] = rateLimitsOf(caller('business', { ...key(null), isSandbox: true }), 'document_ai');
    expect(limit).toEqual({ subject: 'document-ai-sandbox:1', policy: { perWindow: 200, burst: 60 } });
  });

  it('and a key that has a limit of its own against both', () => {
    const limits = rateLimitsOf(caller('enterprise', key(30)), 'document_ai');
    expect(limits.map(({ subject, policy }) => [subject, policy.perWindow])).toEqual([
      ['key:9', 30],
      ['document-ai:1', 2_000],
    ]);
  });
});

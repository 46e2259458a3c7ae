import { describe, expect, it } from '@jest/globals';
import {
  attemptNumber,
  decide,
  retryAfterMs,
  retryDelayMs,
  verdictOf,
} from '../../../domain/webhooks/delivery.rules.ts';
import type { SendOutcome } from '../../../domain/webhooks/delivery.rules.ts';

const PLATFORM = { retryCount: 5, retryDelaySeconds: 0 };

function outcome(fields: Partial<SendOutcome> = {}): SendOutcome {
  const none = { responseStatus: 500, responseBody: '', retryAfterMs: null };
  return { verdict: 'failure', at: 0, durationMs: 1, error: 'HTTP 500', ...none, ...fields };
}

describe('decide', () => {
  it('retries after 1 s, 5 s, 30 s, 2 min and 10 min, then dead-letters', () => {
    const decisions = [1, 2, 3, 4, 5, 6].map((sends) => decide(outcome(), sends, PLATFORM));
    expect(decisions).toEqual([
      { status: 'retrying', delayMs: 1_000 },
      { status: 'retrying', delayMs: 5_000 },
      { status: 'retrying', delayMs: 30_000 },
      { status: 'retrying', delayMs: 120_000 },
      { status: 'retrying', delayMs: 600_000 },
      { status: 'failed', reason: '6 sends failed; last: HTTP 500' },
    ]);
  });

  it('waits a fixed delay before every retry where the webhook has one', () => {
    const policy = { retryCount: 2, retryDelaySeconds: 60 };
    expect(decide(outcome(), 1, policy)).toEqual({ status: 'retrying', delayMs: 60_000 });
    expect(decide(outcome(), 2, policy)).toEqual({ status: 'retrying', delayMs: 60_000 });
    expect(decide(outcome(), 3, policy)).toMatchObject({ status: 'failed' });
  });

  it('dead-letters at once with retry_count 0', () => {
    const policy = { retryCount: 0, retryDelaySeconds: 0 };
    expect(decide(outcome(), 1, policy)).toEqual({ status: 'failed', reason: '1 send failed; last: HTTP 500' });
  });

  it('lets Retry-After lengthen a wait and never shorten it', () => {
    expect(decide(outcome({ retryAfterMs: 20_000 }), 1, PLATFORM)).toEqual({ status: 'retrying', delayMs: 20_000 });
    expect(decide(outcome({ retryAfterMs: 2_000 }), 3, PLATFORM)).toEqual({ status: 'retrying', delayMs: 30_000 });
  });

  it('ends in success, and on 410 in the DLQ, whatever retries are left', () => {
    expect(decide(outcome({ verdict: 'success' }), 1, PLATFORM)).toEqual({ status: 'success' });
    expect(decide(outcome({ verdict: 'gone', error: 'HTTP 410' }), 1, PLATFORM)).toMatchObject({ status: 'failed' });
  });
});

describe('verdictOf', () => {
  it.each([
    [200, 'success'],
    [204, 'success'],
    [299, 'success'],
    [301, 'failure'],
    [307, 'failure'],
    [400, 'failure'],
    [404, 'failure'],
    [410, 'gone'],
    [429, 'failure'],
    [503, 'failure'],
  ])('takes %i for %s', (status, verdict) => {
    expect(verdictOf(status)).toBe(verdict);
  });
});

describe('retryAfterMs', () => {
  const now = Date.parse('2026-11-21T08:00:00Z');

  it('reads seconds and dates on 429 and 503, at most ten minutes', () => {
    expect(retryAfterMs(429, '7', now)).toBe(7_000);
    expect(retryAfterMs(503, 'Sat, 21 Nov 2026 08:00:30 GMT', now)).toBe(30_000);
    expect(retryAfterMs(503, '86400', now)).toBe(600_000);
    expect(retryAfterMs(503, '99999999999', now)).toBe(600_000);
  });

  it('ignores it elsewhere, in the past, and when it is neither', () => {
    expect(retryAfterMs(500, '7', now)).toBeNull();
    expect(retryAfterMs(429, undefined, now)).toBeNull();
    expect(retryAfterMs(429, 'Sat, 21 Nov 2026 07:00:00 GMT', now)).toBeNull();
    expect(retryAfterMs(429, 'soon', now)).toBeNull();
  });
});

describe('attemptNumber', () => {
  it('stays within 1 to 5 for 0 to 6 sends', () => {
    expect([0, 1, 2, 3, 4, 5, 6].map(attemptNumber)).toEqual([1, 1, 1, 2, 3, 4, 5]);
  });
});

describe('retryDelayMs', () => {
  it('keeps to the last delay beyond the schedule', () => {
    expect(retryDelayMs(9, PLATFORM)).toBe(600_000);
  });
});

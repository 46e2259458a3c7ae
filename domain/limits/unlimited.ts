import { RATE_WINDOW_MS } from './rate-policy.ts';
import type { RateLimiter } from './rate-limiter.ts';

/** Admits everything (RATE_LIMIT_DISABLED); its headers tell of a window that is always untouched. */
export function createUnlimited(): RateLimiter {
  let admitted = 0;
  return {
    admit(_subject, { perWindow, burst }) {
      admitted += 1;
      return {
        verdict: 'admitted',
        limit: perWindow,
        burst,
        remaining: perWindow,
        resetsAt: Date.now() + RATE_WINDOW_MS,
        resetsInSeconds: RATE_WINDOW_MS / 1_000,
        windowSeconds: RATE_WINDOW_MS / 1_000,
        retryAfterSeconds: 0,
      };
    },
    counts: () => ({ admitted, limited: 0, burst: 0, waited: 0, leases: 0, storeFailures: 0, fallback: false }),
    close: () => Promise.resolve(),
  };
}

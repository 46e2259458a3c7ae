import { LRUCache } from 'lru-cache';
import type { Logger } from '../../platform/log.ts';
import { IdleTokens } from './idle-tokens.ts';
import type { LeaseStore } from './lease-store.ts';
import { RATE_WINDOW_MS } from './rate-policy.ts';
import type { RatePolicy } from './rate-policy.ts';
import { StoreHealth } from './store-health.ts';
import { SubjectWindow } from './subject-window.ts';
import type { Verdict } from './subject-window.ts';
import { within } from './within.ts';

export interface Admission {
  verdict: Verdict;
  limit: number;
  burst: number;
  remaining: number;
  /** Epoch ms. */
  resetsAt: number;
  resetsInSeconds: number;
  windowSeconds: number;
  /** 0 where it was admitted. */
  retryAfterSeconds: number;
}

/** What has happened since the process began; the metrics read it. */
export interface RateLimiterCounts {
  admitted: number;
  limited: number;
  burst: number;
  /** Requests that had to wait for the store. */
  waited: number;
  leases: number;
  storeFailures: number;
  /** Whether the store is away at present, so that limits hold within each process only. */
  fallback: boolean;
}

export interface RateLimiter {
  /** Counts one request of `subject`. Answers at once where this process holds a token, else when the store has. */
  admit(subject: string, policy: RatePolicy): Admission | Promise<Admission>;
  counts(): RateLimiterCounts;
  /** Gives all unused tokens back. */
  close(): Promise<void>;
}

export interface RateLimiterOptions {
  store: LeaseStore;
  log: Logger;
  windowMs?: number;
  /** Longest a request waits for the store. */
  storeTimeoutMs?: number;
  /** Subjects remembered; the one unused for longest makes room. */
  maxSubjects?: number;
}

/**
 * Fixed windows that all API processes share, without a call to the store per request: a process leases a slice of a
 * subject's window, spends it by itself, fetches the next before it runs out, and gives back what it leaves unused.
 *
 * Libraries such as rate-limiter-flexible write to the store for every request (their in-memory part only blocks what
 * is exhausted already), which costs each request a round trip and PostgreSQL a row version.
 */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  return new LeasingRateLimiter(options);
}

class LeasingRateLimiter implements RateLimiter {
  readonly #store: LeaseStore;
  readonly #health: StoreHealth;
  readonly #idle: IdleTokens;
  readonly #windowMs: number;
  readonly #storeTimeoutMs: number;
  readonly #subjects: LRUCache<string, SubjectWindow>;
  readonly #verdicts: Record<Verdict, number> = { admitted: 0, limited: 0, burst: 0 };
  #leases = 0;
  #waited = 0;

  constructor({ store, log, windowMs, storeTimeoutMs, maxSubjects }: RateLimiterOptions) {
    this.#store = store;
    this.#health = new StoreHealth(log);
    this.#windowMs = windowMs ?? RATE_WINDOW_MS;
    this.#storeTimeoutMs = storeTimeoutMs ?? 250;
    this.#subjects = new LRUCache({ max: maxSubjects ?? 50_000 });
    this.#idle = new IdleTokens(store, this.#health);
  }

  admit(subject: string, policy: RatePolicy): Admission | Promise<Admission> {
    const now = performance.now();
    const window = this.#windowOf(subject, policy);
    let verdict = window.decide(now);
    if (verdict === undefined) {
      if (!this.#health.down) return this.#admitAfterLease(window);
      verdict = this.#decideAlone(window, now);
    }
    if (window.wantsMore(now) && this.#health.mayAsk(now)) void this.#lease(window);
    return this.#admission(window, verdict, now);
  }

  counts(): RateLimiterCounts {
    const { failures, down } = this.#health;
    return {
      ...this.#verdicts,
      waited: this.#waited,
      leases: this.#leases,
      storeFailures: failures,
      fallback: down,
    };
  }

  close(): Promise<void> {
    return this.#idle.close();
  }

  #windowOf(subject: string, policy: RatePolicy): SubjectWindow {
    let window = this.#subjects.get(subject);
    if (window === undefined) {
      window = new SubjectWindow(subject, policy);
      this.#subjects.set(subject, window);
    } else {
      window.follow(policy);
    }
    return window;
  }

  async #admitAfterLease(window: SubjectWindow): Promise<Admission> {
    this.#waited += 1;
    window.waiting += 1;
    try {
      for (;;) {
        await (window.asking ?? this.#lease(window));
        const now = performance.now();
        const verdict = window.decide(now) ?? (this.#health.down ? this.#decideAlone(window, now) : undefined);
        if (verdict !== undefined) return this.#admission(window, verdict, now);
      }
    } finally {
      window.waiting -= 1;
    }
  }

  #decideAlone(window: SubjectWindow, now: number): Verdict {
    window.goOnAlone(now, Date.now(), this.#windowMs);
    return window.decide(now) ?? 'limited';
  }

  /** Takes a slice into `window`; resolves however it goes. */
  #lease(window: SubjectWindow): Promise<void> {
    window.asking = this.#ask(window).finally(() => {
      window.asking = undefined;
    });
    this.#idle.watch(window);
    return window.asking;
  }

  async #ask(window: SubjectWindow): Promise<void> {
    this.#leases += 1;
    const startedAt = performance.now();
    const told = window.debt;
    const { subject, perWindow, burst } = window;
    const request = { subject, perWindow, burst, windowMs: this.#windowMs, spent: told };
    const waiting = Math.max(window.waiting, 1);
    const answer = Promise.resolve(window.returning).then(() => this.#store.lease({ ...request, waiting }));
    try {
      const lease = await within(answer, this.#storeTimeoutMs);
      const now = performance.now();
      this.#health.succeeded(startedAt, now);
      window.apply(lease, now, told);
    } catch (error) {
      this.#health.failed(error, performance.now());
      // A lease that arrives after all was counted by the store: it goes back, and with it what was told, for the next
      // call tells that again.
      answer.then(
        ({ windowId, granted }) => this.#idle.add({ subject, windowId, tokens: granted + told }),
        () => undefined,
      );
    }
  }

  #admission(window: SubjectWindow, verdict: Verdict, now: number): Admission {
    this.#verdicts[verdict] += 1;
    const resetsInSeconds = Math.ceil(Math.floor(window.endsInMs(now)) / 1_000);
    return {
      verdict,
      limit: window.perWindow,
      burst: window.burst,
      remaining: window.remaining,
      resetsAt: window.resetsAt,
      resetsInSeconds,
      windowSeconds: Math.ceil(this.#windowMs / 1_000),
      retryAfterSeconds: verdict === 'admitted' ? 0 : verdict === 'burst' ? 1 : Math.max(resetsInSeconds, 1),
    };
  }
}

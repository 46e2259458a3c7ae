import type { Logger } from '../../platform/log.ts';

const TRY_AGAIN_MS = 1_000;

/** Whether the store answers. While it doesn't, one call a second tries it, and nobody waits for that call. */
export class StoreHealth {
  failures = 0;
  readonly #log: Logger;
  #downSince: number | undefined;
  #tryAgainAt = 0;

  constructor(log: Logger) {
    this.#log = log;
  }

  get down(): boolean {
    return this.#downSince !== undefined;
  }

  /** Whether a call may be made at `now`; while the store is down, the one asked for counts as the trial. */
  mayAsk(now: number): boolean {
    if (!this.down) return true;
    if (now < this.#tryAgainAt) return false;
    this.#tryAgainAt = now + TRY_AGAIN_MS;
    return true;
  }

  failed(error: unknown, now: number): void {
    this.failures += 1;
    this.#tryAgainAt = now + TRY_AGAIN_MS;
    if (this.down) return;
    this.#downSince = now;
    const reason = error instanceof Error ? error.message : String(error);
    this.#log.warn({ err: reason }, 'the store of the rate limiter is away: limits hold within each process meanwhile');
  }

  /** A call begun at `startedAt` was answered. One begun before the outage says nothing about its end. */
  succeeded(startedAt: number, now: number): void {
    if (this.#downSince === undefined || startedAt <= this.#downSince) return;
    const seconds = Math.round((now - this.#downSince) / 100) / 10;
    this.#downSince = undefined;
    this.#log.info({ seconds }, 'the store of the rate limiter is back');
  }
}

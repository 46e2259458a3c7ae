import { AdmissionTimes } from './admission-times.ts';
import type { Lease, ReturnedTokens } from './lease-store.ts';
import type { RatePolicy } from './rate-policy.ts';

/** `limited`: nothing is left of the window; `burst`: too many within one second. */
export type Verdict = 'admitted' | 'limited' | 'burst';

const ASK_AGAIN_MS = 250;
const ASK_AGAIN_MAX_MS = 1_000;
/** Slices smaller than this are not fetched ahead: near the end a token held unused is one that another process lacks. */
const PREFETCH_FROM = 4;

/**
 * What one process knows of one subject's window, and the tokens it holds. Times are the process's monotonic clock in
 * ms. It decides by itself as long as it has tokens; it never reads a clock nor talks to the store.
 */
export class SubjectWindow {
  readonly subject: string;
  perWindow: number;
  burst: number;
  /** The lease call in flight, which all requests that find no token share. */
  asking: Promise<void> | undefined;
  /** Tokens on their way back; a lease must not overtake them, or the store would seem to have less than it has. */
  returning: Promise<void> | undefined;
  /** Requests that wait for the store. */
  waiting = 0;
  #windowId = 0;
  #endsAt = 0;
  #tokens = 0;
  #left = 0;
  /** How many of the tokens the store has not granted: taken while it was away. */
  #borrowed = 0;
  #lastGrant = 0;
  /** Or the last grant: what has just come is not idle. */
  #lastUse = 0;
  #secondFullUntil = 0;
  #askAgainAt = 0;
  #askAgainMs = ASK_AGAIN_MS;
  readonly #recent = new AdmissionTimes();

  constructor(subject: string, policy: RatePolicy) {
    this.subject = subject;
    this.perWindow = policy.perWindow;
    this.burst = policy.burst;
  }

  /** What may still be admitted, as far as this process knows. */
  get remaining(): number {
    return this.#tokens + this.#left;
  }

  /** When the window ends, epoch ms. */
  get resetsAt(): number {
    return this.#windowId;
  }

  endsInMs(now: number): number {
    return Math.max(this.#endsAt - now, 0);
  }

  /** A key's limit can be changed, and a client's tier, while a window runs. */
  follow({ perWindow, burst }: RatePolicy): void {
    this.burst = burst;
    if (perWindow === this.perWindow) return;
    const left = this.#left + perWindow - this.perWindow;
    const surplus = Math.max(-left, 0);
    this.#left = Math.max(left, 0);
    this.#tokens = Math.max(this.#tokens - surplus, 0);
    this.#borrowed = Math.max(this.#borrowed - surplus, 0);
    this.perWindow = perWindow;
  }

  /** The verdict on a request at `now`, or undefined where only the store can tell. */
  decide(now: number): Verdict | undefined {
    if (now >= this.#endsAt) {
      this.#forget();
      return undefined;
    }
    if (this.#tokens === 0 && this.#left === 0) return 'limited';
    if (this.#recent.countAt(now) >= this.burst) return 'burst';
    if (this.#tokens === 0) return now < this.#secondFullUntil ? 'burst' : undefined;
    this.#tokens -= 1;
    this.#recent.add(now);
    this.#lastUse = now;
    return 'admitted';
  }

  /** Whether it is time to ask the store though no request waits for it. True at most every 250 ms when exhausted. */
  wantsMore(now: number): boolean {
    if (this.asking !== undefined) return false;
    if (this.#tokens === 0 && this.#left === 0) return this.#askAgain(now);
    if (this.#borrowed > 0) return true;
    const low = this.#lastGrant >= PREFETCH_FROM && this.#tokens <= this.#lastGrant / 4;
    return low && this.#left > 0 && now >= this.#secondFullUntil;
  }

  #askAgain(now: number): boolean {
    if (now < this.#askAgainAt) return false;
    this.#askAgainAt = now + this.#askAgainMs;
    this.#askAgainMs = Math.min(this.#askAgainMs * 2, ASK_AGAIN_MAX_MS);
    return true;
  }

  /** Admitted beyond what the store granted, and not yet told to it. */
  get debt(): number {
    return Math.max(this.#borrowed - this.#tokens, 0);
  }

  /** Takes in a lease; `told` is the debt that was reported with it. */
  apply(lease: Lease, now: number, told: number): void {
    const untold = Math.max(this.debt - told, 0);
    const sameWindow = lease.windowId === this.#windowId;
    const own = sameWindow ? Math.max(this.#tokens - this.#borrowed, 0) : 0;
    this.#tokens = Math.max(own + lease.granted - untold, 0);
    this.#borrowed = 0;
    this.#endsAt = sameWindow ? Math.min(this.#endsAt, now + lease.endsInMs) : now + lease.endsInMs;
    this.#windowId = lease.windowId;
    this.#left = lease.left;
    this.#lastGrant = lease.granted;
    this.#secondFullUntil = lease.granted === 0 ? now + Math.max(lease.secondEndsInMs, 1) : 0;
    if (lease.granted > 0) {
      this.#lastUse = now;
      this.#askAgainAt = 0;
      this.#askAgainMs = ASK_AGAIN_MS;
    }
  }

  /** The store is away: goes on with what it last said was left, and begins the next window alone, with the whole limit. */
  goOnAlone(now: number, wallClock: number, windowMs: number): void {
    if (now >= this.#endsAt) {
      this.#forget();
      this.#left = this.perWindow;
      this.#endsAt = now + windowMs;
      this.#windowId = wallClock + windowMs;
    }
    this.#tokens += this.#left;
    this.#borrowed += this.#left;
    this.#left = 0;
  }

  /** Whether tokens of a running window are held, used or not. */
  holdsTokens(now: number): boolean {
    return now < this.#endsAt && this.#tokens > 0;
  }

  idleMs(now: number): number {
    return now - this.#lastUse;
  }

  /** Lets go of the unused tokens, for the store to have them back. */
  release(now: number): ReturnedTokens | undefined {
    this.#recent.shrink(now);
    const tokens = this.#tokens - this.#borrowed;
    if (now >= this.#endsAt || tokens <= 0) return undefined;
    this.#tokens -= tokens;
    this.#left += tokens;
    return { subject: this.subject, windowId: this.#windowId, tokens };
  }

  #forget(): void {
    this.#tokens = 0;
    this.#left = 0;
    this.#borrowed = 0;
    this.#lastGrant = 0;
    this.#secondFullUntil = 0;
    this.#askAgainAt = 0;
    this.#askAgainMs = ASK_AGAIN_MS;
  }
}

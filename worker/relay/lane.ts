import type { Held } from './held.ts';

/** Sends in flight that a lane may have at first, and when its endpoint keeps up. */
const FIRST_CAP = 8;
const MAX_CAP = 32;
const MIN_CAP = 2;
/** Deliveries that wait in memory behind an endpoint that keeps up; one that doesn't gets none. */
const MAX_QUEUED = 224;
/** An endpoint whose oldest send is older than this doesn't keep up for now. */
const SLOW_AFTER_MS = 250;

/**
 * One endpoint's share of a relay. What doesn't fit its window stays in PostgreSQL under its lane, and takes neither
 * slot nor memory: an endpoint that hangs delays only itself.
 */
export class Lane {
  readonly key: string;
  /** Whether PostgreSQL may hold more for this lane than what was taken. */
  hasBacklog = false;
  /** Whether a claim of its backlog is under way. */
  isClaiming = false;
  readonly #inFlight = new Map<Held, number>();
  readonly #queue: Held[] = [];
  #reserved = 0;
  #cap = FIRST_CAP;
  #isSlow = false;

  constructor(key: string) {
    this.key = key;
  }

  get isSlow(): boolean {
    return this.#isSlow;
  }

  get inFlight(): number {
    return this.#inFlight.size;
  }

  /** Deliveries in memory, and places promised to ones that are being inserted. */
  get held(): number {
    return this.#inFlight.size + this.#queue.length + this.#reserved;
  }

  /** How many more deliveries may be taken. */
  get room(): number {
    return Math.max(0, (this.#isSlow ? this.#cap : this.#cap + MAX_QUEUED) - this.held);
  }

  /** Whether so much has drained that fetching more of the backlog is worth a statement. */
  get wantsMore(): boolean {
    return this.hasBacklog && !this.isClaiming && this.room * 2 >= this.#cap;
  }

  /** Nothing held, nothing waiting, nothing learned: the lane can be forgotten. */
  get isIdle(): boolean {
    return this.held === 0 && !this.hasBacklog && !this.isClaiming && this.#cap >= FIRST_CAP;
  }

  reserve(count = 1): void {
    this.#reserved += count;
  }

  cancelReservation(count = 1): void {
    this.#reserved -= count;
  }

  /** Takes a delivery; a place must have been reserved for it. */
  add(held: Held): void {
    this.#reserved -= 1;
    this.#queue.push(held);
  }

  /** The next delivery to send, if a slot is free; it then counts as in flight. */
  next(now: number): Held | undefined {
    if (this.#inFlight.size >= this.#cap) return undefined;
    const held = this.#queue.shift();
    if (held !== undefined) this.#inFlight.set(held, now);
    return held;
  }

  /** A send has ended. The window grows with every answer and is halved by every time-out. */
  finish(held: Held, timedOut: boolean): void {
    this.#inFlight.delete(held);
    this.#cap = timedOut ? Math.max(MIN_CAP, this.#cap >> 1) : Math.min(MAX_CAP, this.#cap + 1);
  }

  /** Looks anew at whether the endpoint keeps up; answers what a slow one must give back. */
  review(now: number): Held[] {
    const [oldest] = this.#inFlight.values();
    this.#isSlow = this.#cap < FIRST_CAP || (oldest !== undefined && now - oldest > SLOW_AFTER_MS);
    if (!this.#isSlow || this.#queue.length === 0) return [];
    this.hasBacklog = true;
    return this.#queue.splice(0);
  }

  /** Gives up everything that was not sent yet. */
  drain(): Held[] {
    return this.#queue.splice(0);
  }

  /** Everything whose lease is held. */
  *leased(): Iterable<Held> {
    yield* this.#inFlight.keys();
    yield* this.#queue;
  }
}

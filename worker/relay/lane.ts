import { isOrderedLane } from '../../domain/webhooks/index.ts';
import type { Held } from './held.ts';

/** Sends in flight that a lane may have at first, and when its endpoint keeps up. */
const FIRST_CAP = 8;
const MAX_CAP = 32;
const MIN_CAP = 2;
/**
 * The sends a second that a lane is to be able to make. An endpoint that answers fast needs few in flight for that, and
 * the fewer there are the fewer are sent twice when the relay dies among them.
 */
const SENDS_PER_MS = 2.5;
const MIN_WINDOW = 4;
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
  /** Whether its endpoint has a say in what is sent when (rate limit, open breaker, order): all is claimed then. */
  isGoverned: boolean;
  /** Whether what waits in PostgreSQL must be sent before anything new. */
  isDraining = false;
  /** Whether the time of the next claim has been set. */
  isWaiting = false;
  /** The work item after which the next claim of an ordered lane begins. */
  afterItem = 0;
  readonly #inFlight = new Map<Held, number>();
  readonly #queue: Held[] = [];
  #reserved = 0;
  #characters = 0;
  /** What time-outs allow, and what the endpoint's latency asks for: the smaller counts. */
  #limit = FIRST_CAP;
  #window = FIRST_CAP;
  #fastestMs = Number.POSITIVE_INFINITY;
  #isSlow = false;

  constructor(key: string) {
    this.key = key;
    this.isGoverned = isOrderedLane(key);
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

  /** Of the data of what is held. */
  get characters(): number {
    return this.#characters;
  }

  get #cap(): number {
    return Math.min(this.#limit, this.#window);
  }

  /** How many more deliveries may be taken. */
  get room(): number {
    return Math.max(0, (this.#isSlow ? this.#cap : this.#cap + MAX_QUEUED) - this.held);
  }

  /** How many more may be claimed. What an endpoint has admitted is sent at once, so it needs a free slot. */
  get claimable(): number {
    return this.isGoverned ? Math.max(0, Math.min(this.room, this.#cap - this.held)) : this.room;
  }

  /** Whether so much has drained that fetching more of the backlog is worth a statement. */
  get wantsMore(): boolean {
    return this.hasBacklog && !this.isClaiming && !this.isWaiting && (this.isGoverned || this.room * 2 >= this.#cap);
  }

  /** Nothing held, nothing waiting, nothing learned: the lane can be forgotten. */
  get isIdle(): boolean {
    return this.held === 0 && !this.hasBacklog && !this.isClaiming && !this.isWaiting && this.#limit >= FIRST_CAP;
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
    this.#characters += held.event.dataText.length;
  }

  /** The next delivery to send, if a slot is free; it then counts as in flight. */
  next(now: number): Held | undefined {
    if (this.#inFlight.size >= this.#cap) return undefined;
    const held = this.#queue.shift();
    if (held !== undefined) this.#inFlight.set(held, now);
    return held;
  }

  /** A send has ended. The window grows with every answer and is halved by every time-out. */
  finish(held: Held, timedOut: boolean, now: number): void {
    const tookMs = now - (this.#inFlight.get(held) ?? now);
    this.#inFlight.delete(held);
    this.#characters -= held.event.dataText.length;
    this.#limit = timedOut ? Math.max(MIN_CAP, this.#limit >> 1) : Math.min(MAX_CAP, this.#limit + 1);
    // The fastest of late, slowly forgotten: the others waited for a processor, here or there.
    this.#fastestMs = Math.min(tookMs, this.#fastestMs * 1.005 + 0.002);
    this.#window = Math.max(MIN_WINDOW, Math.min(MAX_CAP, Math.ceil(this.#fastestMs * SENDS_PER_MS)));
  }

  /** Looks anew at whether the endpoint keeps up; answers what a slow one must give back. */
  review(now: number): Held[] {
    const [oldest] = this.#inFlight.values();
    this.#isSlow = this.#limit < FIRST_CAP || (oldest !== undefined && now - oldest > SLOW_AFTER_MS);
    if (!this.#isSlow || this.#queue.length === 0) return [];
    this.hasBacklog = true;
    return this.drain();
  }

  /** Gives up everything that was not sent yet. */
  drain(): Held[] {
    const given = this.#queue.splice(0);
    for (const { event } of given) this.#characters -= event.dataText.length;
    return given;
  }

  /** Everything whose lease is held. */
  *leased(): Iterable<Held> {
    yield* this.#inFlight.keys();
    yield* this.#queue;
  }
}

import type { Held } from './held.ts';
import { Lane } from './lane.ts';

/** Deliveries held for endpoints that keep up, above which no further events are claimed until some are sent. */
const MAX_RESPONSIVE = 2_000;
/** Sends in flight to endpoints that don't keep up, all together; beyond it each may have one. */
const MAX_SLOW_IN_FLIGHT = 512;

/** All lanes of a relay: makes the sends, as many at a time as each lane allows. */
export class Lanes {
  readonly #lanes = new Map<string, Lane>();
  readonly #send: (held: Held) => Promise<{ timedOut: boolean }>;
  readonly #onRoom: (lane: Lane) => void;
  #slowHeld = 0;
  #held = 0;
  #idle: (() => void)[] = [];

  constructor(options: { send: (held: Held) => Promise<{ timedOut: boolean }>; onRoom: (lane: Lane) => void }) {
    this.#send = options.send;
    this.#onRoom = options.onRoom;
  }

  /** Whether the endpoints that keep up have as much as they should: claiming more would only fill memory. */
  get isSaturated(): boolean {
    return this.#held - this.#slowHeld >= MAX_RESPONSIVE;
  }

  get held(): number {
    return this.#held;
  }

  get inFlight(): number {
    let sum = 0;
    for (const lane of this.#lanes.values()) sum += lane.inFlight;
    return sum;
  }

  lane(key: string): Lane {
    let lane = this.#lanes.get(key);
    if (lane === undefined) {
      lane = new Lane(key);
      this.#lanes.set(key, lane);
    }
    return lane;
  }

  /** How many deliveries a lane may take now. */
  room(lane: Lane): number {
    if (lane.isSlow && this.#slowHeld >= MAX_SLOW_IN_FLIGHT) return lane.held === 0 ? 1 : 0;
    return lane.room;
  }

  /** Reserves a place, or marks the lane as having a backlog in PostgreSQL. */
  reserve(key: string): boolean {
    const lane = this.lane(key);
    if (this.room(lane) === 0) {
      lane.hasBacklog = true;
      return false;
    }
    lane.reserve();
    this.#held += 1;
    return true;
  }

  cancelReservation(key: string, count = 1): void {
    this.lane(key).cancelReservation(count);
    this.#held -= count;
  }

  /** Sends a delivery for which a place was reserved, at once or when a slot is free. */
  add(held: Held): void {
    const lane = this.lane(held.endpoint.lane);
    lane.add(held);
    this.#pump(lane);
  }

  /** Reserves as many places as a lane has room for, for a claim of its backlog. */
  reserveForClaim(lane: Lane, most: number): number {
    const count = Math.min(most, this.room(lane));
    lane.reserve(count);
    this.#held += count;
    return count;
  }

  /** Finds out which endpoints don't keep up; answers what they give back unsent. Forgets idle lanes. */
  review(now: number): Held[] {
    const givenBack: Held[] = [];
    let slowHeld = 0;
    for (const lane of this.#lanes.values()) {
      givenBack.push(...lane.review(now));
      if (lane.isSlow) slowHeld += lane.held;
      if (lane.isIdle) this.#lanes.delete(lane.key);
    }
    this.#held -= givenBack.length;
    this.#slowHeld = slowHeld;
    return givenBack;
  }

  /** Gives back everything that was not sent yet. */
  drain(): Held[] {
    const givenBack = [...this.#lanes.values()].flatMap((lane) => lane.drain());
    this.#held -= givenBack.length;
    return givenBack;
  }

  /** Resolves when nothing is in flight. */
  async idle(): Promise<void> {
    if (this.inFlight > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  *leased(): Iterable<Held> {
    for (const lane of this.#lanes.values()) yield* lane.leased();
  }

  #pump(lane: Lane): void {
    for (let held = lane.next(performance.now()); held !== undefined; held = lane.next(performance.now())) {
      void this.#sendOne(lane, held);
    }
  }

  async #sendOne(lane: Lane, held: Held): Promise<void> {
    const { timedOut } = await this.#send(held);
    lane.finish(held, timedOut);
    this.#held -= 1;
    this.#pump(lane);
    if (lane.wantsMore) this.#onRoom(lane);
    if (this.#idle.length > 0 && this.inFlight === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }
}

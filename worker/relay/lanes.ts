import type { Held } from './held.ts';
import { Lane } from './lane.ts';

/** Deliveries held for endpoints that keep up, above which no further events are claimed until some are sent. */
const MAX_RESPONSIVE = 2_000;
/** Sends in flight to endpoints that don't keep up, all together; beyond it each may have one. */
const MAX_SLOW_IN_FLIGHT = 512;
/** The same two bounds on the data of them, in characters: one event may hold a quarter of a million. */
const MAX_RESPONSIVE_CHARACTERS = 67_108_864;
const MAX_SLOW_CHARACTERS = 33_554_432;

/** All lanes of a relay: makes the sends, as many at a time as each lane allows. */
export class Lanes {
  readonly #lanes = new Map<string, Lane>();
  readonly #send: (held: Held) => Promise<{ timedOut: boolean }>;
  readonly #onRoom: (lane: Lane) => void;
  readonly #maySend: () => boolean;
  #slowHeld = 0;
  #slowCharacters = 0;
  #characters = 0;
  #held = 0;
  #idle: (() => void)[] = [];

  /** While `maySend` says no, nothing is begun; `resume` is to be called when it says yes again. */
  constructor(options: {
    send: (held: Held) => Promise<{ timedOut: boolean }>;
    onRoom: (lane: Lane) => void;
    maySend: () => boolean;
  }) {
    this.#send = options.send;
    this.#onRoom = options.onRoom;
    this.#maySend = options.maySend;
  }

  /** Whether the endpoints that keep up have as much as they should: claiming more would only fill memory. */
  get isSaturated(): boolean {
    return this.#held - this.#slowHeld >= MAX_RESPONSIVE || this.#isFull;
  }

  get #isFull(): boolean {
    return this.#characters - this.#slowCharacters >= MAX_RESPONSIVE_CHARACTERS;
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

  /** How many deliveries a lane may claim now. */
  claimable(lane: Lane): number {
    return this.#within(lane, lane.claimable);
  }

  #within(lane: Lane, room: number): number {
    const isAtBound = lane.isSlow
      ? this.#slowHeld >= MAX_SLOW_IN_FLIGHT || this.#slowCharacters >= MAX_SLOW_CHARACTERS
      : this.#isFull;
    if (isAtBound) return lane.held === 0 ? Math.min(1, room) : 0;
    return room;
  }

  /** Reserves a place, or marks the lane as having a backlog in PostgreSQL. */
  reserve(key: string): boolean {
    const lane = this.lane(key);
    if (lane.isGoverned || lane.isDraining || this.#within(lane, lane.room) === 0) {
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
    const lane = this.lane(held.lane);
    lane.add(held);
    this.#characters += held.event.dataText.length;
    this.#pump(lane);
  }

  /** Reserves as many places as a lane has room for, for a claim of its backlog. */
  reserveForClaim(lane: Lane, most: number): number {
    const count = Math.min(most, this.claimable(lane));
    lane.reserve(count);
    this.#held += count;
    return count;
  }

  /** Finds out which endpoints don't keep up; answers what they give back unsent. Forgets idle lanes. */
  review(now: number): Held[] {
    const givenBack: Held[] = [];
    let [slowHeld, slowCharacters] = [0, 0];
    for (const lane of this.#lanes.values()) {
      givenBack.push(...lane.review(now));
      if (lane.isSlow) {
        slowHeld += lane.held;
        slowCharacters += lane.characters;
      }
      if (lane.isIdle) this.#lanes.delete(lane.key);
    }
    this.#slowHeld = slowHeld;
    this.#slowCharacters = slowCharacters;
    return this.#without(givenBack);
  }

  /** Gives back what a lane has not sent yet, to be claimed again in its order. */
  hold(lane: Lane): Held[] {
    const givenBack = lane.drain();
    lane.hasBacklog = true;
    return this.#without(givenBack);
  }

  /** Gives back everything that was not sent yet. */
  drain(): Held[] {
    return this.#without([...this.#lanes.values()].flatMap((lane) => lane.drain()));
  }

  #without(givenBack: Held[]): Held[] {
    this.#held -= givenBack.length;
    for (const { event } of givenBack) this.#characters -= event.dataText.length;
    return givenBack;
  }

  /** Resolves when nothing is in flight. */
  async idle(): Promise<void> {
    if (this.inFlight > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  *leased(): Iterable<Held> {
    for (const lane of this.#lanes.values()) yield* lane.leased();
  }

  /** Goes on with what waits in memory. */
  resume(): void {
    for (const lane of this.#lanes.values()) this.#pump(lane);
  }

  #pump(lane: Lane): void {
    while (this.#maySend()) {
      const held = lane.next(performance.now());
      if (held === undefined) return;
      void this.#sendOne(lane, held);
    }
  }

  async #sendOne(lane: Lane, held: Held): Promise<void> {
    const { timedOut } = await this.#send(held);
    lane.finish(held, timedOut, performance.now());
    this.#held -= 1;
    this.#characters -= held.event.dataText.length;
    this.#pump(lane);
    if (lane.wantsMore) this.#onRoom(lane);
    if (this.#idle.length > 0 && this.inFlight === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }
}

const SECOND_MS = 1_000;
const FIRST_CAPACITY = 8;

/**
 * The times of a subject's admissions within the last second, oldest first: a ring that grows only as far as the second
 * is busy, because most subjects never come near their burst.
 */
export class AdmissionTimes {
  #times = new Float64Array(FIRST_CAPACITY);
  #oldest = 0;
  #count = 0;

  /** How many of the last second there are at `now`. */
  countAt(now: number): number {
    while (this.#count > 0 && (this.#times[this.#oldest] ?? 0) <= now - SECOND_MS) {
      this.#oldest = (this.#oldest + 1) % this.#times.length;
      this.#count -= 1;
    }
    return this.#count;
  }

  add(now: number): void {
    if (this.#count === this.#times.length) this.#resize(this.#count * 2);
    this.#times[(this.#oldest + this.#count) % this.#times.length] = now;
    this.#count += 1;
  }

  /** Gives the room of a busy second back; for a subject that has gone quiet. */
  shrink(now: number): void {
    if (this.#times.length > FIRST_CAPACITY && this.countAt(now) === 0) this.#resize(FIRST_CAPACITY);
  }

  #resize(capacity: number): void {
    const times = new Float64Array(capacity);
    for (let index = 0; index < this.#count; index += 1) {
      times[index] = this.#times[(this.#oldest + index) % this.#times.length] ?? 0;
    }
    this.#times = times;
    this.#oldest = 0;
  }
}

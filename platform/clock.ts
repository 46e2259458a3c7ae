/** The time as the code sees it. Tests hand in their own so that expiry and windows can be shown without waiting. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

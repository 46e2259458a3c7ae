/** What an endpoint's row says about how much may be sent to it now. */
export interface AdmissionState {
  /** Sends a second; null: no limit. */
  limit: number | null;
  /** Tokens in the bucket when it was filled last, and seconds since; null: never. Below zero: sends that were promised. */
  tokens: number;
  sinceRefill: number | null;
  /** Milliseconds until an open breaker may be probed; null: it is closed. */
  probeInMs: number | null;
}

export interface Admission {
  /** Deliveries that may be sent now. */
  count: number;
  /** Tokens in the bucket now, before those sends. */
  tokens: number;
  /** When asking again makes sense, because tokens are due then; null: no time is known. */
  waitMs: number | null;
  isProbe: boolean;
}

/** Tokens are waited for in lots of so many milliseconds, so that a high rate costs no statement per send. */
const LOT_MS = 50;

/** A bucket of one second's worth, filled by the clock: never more than `limit` × t + `limit` sends in a time t. */
export function admit(state: AdmissionState, wanted: number): Admission {
  const { limit, probeInMs } = state;
  const tokens = limit === null ? 0 : tokensNow(limit, state);
  const isOpen = probeInMs !== null;
  const most = !isOpen ? wanted : probeInMs <= 0 ? Math.min(1, wanted) : 0;
  const count = limit === null ? most : Math.max(0, Math.min(most, Math.floor(tokens)));
  return { count, tokens, waitMs: waitFor(state, { tokens, most, count }), isProbe: isOpen && count > 0 };
}

function waitFor(
  { limit, probeInMs }: AdmissionState,
  { tokens, most, count }: { tokens: number; most: number; count: number },
): number | null {
  if (probeInMs !== null && probeInMs > 0) return probeInMs;
  if (limit === null || count >= most) return null;
  const lot = Math.max(1, (limit * LOT_MS) / 1_000);
  return Math.ceil((Math.max(0, lot - (tokens - count)) / limit) * 1_000);
}

/** Retries may promise themselves so many seconds of the rate to come: the last of them begins just before that. */
export const MAX_DEBT_SECONDS = 10;

/** What was promised under a higher limit than now is no longer owed beyond what this one allows. */
export function tokensNow(
  limit: number,
  { tokens, sinceRefill }: Pick<AdmissionState, 'tokens' | 'sinceRefill'>,
): number {
  if (sinceRefill === null) return limit;
  return Math.min(limit, Math.max(tokens, -MAX_DEBT_SECONDS * limit - 1) + limit * Math.max(0, sinceRefill));
}

/** Waits before the retries 1 to 5 (spec, "Retries"). */
export const RETRY_DELAYS_MS: readonly number[] = [1_000, 5_000, 30_000, 120_000, 600_000];

/** A `Retry-After` may make a wait longer, up to this. */
export const MAX_RETRY_AFTER_MS = 600_000;

export interface RetryPolicy {
  retryCount: number;
  /** 0: {@link RETRY_DELAYS_MS}; else this fixed delay. */
  retryDelaySeconds: number;
}

/** What one HTTP request came to. Plain data: it travels through a workflow's history. */
export interface SendOutcome {
  verdict: 'success' | 'failure' | 'gone';
  /** When the request left, in milliseconds since the epoch. */
  at: number;
  durationMs: number;
  responseStatus: number | null;
  responseBody: string | null;
  error: string | null;
  /** What a 429 or 503 asked for. */
  retryAfterMs: number | null;
}

export type Decision =
  { status: 'success' } | { status: 'retrying'; delayMs: number } | { status: 'failed'; reason: string };

/** 2xx is success; a redirect is not followed and so a failure; 410 says that the endpoint is gone for good. */
export function verdictOf(responseStatus: number): SendOutcome['verdict'] {
  if (responseStatus >= 200 && responseStatus <= 299) return 'success';
  return responseStatus === 410 ? 'gone' : 'failure';
}

/** What happens to a delivery after its `sends`-th request of the round. */
export function decide(outcome: SendOutcome, sends: number, policy: RetryPolicy): Decision {
  if (outcome.verdict === 'success') return { status: 'success' };
  const cause = outcome.error ?? 'the send failed';
  if (outcome.verdict === 'gone') return { status: 'failed', reason: `the endpoint is gone: ${cause}` };
  const retriesMade = sends - 1;
  if (retriesMade >= policy.retryCount) {
    return { status: 'failed', reason: `${String(sends)} ${sends === 1 ? 'send' : 'sends'} failed; last: ${cause}` };
  }
  return { status: 'retrying', delayMs: Math.max(retryDelayMs(sends, policy), outcome.retryAfterMs ?? 0) };
}

/** The wait after the `failures`-th failed send. */
export function retryDelayMs(failures: number, policy: RetryPolicy): number {
  if (policy.retryDelaySeconds > 0) return policy.retryDelaySeconds * 1_000;
  return RETRY_DELAYS_MS[Math.min(Math.max(failures, 1), RETRY_DELAYS_MS.length) - 1] ?? 0;
}

/** RFC 9110 §10.2.3: seconds, or a date. Heeded on 429 and 503 only, and up to ten minutes. */
export function retryAfterMs(responseStatus: number, header: string | undefined, now: number): number | null {
  if (header === undefined || (responseStatus !== 429 && responseStatus !== 503)) return null;
  const text = header.trim();
  const wait = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  if (Number.isNaN(wait) || wait <= 0) return null;
  return Math.min(wait, MAX_RETRY_AFTER_MS);
}

/** The spec's 1 to 5: the number of retries made, and 1 before the first. */
export function attemptNumber(sends: number): number {
  return Math.min(5, Math.max(1, sends - 1));
}

import type { Response } from 'express';
import type { Caller } from '../../domain/contracts/caller.ts';
import { ApiError } from '../../domain/contracts/errors.ts';
import { rateLimitsOf } from '../../domain/limits/index.ts';
import type { Admission, Quota, RateLimit, RateLimiter } from '../../domain/limits/index.ts';

/**
 * Counts the request against its caller's limit; answers with the refusal when that is used up. The headers are set
 * before anything can refuse, so that every later answer of the request carries them, errors included.
 */
export async function limitRate(
  res: Response,
  caller: Caller,
  limiter: RateLimiter,
  quota: Quota = 'api',
): Promise<ApiError | undefined> {
  let tightest: Admission | undefined;
  for (const { subject, policy } of rateLimitsOf(caller, quota)) {
    const admission = await limiter.admit(subject, policy);
    if (tightest === undefined || admission.remaining < tightest.remaining) tightest = admission;
    if (admission.verdict === 'admitted') continue;
    setHeaders(res, admission);
    return refusal(admission);
  }
  if (tightest !== undefined) setHeaders(res, tightest);
  return undefined;
}

/** The same for who is no caller yet: an application that asks for a token. */
export async function limitSubject(
  res: Response,
  { subject, policy }: RateLimit,
  limiter: RateLimiter,
): Promise<ApiError | undefined> {
  const decided = limiter.admit(subject, policy);
  const admission = decided instanceof Promise ? await decided : decided;
  setHeaders(res, admission);
  return admission.verdict === 'admitted' ? undefined : refusal(admission);
}

/** The spec's three, and the two of draft-ietf-httpapi-ratelimit-headers-10. */
function setHeaders(res: Response, admission: Admission): void {
  const { verdict, limit, burst, remaining, resetsAt, resetsInSeconds, windowSeconds } = admission;
  const window = `"default";r=${String(remaining)};t=${String(resetsInSeconds)}`;
  res.setHeader('X-RateLimit-Limit', String(limit));
  res.setHeader('X-RateLimit-Remaining', String(remaining));
  res.setHeader('X-RateLimit-Reset', new Date(resetsAt).toISOString());
  res.setHeader(
    'RateLimit-Policy',
    `"default";q=${String(limit)};w=${String(windowSeconds)}, "burst";q=${String(burst)};w=1`,
  );
  res.setHeader('RateLimit', verdict === 'burst' ? `${window}, "burst";r=0;t=1` : window);
}

function refusal({ verdict, limit, burst, windowSeconds, resetsAt, retryAfterSeconds }: Admission): ApiError {
  const which =
    verdict === 'burst'
      ? `More than ${String(burst)} requests came within one second.`
      : `The limit of ${String(limit)} requests per ${String(windowSeconds)} seconds is used up until ${new Date(resetsAt).toISOString()}.`;
  return withoutStack(() => new ApiError('RATE_LIMITED', which, { retryAfterSeconds }));
}

/** A flood is answered by the thousand, and taking the stack is half of what the limiter does for a refusal; nobody reads it. */
function withoutStack(make: () => ApiError): ApiError {
  const depth = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return make();
  } finally {
    Error.stackTraceLimit = depth;
  }
}

import type { Caller } from '../contracts/caller.ts';
import { rateLimitTier } from '../tenancy/index.ts';

/** How long a window lasts: limits are told as requests per minute. */
export const RATE_WINDOW_MS = 60_000;

/** What a key without a limit of its own may do per minute (spec, "Limits"). */
const DEFAULT_KEY_LIMIT = 100;

export interface RatePolicy {
  /** Requests per window. */
  perWindow: number;
  /** Requests in any one second. */
  burst: number;
}

/** What a request is counted against. */
export interface RateLimit {
  subject: string;
  policy: RatePolicy;
}

/** `document_ai`: Document AI has limits of its own, per client. */
export type Quota = 'api' | 'document_ai';

/**
 * Whose requests count together, and how many there may be (decisions §2): a key by its own limit under its tier's
 * ceiling, whichever way it came in (REST, batch, MCP); a user by the tier; an OAuth application by the tier too, with all
 * its users' tokens and its own together. Document AI counts all of a client's requests together, those of its sandbox
 * apart, and a key's that has a limit of its own against that as well.
 */
export function rateLimitsOf(caller: Caller, quota: Quota): RateLimit[] {
  if (quota === 'api') return [callersLimit(caller)];
  const { burst_limit: burst } = rateLimitTier(caller.client);
  const perWindow = caller.client.document_ai.requests_per_minute;
  // What is tried in the sandbox takes nothing from the calls that count.
  const area = caller.isSandbox === true ? 'document-ai-sandbox' : 'document-ai';
  const clients = { subject: `${area}:${String(caller.clientId)}`, policy: { perWindow, burst } };
  return typeof caller.apiKey?.rateLimitPerMinute === 'number' ? [callersLimit(caller), clients] : [clients];
}

function callersLimit(caller: Caller): RateLimit {
  const tier = rateLimitTier(caller.client);
  if (caller.apiKey === undefined) {
    const { type, id } = caller.actor;
    const subject = caller.application === undefined ? `${type}:${id}` : `application:${String(caller.application.id)}`;
    return { subject, policy: { perWindow: tier.requests_per_minute, burst: tier.burst_limit } };
  }
  const own = caller.apiKey.rateLimitPerMinute ?? DEFAULT_KEY_LIMIT;
  const policy = { perWindow: Math.min(own, tier.requests_per_minute), burst: tier.burst_limit };
  return { subject: `key:${String(caller.apiKey.id)}`, policy };
}

import { EVENT_NAMES, financeTypeOfEvent, FINANCE_TYPES_BY_TIER, isEventName } from '../contracts/event-names.ts';
import type { FieldIssue } from '../contracts/errors.ts';
import type { AuthType } from '../contracts/webhooks.ts';

const MAX_CUSTOM_HEADERS = 20;

/** What stands in the place of a secret. */
export const MASK = '...';

/** Headers that say who sends what, or that belong to the connection. A custom header can't take their place. */
const RESERVED_HEADERS = new Set([
  'host',
  'content-type',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'proxy-authorization',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'user-agent',
  'idempotency-key',
]);
const RESERVED_PREFIXES = ['x-service-signature', 'x-webhook-', 'webhook-'];

// RFC 9110 §5.6.2 token; §5.5 visible characters, spaces and tabs.
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Whether a custom header of this name is left out (`authorization` is ours where we authenticate by it). */
export function isReservedHeader(name: string, authType: AuthType): boolean {
  const lower = name.toLowerCase();
  if (lower === 'authorization') return authType === 'bearer' || authType === 'basic';
  return RESERVED_HEADERS.has(lower) || RESERVED_PREFIXES.some((prefix) => lower.startsWith(prefix));
}

export function customHeaderIssues(headers: Readonly<Record<string, string>>, authType: AuthType): FieldIssue[] {
  const names = Object.keys(headers);
  if (names.length > MAX_CUSTOM_HEADERS) {
    return [{ field: 'custom_headers', issue: `must not hold more than ${String(MAX_CUSTOM_HEADERS)} headers` }];
  }
  return names.flatMap((name) => {
    const field = `custom_headers.${name}`;
    if (!HEADER_NAME.test(name)) return [{ field, issue: 'is not a header name' }];
    if (isReservedHeader(name, authType)) return [{ field, issue: 'is set by the platform and cannot be replaced' }];
    if (!HEADER_VALUE.test(headers[name] ?? ''))
      return [{ field, issue: 'holds a character that headers cannot carry' }];
    return [];
  });
}

export function credentialIssues(authType: AuthType, credentials: string | null): FieldIssue[] {
  const field = 'auth_credentials';
  const needed = authType === 'bearer' || authType === 'basic';
  if (needed && credentials === null) return [{ field, issue: `is required with auth_type ${authType}` }];
  if (!needed && credentials !== null) return [{ field, issue: `has no use with auth_type ${authType}; leave it out` }];
  if (credentials === MASK) return [{ field, issue: 'is the mask; leave it out to keep what is stored' }];
  if (credentials !== null && !HEADER_VALUE.test(credentials)) {
    return [{ field, issue: 'holds a character that headers cannot carry' }];
  }
  return [];
}

export function unknownEventIssues(events: readonly string[]): FieldIssue[] {
  return events.flatMap((name, index) =>
    isEventName(name) ? [] : [{ field: `events[${String(index)}]`, issue: unknownEvent(name) }],
  );
}

function unknownEvent(name: string): string {
  const what = `${JSON.stringify(name)} is not an event`;
  return name.startsWith('custom.')
    ? `${what}: behind custom. stand parts of lower-case letters, digits and _, joined by dots`
    : `${what}: GET /api/v1/event-types lists them`;
}

/** The first event whose finance document type the client's tier doesn't hold. */
export function eventBeyondTier(events: readonly string[], financeTier: string): string | undefined {
  return events.find((name) => !isWithinTier(name, financeTier));
}

/** The events a client can subscribe to. */
export function availableEvents(financeTier: string): string[] {
  return EVENT_NAMES.filter((name) => isWithinTier(name, financeTier));
}

function isWithinTier(event: string, financeTier: string): boolean {
  const type = financeTypeOfEvent(event);
  return type === undefined || (FINANCE_TYPES_BY_TIER[financeTier] ?? []).includes(type);
}

/** `Authorization` of basic: credentials with a colon are user and password; without one they are base64 already. */
export function basicCredentials(credentials: string, base64: (text: string) => string): string {
  return credentials.includes(':') ? base64(credentials) : credentials;
}

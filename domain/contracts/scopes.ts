import { FINANCE_TYPES_BY_TIER } from './event-names.ts';
import type { Role } from './caller.ts';

/** Every scope a key may hold, in words (decisions §4). */
const BASE_SCOPES: Readonly<Record<string, string>> = {
  'users:read': 'Read users and their team memberships',
  'employees:read': 'Read employees and the reporting tree',
  'work_items:read': 'Read work items, their relationships, attachments, comments and time entries',
  'work_items:write': 'Create, update, close and delete work items',
  'work_items:delete': 'Delete work items',
  'appointments:read': 'Read appointments',
  'appointments:write': 'Create, change and cancel appointments',
  'comments:read': 'Read comments',
  'comments:write': 'Write comments',
  'threads:read': 'Read message threads',
  'threads:send_message': 'Send messages in threads',
  'recurring:read': 'Read recurring jobs',
  'recurring:write': 'Create, change, pause and resume recurring jobs',
  'contacts:read': 'Read contacts',
  'contacts:write': 'Create and change contacts',
  'attendance:read': 'Read attendance logs',
  'attendance:write': 'Clock in and out',
  'timesheets:read': 'Read timesheets',
  'payments:read': 'Read payments',
  'forms:read': 'Read forms and their submissions',
  'forms:write': 'Create forms and submit them',
  'workflows:read': 'Read workflow templates',
  'webhooks:read': 'Read webhooks and their deliveries',
  'webhooks:write': 'Manage webhooks and publish custom events',
  'vision:extract': 'Extract fields from documents',
  'vision:classify': 'Classify documents',
  'vision:split': 'Split documents',
  'vision:crop': 'Crop documents',
  'vision:pipeline': 'Run document pipelines',
  'vision:models': 'Create and train custom models',
  'vision:corrections': 'Submit corrections',
  'vision:usage': 'Read credits and usage',
};

export const ALL_SCOPES = '*';

/** The scopes offered to a client: the base set, and those of the finance types in its finance tier. */
export function availableScopes(financeTier: string): Record<string, string> {
  const finance = (FINANCE_TYPES_BY_TIER[financeTier] ?? []).flatMap((type) => {
    const words = `${type.replaceAll('_', ' ')}s`;
    return [
      [`${type}s:read`, `Read ${words}`],
      [`${type}s:write`, `Create and change ${words}`],
    ];
  });
  return { ...BASE_SCOPES, ...Object.fromEntries(finance), [ALL_SCOPES]: 'Everything' } as Record<string, string>;
}

/** Every scope that exists in any tier. */
export const KNOWN_SCOPES: ReadonlySet<string> = new Set(Object.keys(availableScopes('full')));

/** Whether `granted` covers at least one of `anyOf`. */
export function coversAny(granted: ReadonlySet<string>, anyOf: readonly string[]): boolean {
  return granted.has(ALL_SCOPES) || anyOf.some((scope) => granted.has(scope));
}

const FINANCE_WRITE = new Set((FINANCE_TYPES_BY_TIER['full'] ?? []).map((type) => `${type}s:write`));
const NOT_FOR_MEMBERS = new Set([...FINANCE_WRITE, ALL_SCOPES, 'webhooks:write', 'vision:models']);

/** What a role may grant to a key or an application, and what its own token carries (decisions §2). */
export function scopeIsWithinRole(scope: string, role: Role): boolean {
  if (role === 'owner' || role === 'admin') return true;
  if (role === 'member') return !NOT_FOR_MEMBERS.has(scope);
  return scope.endsWith(':read') || scope === 'vision:usage';
}

/** The scopes that a signed-in user's own token carries. */
export function scopesOfRole(role: Role): ReadonlySet<string> {
  if (role === 'owner' || role === 'admin') return new Set([ALL_SCOPES]);
  return new Set([...KNOWN_SCOPES].filter((scope) => scopeIsWithinRole(scope, role)));
}

/** What is left of granted scopes when who grants them has this role: of everything, all that the role may grant. */
export function scopesWithinRole(granted: readonly string[], role: Role): ReadonlySet<string> {
  if (granted.includes(ALL_SCOPES)) return scopesOfRole(role);
  return new Set(granted.filter((scope) => scopeIsWithinRole(scope, role)));
}

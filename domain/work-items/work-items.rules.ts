import { CLOSURE_STATUSES } from '../contracts/work-items.ts';
import type { ItemType } from '../contracts/work-items.ts';

const TERMINAL_STATUSES: ReadonlySet<string> = new Set(CLOSURE_STATUSES);
const CANCELLED_STATUSES: ReadonlySet<string> = new Set(['cancelled', 'canceled']);

const COMMON = ['open', 'in_progress', 'on_hold', ...CLOSURE_STATUSES];
const WORK = [...COMMON, 'scheduled'];

/** Every status an item type may have; any of them may follow any other (spec, "States and transitions"). */
export const STATUSES: Readonly<Record<ItemType, readonly string[]>> = {
  job: WORK,
  task: WORK,
  ticket: WORK,
  project: [...WORK, 'planning', 'active'],
  milestone: [...COMMON, 'pending'],
};

const DEFAULT_STATUS: Readonly<Record<ItemType, string>> = {
  job: 'open',
  task: 'open',
  ticket: 'open',
  project: 'planning',
  milestone: 'pending',
};

const DEFAULT_MODULE: Partial<Readonly<Record<ItemType, string>>> = { job: 'service-operations' };

export function defaultStatus(type: ItemType): string {
  return DEFAULT_STATUS[type];
}

export function defaultModule(type: ItemType): string | null {
  return DEFAULT_MODULE[type] ?? null;
}

export function isTerminal(status: string): boolean {
  return TERMINAL_STATUSES.has(status);
}

/** Whether the work was done, as against given up. */
export function isCompleted(status: string): boolean {
  return isTerminal(status) && !CANCELLED_STATUSES.has(status);
}

export interface Assignment {
  assigned_to: number | null;
  assigned_users: readonly number[];
}

/**
 * Who works on an item after a change. The primary assignee is always one of the assignees. `assigned_users` replaces
 * them all (spec), `assigned_to` alone the primary one.
 */
export function reassigned(
  before: Assignment,
  given: { assigned_to?: number | null | undefined; assigned_users?: readonly number[] | undefined },
): { assigned_to: number | null; assigned_users: number[] } {
  const { assigned_to: primary, assigned_users: users } = given;
  if (users !== undefined) {
    const kept = before.assigned_to !== null && users.includes(before.assigned_to) ? before.assigned_to : users[0];
    const assigned_to = primary === undefined ? (kept ?? null) : primary;
    return { assigned_to, assigned_users: ascending([...(assigned_to === null ? [] : [assigned_to]), ...users]) };
  }
  if (primary === undefined || primary === before.assigned_to) {
    return { assigned_to: before.assigned_to, assigned_users: ascending(before.assigned_users) };
  }
  const others = before.assigned_users.filter((id) => id !== before.assigned_to);
  return { assigned_to: primary, assigned_users: ascending([...(primary === null ? [] : [primary]), ...others]) };
}

function ascending(ids: readonly number[]): number[] {
  return [...new Set(ids)].sort((a, b) => a - b);
}

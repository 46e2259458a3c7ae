import type { ItemType } from '../contracts/work-items.ts';

/** Statuses that end a work item (decisions §5). */
const TERMINAL_STATUSES: ReadonlySet<string> = new Set([
  'completed',
  'closed',
  'done',
  'resolved',
  'cancelled',
  'canceled',
]);

const COMMON = ['open', 'in_progress', 'on_hold', ...TERMINAL_STATUSES];
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

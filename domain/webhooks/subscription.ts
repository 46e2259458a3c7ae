import type { FieldIssue } from '../contracts/errors.ts';
import { conditionIssues, conditionPaths, meets } from '../expressions/index.ts';
import type { Condition } from '../expressions/index.ts';

/** What of a webhook decides which events it receives. */
export interface Subscription {
  events: ReadonlySet<string>;
  itemTypeFilter: string | null;
  itemSubtypeFilter: string | null;
  statusFilter: string | null;
  /** Condition on the payload: its paths begin with `event` or `data`. null: none. */
  filter: Condition | null;
  isActive: boolean;
  isVerified: boolean;
}

/** What of an event a subscription looks at. `data` is read only where a filter needs it. */
export interface Candidate {
  name: string;
  data: () => Readonly<Record<string, unknown>>;
}

/** Whether an event goes to a subscription. */
export function matches(subscription: Subscription, event: Candidate): boolean {
  if (!subscription.isActive || !subscription.isVerified || !subscription.events.has(event.name)) return false;
  return passesFlatFilters(subscription, event) && passesFilter(subscription.filter, event);
}

/** Whether it takes more than the name of an event to tell. */
export function looksAtData({ filter, itemTypeFilter, itemSubtypeFilter, statusFilter }: Subscription): boolean {
  return [filter, itemTypeFilter, itemSubtypeFilter, statusFilter].some((one) => one !== null);
}

/** Whether the condition on the payload lets an event through. */
export function passesFilter(filter: Condition | null, { name, data }: Candidate): boolean {
  return filter === null || meets({ event: name, data: data() }, filter);
}

/**
 * What is wrong with a condition on the payload. The rest of a payload differs from delivery to delivery, or is the same
 * for all: only `event` and `data` tell events apart.
 */
export function filterIssues(filter: unknown, field = 'filter'): FieldIssue[] {
  const issues = conditionIssues(filter);
  if (issues.length > 0) return issues.map((issue) => ({ field, issue }));
  const strays = conditionPaths(filter as Condition).filter((path) => !/^(event$|data(\.|$))/.test(path.trim()));
  return strays.map((path) => ({
    field,
    issue: `${JSON.stringify(path)}: a path begins at the payload, with event or data, as in data.work_item.priority`,
  }));
}

/** The flat filters ignore events without a work item (decisions §7). */
function passesFlatFilters(subscription: Subscription, event: Candidate): boolean {
  const { itemTypeFilter, itemSubtypeFilter, statusFilter } = subscription;
  if (itemTypeFilter === null && itemSubtypeFilter === null && statusFilter === null) return true;
  const item = event.data()['work_item'];
  if (typeof item !== 'object' || item === null) return true;
  const fields = item as Readonly<Record<string, unknown>>;
  return (
    passes(itemTypeFilter, fields['item_type']) &&
    passes(itemSubtypeFilter, fields['item_subtype']) &&
    passes(statusFilter, fields['status'])
  );
}

function passes(wanted: string | null, actual: unknown): boolean {
  return wanted === null || wanted === actual;
}

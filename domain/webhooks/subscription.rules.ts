/** What of a webhook decides which events it receives. */
export interface Subscription {
  events: ReadonlySet<string>;
  itemTypeFilter: string | null;
  itemSubtypeFilter: string | null;
  statusFilter: string | null;
  isActive: boolean;
  isVerified: boolean;
}

/** What of an event a subscription looks at. `data` is read only where a filter needs it. */
export interface Candidate {
  name: string;
  data: () => Readonly<Record<string, unknown>>;
}

/** Whether an event goes to a subscription. The flat filters ignore events without a work item (decisions §7). */
export function matches(subscription: Subscription, event: Candidate): boolean {
  if (!subscription.isActive || !subscription.isVerified || !subscription.events.has(event.name)) return false;
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

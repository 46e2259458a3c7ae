const workItemTypes = ['job', 'task', 'ticket', 'project', 'milestone'] as const;
const workItemMoves = ['created', 'updated', 'status_changed', 'completed', 'deleted'] as const;
const financeTypes = ['quote', 'invoice', 'credit_note', 'bill', 'purchase_order', 'delivery_note'] as const;
const financeMoves = ['created', 'updated', 'issued', 'converted'] as const;

/** Sent by the test of a webhook, to that webhook only. */
export const TEST_EVENT = 'webhook.test';

/** Sent to a new endpoint that asked for verification, and to no other; nobody subscribes to it. */
export const VERIFICATION_EVENT = 'webhook.verification';

/** Stands in catalogues for the events that customers publish themselves. */
export const CUSTOM_EVENTS = 'custom.*';

/** Every event a webhook can subscribe to (spec "Events"; decisions §7), in the order in which they are listed. */
export const EVENT_NAMES: readonly string[] = [
  ...workItemTypes.flatMap((type) => workItemMoves.map((move) => `${type}.${move}`)),
  'work_item.assigned',
  'work_item.comment_added',
  'work_item.comment_updated',
  'work_item.comment_deleted',
  'work_item.comment_visibility_changed',
  'work_item.attachment_added',
  'appointment.created',
  'contact.created',
  'contact.updated',
  'contact.deleted',
  ...financeTypes.flatMap((type) => financeMoves.map((move) => `${type}.${move}`)),
  'quote.paid',
  'invoice.paid',
  'bill.paid',
  'payment.received',
  'payment.failed',
  'payment.refunded',
  'form.submitted',
  'attendance.clock_in',
  'attendance.clock_out',
  'attendance.break_start',
  'attendance.break_end',
  'recurring_job.created',
  'recurring_job.generated',
  'recurring_job.paused',
  'recurring_job.resumed',
  'thread.message_sent',
  'inbound_webhook.received',
  'vision.extract.completed',
  'vision.extract.failed',
  'vision.model.ready',
  'vision.model.failed',
  TEST_EVENT,
];

const NAMES = new Set(EVENT_NAMES);

/** Finance document types that each finance tier holds (decisions §4). */
export const FINANCE_TYPES_BY_TIER: Readonly<Record<string, readonly string[]>> = {
  none: [],
  basic: ['quote', 'invoice'],
  standard: ['quote', 'invoice', 'credit_note', 'delivery_note'],
  full: financeTypes,
};

/** The finance document type an event speaks of, if it is a finance event: `invoice` of `invoice.paid`. */
export function financeTypeOfEvent(name: string): string | undefined {
  const [type] = name.split('.');
  return financeTypes.find((known) => known === type);
}

/** A catalogued event, or a customer's own `custom.<name>`. */
export function isEventName(name: string): boolean {
  return NAMES.has(name) || /^custom\.[a-z0-9_]+(\.[a-z0-9_]+)*$/.test(name);
}

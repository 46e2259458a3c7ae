import { z } from 'zod';
import { AppointmentView } from './appointments.ts';
import { AttachmentView } from './attachments.ts';
import { AttendanceLogView } from './attendance.ts';
import { CommentView } from './comments.ts';
import { ContactView } from './contacts.ts';
import {
  CUSTOM_EVENTS,
  EVENT_NAMES,
  financeTypeOfEvent,
  isEventName,
  TEST_EVENT,
  VERIFICATION_EVENT,
} from './event-names.ts';
import { FinanceDocumentView } from './finance.ts';
import { FormView, SubmissionView } from './forms.ts';
import { InboundWebhookView, ReceiptView } from './inbound-webhooks.ts';
import { PaymentView, RefundView } from './payments.ts';
import { RecurringJobView } from './recurring.ts';
import { ThreadMessageView, ThreadView } from './threads.ts';
import { ExtractionCompletedEvent, ExtractionFailedEvent, ModelTrainedEvent } from './vision-events.ts';
import { ITEM_TYPES, WorkItemView } from './work-items.ts';

/** Events whose `data` has one shape. */
export interface EventFamily {
  id: string;
  summary: string;
  events: readonly string[];
  data: z.ZodType;
}

const changes = z
  .record(z.string(), z.object({ from: z.unknown(), to: z.unknown() }))
  .describe('Each changed field: what it was and what it is');
const visibility = CommentView.pick({ is_internal: true, comment_type: true });

type Choice = (name: string) => boolean;
const family = (id: string, summary: string, isOne: Choice, data: z.ZodType): EventFamily => ({
  id,
  summary,
  events: EVENT_NAMES.filter(isOne),
  data,
});
const one =
  (...names: readonly string[]): Choice =>
  (name) =>
    names.includes(name);
const beginsWith =
  (prefix: string): Choice =>
  (name) =>
    name.startsWith(prefix);
const moved =
  (isOfArea: Choice, ...moves: readonly string[]): Choice =>
  (name) =>
    isOfArea(name) && moves.includes(name.split('.')[1] ?? '');
const isOfItem: Choice = (name) => ITEM_TYPES.some((type) => name.startsWith(`${type}.`));
const isOfDocument: Choice = (name) => financeTypeOfEvent(name) !== undefined;

const item = z.object({ work_item: WorkItemView });
const commented = item.extend({ comment: CommentView });
const document = z.object({ document: FinanceDocumentView });

/** What is sent of each kind of record (decisions §7, "Event payload"): every event is in one family. */
export const EVENT_FAMILIES: readonly EventFamily[] = [
  family('work-item-event', 'A work item was created or deleted', moved(isOfItem, 'created', 'deleted'), item),
  family(
    'work-item-change-event',
    'A work item changed',
    (name) => moved(isOfItem, 'updated', 'status_changed', 'completed')(name) || name === 'work_item.assigned',
    item.extend({ changes }),
  ),
  family(
    'comment-event',
    'A comment on a work item',
    one('work_item.comment_added', 'work_item.comment_updated', 'work_item.comment_deleted'),
    commented,
  ),
  family(
    'comment-visibility-event',
    'A comment was shown to, or hidden from, people outside',
    one('work_item.comment_visibility_changed'),
    commented.extend({ old_visibility: visibility, new_visibility: visibility }),
  ),
  family(
    'attachment-event',
    'A file was added to a work item',
    beginsWith('work_item.attachment_'),
    item.extend({ attachment: AttachmentView }),
  ),
  family(
    'appointment-event',
    'An appointment was made',
    beginsWith('appointment.'),
    z.object({
      appointment: AppointmentView,
      work_item: WorkItemView.optional().describe('The one it belongs to, if any'),
    }),
  ),
  family(
    'contact-event',
    'A contact was created or deleted',
    one('contact.created', 'contact.deleted'),
    z.object({ contact: ContactView }),
  ),
  family(
    'contact-change-event',
    'A contact changed',
    one('contact.updated'),
    z.object({ contact: ContactView, changes }),
  ),
  family('finance-document-event', 'A finance document was created', moved(isOfDocument, 'created'), document),
  family(
    'finance-document-change-event',
    'A finance document changed',
    moved(isOfDocument, 'updated', 'issued', 'converted'),
    document.extend({ changes }),
  ),
  family(
    'finance-document-paid-event',
    'A finance document was paid',
    moved(isOfDocument, 'paid'),
    document.extend({
      payment: PaymentView.optional().describe('The payment that settled it; absent where a credit note did'),
    }),
  ),
  family(
    'payment-event',
    'A payment came in or failed',
    one('payment.received', 'payment.failed'),
    document.extend({ payment: PaymentView }),
  ),
  family(
    'payment-refunded-event',
    'A payment was refunded, or a part of it',
    one('payment.refunded'),
    document.extend({ payment: PaymentView, refund: RefundView }),
  ),
  family(
    'form-event',
    'A form was submitted',
    beginsWith('form.'),
    z.object({ form: FormView, submission: SubmissionView }),
  ),
  family('attendance-event', 'Somebody clocked', beginsWith('attendance.'), z.object({ log: AttendanceLogView })),
  family(
    'recurring-job-event',
    'A recurring job was made, paused or resumed',
    one('recurring_job.created', 'recurring_job.paused', 'recurring_job.resumed'),
    z.object({ recurring_job: RecurringJobView }),
  ),
  family(
    'recurring-job-generated-event',
    'A recurring job has generated a work item',
    one('recurring_job.generated'),
    item.extend({ recurring_job: RecurringJobView }),
  ),
  family(
    'thread-event',
    'A message was sent',
    beginsWith('thread.'),
    z.object({ thread: ThreadView, message: ThreadMessageView }),
  ),
  family(
    'inbound-webhook-event',
    'An inbound webhook was called',
    beginsWith('inbound_webhook.'),
    z.object({ inbound_webhook: InboundWebhookView, receipt: ReceiptView }),
  ),
  family(
    'extraction-completed-event',
    'Fields were extracted',
    one('vision.extract.completed'),
    ExtractionCompletedEvent,
  ),
  family(
    'extraction-failed-event',
    'A document could not be read',
    one('vision.extract.failed'),
    ExtractionFailedEvent,
  ),
  family('model-event', 'The training of a custom model ended', beginsWith('vision.model.'), ModelTrainedEvent),
  family(
    'test-event',
    'A test of the webhook',
    one(TEST_EVENT),
    z
      .record(z.string(), z.unknown())
      .describe('What the test was given as data')
      .meta({ example: { message: 'This is a test event.' } }),
  ),
  {
    id: 'webhook-verification',
    summary: 'Prove that the endpoint is yours',
    events: [VERIFICATION_EVENT],
    data: z.object({
      challenge: z
        .string()
        .describe('Answer 2xx with `{"challenge": …}`, the same text')
        .meta({ example: 'q3Zk0mB5n2d8PZ1vJr6sYx7uTfWc4hLa' }),
    }),
  },
  {
    id: 'custom-event',
    summary: 'An event of your own',
    events: [CUSTOM_EVENTS],
    data: z
      .record(z.string(), z.unknown())
      .describe('What it was published with')
      .meta({ example: { order_id: 'ord_1042', carrier: 'DHL', parcels: 2 } }),
  },
];

const FAMILY_OF = new Map(EVENT_FAMILIES.flatMap((of) => of.events.map((name) => [name, of])));

/** The name under which the catalogue has an event: its own, or the one that stands for all custom ones. */
export function cataloguedName(event: string): string {
  return event.startsWith('custom.') ? CUSTOM_EVENTS : event;
}

/** The family of an event; undefined for what is no event. */
export function familyOf(event: string): EventFamily | undefined {
  const isKnown = isEventName(event) || event === VERIFICATION_EVENT || event === CUSTOM_EVENTS;
  return isKnown ? FAMILY_OF.get(cataloguedName(event)) : undefined;
}

import { z } from 'zod';
import { AppointmentView } from '../../domain/contracts/appointments.ts';
import { AttachmentView } from '../../domain/contracts/attachments.ts';
import { AttendanceLogView } from '../../domain/contracts/attendance.ts';
import { CommentView } from '../../domain/contracts/comments.ts';
import { ContactView } from '../../domain/contracts/contacts.ts';
import { EVENT_NAMES, financeTypeOfEvent } from '../../domain/contracts/event-names.ts';
import { FinanceDocumentView } from '../../domain/contracts/finance.ts';
import { FormView, SubmissionView } from '../../domain/contracts/forms.ts';
import { PaymentView } from '../../domain/contracts/payments.ts';
import { RecurringJobView } from '../../domain/contracts/recurring.ts';
import { ThreadMessageView, ThreadView } from '../../domain/contracts/threads.ts';
import { ITEM_TYPES, WorkItemView } from '../../domain/contracts/work-items.ts';

/** Events whose `data` has one shape. */
export interface EventFamily {
  id: string;
  summary: string;
  events: readonly string[];
  data: z.ZodType;
}

const changes = z
  .record(z.string(), z.object({ from: z.unknown(), to: z.unknown() }))
  .optional()
  .describe('On changes: each changed field');
const visibility = CommentView.pick({ is_internal: true, comment_type: true })
  .optional()
  .describe('On comment_visibility_changed');

const family = (id: string, summary: string, isOne: (name: string) => boolean, data: z.ZodType): EventFamily => ({
  id,
  summary,
  events: EVENT_NAMES.filter(isOne),
  data,
});
const beginsWith = (prefix: string) => (name: string) => name.startsWith(prefix);
const isWorkItemEvent = (name: string): boolean =>
  name === 'work_item.assigned' || ITEM_TYPES.some((type) => name.startsWith(`${type}.`));

/** What is sent of each kind of record (decisions §7, "Event payload"). */
export const EVENT_FAMILIES: readonly EventFamily[] = [
  family('work-item-event', 'A work item changed', isWorkItemEvent, z.object({ work_item: WorkItemView, changes })),
  family(
    'comment-event',
    'A comment on a work item',
    beginsWith('work_item.comment_'),
    z.object({
      work_item: WorkItemView,
      comment: CommentView,
      old_visibility: visibility,
      new_visibility: visibility,
    }),
  ),
  family(
    'attachment-event',
    'A file was added to a work item',
    beginsWith('work_item.attachment_'),
    z.object({ work_item: WorkItemView, attachment: AttachmentView }),
  ),
  family(
    'appointment-event',
    'An appointment was made',
    beginsWith('appointment.'),
    z.object({ appointment: AppointmentView, work_item: WorkItemView.optional() }),
  ),
  family('contact-event', 'A contact changed', beginsWith('contact.'), z.object({ contact: ContactView, changes })),
  family(
    'finance-document-event',
    'A finance document changed',
    (name) => financeTypeOfEvent(name) !== undefined,
    z.object({
      document: FinanceDocumentView,
      changes,
      payment: PaymentView.optional().describe('On paid: the payment that settled it'),
    }),
  ),
  family(
    'payment-event',
    'A payment came in, failed or was refunded',
    beginsWith('payment.'),
    z.object({ payment: PaymentView, document: FinanceDocumentView }),
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
    'A recurring job was made, paused, resumed, or has generated a work item',
    beginsWith('recurring_job.'),
    z.object({ recurring_job: RecurringJobView, work_item: WorkItemView.optional() }),
  ),
  family(
    'thread-event',
    'A message was sent',
    beginsWith('thread.'),
    z.object({ thread: ThreadView, message: ThreadMessageView }),
  ),
];

const described = new Set(EVENT_FAMILIES.flatMap(({ events }) => events));

/** The events whose `data` the document says no more of. */
export const OTHER_EVENTS: readonly string[] = EVENT_NAMES.filter((name) => !described.has(name));

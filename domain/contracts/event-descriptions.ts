import { CUSTOM_EVENTS, EVENT_NAMES, financeTypeOfEvent, TEST_EVENT, VERIFICATION_EVENT } from './event-names.ts';
import { ITEM_TYPES } from './work-items.ts';

const OF_ITEM: Readonly<Record<string, (noun: string) => string>> = {
  created: (noun) => `${capital(article(noun))} was created.`,
  updated: (noun) => `Fields of ${article(noun)} changed, its status included, or it was related to another work item.`,
  status_changed: (noun) => `${capital(article(noun))} went to another status.`,
  completed: (noun) =>
    `${capital(article(noun))} was completed: its status is now completed, closed, done or resolved. None is sent of one that is cancelled.`,
  deleted: (noun) => `${capital(article(noun))} was deleted.`,
};

const OF_DOCUMENT: Readonly<Record<string, (noun: string) => string>> = {
  created: (noun) => `A draft of ${article(noun)} was made.`,
  updated: (noun) => `${capital(article(noun))} changed: a draft was edited, or what is due of an issued one.`,
  issued: (noun) => `${capital(article(noun))} was issued: it has its number and can no longer be edited.`,
  converted: (noun) =>
    `${capital(article(noun))} was converted to a document of another type; this is the one it was made from.`,
  paid: (noun) => `Nothing is due of ${article(noun)} any more.`,
};

const OTHERS: Readonly<Record<string, string>> = {
  'work_item.assigned': 'Users joined those who work on a work item.',
  'work_item.comment_added': 'Somebody commented on a work item.',
  'work_item.comment_updated': 'The text of a comment changed.',
  'work_item.comment_deleted': 'A comment was deleted.',
  'work_item.comment_visibility_changed': 'A comment became internal or visible, or changed its type.',
  'work_item.attachment_added': 'A file was added to a work item; fetch its bytes at download_path.',
  'appointment.created': 'An appointment was made, for a work item or on its own.',
  'contact.created': 'A contact was created.',
  'contact.updated': 'Fields of a contact changed.',
  'contact.deleted': 'A contact was deleted.',
  'payment.received': 'A payment of a finance document came in, whether it settles it or not.',
  'payment.failed': 'A payment of a finance document failed.',
  'payment.refunded': 'A payment, or a part of it, was given back; that much of its document is due again.',
  'form.submitted': 'Somebody submitted a form.',
  'attendance.clock_in': 'Somebody began to work.',
  'attendance.clock_out': 'Somebody ended work.',
  'attendance.break_start': 'Somebody began a break.',
  'attendance.break_end': 'Somebody ended a break.',
  'recurring_job.created': 'A recurring job was made.',
  'recurring_job.generated': 'A recurring job generated a work item, which sends its own created event too.',
  'recurring_job.paused': 'A recurring job was paused.',
  'recurring_job.resumed': 'A paused recurring job goes on.',
  'thread.message_sent': 'Somebody sent a message in a thread.',
  'inbound_webhook.received':
    'An inbound webhook was called. What it said is being processed; the receipt tells how that ended.',
  'vision.extract.completed': 'Document AI has extracted the fields of a document.',
  'vision.extract.failed': 'Document AI could not read a document; nothing was charged.',
  'vision.model.ready': 'A custom model was trained and can be used.',
  'vision.model.failed': 'The training of a custom model failed; an earlier version still serves.',
  [TEST_EVENT]: 'You tested the webhook. Sent to that webhook only, whatever it subscribes to.',
  [VERIFICATION_EVENT]:
    'The webhook wants to know whether the endpoint is yours. Sent to that webhook only; nobody subscribes to it.',
  [CUSTOM_EVENTS]: 'An event that you publish yourself, under a name that begins with custom.',
};

/** When an event happens, in words. */
export const EVENT_DESCRIPTIONS: ReadonlyMap<string, string> = new Map(
  [...EVENT_NAMES, VERIFICATION_EVENT, CUSTOM_EVENTS].map((name) => [name, describe(name)]),
);

function describe(name: string): string {
  const [area = '', move = ''] = name.split('.');
  const isItem = ITEM_TYPES.some((type) => type === area);
  const words = isItem ? OF_ITEM[move] : financeTypeOfEvent(name) === undefined ? undefined : OF_DOCUMENT[move];
  const description = words?.(area.replaceAll('_', ' ')) ?? OTHERS[name];
  if (description === undefined) throw new Error(`the event ${name} has no description`);
  return description;
}

function article(noun: string): string {
  return /^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

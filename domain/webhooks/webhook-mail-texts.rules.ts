/** What the mails about webhooks say. They carry no secret: they may go to people outside the client. */

/** The webhook that a mail is about. */
export interface MailedWebhook {
  id: number;
  name: string;
  endpoint_url: string;
  client_name: string;
}

export interface MailText {
  subject: string;
  text: string;
}

export type DisabledReason = 'gone' | 'failing';

const WHY: Record<DisabledReason, { short: string; long: string }> = {
  gone: {
    short: 'its endpoint answered 410 Gone',
    long: 'The endpoint answered 410 Gone: it asks for no more deliveries.',
  },
  failing: {
    short: 'its deliveries keep failing',
    long: 'At least 20 deliveries in a row have failed, over 24 hours or more.',
  },
};

/** The platform has switched the webhook off. */
export function disabledText(webhook: MailedWebhook, reason: DisabledReason, since: Date): MailText {
  return {
    subject: `Webhook “${shortName(webhook)}” was switched off: ${WHY[reason].short}`,
    text: letter(webhook, [
      `The webhook was switched off. ${WHY[reason].long}`,
      'Nothing is lost: events that occur while it is off are kept for 90 days. When the endpoint works again,',
      [
        `1. switch the webhook on: PATCH ${pathOf(webhook)} with {"is_active": true}`,
        `2. have what was missed sent: POST ${pathOf(webhook)}/recover with {"since": "${since.toISOString()}"}`,
      ],
      `What failed, and why: GET ${pathOf(webhook)}/dlq`,
    ]),
  };
}

/** A delivery has succeeded after we had reported trouble. */
export function recoveredText(webhook: MailedWebhook): MailText {
  return {
    subject: `Webhook “${shortName(webhook)}” works again`,
    text: letter(webhook, [
      'The webhook works again: a delivery has succeeded after the trouble that we reported.',
      `Deliveries that failed meanwhile are not sent again by themselves. To see them: GET ${pathOf(webhook)}/dlq`,
      `To have them sent: POST ${pathOf(webhook)}/dlq/replay, or POST ${pathOf(webhook)}/recover with {"since": "<date and time>"}`,
    ]),
  };
}

export interface KeyRotation {
  keyVersion: number;
  gracePeriodHours: number;
  oldKeyEndsAt: Date;
}

/** A new signing key is in force. */
export function keyRotatedText(webhook: MailedWebhook, rotation: KeyRotation): MailText {
  const { keyVersion, gracePeriodHours, oldKeyEndsAt } = rotation;
  const grace =
    gracePeriodHours > 0
      ? [
          'Until the old key ends, each delivery carries the signatures of both: the new one in X-Service-Signature, the old one in X-Service-Signature-Previous (and both in webhook-signature). Put the new key in place at the receiver before that moment.',
        ]
      : ['The old key is not valid any more. Put the new key in place at the receiver now.'];
  return {
    subject: `Webhook “${shortName(webhook)}”: new signing key, version ${String(keyVersion)}`,
    text: letter(webhook, [
      'The signing key of the webhook was rotated.',
      [
        `New key version: ${String(keyVersion)}`,
        `Grace period: ${hours(gracePeriodHours)}`,
        `The old key ends: ${moment(oldKeyEndsAt)}`,
      ],
      ...grace,
      'The key itself is not in this mail: it was shown once, to the person who rotated it. If nobody of yours did, rotate it again and look into who can sign in.',
    ]),
  };
}

export interface DeadLetters {
  counted: number;
  /** Counting stopped here: there are more. */
  isMore: boolean;
  threshold: number;
}

/** More deliveries were dead-lettered in 24 hours than the webhook's threshold. */
export function deadLettersText(webhook: MailedWebhook, { counted, isMore, threshold }: DeadLetters): MailText {
  const number = `${isMore ? 'more than ' : ''}${String(counted)} ${counted === 1 ? 'delivery' : 'deliveries'}`;
  const sentence = `${number.charAt(0).toUpperCase()}${number.slice(1)} of the webhook ${counted === 1 ? 'was' : 'were'} dead-lettered in the past 24 hours: every retry had failed. The webhook's threshold (dlq_alert_threshold) is ${String(threshold)}.`;
  return {
    subject: `Webhook “${shortName(webhook)}”: ${number} dead-lettered in 24 hours`,
    text: letter(webhook, [
      sentence,
      [
        `What failed, and why: GET ${pathOf(webhook)}/dlq`,
        `To have it sent again once the endpoint works: POST ${pathOf(webhook)}/dlq/replay`,
      ],
      'At most one such mail is sent an hour. PATCH the webhook to change dlq_alert_threshold or dlq_alert_email, or to end the alerts ({"dlq_alert_enabled": false}).',
    ]),
  };
}

/** A paragraph, or lines that belong together. */
type Part = string | readonly string[];

function letter(webhook: MailedWebhook, parts: readonly Part[]): string {
  const about = [
    `Webhook: ${webhook.name.replaceAll(/\s+/g, ' ')} (id ${String(webhook.id)})`,
    `Client: ${webhook.client_name}`,
    `Endpoint: ${shownUrl(webhook.endpoint_url)}`,
  ];
  const paragraphs = [...parts, about].map((part) => (typeof part === 'string' ? part : part.join('\n')));
  return `${paragraphs.join('\n\n')}\n`;
}

const MAX_NAME = 80;

function shortName({ name }: MailedWebhook): string {
  const line = name.replaceAll(/\s+/g, ' ').trim();
  return line.length <= MAX_NAME ? line : `${line.slice(0, MAX_NAME - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

function pathOf({ id }: MailedWebhook): string {
  return `/api/v1/work-items/webhooks/${String(id)}`;
}

/** Without its query, where receivers like to keep a token. */
function shownUrl(url: string): string {
  const bare = url.replace(/[?#].*$/s, '');
  return bare.length <= 200 ? bare : `${bare.slice(0, 199)}…`;
}

function hours(count: number): string {
  return count === 1 ? '1 hour' : `${String(count)} hours`;
}

function moment(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

import { z } from 'zod';
import { Moment, windowFields } from './common.ts';

/** What is mailed. */
export const MAIL_KINDS = [
  'dlq_alert',
  'password_reset',
  'signing_key_rotated',
  'user_invitation',
  'webhook_disabled',
  'webhook_recovered',
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

export const MAIL_STATUSES = ['queued', 'sent', 'kept', 'failed'] as const;
export type MailStatus = (typeof MAIL_STATUSES)[number];

/** How long a mail can be read here. */
export const MAIL_KEPT_DAYS = 30;

/** Mails that a client can cause in 24 hours; and, counted apart, invitations and links for a new password. */
export const MAILS_PER_DAY = 500;

export const ListMails = z.strictObject({
  status: z
    .enum(MAIL_STATUSES)
    .optional()
    .describe(
      'Only those that wait (queued), that the mail server took (sent), that only stand here because no mail server is set up (kept), or that were given up (failed)',
    )
    .meta({ example: 'kept' }),
  kind: z.enum(MAIL_KINDS).optional().describe('Only mails of this kind').meta({ example: 'dlq_alert' }),
  ...windowFields(),
});
export type ListMailsInput = z.output<typeof ListMails>;

const fields = {
  mail_id: z.uuid(),
  kind: z.enum(MAIL_KINDS),
  to_address: z.string().meta({ example: 'thandi@acme.example' }),
  subject: z.string().meta({ example: 'Webhook “ERP sync”: 11 deliveries dead-lettered in 24 hours' }),
  status: z
    .enum(MAIL_STATUSES)
    .describe(
      'queued: will be sent. sent: the mail server took it. kept: no mail server is set up. failed: given up, see last_error',
    ),
  attempts: z.int().describe('Times that the mail server was asked to take it'),
  last_error: z.string().nullable(),
  created_at: Moment,
  sent_at: Moment.nullable(),
};

/** A mail as the list shows it. */
export const MailView = z.object(fields).meta({ id: 'Mail' });
export type MailView = z.output<typeof MailView>;

/** A mail to be read. */
export const MailDetail = z
  .object({
    ...fields,
    text_body: z
      .string()
      .nullable()
      .describe('null: it is for its receiver only (user_invitation, password_reset: whoever has the link is in)'),
  })
  .meta({ id: 'MailDetail' });
export type MailDetail = z.output<typeof MailDetail>;

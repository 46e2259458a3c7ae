import { randomUUID } from 'node:crypto';
import { MAILS_PER_DAY } from '../contracts/mails.ts';
import type { MailKind } from '../contracts/mails.ts';
import { TASK_QUEUE, WORKFLOW, mailWorkflowId } from '../contracts/workflows.ts';
import type { SendMailInput } from '../contracts/workflows.ts';
import { requestWorkflowStartOf } from '../outbox/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { isMailbox, oneLine } from './mail.rules.ts';

/** A mail to one mailbox. */
export interface MailRequest {
  kind: MailKind;
  to: string;
  subject: string;
  /** Plain text. */
  text: string;
  /** What it reports. A second request of the same client under it queues nothing. */
  dedupeKey: string;
  /** The text is for the receiver's eyes only: nobody is shown it, and it goes once the mail has ended. */
  isConfidential?: boolean;
}

// Refused ones (failed without an attempt) don't use up the day's number. Transactions that run side by side may pass it
// by a few; a lock would make deliveries of the client wait for each other. Confidential ones count apart: whoever asks for
// new passwords must not use up the alerts.
const INSERT = statement(`
  with caused as (
    select count(*) as mails from (
      select 1 from mails where client_id = $1::int and created_at > now() - interval '24 hours'
        and (status <> 'failed' or attempts > 0) and is_confidential = $9::boolean limit ${String(MAILS_PER_DAY)}) m)
  insert into mails (client_id, mail_id, kind, to_address, subject, text_body, dedupe_key, status, last_error, is_confidential)
  select $1::int, $2::uuid, $3, $4, $5, case when $9::boolean and why is not null then '' else $6 end, $7,
    case when why is null then 'queued' else 'failed' end, why, $9::boolean
  from caused, lateral (select case when $8::text is not null then $8
    when mails >= ${String(MAILS_PER_DAY)} then 'not sent: ${String(MAILS_PER_DAY)} mails in 24 hours is the limit' end as why) w
  on conflict (client_id, dedupe_key) do nothing
  returning status`);

/**
 * Writes a mail and asks for its sending, in the transaction of what it reports. Never fails that transaction over the
 * mail itself: one to an impossible address, or past the day's number, is on record as failed.
 */
export async function queueMail(tx: Transaction, clientId: number, mail: MailRequest): Promise<void> {
  const mailId = randomUUID();
  const refusal = isMailbox(mail.to) ? null : 'not sent: the address is not one mailbox';
  const to = refusal === null ? mail.to : oneLine(mail.to);
  const text = mail.text.replaceAll('\0', '').toWellFormed();
  const { kind, subject, dedupeKey, isConfidential = false } = mail;
  const values = [clientId, mailId, kind, to, oneLine(subject), text, dedupeKey, refusal, isConfidential];
  const [row] = await tx.query<{ status: string }>(INSERT, values);
  if (row?.status !== 'queued') return;
  const input: SendMailInput = { client_id: clientId, mail_id: mailId, kind };
  requestWorkflowStartOf(tx, clientId, {
    workflowType: WORKFLOW.sendMail,
    workflowId: mailWorkflowId(mailId),
    taskQueue: TASK_QUEUE.platform,
    input,
  });
}

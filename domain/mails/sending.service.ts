import type { MailStatus } from '../contracts/mails.ts';
import type { SendMailInput } from '../contracts/workflows.ts';
import { statement } from '../../platform/db/statement.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';

const LOAD = statement(`
  select to_address, subject, text_body, created_at from mails
  where client_id = $1 and mail_id = $2 and status = 'queued'`);
const FAILED_ATTEMPT = statement(`
  update mails set attempts = attempts + 1, last_error = $3
  where client_id = $1 and mail_id = $2 and status = 'queued'`);
const END = statement(`
  update mails set status = $3, sent_at = case when $3 = 'sent' then $4::timestamptz end,
    attempts = attempts + case when $3 = 'sent' then 1 else 0 end,
    text_body = case when is_confidential then '' else text_body end,
    last_error = case $3 when 'sent' then null
      when 'failed' then concat_ws('; last: ', $5::text, last_error) else last_error end
  where client_id = $1 and mail_id = $2 and status = 'queued'`);

export interface QueuedMail extends Record<string, unknown> {
  to_address: string;
  subject: string;
  text_body: string;
  created_at: Date;
}

/** A mail that still waits to be sent; undefined when it has ended, or is gone. */
export async function queuedMail(
  db: SystemDatabase,
  { client_id, mail_id }: SendMailInput,
): Promise<QueuedMail | undefined> {
  const [row] = await db.query<QueuedMail>(LOAD, [client_id, mail_id]);
  return row;
}

/** The mail server did not take it; it goes on waiting. */
export async function noteFailedAttempt(
  db: SystemDatabase,
  { client_id, mail_id }: SendMailInput,
  error: string,
): Promise<void> {
  await db.query(FAILED_ATTEMPT, [client_id, mail_id, error]);
}

/** How a mail ended; a confidential text goes with it. `why`, where the last error doesn't say it all. The first end stays. */
export async function endMail(
  db: SystemDatabase,
  { client_id, mail_id }: SendMailInput,
  end: { status: Exclude<MailStatus, 'queued'>; at: number; why?: string | null },
): Promise<void> {
  await db.query(END, [client_id, mail_id, end.status, new Date(end.at), end.why ?? null]);
}

import { ApplicationFailure } from '@temporalio/activity';
import type { SendMailInput } from '../domain/contracts/workflows.ts';
import { endMail, noteFailedAttempt, queuedMail } from '../domain/mails/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { SystemDatabase } from '../platform/db/database.ts';
import type { Logger } from '../platform/log.ts';
import { MailError } from '../platform/mail.ts';
import type { Mailer } from '../platform/mail.ts';
import { heartbeating } from './heartbeats.ts';

export interface MailActivityDeps {
  system: SystemDatabase;
  /** Undefined: no mail server is set up. */
  mailer: Mailer | undefined;
  clock: Clock;
  log: Logger;
  /** Whether the log may hold what mails say. */
  logsText: boolean;
}

export type MailActivities = ReturnType<typeof createMailActivities>;

/** Why a mail was given up: its server will never take it, did not in three days, or an operator cancelled the workflow. */
export type MailEnd = 'refused' | 'expired' | 'cancelled';

/** Said before the server's last words; a refusal is those words. */
const END_WORDS: Record<MailEnd, string | null> = {
  refused: null,
  expired: 'not sent within 3 days',
  cancelled: 'cancelled by an operator',
};

/** Type of the failure of a mail that its server will never take. */
const REFUSED = 'MAIL_REFUSED';

/** The steps of `sendMail`. Sending and recording are apart, so that a database that is away repeats no mail. */
export function createMailActivities({ system, mailer, clock, log, logsText }: MailActivityDeps) {
  return {
    /** Gives a mail to the mail server. Run twice after a crash, it sends twice, under the same Message-ID. */
    async handOverMail(input: SendMailInput): Promise<'sent' | 'kept' | 'ended'> {
      const mail = await queuedMail(system, input);
      if (mail === undefined) return 'ended';
      const { to_address: to, subject, text_body: text, created_at: date } = mail;
      if (mailer === undefined) {
        const line = { client_id: input.client_id, mail_id: input.mail_id, kind: input.kind, to, subject };
        log.info(logsText ? { ...line, text } : line, 'mail kept: no SMTP_URL');
        return 'kept';
      }
      try {
        await heartbeating(() => mailer.send({ id: input.mail_id, to, subject, text, date }));
        return 'sent';
      } catch (error) {
        if (!(error instanceof MailError)) throw error;
        log.warn({ client_id: input.client_id, mail_id: input.mail_id, err: error.message }, 'mail not taken');
        await noteFailedAttempt(system, input, error.publicMessage);
        if (error.isPermanent) throw ApplicationFailure.nonRetryable(error.message, REFUSED);
        throw ApplicationFailure.retryable(error.message, 'MAIL_NOT_TAKEN');
      }
    },

    /** Writes that it was sent, or kept. */
    async recordMail(input: SendMailInput, status: 'sent' | 'kept'): Promise<void> {
      await endMail(system, input, { status, at: clock.now() });
    },

    /** Writes that it is given up. */
    async giveUpMail(input: SendMailInput, end: MailEnd): Promise<void> {
      await endMail(system, input, { status: 'failed', at: clock.now(), why: END_WORDS[end] });
      log.warn({ client_id: input.client_id, mail_id: input.mail_id, kind: input.kind, end }, 'mail given up');
    },
  };
}

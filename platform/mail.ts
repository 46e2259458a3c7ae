import { createTransport } from 'nodemailer';
import type { Config } from './config.ts';

/** A plain text mail to one mailbox. */
export interface OutgoingMail {
  /** UUID. Makes the Message-ID, so that a mail sent twice after a crash can be known for the same one. */
  id: string;
  to: string;
  subject: string;
  text: string;
  /** When it was written. */
  date: Date;
}

/** The mail server did not take a mail. `isPermanent`: it would not take the same mail later either. */
export class MailError extends Error {
  override readonly name = 'MailError';
  readonly isPermanent: boolean;
  /** For the customer whose mail it is: says nothing of the mail server beyond its reply to this mail. */
  readonly publicMessage: string;

  constructor(message: string, { isPermanent, isAboutMail }: { isPermanent: boolean; isAboutMail: boolean }) {
    super(message);
    this.isPermanent = isPermanent;
    this.publicMessage = isAboutMail ? message.slice(0, MAX_REPLY) : 'the mail server could not be used';
  }
}

export interface Mailer {
  /** Resolves with the server's words when it has taken the mail; fails with a {@link MailError}. */
  send(mail: OutgoingMail): Promise<string>;
  close(): void;
}

const CONNECT_TIMEOUT_MS = 10_000;
const SILENCE_TIMEOUT_MS = 30_000;
/** For everything together: a server that trickles its words runs into no other limit. */
const SEND_TIMEOUT_MS = 90_000;
const MAX_CONNECTIONS = 3;
/** Of what a server says of a mail that it doesn't take. */
const MAX_REPLY = 500;
/** Replies of a server that wants us to sign in, or to encrypt: the settings are wrong, not the mail. */
const SETTINGS_REPLIES = new Set([523, 530, 534, 535, 538]);

/** The way to the mail server of SMTP_URL; undefined where none is set up. */
export function createMailer({
  SMTP_URL: url,
  MAIL_FROM: from,
}: Pick<Config, 'SMTP_URL' | 'MAIL_FROM'>): Mailer | undefined {
  if (url === undefined) return undefined;
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    // A mail whose connection broke may have been taken already: whether to repeat it is not the pool's to decide.
    maxRequeues: 0,
    dnsTimeout: CONNECT_TIMEOUT_MS,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    requireTLS: isSecretAtRisk(url),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = /@([^\s@<>]+)>?$/.exec(from)?.[1] ?? 'localhost';
  return {
    async send({ id, to, subject, text, date }) {
      // The second of two walls; the first is where mails are queued.
      if (/[\r\n]/.test(to) || /[\r\n]/.test(subject))
        throw new MailError('a header holds a line break', { isPermanent: true, isAboutMail: true });
      try {
        const { response } = await transport.sendMail({
          from,
          to: { name: '', address: to },
          subject,
          text,
          date,
          messageId: `<${id}@${domain}>`,
          // RFC 3834: no holiday notes in answer.
          headers: { 'Auto-Submitted': 'auto-generated' },
          signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
        });
        return response;
      } catch (error) {
        throw translate(error);
      }
    },
    close() {
      transport.close();
    },
  };
}

/** Credentials for another machine: without TLS whoever sits between could read them, or suppress a mere offer of it. */
function isSecretAtRisk(url: string): boolean {
  const { username, hostname } = new URL(url);
  return username !== '' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

function translate(error: unknown): MailError {
  const { message, code, command, responseCode } = error as Error & {
    code?: string;
    command?: string;
    responseCode?: number;
  };
  const isSettings = responseCode !== undefined && SETTINGS_REPLIES.has(responseCode);
  const isAboutMail = (code === 'EENVELOPE' || code === 'EMESSAGE') && !isSettings;
  const isRefusal = command === 'API' || (responseCode !== undefined && responseCode >= 500 && responseCode !== 503);
  return new MailError(message, { isPermanent: isAboutMail && isRefusal, isAboutMail });
}

import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import type { Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import type { SMTPServerOptions } from 'smtp-server';

export interface ReceivedMail {
  /** Of the envelope. */
  from: string;
  to: readonly string[];
  user: string | undefined;
  /** As it came over the wire. */
  raw: string;
  parsed: Email;
}

/** What the server says to a mail: undefined takes it, else the reply code that refuses it. */
type Judge = (mail: { to: readonly string[] }, index: number) => number | undefined;

export interface MailServer {
  url: string;
  port: number;
  mails: ReceivedMail[];
  /** Mails that were offered, taken or not. */
  offered: number;
  isOpen: boolean;
  /** At `DATA` all is judged; the recipient alone at `RCPT TO`. */
  judge(judge: Judge): void;
  judgeRecipients(judge: (address: string) => number | undefined): void;
  close(): Promise<void>;
}

/** A real SMTP server in this process; `port` to come back where one was before. */
export async function startMailServer(port = 0, options: SMTPServerOptions = {}): Promise<MailServer> {
  let judge: Judge = () => undefined;
  let judgeRecipient: (address: string) => number | undefined = () => undefined;
  const mails: ReceivedMail[] = [];
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 100,
    onRcptTo({ address }, _session, callback) {
      callback(refusal(judgeRecipient(address)));
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        const refused = refusal(judge({ to }, server.offered));
        server.offered += 1;
        if (refused !== null) {
          callback(refused);
          return;
        }
        const raw = Buffer.concat(chunks);
        const from = session.envelope.mailFrom === false ? '' : session.envelope.mailFrom.address;
        void PostalMime.parse(raw).then((parsed) => {
          mails.push({ from, to, user: session.user, raw: raw.toString('latin1'), parsed });
          callback(null);
        });
      });
    },
    ...options,
  });
  // A client that breaks off is no failure of the test.
  smtp.on('error', () => undefined);
  await new Promise<void>((resolve) => smtp.listen(port, '127.0.0.1', resolve));
  const actual = (smtp.server.address() as AddressInfo).port;
  const server: MailServer = {
    url: `smtp://127.0.0.1:${String(actual)}`,
    port: actual,
    mails,
    offered: 0,
    isOpen: true,
    judge: (next) => void (judge = next),
    judgeRecipients: (next) => void (judgeRecipient = next),
    close: () =>
      new Promise((resolve) => {
        server.isOpen = false;
        smtp.close(resolve);
      }),
  };
  return server;
}

function refusal(code: number | undefined): Error | null {
  if (code === undefined) return null;
  return Object.assign(new Error(code < 500 ? 'come again' : 'no such mailbox'), { responseCode: code });
}

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import { createMailer, MailError } from '../../platform/mail.ts';
import type { Mailer, OutgoingMail } from '../../platform/mail.ts';
import { startMailServer } from '../support/mail-server.ts';
import type { MailServer } from '../support/mail-server.ts';

const MAIL_FROM = 'Business Platform <no-reply@platform.example>';
let server: MailServer;
let mailer: Mailer;

beforeEach(async () => {
  server = await startMailServer();
  mailer = createMailer({ SMTP_URL: server.url, MAIL_FROM })!;
});

afterEach(async () => {
  mailer.close();
  await server.close();
});

const mail = (input: Partial<OutgoingMail> = {}): OutgoingMail => ({
  id: randomUUID(),
  to: 'thandi@acme.example',
  subject: 'Webhook works again',
  text: 'Hello\n',
  date: new Date('2026-11-21T08:30:00Z'),
  ...input,
});
const failureOf = async (use: Mailer, input: Partial<OutgoingMail> = {}): Promise<MailError> => {
  const error = await use.send(mail(input)).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof MailError)) throw new Error('the mail was not refused with a MailError');
  return error;
};

describe('a mail', () => {
  it('arrives as it was written: UTF-8 in subject and text, long lines, dots, and nothing but ASCII on the wire', async () => {
    const text = `Grüße aus Zürich – 東京 🚚\n.\n..two dots\n${'wört '.repeat(400)}\n\ttrailing space \n`;
    const subject = `Webhook “ERP – Zürich 🚚 ${'ü'.repeat(80)}”: 11 deliveries dead-lettered`;
    const id = randomUUID();
    await mailer.send(mail({ id, subject, text }));
    const [{ parsed, raw, from, to }] = server.mails as [MailServer['mails'][number]];
    expect(parsed.subject).toBe(subject);
    expect(parsed.text?.replaceAll('\r\n', '\n').trimEnd()).toBe(text.trimEnd());
    expect(raw).toMatch(/^[\r\n\t\x20-\x7e]*$/);
    expect(Math.max(...raw.split('\r\n').map(({ length }) => length))).toBeLessThanOrEqual(998);
    expect({ from, to }).toEqual({ from: 'no-reply@platform.example', to: ['thandi@acme.example'] });
    expect(parsed.from).toMatchObject({ name: 'Business Platform', address: 'no-reply@platform.example' });
    expect(parsed.messageId).toBe(`<${id}@platform.example>`);
    expect(parsed.date).toBe('2026-11-21T08:30:00.000Z');
    expect(parsed.headers).toContainEqual(expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }));
    expect(raw).toMatch(/^Content-Type: text\/plain; charset=utf-8\r$/m);
  });

  it('carries the same Message-ID when it is sent again', async () => {
    const same = mail();
    await mailer.send(same);
    await mailer.send(same);
    expect(new Set(server.mails.map(({ parsed }) => parsed.messageId)).size).toBe(1);
  });

  it.each([{ to: 'a@b.example\r\nBcc: c@d.example' }, { subject: 'x\r\nBcc: c@d.example' }, { subject: 'x\ny' }])(
    'with a line break in a header is refused for good: %j',
    async (input) => {
      expect((await failureOf(mailer, input)).isPermanent).toBe(true);
      expect(server.offered).toBe(0);
    },
  );

  it('to what looks like a list goes to nobody', async () => {
    await failureOf(mailer, { to: 'a@b.example, c@d.example' });
    expect(server.mails).toEqual([]);
  });
});

describe('a mail server', () => {
  it.each([550, 552, 553, 554, 571])(
    'that answers %d refuses the mail for good, and the customer may read its words',
    async (code) => {
      server.judge(() => code);
      const failure = await failureOf(mailer);
      expect(failure.isPermanent).toBe(true);
      expect(failure.publicMessage).toContain('no such mailbox');
    },
  );

  it.each([421, 450, 451, 452, 503])('that answers %d may take it later', async (code) => {
    server.judge(() => code);
    expect((await failureOf(mailer)).isPermanent).toBe(false);
  });

  it.each([
    [550, true],
    [450, false],
    [530, false],
  ])('that answers %d to the recipient: for good is %s', async (code, isPermanent) => {
    server.judgeRecipients(() => code);
    expect((await failureOf(mailer)).isPermanent).toBe(isPermanent);
    expect(server.offered).toBe(0);
  });

  it('that is not there may be later, and the customer does not read where it is', async () => {
    await server.close();
    const failure = await failureOf(mailer);
    expect(failure.isPermanent).toBe(false);
    expect(failure.message).toContain('ECONNREFUSED');
    expect(failure.publicMessage).toBe('the mail server could not be used');
  });

  it('that hangs up in the middle is not asked again behind our back', async () => {
    let connections = 0;
    const rude = createServer((socket) => {
      connections += 1;
      socket.on('error', () => undefined).resume();
      socket.end('220 hello\r\n');
    });
    await new Promise<void>((resolve) => rude.listen(0, '127.0.0.1', resolve));
    const port = (rude.address() as { port: number }).port;
    const toRude = createMailer({ SMTP_URL: `smtp://127.0.0.1:${String(port)}`, MAIL_FROM })!;
    expect((await failureOf(toRude)).isPermanent).toBe(false);
    expect(connections).toBe(1);
    toRude.close();
    await new Promise((resolve) => rude.close(resolve));
  });

  it('that wants a name and password gets those of SMTP_URL; wrong ones are a matter of settings, not of the mail', async () => {
    const guarded = await startMailServer(0, {
      authOptional: false,
      onAuth({ username, password }, _session, callback) {
        if (username === 'me@x' && password === 'p:ss/w rd') callback(null, { user: username });
        else callback(new Error('wrong'));
      },
      allowInsecureAuth: true,
    });
    const at = `127.0.0.1:${String(guarded.port)}`;
    const right = createMailer({
      SMTP_URL: `smtp://me%40x:${encodeURIComponent('p:ss/w rd')}@${at}`,
      MAIL_FROM: 'no-reply@platform.example',
    })!;
    await right.send(mail());
    expect(guarded.mails[0]).toMatchObject({ user: 'me@x', from: 'no-reply@platform.example' });
    const wrong = createMailer({ SMTP_URL: `smtp://me%40x:no@${at}`, MAIL_FROM })!;
    const failure = await failureOf(wrong);
    expect(failure.isPermanent).toBe(false);
    expect(failure.publicMessage).toBe('the mail server could not be used');
    right.close();
    wrong.close();
    await guarded.close();
  });

  it('elsewhere never sees the password without TLS, unless SMTP_URL says so', async () => {
    const users: (string | undefined)[] = [];
    const elsewhere = await startMailServer(0, {
      onAuth({ username }, _session, callback) {
        users.push(username);
        callback(null, { user: username ?? '' });
      },
      allowInsecureAuth: true,
    });
    // The same server under an address that isn't known for this machine's own.
    const at = `me:secret@0.0.0.0:${String(elsewhere.port)}`;
    const careful = createMailer({ SMTP_URL: `smtp://${at}`, MAIL_FROM })!;
    expect((await failureOf(careful)).isPermanent).toBe(false);
    expect(users).toEqual([]);
    const told = createMailer({ SMTP_URL: `smtp://${at}?requireTLS=false`, MAIL_FROM })!;
    await told.send(mail());
    expect(users).toEqual(['me']);
    careful.close();
    told.close();
    await elsewhere.close();
  });
});

describe('without SMTP_URL', () => {
  it('there is no mailer', () => {
    expect(createMailer({ SMTP_URL: undefined, MAIL_FROM })).toBeUndefined();
  });
});

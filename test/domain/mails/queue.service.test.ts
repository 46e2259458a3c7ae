import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MAILS_PER_DAY } from '../../../domain/contracts/mails.ts';
import { endMail, queueMail } from '../../../domain/mails/index.ts';
import type { MailRequest } from '../../../domain/mails/index.ts';
import { statement } from '../../../platform/db/statement.ts';
import { testDatabase } from '../../support/stack.ts';
import type { TestDatabase } from '../../support/stack.ts';
import { Tenant } from '../../worker/tenant.ts';

let database: TestDatabase;
let tenant: Tenant;
let other: Tenant;

beforeAll(async () => {
  database = await testDatabase();
  tenant = await Tenant.create(database);
  other = await Tenant.create(database, 'other');
});

afterAll(async () => {
  await Promise.all([tenant.close(), other.close()]);
  await database.drop();
});

const MAIL: MailRequest = {
  kind: 'dlq_alert',
  to: 'thandi@acme.example',
  subject: 'Something happened',
  text: 'Hello\n',
  dedupeKey: 'a',
};
const CLEAR = statement('with w as (delete from workflow_starts) delete from mails');
const MAILS = statement('select * from mails where client_id = $1 order by id');
const STARTS = statement('select workflow_id, workflow_type, input from workflow_starts where client_id = $1');
const FILL = statement(`
  insert into mails (client_id, mail_id, kind, to_address, subject, text_body, dedupe_key, status, attempts, created_at)
  select $1, gen_random_uuid(), 'dlq_alert', 'a@b.example', 's', 't', n::text, $3, $4, now() - $5::int * interval '1 hour'
  from generate_series(1, $2::int) n`);

const queue = (mail: Partial<MailRequest> = {}, of = tenant) =>
  of.tenants.transaction(of.clientId, (tx) => queueMail(tx, of.clientId, { ...MAIL, ...mail }));
const mails = (of = tenant) => tenant.system.query(MAILS, [of.clientId]);
const fill = (count: number, { status = 'sent', attempts = 1, hoursAgo = 1 } = {}) =>
  tenant.system.query(FILL, [tenant.clientId, count, status, attempts, hoursAgo]);

beforeEach(() => tenant.system.query(CLEAR));

describe('queueMail', () => {
  it('writes the mail and asks for its workflow in the same transaction', async () => {
    await queue();
    const [mail] = await mails();
    expect(mail).toMatchObject({ kind: 'dlq_alert', to_address: MAIL.to, status: 'queued', attempts: 0 });
    const id = String(mail?.['mail_id']);
    expect(await tenant.system.query(STARTS, [tenant.clientId])).toEqual([
      {
        workflow_id: `mail/${id}`,
        workflow_type: 'sendMail',
        input: { client_id: tenant.clientId, mail_id: id, kind: 'dlq_alert' },
      },
    ]);
    await expect(
      tenant.tenants.transaction(tenant.clientId, async (tx) => {
        await queueMail(tx, tenant.clientId, { ...MAIL, dedupeKey: 'b' });
        throw new Error('the change fails');
      }),
    ).rejects.toThrow('the change fails');
    expect(await mails()).toHaveLength(1);
    expect(await tenant.system.query(STARTS, [tenant.clientId])).toHaveLength(1);
  });

  it('queues one mail for a key, however many ask at once, and one for each client', async () => {
    await Promise.all(Array.from({ length: 20 }, () => queue()));
    await queue({}, other);
    expect(await mails()).toHaveLength(1);
    expect(await tenant.system.query(STARTS, [tenant.clientId])).toHaveLength(1);
    expect(await mails(other)).toHaveLength(1);
  });

  it.each(['a@b.example\r\nBcc: c@d.example', 'a@b.example,c@d.example', 'nobody', ''])(
    'puts a mail to %j on record as failed and sends nothing, without failing the change',
    async (to) => {
      await queue({ to });
      const [mail] = await mails();
      expect(mail).toMatchObject({ status: 'failed', last_error: 'not sent: the address is not one mailbox' });
      expect(mail?.['to_address']).not.toMatch(/[\r\n]/);
      expect(await tenant.system.query(STARTS, [tenant.clientId])).toEqual([]);
    },
  );

  it('makes one line of a subject with line breaks, and stores what PostgreSQL would not take as text', async () => {
    await queue({ subject: 'Webhook “x\r\nBcc: all@acme.example”\0\ud800', text: 'a\0b\ud800' });
    expect((await mails())[0]).toMatchObject({
      subject: 'Webhook “x Bcc: all@acme.example” \ufffd',
      text_body: 'ab\ufffd',
    });
  });

  it(`queues ${String(MAILS_PER_DAY)} mails of a client in 24 hours, and records the others as failed`, async () => {
    await fill(MAILS_PER_DAY - 1);
    await queue({ dedupeKey: 'last' });
    await queue({ dedupeKey: 'beyond' });
    const rows = (await mails()).slice(-2);
    expect(rows.map(({ status }) => status)).toEqual(['queued', 'failed']);
    expect(rows[1]?.['last_error']).toBe(`not sent: ${String(MAILS_PER_DAY)} mails in 24 hours is the limit`);
    await queue({}, other);
    expect((await mails(other))[0]).toMatchObject({ status: 'queued' });
  });

  it('counts neither what was refused nor what is older than a day', async () => {
    await fill(MAILS_PER_DAY, { status: 'failed', attempts: 0 });
    await queue();
    expect((await mails()).at(-1)).toMatchObject({ status: 'queued' });
    await tenant.system.query(CLEAR);
    await fill(MAILS_PER_DAY, { hoursAgo: 25 });
    await queue();
    expect((await mails()).at(-1)).toMatchObject({ status: 'queued' });
  });

  it('counts invitations and the like apart: neither kind uses up the day of the other', async () => {
    await fill(MAILS_PER_DAY);
    await queue({ isConfidential: true });
    expect((await mails()).at(-1)).toMatchObject({ status: 'queued', is_confidential: true });
    await tenant.system.query(statement(`update mails set is_confidential = true where client_id = $1`), [
      tenant.clientId,
    ]);
    await queue({ dedupeKey: 'beyond', isConfidential: true });
    await queue({ dedupeKey: 'alert' });
    expect((await mails()).slice(-2).map(({ status }) => status)).toEqual(['failed', 'queued']);
  });

  it('keeps no confidential text that won’t be sent', async () => {
    await queue({ isConfidential: true, to: 'nobody' });
    await queue({ dedupeKey: 'b', to: 'nobody' });
    expect((await mails()).map(({ text_body }) => text_body)).toEqual(['', MAIL.text]);
  });
});

describe('endMail', () => {
  it.each(['sent', 'kept', 'failed'] as const)(
    'takes the text out of a confidential mail that was %s',
    async (status) => {
      await queue({ isConfidential: true });
      await queue({ dedupeKey: 'b' });
      for (const { mail_id } of await mails()) {
        const mail = { client_id: tenant.clientId, mail_id: String(mail_id), kind: MAIL.kind };
        await endMail(tenant.system, mail, { status, at: Date.now() });
      }
      expect((await mails()).map(({ text_body }) => text_body)).toEqual(['', MAIL.text]);
      expect((await mails()).map((mail) => mail['status'])).toEqual([status, status]);
    },
  );
});

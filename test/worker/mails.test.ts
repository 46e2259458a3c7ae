import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { queueMail } from '../../domain/mails/index.ts';
import { statement } from '../../platform/db/statement.ts';
import { startMailServer } from '../support/mail-server.ts';
import type { MailServer } from '../support/mail-server.ts';
import { processEnvironment, spawnProcess, testDatabase } from '../support/stack.ts';
import type { SpawnedProcess, TestDatabase } from '../support/stack.ts';
import { within } from '../support/within.ts';
import { MASTER_KEY, Tenant } from './tenant.ts';

const MAIL = statement(`select status, attempts, last_error from mails where client_id = $1 and dedupe_key = $2`);

let database: TestDatabase;
let tenant: Tenant;
let server: MailServer;
let worker: SpawnedProcess;
let environment: Record<string, string>;

beforeAll(async () => {
  [database, server] = await Promise.all([testDatabase(), startMailServer()]);
  tenant = await Tenant.create(database);
  const mail = { SMTP_URL: server.url, MAIL_FROM: 'no-reply@platform.example' };
  environment = processEnvironment(database, { MASTER_KEY, ...mail });
});

afterAll(async () => {
  await worker.stop();
  await server.close();
  await tenant.close();
  await database.drop();
});

const startWorker = () => spawnProcess('worker/main.ts', environment, { args: ['--queue', 'platform'] });
const mailOf = async (key: string) => (await tenant.system.query(MAIL, [tenant.clientId, key]))[0];
const queue = (key: string) =>
  tenant.tenants.transaction(tenant.clientId, (tx) =>
    queueMail(tx, tenant.clientId, {
      kind: 'webhook_recovered',
      to: 'thandi@acme.example',
      subject: `Webhook “Zürich” works again (${key})`,
      text: 'Hello\n',
      dedupeKey: key,
    }),
  );

describe('a queued mail', () => {
  it('is sent once, though the worker starts late, the mail server is away, and the worker is killed in between', async () => {
    const { port } = server;
    await server.close();
    await queue('through-trouble');
    worker = await startWorker();
    await within(30_000, async () => {
      expect(await mailOf('through-trouble')).toMatchObject({ status: 'queued', attempts: expect.any(Number) });
      expect((await mailOf('through-trouble'))?.['last_error']).toBe('the mail server could not be used');
    });
    await worker.kill9();
    server = await startMailServer(port);
    worker = await startWorker();
    await within(45_000, async () => {
      expect(await mailOf('through-trouble')).toMatchObject({ status: 'sent', last_error: null });
    });
    expect(server.mails.map(({ parsed }) => parsed.subject)).toEqual([
      'Webhook “Zürich” works again (through-trouble)',
    ]);
    expect(worker.output()).not.toContain('thandi@acme.example');
  }, 120_000);
});

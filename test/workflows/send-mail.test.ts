import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { bundleWorkflowCode, DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { join } from 'node:path';
import { createMailActivities } from '../../activities/mails.ts';
import { mailWorkflowId, WORKFLOW } from '../../domain/contracts/workflows.ts';
import { queueMail } from '../../domain/mails/index.ts';
import { createTimeSkippingEnvironment } from '../../dev/time-skipping.ts';
import { systemClock } from '../../platform/clock.ts';
import { statement } from '../../platform/db/statement.ts';
import { createLogger } from '../../platform/log.ts';
import { createMailer } from '../../platform/mail.ts';
import type { Mailer } from '../../platform/mail.ts';
import { startMailServer } from '../support/mail-server.ts';
import type { MailServer } from '../support/mail-server.ts';
import { testDatabase, uniqueName } from '../support/stack.ts';
import type { TestDatabase } from '../support/stack.ts';
import { Tenant } from '../worker/tenant.ts';
import { recordHistory } from './histories.ts';

const WITH_SERVER = 'mails';
const WITHOUT_SERVER = 'mails-kept';
const MAIL = statement(`select * from mails where client_id = $1 and dedupe_key = $2`);

let environment: TestWorkflowEnvironment;
let database: TestDatabase;
let tenant: Tenant;
let server: MailServer;
let mailer: Mailer;
let workers: Worker[];
let running: Promise<unknown>;
const logLines: string[] = [];

beforeAll(async () => {
  const logger = new DefaultLogger('ERROR');
  Runtime.install({ logger, telemetryOptions: { logging: { filter: 'ERROR' } } });
  [environment, database, server] = await Promise.all([
    createTimeSkippingEnvironment(),
    testDatabase(),
    startMailServer(),
  ]);
  tenant = await Tenant.create(database);
  mailer = createMailer({ SMTP_URL: server.url, MAIL_FROM: 'no-reply@platform.example' })!;
  const workflowsPath = join(import.meta.dirname, '../../workflows/index.ts');
  const workflowBundle = await bundleWorkflowCode({ workflowsPath, logger });
  const log = createLogger('worker', 'info', { write: (line) => void logLines.push(line) });
  const deps = { system: tenant.system, clock: systemClock, log, logsText: false };
  const worker = (taskQueue: string, activities: object) =>
    Worker.create({ connection: environment.nativeConnection, taskQueue, workflowBundle, activities });
  workers = await Promise.all([
    worker(WITH_SERVER, createMailActivities({ ...deps, mailer })),
    worker(WITHOUT_SERVER, createMailActivities({ ...deps, mailer: undefined })),
  ]);
  running = Promise.all(workers.map((one) => one.run()));
}, 120_000);

afterAll(async () => {
  for (const worker of workers) worker.shutdown();
  await running;
  mailer.close();
  await Promise.all([environment.teardown(), server.close(), tenant.close()]);
  await database.drop();
});

beforeEach(async () => {
  server = server.isOpen ? server : await startMailServer(server.port);
});

afterEach(() => {
  server.mails.length = 0;
  server.judge(() => undefined);
});

/** Queues a mail and starts the workflow that it asks for. */
async function start(taskQueue = WITH_SERVER): Promise<{ handle: WorkflowHandle; key: string }> {
  const key = uniqueName('mail');
  const text = 'The text of the mail\n';
  const mail = { kind: 'dlq_alert', to: 'thandi@acme.example', subject: 'A subject', text, dedupeKey: key } as const;
  await tenant.system.transaction((tx) => queueMail(tx, tenant.clientId, mail));
  const row = await mailOf(key);
  const mailId = String(row?.['mail_id']);
  const handle = await environment.client.workflow.start(WORKFLOW.sendMail, {
    workflowId: mailWorkflowId(mailId),
    taskQueue,
    args: [{ client_id: tenant.clientId, mail_id: mailId, kind: 'dlq_alert' }],
  });
  return { handle, key };
}

async function mailOf(key: string): Promise<Record<string, unknown> | undefined> {
  return (await tenant.system.query(MAIL, [tenant.clientId, key]))[0];
}

describe('sendMail', () => {
  it('sends a mail once', async () => {
    const { handle, key } = await start();
    expect(await handle.result()).toEqual({ status: 'sent' });
    expect(server.mails.map(({ to }) => to)).toEqual([['thandi@acme.example']]);
    expect(await mailOf(key)).toMatchObject({
      status: 'sent',
      attempts: 1,
      last_error: null,
      sent_at: expect.any(Date),
    });
    await recordHistory('send-mail.sent', await handle.fetchHistory());
  });

  it('tries again, with the same Message-ID, when the server says so', async () => {
    server.judge((_mail, index) => (index < 3 ? 451 : undefined));
    server.offered = 0;
    const { handle, key } = await start();
    expect(await handle.result()).toEqual({ status: 'sent' });
    expect(server.mails).toHaveLength(1);
    expect(await mailOf(key)).toMatchObject({ status: 'sent', attempts: 4, last_error: null });
  });

  it('gives up at once where the server refuses the mail for good', async () => {
    server.judge(() => 550);
    const { handle, key } = await start();
    expect(await handle.result()).toEqual({ status: 'failed' });
    const mail = await mailOf(key);
    expect(mail).toMatchObject({ status: 'failed', attempts: 1, sent_at: null });
    expect(mail?.['last_error']).toMatch(/^Message failed.*no such mailbox/);
    await recordHistory('send-mail.refused', await handle.fetchHistory());
  });

  it('gives up after three days of a server that is not there', async () => {
    await server.close();
    const { handle, key } = await start();
    expect(await handle.result()).toEqual({ status: 'failed' });
    const mail = await mailOf(key);
    expect(mail?.['last_error']).toBe('not sent within 3 days; last: the mail server could not be used');
    expect(mail?.['attempts']).toBeGreaterThan(70);
    expect(mail?.['attempts']).toBeLessThan(90);
    await recordHistory('send-mail.expired', await handle.fetchHistory());
  });

  it('keeps the mail where no server is set up, and logs to whom and about what, but not the text', async () => {
    const { handle, key } = await start(WITHOUT_SERVER);
    expect(await handle.result()).toEqual({ status: 'kept' });
    expect(await mailOf(key)).toMatchObject({ status: 'kept', attempts: 0, sent_at: null });
    const line = logLines.find((one) => one.includes('mail kept'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ to: 'thandi@acme.example', subject: 'A subject' });
    expect(line).not.toContain('The text of the mail');
    await recordHistory('send-mail.kept', await handle.fetchHistory());
  });

  it('leaves no mail behind that looks as if it waited when an operator cancels the workflow', async () => {
    server.judge(() => 451);
    const { handle, key } = await start();
    await handle.cancel();
    await expect(handle.result()).rejects.toThrow('Workflow execution cancelled');
    expect(await mailOf(key)).toMatchObject({ status: 'failed' });
    expect((await mailOf(key))?.['last_error']).toContain('cancelled by an operator');
  });

  it('does not send again what has ended', async () => {
    const { handle, key } = await start();
    await handle.result();
    const mailId = String((await mailOf(key))?.['mail_id']);
    const input = { client_id: tenant.clientId, mail_id: mailId, kind: 'dlq_alert' };
    const again = await environment.client.workflow.execute(WORKFLOW.sendMail, {
      workflowId: uniqueName('again'),
      taskQueue: WITH_SERVER,
      args: [input],
    });
    expect(again).toEqual({ status: 'ended' });
    // Of this mail: one that a test before cancelled may arrive still.
    expect(server.mails.filter(({ raw }) => raw.includes(mailId))).toHaveLength(1);
  });
});

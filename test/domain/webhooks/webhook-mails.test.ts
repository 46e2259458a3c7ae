import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { deadLettered, keyRotated, webhookDisabled, webhookRecovered } from '../../../domain/webhooks/index.ts';
import { statement } from '../../../platform/db/statement.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';
import { testDatabase } from '../../support/stack.ts';
import type { TestDatabase } from '../../support/stack.ts';
import { Tenant } from '../../worker/tenant.ts';

let database: TestDatabase;
let tenant: Tenant;
let webhookId: number;
let movedMs: number;

const OWNER = 'owner@acme.example';
const CLEAR =
  statement(`with m as (delete from mails), d as (delete from deliveries), s as (delete from workflow_starts)
  delete from webhooks`);
const MAILS = statement(
  `select kind, to_address, subject, text_body, status from mails where client_id = $1 order by id`,
);
const STARTS = statement(`select count(*) as n from workflow_starts where workflow_type = 'sendMail'`);
const DEAD_LETTERS = statement(`
  insert into deliveries (client_id, webhook_id, event_id, event_type, lane, status, dlq_at, dlq_reason)
  select $1, $2::int, gen_random_uuid(), 'job.created', 'webhook/' || $2::int, $5, $4, 'x' from generate_series(1, $3::int)`);
const ALERTS = statement(`
  update webhooks set dlq_alert_enabled = $2, dlq_alert_threshold = $3, dlq_alert_email = $4 where id = $1`);
const WEBHOOK = statement(`select dlq_alerted_at, recovery_mail_due from webhooks where id = $1`);
const DISABLE = statement(`update webhooks set is_active = false, disabled_at = $2 where id = $1`);
const DELETE = statement(`update webhooks set deleted_at = now() where id = $1`);
const ACTIVE = statement(`update users set is_active = $2 where email = $1`);
const ADD_USER = statement(`
  insert into users (client_id, email, name, password_hash, role) values ($1, $2, 'x', 'x', $3)`);

beforeAll(async () => {
  database = await testDatabase();
  tenant = await Tenant.create(database);
});

afterAll(async () => {
  await tenant.close();
  await database.drop();
});

beforeEach(async () => {
  await tenant.system.query(CLEAR);
  movedMs = 0;
  const { webhook } = await tenant.webhook('http://127.0.0.1:9/hooks/erp?token=hush', { name: 'ERP\nZürich' });
  webhookId = webhook.id;
});

const now = () => Date.now() + movedMs;

type Hook = (tx: Transaction) => Promise<void>;
const hook = (call: Hook) => tenant.system.transaction(call);
const mails = () =>
  tenant.system.query<Record<'kind' | 'to_address' | 'subject' | 'text_body', string>>(MAILS, [tenant.clientId]);
const kinds = async () => (await mails()).map(({ kind }) => kind);
const alerts = (input: { enabled?: boolean; threshold?: number; email?: string | null } = {}) =>
  tenant.system.query(ALERTS, [webhookId, input.enabled ?? true, input.threshold ?? 10, input.email ?? null]);

/** Some deliveries die, each in the transaction that tells of it, as the relay does it. */
const die = (count = 1, status = 'failed') =>
  hook(async (tx) => {
    const at = new Date(now());
    await tx.query(DEAD_LETTERS, [tenant.clientId, webhookId, count, at, status]);
    await deadLettered(tx, { clientId: tenant.clientId, webhookIds: [webhookId], now: now() });
  });

describe('deadLettered', () => {
  it('alerts when the dead letters of 24 hours exceed the threshold: none at 10, one at 11', async () => {
    await alerts();
    for (let n = 0; n < 10; n += 1) await die();
    expect(await mails()).toEqual([]);
    await die();
    const [mail, ...others] = await mails();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({
      kind: 'dlq_alert',
      to_address: OWNER,
      status: 'queued',
      subject: 'Webhook “ERP Zürich”: 11 deliveries dead-lettered in 24 hours',
    });
    expect(mail?.text_body).toContain("The webhook's threshold (dlq_alert_threshold) is 10.");
    expect(mail?.text_body).toContain(`GET /api/v1/work-items/webhooks/${String(webhookId)}/dlq`);
    expect(mail?.text_body).toContain('http://127.0.0.1:9/hooks/erp\n');
    expect(mail?.text_body).not.toContain('hush');
    expect(await tenant.system.query(STARTS)).toEqual([{ n: 1 }]);
    expect((await tenant.system.query(WEBHOOK, [webhookId]))[0]).toMatchObject({ recovery_mail_due: true });
  });

  it('alerts once within an hour, and again with the next dead letter after it', async () => {
    await alerts();
    await die(11);
    movedMs += 3_590 * 1_000;
    await die(5);
    expect(await kinds()).toHaveLength(1);
    movedMs += 15 * 1_000;
    await die();
    expect(await kinds()).toHaveLength(2);
    expect((await mails())[1]?.subject).toContain('17 deliveries');
    await die();
    expect(await kinds()).toHaveLength(2);
  });

  it('forgets dead letters after 24 hours', async () => {
    await alerts();
    await die(10);
    movedMs += 86_395 * 1_000;
    await die(1, 'success');
    movedMs += 10 * 1_000;
    await die();
    expect(await mails()).toEqual([]);
    await die(10);
    expect(await kinds()).toHaveLength(1);
  });

  it('counts dead letters only: not what was delivered, waits, was replayed, or belongs to another webhook', async () => {
    const { webhook: other } = await tenant.webhook('http://127.0.0.1:9/other');
    await alerts({ threshold: 1 });
    for (const status of ['success', 'pending', 'retrying', 'expired']) await die(5, status);
    await tenant.system.query(DEAD_LETTERS, [tenant.clientId, other.id, 5, new Date(), 'failed']);
    await die();
    expect(await mails()).toEqual([]);
    await die();
    expect(await kinds()).toHaveLength(1);
  });

  it('does nothing for a webhook without alerts, or a deleted one', async () => {
    await alerts({ enabled: false });
    await die(20);
    await alerts();
    await tenant.system.query(DELETE, [webhookId]);
    await die(20);
    expect(await mails()).toEqual([]);
  });

  it('sends one alert when ten relays record dead letters at once, and misses none that only their sum exceeds', async () => {
    await alerts({ threshold: 9 });
    await Promise.all(Array.from({ length: 10 }, () => die()));
    expect(await kinds()).toHaveLength(1);
    await tenant.system.query(CLEAR);
    ({
      webhook: { id: webhookId },
    } = await tenant.webhook('http://127.0.0.1:9/hooks'));
    await alerts();
    await Promise.all(Array.from({ length: 10 }, () => die(20)));
    expect(await kinds()).toHaveLength(1);
  });

  it('goes to dlq_alert_email where there is one', async () => {
    await alerts({ threshold: 1, email: 'ops@elsewhere.example' });
    await die(2);
    expect((await mails()).map(({ to_address: to }) => to)).toEqual(['ops@elsewhere.example']);
  });

  it('is bound to the transaction: what is rolled back alerts nobody, and not the hour after', async () => {
    await alerts({ threshold: 1 });
    const lost = hook(async (tx) => {
      await tx.query(DEAD_LETTERS, [tenant.clientId, webhookId, 5, new Date(), 'failed']);
      await deadLettered(tx, { clientId: tenant.clientId, webhookIds: [webhookId] });
      throw new Error('lost');
    });
    await expect(lost).rejects.toThrow('lost');
    expect(await mails()).toEqual([]);
    await die(2);
    expect(await kinds()).toHaveLength(1);
  });
});

describe('webhookDisabled and webhookRecovered', () => {
  const disable = (reason: 'gone' | 'failing', at = new Date(now())) =>
    hook(async (tx) => {
      await tx.query(DISABLE, [webhookId, at]);
      await webhookDisabled(tx, { clientId: tenant.clientId, webhookId, reason });
    });
  const recover = () => hook((tx) => webhookRecovered(tx, { clientId: tenant.clientId, webhookId }));

  it('tells the owner why, and how to get what was missed', async () => {
    const at = new Date('2026-11-21T08:30:00.000Z');
    await disable('gone', at);
    const [mail] = await mails();
    expect(mail).toMatchObject({
      kind: 'webhook_disabled',
      to_address: OWNER,
      subject: 'Webhook “ERP Zürich” was switched off: its endpoint answered 410 Gone',
    });
    expect(mail?.text_body).toContain(
      `POST /api/v1/work-items/webhooks/${String(webhookId)}/recover with {"since": "${at.toISOString()}"}`,
    );
    await disable('failing', new Date('2026-11-22T08:30:00.000Z'));
    expect((await mails())[1]?.subject).toContain('its deliveries keep failing');
  });

  it('mails once however often the same end is told', async () => {
    const at = new Date();
    await disable('gone', at);
    await Promise.all(Array.from({ length: 5 }, () => disable('gone', at)));
    expect(await kinds()).toEqual(['webhook_disabled']);
  });

  it('tells of recovery once, and only after trouble was told of', async () => {
    await recover();
    expect(await mails()).toEqual([]);
    await disable('failing');
    await Promise.all(Array.from({ length: 10 }, recover));
    await recover();
    expect(await kinds()).toEqual(['webhook_disabled', 'webhook_recovered']);
    expect((await mails())[1]?.subject).toBe('Webhook “ERP Zürich” works again');
    await alerts({ threshold: 1 });
    await die(2);
    await recover();
    expect(await kinds()).toEqual(['webhook_disabled', 'webhook_recovered', 'dlq_alert', 'webhook_recovered']);
  });

  it('tells those of recovery who were told of the trouble', async () => {
    await alerts({ threshold: 1, email: 'ops@acme.example' });
    await die(2);
    await recover();
    const told = (await mails()).map(({ kind, to_address: address }) => [kind, address]);
    expect(told).toEqual([
      ['dlq_alert', 'ops@acme.example'],
      ['webhook_recovered', 'ops@acme.example'],
    ]);
    await disable('gone', new Date('2026-11-21T00:00:00Z'));
    await recover();
    expect((await mails()).at(-1)).toMatchObject({ kind: 'webhook_recovered', to_address: OWNER });
  });

  it('turns to the owners and admins once the creator has left, and to nobody where all have', async () => {
    await tenant.system.query(ADD_USER, [tenant.clientId, 'second-owner@acme.example', 'owner']);
    await tenant.system.query(ADD_USER, [tenant.clientId, 'admin@acme.example', 'admin']);
    await tenant.system.query(ADD_USER, [tenant.clientId, 'member@acme.example', 'member']);
    await tenant.system.query(ACTIVE, [OWNER, false]);
    await disable('gone', new Date('2026-11-21T00:00:00Z'));
    const to = (await mails()).map(({ to_address: address }) => address).sort();
    expect(to).toEqual(['admin@acme.example', 'second-owner@acme.example']);
    await tenant.system.query(ACTIVE, ['admin@acme.example', false]);
    await tenant.system.query(ACTIVE, ['second-owner@acme.example', false]);
    await disable('gone', new Date('2026-11-22T00:00:00Z'));
    expect(await mails()).toHaveLength(2);
    await tenant.system.query(ACTIVE, [OWNER, true]);
  });
});

describe('keyRotated', () => {
  const rotated = (keyVersion: number, gracePeriodHours = 72) =>
    tenant.tenants.transaction(tenant.clientId, (tx) =>
      keyRotated(tx, {
        clientId: tenant.clientId,
        webhookId,
        keyVersion,
        gracePeriodHours,
        oldKeyEndsAt: new Date('2026-11-24T08:30:15.000Z'),
      }),
    );

  it('tells the owner the new version, the grace and the end of the old key, once a version, and never the key', async () => {
    await rotated(2);
    await rotated(2);
    await rotated(3, 0);
    const sent = await mails();
    expect(sent.map(({ subject }) => subject)).toEqual([
      'Webhook “ERP Zürich”: new signing key, version 2',
      'Webhook “ERP Zürich”: new signing key, version 3',
    ]);
    expect(sent[0]?.text_body).toContain(
      'New key version: 2\nGrace period: 72 hours\nThe old key ends: 2026-11-24 08:30 UTC',
    );
    expect(sent[1]?.text_body).toContain('The old key is not valid any more.');
    expect(sent[0]?.text_body).not.toContain('whsec_');
  });
});

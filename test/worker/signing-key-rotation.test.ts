import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getWebhook, rotateKey } from '../../domain/webhooks/index.ts';
import { statement } from '../../platform/db/statement.ts';
import { startMailServer } from '../support/mail-server.ts';
import type { MailServer } from '../support/mail-server.ts';
import { processEnvironment, spawnProcess, testDatabase } from '../support/stack.ts';
import type { SpawnedProcess, TestDatabase } from '../support/stack.ts';
import { within } from '../support/within.ts';
import { MASTER_KEY, Tenant } from './tenant.ts';

const HOUR_MS = 3_600_000;
const OLD_KEY = statement(`
  select expires_at, deactivated_at from webhook_keys where webhook_id = $1 and key_version = 1`);

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

describe('a rotation in the real processes', () => {
  it('mails the owner once, sleeps through a killed worker, and deactivates the old key after the grace', async () => {
    const { webhook } = await tenant.webhook('http://127.0.0.1:9/');
    worker = await startWorker();
    const inGrace = 30_000;
    // An hour's grace, of which all but this is over.
    const now = Date.now() - HOUR_MS + inGrace;
    const { secretKey } = await tenant.tenants.transaction(tenant.clientId, (tx) =>
      rotateKey(tx, tenant.caller, { id: webhook.id, grace_period_hours: 1 }, { vault: tenant.vault, now }),
    );
    await within(20_000, () => {
      expect(server.mails).toHaveLength(1);
      return Promise.resolve();
    });
    await worker.kill9();
    expect((await tenant.system.query(OLD_KEY, [webhook.id]))[0]).toMatchObject({ deactivated_at: null });
    worker = await startWorker();

    await within(60_000, async () => {
      const [old] = await tenant.system.query<{ expires_at: Date; deactivated_at: Date | null }>(OLD_KEY, [webhook.id]);
      expect(old?.deactivated_at?.getTime()).toBeGreaterThanOrEqual(now + HOUR_MS);
    });
    const read = await tenant.tenants.transaction(tenant.clientId, (tx) => getWebhook(tx, tenant.caller, webhook.id));
    expect(read).toMatchObject({ current_key_version: 2, grace_period_ends_at: null });

    expect(server.mails).toHaveLength(1);
    const { parsed } = server.mails[0]!;
    expect(parsed.to?.map(({ address }) => address)).toEqual(['owner@acme.example']);
    expect(parsed.subject).toContain('new signing key, version 2');
    expect(parsed.text).toContain('Grace period: 1 hour');
    expect(parsed.text).toContain(new Date(now + HOUR_MS).toISOString().slice(0, 16).replace('T', ' '));
    expect(JSON.stringify(parsed)).not.toContain(secretKey.slice(6, 20));
    expect(worker.output()).not.toContain(secretKey);
  }, 150_000);
});

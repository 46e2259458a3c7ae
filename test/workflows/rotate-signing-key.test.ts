import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { bundleWorkflowCode, DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { join } from 'node:path';
import { createSigningKeyActivities } from '../../activities/signing-keys.ts';
import { signingKeyWorkflowId, WORKFLOW } from '../../domain/contracts/workflows.ts';
import type { RotateSigningKeyInput } from '../../domain/contracts/workflows.ts';
import { deactivateExpiredKeys, getWebhook, rotateKey } from '../../domain/webhooks/index.ts';
import { createTimeSkippingEnvironment } from '../../dev/time-skipping.ts';
import { statement } from '../../platform/db/statement.ts';
import type { RotationState } from '../../workflows/rotate-signing-key.workflow.ts';
import { testDatabase, uniqueName } from '../support/stack.ts';
import type { TestDatabase } from '../support/stack.ts';
import { Tenant } from '../worker/tenant.ts';
import { recordHistory } from './histories.ts';

const TASK_QUEUE = 'rotations';
const HOUR_MS = 3_600_000;
const KEYS = statement(`
  select key_version, expires_at, deactivated_at from webhook_keys where webhook_id = $1 order by key_version`);
const START = statement(`select input from workflow_starts where workflow_id = $1`);
const AUDIT = statement(`
  select actor_type, action, details from audit_entries where subject_type = 'webhook' and subject_id = $1
    and action like 'webhook.key_%' order by id`);

let environment: TestWorkflowEnvironment;
let database: TestDatabase;
let worker: Worker;
let running: Promise<void>;
let tenant: Tenant;
/** Of the worker: it runs with the environment's time, which skips, and may differ from it. */
const clock = { offsetMs: 0, at: 0, now: () => clock.at + clock.offsetMs };

beforeAll(async () => {
  const logger = new DefaultLogger('ERROR');
  Runtime.install({ logger, telemetryOptions: { logging: { filter: 'ERROR' } } });
  [environment, database] = await Promise.all([createTimeSkippingEnvironment(), testDatabase()]);
  tenant = await Tenant.create(database, uniqueName('client'));
  const activities = createSigningKeyActivities({ system: tenant.system, clock });
  worker = await Worker.create({
    connection: environment.nativeConnection,
    taskQueue: TASK_QUEUE,
    workflowBundle: await bundleWorkflowCode({
      workflowsPath: join(import.meta.dirname, '../../workflows/index.ts'),
      logger,
    }),
    activities: {
      ...activities,
      endOldKeys: async (input: RotateSigningKeyInput) => {
        clock.at = await environment.currentTimeMs();
        return activities.endOldKeys(input);
      },
    },
  });
  running = worker.run();
}, 120_000);

afterAll(async () => {
  worker.shutdown();
  await running;
  await environment.teardown();
  await tenant.close();
  await database.drop();
});

async function rotate(webhookId: number, hours = 72): Promise<{ keyVersion: number; endsAt: number }> {
  const now = await environment.currentTimeMs();
  const input = { id: webhookId, grace_period_hours: hours };
  const { webhook } = await tenant.tenants.transaction(tenant.clientId, (tx) =>
    rotateKey(tx, tenant.caller, input, { vault: tenant.vault, now }),
  );
  return { keyVersion: webhook.current_key_version, endsAt: now + hours * HOUR_MS };
}

/** Starts the workflow that the rotation asked for, as the relay does. */
async function startRotation(webhookId: number, keyVersion: number): Promise<WorkflowHandle> {
  const workflowId = signingKeyWorkflowId(webhookId, keyVersion);
  const [start] = await tenant.system.query<{ input: RotateSigningKeyInput }>(START, [workflowId]);
  return environment.client.workflow.start(WORKFLOW.rotateSigningKey, {
    workflowId,
    taskQueue: TASK_QUEUE,
    args: [start!.input],
  });
}

const newWebhook = async () => (await tenant.webhook('http://127.0.0.1:9/')).webhook.id;
const keysOf = (id: number) =>
  tenant.system.query<{ key_version: number; expires_at: Date | null; deactivated_at: Date | null }>(KEYS, [id]);
const read = (id: number) => tenant.tenants.transaction(tenant.clientId, (tx) => getWebhook(tx, tenant.caller, id));
const mailsAbout = (id: number) =>
  tenant.system.query<{ text_body: string; dedupe_key: string }>(
    statement(`select text_body, dedupe_key from mails where kind = 'signing_key_rotated' and dedupe_key like $1`),
    [`signing-key/${String(id)}/%`],
  );

describe('rotateSigningKey', () => {
  it('mails the owner, sleeps through 72 hours and deactivates the old key', async () => {
    const id = await newWebhook();
    const { keyVersion, endsAt } = await rotate(id);
    const startedAt = await environment.currentTimeMs();
    const handle = await startRotation(id, keyVersion);
    expect(await handle.query<RotationState>('state')).toMatchObject({ phase: 'grace' });
    expect(await handle.result()).toMatchObject({ phase: 'ended', announced: true });
    expect((await environment.currentTimeMs()) - startedAt).toBeGreaterThan(71.9 * HOUR_MS);
    const [old, current] = await keysOf(id);
    expect(old?.expires_at?.getTime()).toBe(endsAt);
    expect(old?.deactivated_at?.getTime()).toBeGreaterThanOrEqual(endsAt);
    expect(current).toMatchObject({ key_version: 2, expires_at: null, deactivated_at: null });
    expect(await read(id)).toMatchObject({ current_key_version: 2, grace_period_ends_at: null });
    const mails = await mailsAbout(id);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text_body).toMatch(/New key version: 2\nGrace period: 72 hours\nThe old key ends: \d{4}-/);
    expect(await tenant.system.query(AUDIT, [String(id)])).toEqual([
      expect.objectContaining({ actor_type: 'user', action: 'webhook.key_rotated' }),
      { actor_type: 'system', action: 'webhook.key_deactivated', details: { key_version: 1 } },
    ]);
    await recordHistory('rotate-signing-key.after-grace', await handle.fetchHistory());
  });

  it('waits on where the worker’s clock says that the key is not over', async () => {
    const id = await newWebhook();
    const { keyVersion, endsAt } = await rotate(id, 1);
    clock.offsetMs = -10 * 60_000;
    try {
      const handle = await startRotation(id, keyVersion);
      await handle.result();
      expect(await environment.currentTimeMs()).toBeGreaterThanOrEqual(endsAt + 10 * 60_000);
      expect((await keysOf(id))[0]?.deactivated_at).toBeInstanceOf(Date);
      await recordHistory('rotate-signing-key.clock-behind', await handle.fetchHistory());
    } finally {
      clock.offsetMs = 0;
    }
  });

  it('ends each key at its own time when a webhook is rotated again within the grace', async () => {
    const id = await newWebhook();
    const first = await rotate(id, 48);
    const second = await rotate(id, 24);
    const handles = [await startRotation(id, first.keyVersion), await startRotation(id, second.keyVersion)];
    // One after the other: the test server skips time for one waiting client only.
    for (const handle of handles) await handle.result();
    const keys = await keysOf(id);
    expect(keys.map(({ expires_at }) => expires_at?.getTime() ?? null)).toEqual([second.endsAt, second.endsAt, null]);
    expect(keys.map(({ deactivated_at }) => deactivated_at !== null)).toEqual([true, true, false]);
    expect(await mailsAbout(id)).toHaveLength(2);
    expect(await read(id)).toMatchObject({ current_key_version: 3, grace_period_ends_at: null });
  });

  it('does nothing where maintenance was quicker, and maintenance nothing where it was', async () => {
    const id = await newWebhook();
    const { keyVersion, endsAt } = await rotate(id, 5);
    expect(await deactivateExpiredKeys(tenant.system, endsAt - 1)).toBe(0);
    expect(await read(id)).toMatchObject({ grace_period_ends_at: new Date(endsAt).toISOString() });
    expect(await deactivateExpiredKeys(tenant.system, endsAt)).toBe(1);
    expect(await read(id)).toMatchObject({ grace_period_ends_at: null });
    const before = await keysOf(id);
    const handle = await startRotation(id, keyVersion);
    expect(await handle.result()).toMatchObject({ phase: 'ended' });
    expect(await keysOf(id)).toEqual(before);
    expect(await deactivateExpiredKeys(tenant.system, endsAt + HOUR_MS)).toBe(0);
  });

  it('ends at once without a grace period, and where the webhook was deleted', async () => {
    const id = await newWebhook();
    const { keyVersion } = await rotate(id, 0);
    const [old] = await keysOf(id);
    expect(old?.deactivated_at).toEqual(old?.expires_at);
    expect(await (await startRotation(id, keyVersion)).result()).toMatchObject({ phase: 'ended', announced: true });
    const next = await rotate(id, 2);
    await tenant.system.query(statement(`update webhooks set deleted_at = now() where id = $1`), [id]);
    expect(await (await startRotation(id, next.keyVersion)).result()).toMatchObject({ phase: 'ended' });
    expect((await keysOf(id)).map(({ deactivated_at }) => deactivated_at !== null)).toEqual([true, true, false]);
    expect(await mailsAbout(id)).toHaveLength(1);
  });
});

describe('deactivateExpiredKeys', () => {
  it('works in batches, and beside itself', async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, newWebhook));
    let end = 0;
    for (const id of ids) end = Math.max(end, (await rotate(id, 1)).endsAt);
    expect(await deactivateExpiredKeys(tenant.system, end, 2)).toBe(2);
    const counts = await Promise.all(Array.from({ length: 4 }, () => deactivateExpiredKeys(tenant.system, end, 3)));
    const rest = await deactivateExpiredKeys(tenant.system, end);
    expect(counts.reduce((sum, count) => sum + count, rest)).toBe(4);
    for (const id of ids) expect(await read(id)).toMatchObject({ grace_period_ends_at: null });
  });
});

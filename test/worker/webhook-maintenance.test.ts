import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SCHEDULE } from '../../domain/contracts/workflows.ts';
import { recordEvent } from '../../domain/events/index.ts';
import { statement } from '../../platform/db/statement.ts';
import { startApi } from '../api/support.ts';
import type { ApiFixture } from '../api/support.ts';
import { DeliveryStand } from '../api/webhook-deliveries-support.ts';
import { processEnvironment, spawnProcess, startReceiver } from '../support/stack.ts';
import type { Receiver, SpawnedProcess } from '../support/stack.ts';
import { within } from '../support/within.ts';
import { recordHistory } from '../workflows/histories.ts';

let api: ApiFixture;
let stand: DeliveryStand;
let worker: SpawnedProcess;
let receiver: Receiver;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
  stand = new DeliveryStand(api);
  receiver = await startReceiver();
  worker = await spawnProcess('worker/main.ts', processEnvironment(api.database), { args: ['--queue', 'platform'] });
}, 60_000);
afterAll(async () => {
  await worker.stop();
  await receiver.close();
  await api.close();
});

const DAY_MS = 86_400_000;
const ago = (days: number): Date => new Date(Date.now() - days * DAY_MS);
const OLD_KEY = statement(`
  insert into webhook_keys (client_id, webhook_id, key_version, secret_ciphertext, secret_prefix, expires_at)
  values ($1, $2, 99, '', 'whsec_', $3)`);
const EVENT_TIMES = statement('update events set occurred_at = $2, dispatched_at = $2 where event_id = $1');
const EVENTS = statement('select event_id from events where event_id = any($1::uuid[])');
const ATTEMPT = statement(`
  insert into delivery_attempts (delivery_id, round, send_number, client_id, at, duration_ms) values ($1, 1, 1, $2, now(), 5)`);
const ATTEMPTS = statement('select delivery_id from delivery_attempts where client_id = $1');

/** Runs a schedule's workflow now; answers what it did. */
async function trigger(id: string, history?: string): Promise<unknown> {
  const { temporal } = api.services;
  const client = await temporal.client();
  const schedule = client.schedule.getHandle(temporal.queueName(id));
  const before = (await within(20_000, () => schedule.describe())).info.recentActions.length;
  await schedule.trigger();
  const run = await within(20_000, async () => {
    const { recentActions } = (await schedule.describe()).info;
    if (recentActions.length === before) throw new Error('not started yet');
    return recentActions.at(-1);
  });
  if (run?.action.type !== 'startWorkflow') throw new Error('the schedule started nothing');
  const handle = client.workflow.getHandle(run.action.workflow.workflowId);
  const result: unknown = await handle.result();
  if (history !== undefined) await recordHistory(history, await handle.fetchHistory());
  return result;
}

describe('the schedule webhook-maintenance', () => {
  it('runs every hour without overlap, expires dead letters after 30 days and deactivates keys past their grace', async () => {
    const id = await stand.webhook();
    await stand.delivery(id, { dlq_at: ago(31) });
    await stand.delivery(id, { dlq_at: ago(29) });
    await api.services.system.query(OLD_KEY, [api.acme.clientId, id, ago(1)]);
    const done = await trigger(SCHEDULE.webhookMaintenance.id, 'webhook-maintenance.expired');
    expect(done).toEqual({ expired: 1, deactivated: 1 });
    expect((await stand.stored(id)).map(({ status }) => status)).toEqual(['expired', 'failed']);
    const { temporal } = api.services;
    const schedule = (await temporal.client()).schedule.getHandle(temporal.queueName(SCHEDULE.webhookMaintenance.id));
    const { spec, policies } = await schedule.describe();
    expect(spec.intervals).toEqual([expect.objectContaining({ every: 3_600_000 })]);
    expect(policies.overlap).toBe('SKIP');
  }, 60_000);
});

describe('the schedule maintenance', () => {
  it('purges deliveries, events and revisions that have outlived their time, and nothing that is still needed', async () => {
    const id = await stand.webhook();
    // Of an event that no webhook subscribes to, so that the relay makes no deliveries of its own.
    const of = { name: 'job.completed' };
    const gone = { status: 'success', dlq_at: null, created_at: ago(31) };
    const success = await stand.delivery(id, gone, of);
    const expired = await stand.delivery(id, { status: 'expired', created_at: ago(61) }, of);
    const kept = [
      await stand.delivery(id, { ...gone, created_at: ago(29) }, of),
      await stand.delivery(id, { status: 'failed', created_at: ago(100) }, of),
      await stand.delivery(id, { status: 'retrying', dlq_at: null, created_at: ago(100) }, of),
      await stand.delivery(id, { status: 'expired', created_at: ago(59) }, of),
    ];
    for (const { id: deliveryId } of [success, ...kept]) {
      await api.services.system.query(ATTEMPT, [deliveryId, api.acme.clientId]);
    }
    const all = [success, expired, ...kept];
    for (const { eventId } of all) await api.services.system.query(EVENT_TIMES, [eventId, ago(91)]);
    await api.services.system.query(EVENT_TIMES, [expired.eventId, ago(89)]);
    expect(await trigger(SCHEDULE.maintenance.id)).toMatchObject({ deliveries: 2, events: 1 });
    expect((await stand.stored(id)).map((row) => row.id)).toEqual(kept.map((row) => row.id));
    const events = await api.services.system.query(EVENTS, [all.map(({ eventId }) => eventId)]);
    const expected = [expired, ...kept].map(({ eventId }) => eventId);
    expect(events.map(({ event_id }) => event_id as string).sort()).toEqual(expected.sort());
    const attempts = await api.services.system.query(ATTEMPTS, [api.acme.clientId]);
    expect(attempts.map(({ delivery_id }) => delivery_id as number)).not.toContain(success.id);
  }, 60_000);
});

describe('with a worker', () => {
  it('a retry that is asked for is made at once, not at its time', async () => {
    receiver.respondWith((_request, index) => (index === 0 ? 500 : 200));
    const input = { endpoint_url: receiver.url, retry_delay_seconds: 3_600, retry_count: 1 };
    const id = await stand.webhook(input);
    await stand.delivery(id, { status: 'pending', dlq_at: null, sends: 0, error_message: null });
    const [waiting] = await within(20_000, async () => {
      const rows = await stand.stored(id);
      expect(rows[0]).toMatchObject({ status: 'retrying' });
      return rows;
    });
    await within(20_000, async () => {
      const answer = await stand.call('post', `/${String(id)}/deliveries/${String(waiting?.id)}/retry`, {});
      expect(answer.status).toBe(202);
    });
    await within(20_000, async () => {
      expect(await stand.stored(id)).toEqual([expect.objectContaining({ status: 'success', sends: 2, round: 1 })]);
    });
  }, 60_000);

  it('a recovery runs to its end: dead letters and missed events arrive, the former with their old event id', async () => {
    receiver.respondWith(200);
    const id = await stand.webhook({ endpoint_url: `${receiver.url}/recovered`, is_active: false });
    const failed = await stand.delivery(id);
    const missed = await api.services.tenants.transaction(api.acme.clientId, (tx) =>
      Promise.resolve(recordEvent(tx, { name: 'job.created', data: { work_item: { id: 3 } } })),
    );
    await within(20_000, async () => {
      const [row] = await api.services.system.query(statement('select dispatched_at from events where event_id = $1'), [
        missed,
      ]);
      expect(row?.['dispatched_at']).not.toBeNull();
    });
    expect((await stand.call('patch', `/${String(id)}`, { is_active: true })).status).toBe(200);
    const answer = await stand.call('post', `/${String(id)}/recover`, { since: ago(1).toISOString() });
    expect(answer.status).toBe(202);
    const path = `/${String(id)}/recoveries/${String(answer.body.data.recovery_id)}`;
    await within(30_000, async () => {
      expect((await stand.call('get', path)).body.data).toMatchObject({ status: 'completed', replayed: 1 });
    });
    await within(20_000, async () => {
      const rows = await stand.stored(id);
      const of = (eventId: string) => rows.find((row) => row.event_id === eventId);
      expect(of(failed.eventId)).toMatchObject({ status: 'success', round: 2 });
      expect(of(missed)).toMatchObject({ status: 'success', round: 1 });
    });
    const keys = receiver.requests
      .filter(({ path: at }) => at === '/recovered')
      .map(({ headers }) => headers['idempotency-key']);
    expect(keys).toContain(`evt_${failed.eventId}`);
    const { temporal } = api.services;
    const handle = (await temporal.client()).workflow.getHandle(
      `webhook-recovery/${String(answer.body.data.recovery_id)}`,
    );
    expect(await handle.result()).toMatchObject({ is_done: true, replayed: 1 });
    await recordHistory('recover-webhook.completed', await handle.fetchHistory());
  }, 90_000);
});

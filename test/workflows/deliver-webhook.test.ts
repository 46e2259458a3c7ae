import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { bundleWorkflowCode, DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { join } from 'node:path';
import { createDeliveryActivities } from '../../activities/deliveries.ts';
import type { DeliverWebhookInput } from '../../domain/contracts/workflows.ts';
import { deliveryWorkflowId, WORKFLOW } from '../../domain/contracts/workflows.ts';
import { claimEvents, markDispatched } from '../../domain/events/index.ts';
import { endpointsOfClient, getWebhook, insertDeliveries, recordFirstFailures } from '../../domain/webhooks/index.ts';
import { createTimeSkippingEnvironment } from '../../dev/time-skipping.ts';
import { systemClock } from '../../platform/clock.ts';
import { GuardedHttp } from '../../platform/http/guarded-client.ts';
import { statement } from '../../platform/db/statement.ts';
import type { DeliveryState } from '../../workflows/deliver-webhook.workflow.ts';
import { startReceiver, testDatabase, uniqueName } from '../support/stack.ts';
import type { Receiver, TestDatabase } from '../support/stack.ts';
import { webhookState } from '../worker/relay-support.ts';
import { Tenant } from '../worker/tenant.ts';
import { expectTimers, keepHistory, timersOf } from './delivery-runs.ts';

const TASK_QUEUE = 'retries';
const DELETE_WEBHOOK = statement(`update webhooks set deleted_at = now() where id = $1`);

let environment: TestWorkflowEnvironment;
let database: TestDatabase;
let worker: Worker;
let running: Promise<void>;
let tenant: Tenant;
let receiver: Receiver;
let http: GuardedHttp;

beforeAll(async () => {
  const logger = new DefaultLogger('ERROR');
  Runtime.install({ logger, telemetryOptions: { logging: { filter: 'ERROR' } } });
  [environment, database] = await Promise.all([createTimeSkippingEnvironment(), testDatabase()]);
  tenant = await Tenant.create(database, uniqueName('client'));
  http = new GuardedHttp({ allowPrivateTargets: true });
  worker = await Worker.create({
    connection: environment.nativeConnection,
    taskQueue: TASK_QUEUE,
    workflowBundle: await bundleWorkflowCode({
      workflowsPath: join(import.meta.dirname, '../../workflows/index.ts'),
      logger,
    }),
    activities: createDeliveryActivities({ system: tenant.system, vault: tenant.vault, http, clock: systemClock }),
  });
  running = worker.run();
}, 120_000);

afterAll(async () => {
  worker.shutdown();
  await running;
  await environment.teardown();
  await http.destroy();
  await tenant.close();
  await database.drop();
});

beforeEach(async () => {
  receiver = await startReceiver(500);
});

afterEach(() => receiver.close());

/** What the relay leaves behind after a first send that failed; starts the workflow that it asked for. */
async function retries(
  webhook: Record<string, unknown> = {},
  taskQueue = TASK_QUEUE,
): Promise<{ handle: WorkflowHandle; deliveryId: number; webhookId: number }> {
  const { webhook: made } = await tenant.webhook(receiver.url, webhook);
  await tenant.event();
  const endpoint = (await endpointsOfClient(tenant.system, tenant.vault, tenant.clientId)).find(
    ({ webhookId }) => webhookId === made.id,
  )!;
  const rows = await tenant.system.transaction(async (tx) => {
    const [event] = await claimEvents(tx, 1);
    markDispatched(tx, [event!]);
    const { event_id: eventId, name: eventType, client_id: clientId } = event!;
    const row = {
      clientId,
      webhookId: made.id,
      eventId,
      eventType,
      workItemId: null,
      eventSeq: event!.id,
      isOrdered: false,
      leased: true,
    };
    return insertDeliveries(tx, [row]);
  });
  const deliveryId = rows[0]!.id;
  const now = Date.now();
  const outcome = {
    verdict: 'failure',
    at: now,
    durationMs: 5,
    responseStatus: 500,
    responseBody: 'no',
    error: 'HTTP 500',
    retryAfterMs: null,
  } as const;
  const delayMs = made.retry_delay_seconds > 0 ? made.retry_delay_seconds * 1_000 : 1_000;
  const failure = {
    deliveryId,
    eventId: rows[0]!.event_id,
    round: 1,
    clientId: tenant.clientId,
    webhookId: made.id,
    eventName: 'job.created',
    url: endpoint.url,
    revision: 1,
    isInRow: true,
  };
  await recordFirstFailures(tenant.system, [
    { ...failure, outcome, error: 'HTTP 500', decision: { status: 'retrying', delayMs }, now },
  ]);
  const [start] = await tenant.system.query<{ input: DeliverWebhookInput }>(
    statement(`select input from workflow_starts where workflow_id = $1`),
    [deliveryWorkflowId(deliveryId, 1)],
  );
  const handle = await environment.client.workflow.start(WORKFLOW.deliverWebhook, {
    workflowId: `${deliveryWorkflowId(deliveryId, 1)}/${uniqueName()}`,
    taskQueue,
    args: [{ ...start!.input, next_attempt_at: new Date((await environment.currentTimeMs()) + delayMs).toISOString() }],
  });
  return { handle, deliveryId, webhookId: made.id };
}

async function deliveryOf(id: number) {
  return (await tenant.deliveries()).find((row) => row.id === id);
}

describe('deliverWebhook', () => {
  it('retries after 1 s, 5 s, 30 s, 2 min and 10 min and then dead-letters', async () => {
    const { handle, deliveryId, webhookId } = await retries();
    expect(await handle.result()).toMatchObject({ status: 'failed', sends: 6, last_error: 'HTTP 500' });
    await keepHistory(handle, 'dead-lettered');
    await expectTimers(handle, 1, [5, 30, 120, 600]);
    expect(receiver.requests.map(({ headers }) => headers['x-webhook-attempt'])).toEqual(['2', '3', '4', '5', '6']);
    expect(new Set(receiver.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(await deliveryOf(deliveryId)).toMatchObject({
      status: 'failed',
      sends: 6,
      next_attempt_at: null,
      dlq_reason: '6 sends failed; last: HTTP 500',
    });
    const attempts = (await tenant.attempts()).filter((attempt) => attempt.delivery_id === deliveryId);
    expect(attempts.map(({ send_number }) => send_number)).toEqual([1, 2, 3, 4, 5, 6]);
    const read = await tenant.tenants.transaction(tenant.clientId, (tx) => getWebhook(tx, tenant.caller, webhookId));
    expect(read).toMatchObject({ failure_count: 6, success_count: 0 });
    expect(await webhookState(tenant, webhookId)).toMatchObject({
      failed_sends_in_row: 6,
      failed_deliveries_in_row: 1,
      failing_since: expect.any(Date),
    });
  });

  it('waits the fixed delay of a webhook that has one, as often as its retry_count says', async () => {
    const { handle } = await retries({ retry_delay_seconds: 60, retry_count: 3 });
    expect(await handle.result()).toMatchObject({ status: 'failed', sends: 4 });
    await expectTimers(handle, 60, [60, 60]);
  });

  it('ends with the first success', async () => {
    receiver.respondWith((_request, index) => (index === 0 ? 503 : { status: 201, body: 'thanks' }));
    const { handle, deliveryId } = await retries();
    expect(await handle.result()).toMatchObject({ status: 'success', sends: 3, last_error: null });
    expect(await deliveryOf(deliveryId)).toMatchObject({
      status: 'success',
      sends: 3,
      response_status: 201,
      response_body: 'thanks',
      error_message: null,
      delivered_at: expect.any(Date),
    });
  });

  it('lets Retry-After lengthen a wait', async () => {
    receiver.respondWith((_request, index) => (index === 0 ? { status: 429, headers: { 'retry-after': '45' } } : 200));
    const { handle } = await retries();
    await handle.result();
    await expectTimers(handle, 1, [45]);
  });

  it('sends at once when told to by retryNow', async () => {
    receiver.respondWith(200);
    const { handle } = await retries({ retry_delay_seconds: 3_600 });
    await handle.signal('retryNow');
    expect(await handle.query<DeliveryState>('state')).toMatchObject({ sends: expect.any(Number) });
    expect(await handle.result()).toMatchObject({ status: 'success', sends: 2 });
    const { events } = await handle.fetchHistory();
    expect(events?.filter((event) => event.timerFiredEventAttributes)).toEqual([]);
    await keepHistory(handle, 'retry-now');
  });

  it('dead-letters without another send when told to by giveUp', async () => {
    const { handle, deliveryId } = await retries({ retry_delay_seconds: 3_600 });
    await handle.signal('giveUp');
    expect(await handle.result()).toMatchObject({ status: 'failed', sends: 1 });
    await keepHistory(handle, 'end-state-shown');
    expect(receiver.requests).toHaveLength(0);
    expect(await deliveryOf(deliveryId)).toMatchObject({ status: 'failed', dlq_reason: 'given up by an operator' });
  });

  it('dead-letters when the webhook was deleted meanwhile', async () => {
    const { handle, deliveryId, webhookId } = await retries();
    await tenant.system.query(DELETE_WEBHOOK, [webhookId]);
    expect(await handle.result()).toMatchObject({ status: 'failed', last_error: 'the webhook was deleted' });
    expect(await deliveryOf(deliveryId)).toMatchObject({ status: 'failed', dlq_reason: 'the webhook was deleted' });
    expect(receiver.requests).toHaveLength(0);
  });

  it('leaves the delivery to the queue, as a new round, when the webhook was switched off meanwhile', async () => {
    const { handle, deliveryId, webhookId } = await retries();
    await tenant.system.query(statement(`update webhooks set is_active = false where id = $1`), [webhookId]);
    expect(await handle.result()).toMatchObject({ status: 'held', sends: 1, last_error: 'the webhook is inactive' });
    await keepHistory(handle, 'held');
    expect(await deliveryOf(deliveryId)).toMatchObject({
      status: 'pending',
      round: 2,
      sends: 0,
      next_attempt_at: null,
      response_status: null,
      error_message: null,
    });
    expect(receiver.requests).toHaveLength(0);
  });

  it('waits for its webhook’s rate limit, which costs no attempt', async () => {
    receiver.respondWith(200);
    const { handle, webhookId } = await retries();
    await tenant.system.query(
      statement(
        `update webhooks set rate_limit_per_second = 1, rate_tokens = -4, rate_refilled_at = now() where id = $1`,
      ),
      [webhookId],
    );
    expect(await handle.result()).toMatchObject({ status: 'success', sends: 2 });
    await keepHistory(handle, 'postponed');
    const [, promised = 0, ...rest] = await timersOf(handle);
    expect(promised).toBeGreaterThan(3);
    expect(promised).toBeLessThanOrEqual(5);
    expect(rest).toEqual([]);
    expect(receiver.requests).toHaveLength(1);
  });

  it('gives the delivery up when an operator cancels it, so that it does not look as if it were still retried', async () => {
    const { handle, deliveryId } = await retries({ retry_delay_seconds: 3_600 });
    await handle.cancel();
    await expect(handle.result()).rejects.toThrow();
    expect((await handle.describe()).status.name).toBe('CANCELLED');
    expect(await deliveryOf(deliveryId)).toMatchObject({ status: 'failed', dlq_reason: 'cancelled by an operator' });
    await keepHistory(handle, 'cancelled');
  });

  it('begins its history anew when its webhook’s rate postpones it ever again', async () => {
    receiver.respondWith(200);
    const real = createDeliveryActivities({ system: tenant.system, vault: tenant.vault, http, clock: systemClock });
    let asked = 0;
    const busy = await Worker.create({
      connection: environment.nativeConnection,
      taskQueue: 'busy',
      workflowsPath: join(import.meta.dirname, '../../workflows/index.ts'),
      activities: {
        ...real,
        sendDelivery: (key: Parameters<typeof real.sendDelivery>[0]) => {
          asked += 1;
          return asked <= 120 ? { kind: 'postponed', delay_ms: 5_000, has_token: false } : real.sendDelivery(key);
        },
      },
    });
    const { handle, deliveryId } = await retries({}, 'busy');
    expect(await busy.runUntil(() => handle.result())).toMatchObject({ status: 'success', sends: 2 });
    expect((await handle.describe()).runId).not.toBe((handle as { firstExecutionRunId?: string }).firstExecutionRunId);
    expect(await deliveryOf(deliveryId)).toMatchObject({ status: 'success', sends: 2 });
  }, 90_000);

  it('ends when a later round has taken the delivery over', async () => {
    const { handle, deliveryId } = await retries({ retry_delay_seconds: 5 });
    await tenant.system.query(statement(`update deliveries set round = 2, status = 'pending' where id = $1`), [
      deliveryId,
    ]);
    expect(await handle.result()).toMatchObject({ status: 'superseded' });
    expect(receiver.requests).toHaveLength(0);
  });
});

describe('recordAttempt', () => {
  it('records a send once, however often it is called, and gives the same answer', async () => {
    const { handle, deliveryId, webhookId } = await retries({ retry_delay_seconds: 3_600 });
    await handle.terminate();
    const activities = createDeliveryActivities({
      system: tenant.system,
      vault: tenant.vault,
      http,
      clock: systemClock,
    });
    const key = { client_id: tenant.clientId, delivery_id: deliveryId, round: 1, send_number: 2 };
    const sent = {
      kind: 'sent',
      outcome: {
        verdict: 'failure',
        at: Date.now(),
        durationMs: 3,
        responseStatus: 500,
        responseBody: '',
        error: 'HTTP 500',
        retryAfterMs: null,
      },
      event_name: 'job.created',
      webhook_id: webhookId,
    } as const;
    const first = await activities.recordAttempt(key, sent);
    const second = await activities.recordAttempt(key, sent);
    expect(first).toEqual({ status: 'retrying', delayMs: 3_600_000 });
    expect(second).toMatchObject({ status: 'retrying' });
    const read = await tenant.tenants.transaction(tenant.clientId, (tx) => getWebhook(tx, tenant.caller, webhookId));
    expect(read.failure_count).toBe(2);
    expect((await tenant.attempts()).filter((attempt) => attempt.delivery_id === deliveryId)).toHaveLength(2);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { samplePayload } from '../../domain/webhooks/index.ts';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';
import { receiver, webhooksOf } from './webhooks-support.ts';
import type { Received, Webhooks } from './webhooks-support.ts';

let api: ApiFixture;
let webhooks: Webhooks;
let sink: Awaited<ReturnType<typeof receiver>>;
let answer: (response: ServerResponse, received: Received) => void;

beforeAll(async () => {
  api = await startApi({ ALLOW_PRIVATE_TARGETS: 'true', RATE_LIMIT_DISABLED: 'true' });
  webhooks = webhooksOf(api);
  sink = await receiver((response, received) => answer(response, received));
});
afterAll(async () => {
  await sink.close();
  await api.close();
});
beforeEach(() => {
  sink.received.length = 0;
  answer = (response) => response.writeHead(202).end('taken');
});

it('sends at most sixty tests and challenges a minute for a client', async () => {
  const limited = await startApi({ ALLOW_PRIVATE_TARGETS: 'true' });
  try {
    const theirs = webhooksOf(limited);
    const id = await theirs.made({ endpoint_url: sink.url });
    const unverified = await theirs.made({ endpoint_url: sink.url, require_verification: true });
    const before = sink.received.length;
    const tests = await Promise.all(Array.from({ length: 65 }, () => theirs.test(id)));
    const refused = tests.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(6);
    for (const one of refused) expectRefusal(one, 429, 'RATE_LIMITED');
    expect(sink.received.length - before).toBe(59);
    const again = await theirs.patch(unverified, { endpoint_url: sink.url });
    expectRefusal(again, 429, 'RATE_LIMITED');
    expect(again.headers['retry-after']).toBeDefined();
    expectRefusal(await theirs.create({ require_verification: true }), 429, 'RATE_LIMITED');
    expect((await theirs.create()).status).toBe(201);
    expect((await theirs.patch(id, { endpoint_url: `${sink.url}2` })).status).toBe(200);
    expect((await theirs.test(id, {}, { tenant: limited.rival })).status).toBe(404);
  } finally {
    await limited.close();
  }
});

const DELIVERY = `select status, sends, round, response_status, response_body, error_message, dlq_at, next_attempt_at,
  delivered_at, webhook_revision from deliveries where id = $1`;
const COUNTERS = `select success_count, failure_count, failed_sends_in_row, failed_deliveries_in_row, last_triggered_at,
  last_success_at, last_failure_at from webhooks where id = $1`;
const UNTOUCHED = {
  success_count: 0,
  failure_count: 0,
  failed_sends_in_row: 0,
  failed_deliveries_in_row: 0,
  last_triggered_at: null,
  last_success_at: null,
  last_failure_at: null,
};

describe('POST /api/v1/work-items/webhooks/{id}/test', () => {
  it('sends the event with the data given, signed like any delivery, and answers what came back', async () => {
    const { body: made } = await webhooks.create({ endpoint_url: sink.url });
    const { id } = made.data;
    const { status, body } = await webhooks.test(id, { event: 'invoice.paid', data: { hello: 'wörld' } });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ event: 'invoice.paid', status: 'success', error: null });
    expect(body.data).toMatchObject({ response_status: 202, response_body: 'taken' });
    const [sent, ...rest] = sink.received;
    expect(rest).toEqual([]);
    expect(sent?.headers).toMatchObject({
      'idempotency-key': `evt_${String(body.data.event_id)}`,
      'x-webhook-event': 'invoice.paid',
      'x-webhook-delivery': String(body.data.delivery_id),
      'x-webhook-attempt': '1',
      'x-webhook-test': 'true',
    });
    const signature = createHmac('sha256', made.secret_key as string)
      .update(sent?.body ?? '')
      .digest('hex');
    expect(sent?.headers['x-service-signature']).toBe(`sha256=${signature}`);
    expect(JSON.parse(sent?.body ?? '')).toMatchObject({
      event: 'invoice.paid',
      data: { hello: 'wörld' },
      metadata: { client_id: api.acme.clientId, webhook_id: id, delivery_id: body.data.delivery_id },
    });
  });

  it('without a body sends webhook.test', async () => {
    const id = await webhooks.made({ endpoint_url: sink.url });
    expect((await webhooks.test(id)).body.data).toMatchObject({ event: 'webhook.test', status: 'success' });
    expect(JSON.parse(sink.received[0]?.body ?? '')).toMatchObject({ event: 'webhook.test', data: expect.any(Object) });
  });

  it('without data sends the sample of the event', async () => {
    const id = await webhooks.made({ endpoint_url: sink.url });
    await webhooks.test(id, { event: 'job.created' });
    const { data } = JSON.parse(sink.received[0]?.body ?? '') as { data: object };
    expect(data).toEqual(samplePayload('job.created')?.['data']);
    expect(data).toMatchObject({ work_item: { item_type: 'job' } });
  });

  it.each([
    ['is inactive', { is_active: false }],
    ['subscribes to something else', { events: ['task.created'], item_type_filter: 'task' }],
  ])('reaches a webhook that %s', async (_what, settings) => {
    const id = await webhooks.made({ endpoint_url: sink.url, ...settings });
    expect((await webhooks.test(id, { event: 'job.created' })).body.data.status).toBe('success');
    expect(sink.received).toHaveLength(1);
  });

  it('makes its payload by the template, its method and headers as configured', async () => {
    const template = { mode: 'template', template: { text: '{{ data.who }} / {{ event }}' } };
    const settings = { http_method: 'PUT', custom_headers: { 'x-tenant': 'north' }, payload_template: template };
    const id = await webhooks.made({ endpoint_url: sink.url, ...settings });
    await webhooks.test(id, { event: 'custom.hello', data: { who: 'Ann' } });
    expect(sink.received).toMatchObject([{ method: 'PUT', headers: { 'x-tenant': 'north' } }]);
    expect(JSON.parse(sink.received[0]?.body ?? '')).toEqual({ text: 'Ann / custom.hello' });
  });

  it('is sent once: a failure is answered and logged, not retried, not dead-lettered, not counted', async () => {
    answer = (response) => response.writeHead(500).end('no');
    const id = await webhooks.made({ endpoint_url: sink.url, retry_count: 5 });
    const { status, body } = await webhooks.test(id);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ status: 'failed', response_status: 500, response_body: 'no', error: 'HTTP 500' });
    expect(await webhooks.rows(DELIVERY, [body.data.delivery_id])).toMatchObject([
      { status: 'failed', sends: 1, round: 1, response_status: 500, dlq_at: null, next_attempt_at: null },
    ]);
    expect(await webhooks.rows('select 1 from workflow_starts where client_id = $1', [api.acme.clientId])).toEqual([]);
    expect(await webhooks.rows(COUNTERS, [id])).toEqual([UNTOUCHED]);
    expect(sink.received).toHaveLength(1);
  });

  it('a success counts for nothing either, and is in the delivery log', async () => {
    const id = await webhooks.made({ endpoint_url: sink.url });
    const { body } = await webhooks.test(id, { event: 'job.created' });
    expect(await webhooks.rows(COUNTERS, [id])).toEqual([UNTOUCHED]);
    expect(await webhooks.rows(DELIVERY, [body.data.delivery_id])).toMatchObject([
      { status: 'success', sends: 1, error_message: null, delivered_at: expect.any(Date) },
    ]);
    const events = await webhooks.rows('select name, dispatched_at from events where event_id = $1', [
      body.data.event_id,
    ]);
    expect(events).toEqual([{ name: 'job.created', dispatched_at: expect.any(Date) }]);
  });

  it('can not be retried or replayed from the log, where it is marked', async () => {
    answer = (response) => response.writeHead(500).end();
    const id = await webhooks.made({ endpoint_url: sink.url });
    const deliveryId = (await webhooks.test(id)).body.data.delivery_id as number;
    const log = `/${String(id)}/deliveries`;
    const { body } = await webhooks.call('get', `${log}/${String(deliveryId)}`);
    expect(body.data).toMatchObject({ id: deliveryId, is_test: true, status: 'failed' });
    expect(body.data.attempts).toMatchObject([{ send_number: 1, response_status: 500, error_message: 'HTTP 500' }]);
    expect(body.data.request.headers).toMatchObject({ 'X-Webhook-Test': 'true' });
    expectRefusal(await webhooks.call('post', `${log}/${String(deliveryId)}/retry`, {}), 409, 'CONFLICT');
    expect((await webhooks.call('get', `/${String(id)}/dlq`)).body.data).toEqual([]);
    await webhooks.call('post', `/${String(id)}/dlq/replay`, { ids: [deliveryId] });
    expect(await webhooks.rows(DELIVERY, [deliveryId])).toMatchObject([{ status: 'failed', round: 1 }]);
  });

  it('answers that no answer came in time', async () => {
    answer = () => undefined;
    const id = await webhooks.made({ endpoint_url: sink.url, timeout_seconds: 1 });
    const { body } = await webhooks.test(id);
    expect(body.data).toMatchObject({ status: 'failed', response_status: null, error: expect.any(String) });
    expect(body.data.duration_ms).toBeGreaterThanOrEqual(900);
  });

  it('answers why nobody could be reached', async () => {
    const gone = await receiver(() => undefined);
    await gone.close();
    const id = await webhooks.made({ endpoint_url: gone.url });
    expect((await webhooks.test(id)).body.data).toMatchObject({ status: 'failed', error: /ECONNREFUSED|refused/ });
  });

  it('a 410 switches nothing off', async () => {
    answer = (response) => response.writeHead(410).end();
    const id = await webhooks.made({ endpoint_url: sink.url });
    expect((await webhooks.test(id)).body.data.status).toBe('failed');
    expect((await webhooks.get(id)).body.data).toMatchObject({ is_active: true, disabled_reason: null });
  });

  it('is refused until the endpoint has echoed its challenge', async () => {
    const id = await webhooks.made({ endpoint_url: sink.url, require_verification: true });
    expectRefusal(await webhooks.test(id), 409, 'CONFLICT');
    expect(sink.received).toEqual([]);
  });

  it('is repeated by its Idempotency-Key without another send', async () => {
    const id = await webhooks.made({ endpoint_url: sink.url });
    const send = async () =>
      api
        .http()
        .post(`/api/v1/work-items/webhooks/${String(id)}/test`)
        .set('Authorization', `Bearer ${await api.acme.token()}`)
        .set('Idempotency-Key', 'try-once')
        .send({});
    const [first, second] = [await send(), await send()];
    expect(second.body.data).toEqual(first.body.data);
    expect(sink.received).toHaveLength(1);
  });

  it.each([
    ['an unknown event', { event: 'job.exploded' }, 'VALIDATION_ERROR', 'event'],
    ['an event of ours', { event: 'webhook.verification' }, 'VALIDATION_ERROR', 'event'],
    ['data that is no object', { data: 'x' }, 'BAD_REQUEST', 'data'],
    ['an unknown field', { payload: {} }, 'VALIDATION_ERROR', 'payload'],
  ])('refuses %s', async (_what, input, code, field) => {
    const id = await webhooks.made({ endpoint_url: sink.url });
    const refusal = await webhooks.test(id, input);
    expectRefusal(refusal, 400, code);
    expect(refusal.body.error.details).toEqual([expect.objectContaining({ field })]);
  });

  it('refuses events outside the finance tier, and those who may not', async () => {
    const id = await webhooks.made({ endpoint_url: sink.url }, { tenant: api.rival });
    expectRefusal(await webhooks.test(id, { event: 'bill.created' }, { tenant: api.rival }), 403, 'TIER_RESTRICTED');
    expectRefusal(await webhooks.test(id), 404, 'NOT_FOUND');
    expectRefusal(await webhooks.test(id, {}, { tenant: api.rival, role: 'member' }), 403, 'SCOPE_REQUIRED');
    expect(sink.received).toEqual([]);
  });
});

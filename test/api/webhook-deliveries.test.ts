import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { statement } from '../../platform/db/statement.ts';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';
import { DeliveryStand } from './webhook-deliveries-support.ts';

let api: ApiFixture;
let stand: DeliveryStand;
beforeAll(async () => {
  // No Temporal listens there.
  api = await startApi({ RATE_LIMIT_DISABLED: 'true', TEMPORAL_ADDRESS: '127.0.0.1:1' });
  stand = new DeliveryStand(api);
});
afterAll(() => api.close());

const ATTEMPT = statement(`
  insert into delivery_attempts (delivery_id, round, send_number, client_id, at, duration_ms, response_status, error_message)
  values ($1, $2, $3, $4, $5, 9, 500, 'HTTP 500')`);

describe('GET …/{id}/deliveries', () => {
  it('filters by status, event, time and text, newest first, and counts what matches', async () => {
    const id = await stand.webhook();
    const old = await stand.delivery(id, {
      created_at: '2026-01-10T00:00:00Z',
      error_message: 'HTTP 500 at 50% of it',
    });
    const done = await stand.delivery(id, { status: 'success', dlq_at: null, error_message: null });
    const waiting = await stand.delivery(id, { status: 'pending', dlq_at: null, error_message: null, sends: 0 });
    const other = await stand.delivery(id, { status: 'expired' }, { name: 'job.completed' });
    const ids = async (query: string): Promise<number[]> => {
      const { status, body } = await stand.call('get', `/${String(id)}/deliveries?${query}`);
      expect({ status, total: body.meta.pagination.total }).toEqual({ status: 200, total: body.data.length });
      return body.data.map((row: { id: number }) => row.id);
    };
    expect(await ids('')).toEqual([other.id, waiting.id, done.id, old.id]);
    expect(await ids('status=pending')).toEqual([waiting.id]);
    expect(await ids('status=success')).toEqual([done.id]);
    expect(await ids('status=failed')).toEqual([old.id]);
    expect(await ids('status=expired&event=job.completed')).toEqual([other.id]);
    expect(await ids('status=retrying')).toEqual([]);
    expect(await ids('event=job.completed')).toEqual([other.id]);
    expect(await ids('from=2026-01-10&to=2026-01-11')).toEqual([old.id]);
    expect(await ids('to=2026-01-10')).toEqual([]);
    expect(await ids('search=50%25%20of')).toEqual([old.id]);
    expect(await ids('search=5_%25')).toEqual([]);
    expect(await ids(`search=evt_${done.eventId}`)).toEqual([done.id]);
    expect(await ids(`search=${waiting.eventId}&status=pending`)).toEqual([waiting.id]);
    expect(await ids(`search=${String(done.id)}&status=success`)).toEqual([done.id]);
    const paged = await stand.call('get', `/${String(id)}/deliveries?limit=1&offset=1`);
    expect(paged.body.data.map((row: { id: number }) => row.id)).toEqual([waiting.id]);
    expect(paged.body.meta.pagination).toEqual({ total: 4, limit: 1, offset: 1 });
  });

  it.each([
    ['status=lost', 'VALIDATION_ERROR', 'status'],
    ['from=1899-12-31', 'VALIDATION_ERROR', 'from'],
    ['to=2201-01-01', 'VALIDATION_ERROR', 'to'],
    ['from=yesterday', 'VALIDATION_ERROR', 'from'],
    ['limit=201', 'VALIDATION_ERROR', 'limit'],
    ['limit=ten', 'BAD_REQUEST', 'limit'],
    ['offset=-1', 'VALIDATION_ERROR', 'offset'],
  ])('refuses ?%s', async (query, code, field) => {
    const answer = await stand.call('get', `/${String(await stand.webhook())}/deliveries?${query}`);
    expectRefusal(answer, 400, code);
    expect(answer.body.error.details).toEqual([expect.objectContaining({ field })]);
  });
});

describe('GET …/{id}/deliveries/{delivery_id}', () => {
  it('shows the request as the revision that sent it made it, though the webhook has changed since', async () => {
    const id = await stand.webhook({ custom_headers: { 'x-tenant': 'north' } });
    const [{ revision } = { revision: 0 }] = await api.services.system.query<{ revision: number }>(
      statement('select revision from webhook_revisions where webhook_id = $1'),
      [id],
    );
    const { id: deliveryId, eventId } = await stand.delivery(id, { webhook_revision: revision });
    const at = '2026-11-20T08:00:00.000Z';
    await api.services.system.query(ATTEMPT, [deliveryId, 1, 1, api.acme.clientId, at]);
    const changed = { endpoint_url: 'https://new.example/hooks', custom_headers: { 'x-tenant': 'south' } };
    expect((await stand.call('patch', `/${String(id)}`, changed)).status).toBe(200);
    const { status, body } = await stand.call('get', `/${String(id)}/deliveries/${String(deliveryId)}`);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      id: deliveryId,
      status: 'failed',
      attempt_number: 5,
      sends: 6,
      dlq_reason: expect.stringContaining('HTTP 500'),
    });
    expect(body.data.request).toMatchObject({ method: 'POST', url: 'https://erp.example/hooks' });
    expect(body.data.request.headers).toMatchObject({
      'x-tenant': 'north',
      'Idempotency-Key': `evt_${eventId}`,
      'webhook-id': `evt_${eventId}`,
      'webhook-timestamp': String(Date.parse(at) / 1_000),
    });
    expect(Object.keys(body.data.request.headers).join(' ')).not.toMatch(/signature|authorization/i);
    expect(JSON.parse(body.data.request.body)).toMatchObject({ event: 'job.created', metadata: { event_id: eventId } });
    expect(body.data.attempts).toEqual([
      expect.objectContaining({ round: 1, send_number: 1, at, response_status: 500 }),
    ]);
  });

  it("answers 404 for a delivery of another webhook or another client's", async () => {
    const [one, two] = [await stand.webhook(), await stand.webhook()];
    const { id } = await stand.delivery(one);
    expectRefusal(await stand.call('get', `/${String(two)}/deliveries/${String(id)}`), 404, 'NOT_FOUND');
    const theirs = await stand.call('get', `/${String(one)}/deliveries/${String(id)}`, undefined, api.rival);
    expectRefusal(theirs, 404, 'NOT_FOUND');
  });
});

describe('POST …/{id}/deliveries/{delivery_id}/retry', () => {
  const retry = (webhookId: number, id: number) =>
    stand.call('post', `/${String(webhookId)}/deliveries/${String(id)}/retry`, {});

  it('begins a new round of one that failed, with the same event, and notes who asked', async () => {
    const id = await stand.webhook();
    const failed = await stand.delivery(id);
    const answer = await retry(id, failed.id);
    expect(answer.status).toBe(202);
    expect(answer.body.data).toMatchObject({
      status: 'pending',
      round: 2,
      sends: 0,
      dlq_at: null,
      event_id: failed.eventId,
    });
    expectRefusal(await retry(id, failed.id), 409, 'CONFLICT');
    const [entry] = await api.services.system.query(
      statement(
        `select actor_id, details from audit_entries where action = 'webhook_delivery.retried' and subject_id = $1`,
      ),
      [String(failed.id)],
    );
    expect(entry).toMatchObject({ actor_id: String(api.acme.users.owner.id), details: { round: 2, was: 'failed' } });
  });

  it('resends one that arrived, and keeps the attempt that so far only its row told of', async () => {
    const id = await stand.webhook();
    const success = { status: 'success', sends: 1, dlq_at: null, dlq_reason: null, error_message: null };
    const arrived = { ...success, response_status: 204, delivered_at: '2026-11-20T08:00:00.500Z', duration_ms: 500 };
    const { id: deliveryId } = await stand.delivery(id, arrived);
    expect((await retry(id, deliveryId)).status).toBe(202);
    const { body } = await stand.call('get', `/${String(id)}/deliveries/${String(deliveryId)}`);
    expect(body.data).toMatchObject({ status: 'pending', round: 2, delivered_at: null, response_status: null });
    expect(body.data.attempts).toEqual([
      expect.objectContaining({ round: 1, send_number: 1, at: '2026-11-20T08:00:00.000Z', response_status: 204 }),
    ]);
  });

  it('refuses one that waits, has expired or belongs to an inactive or deleted webhook', async () => {
    const id = await stand.webhook();
    for (const status of ['pending', 'expired']) {
      const { id: deliveryId } = await stand.delivery(id, { status });
      expectRefusal(await retry(id, deliveryId), 409, 'CONFLICT');
    }
    const { id: deliveryId } = await stand.delivery(id);
    expect((await stand.call('patch', `/${String(id)}`, { is_active: false })).status).toBe(200);
    expectRefusal(await retry(id, deliveryId), 409, 'CONFLICT');
    expectRefusal(await retry(id, 9_007_199_254_740_991), 404, 'NOT_FOUND');
    expectRefusal(await retry(await stand.webhook(), deliveryId), 404, 'NOT_FOUND');
  });

  it('answers 503 for one that is being retried while Temporal is away, and leaves it as it is', async () => {
    const id = await stand.webhook();
    const { id: deliveryId } = await stand.delivery(id, { status: 'retrying', dlq_at: null, sends: 2 });
    expectRefusal(await retry(id, deliveryId), 503, 'SERVICE_UNAVAILABLE');
    expect(await stand.stored(id)).toEqual([expect.objectContaining({ status: 'retrying', round: 1, sends: 2 })]);
  });
});

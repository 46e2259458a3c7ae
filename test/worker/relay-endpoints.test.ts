import { describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { CreateApiKey } from '../../domain/contracts/api-keys.ts';
import { recordEvent } from '../../domain/events/index.ts';
import { createApiKey } from '../../domain/keys/index.ts';
import { getWebhook, queueCallback } from '../../domain/webhooks/index.ts';
import { statement } from '../../platform/db/statement.ts';
import { uniqueName } from '../support/stack.ts';
import { relayFixture } from './relay-fixture.ts';
import { setWebhook, untilState } from './relay-support.ts';

const STARTS = statement(`select workflow_id from workflow_starts`);

const fixture = relayFixture();

describe('what the relay sends', () => {
  it('signs what it sends', async () => {
    const { tenant, receiver } = fixture;
    const { secretKey } = await tenant.webhook(receiver.url);
    await fixture.startRelay();
    await tenant.event();
    const [request] = await receiver.waitFor(1);
    const expected = createHmac('sha256', secretKey).update(request!.rawBody).digest('hex');
    expect(request?.headers['x-service-signature']).toBe(`sha256=${expected}`);
    expect(request?.json).toMatchObject({
      event: 'job.created',
      version: '2026-07-01',
      data: { work_item: { id: 1 } },
    });
  });

  it('authenticates by bearer token, by basic credentials, or not at all', async () => {
    const { tenant, receiver } = fixture;
    await tenant.webhook(`${receiver.url}/bearer`, { auth_type: 'bearer', auth_credentials: 'token-1' });
    await tenant.webhook(`${receiver.url}/basic`, { auth_type: 'basic', auth_credentials: 'user:pass' });
    await tenant.webhook(`${receiver.url}/none`, { auth_type: 'none', custom_headers: { 'x-mine': 'yes' } });
    await fixture.startRelay();
    await tenant.event();
    const requests = await receiver.waitFor(3);
    const headersOf = (path: string) => requests.find((request) => request.path === path)?.headers;
    expect(headersOf('/bearer')).toMatchObject({ authorization: 'Bearer token-1' });
    expect(headersOf('/basic')).toMatchObject({
      authorization: `Basic ${Buffer.from('user:pass').toString('base64')}`,
    });
    expect(headersOf('/none')).toMatchObject({ 'x-mine': 'yes' });
    expect(headersOf('/none')).not.toHaveProperty('authorization');
    expect(headersOf('/none')).not.toHaveProperty('x-service-signature');
  });

  it('goes on for all others when the secrets of one cannot be opened, and costs that one no attempt', async () => {
    const { tenant, receiver } = fixture;
    const { webhook: broken } = await tenant.webhook(`${receiver.url}/broken`);
    await tenant.webhook(`${receiver.url}/sound`);
    await tenant.system.query(statement(`update webhook_keys set secret_ciphertext = 'x' where webhook_id = $1`), [
      broken.id,
    ]);
    await fixture.startRelay();
    await tenant.event();
    await receiver.waitFor(1);
    const rows = await tenant.until((all) => all.length === 2 && all.every(({ status }) => status !== 'pending'));
    expect(rows.find((row) => row.webhook_id === broken.id)).toMatchObject({ status: 'retrying', sends: 0 });
    expect(rows.find((row) => row.webhook_id !== broken.id)).toMatchObject({ status: 'success' });
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/sound']);
  });

  it('applies the flat filters', async () => {
    const { tenant, receiver } = fixture;
    await tenant.webhook(receiver.url, { item_type_filter: 'job', status_filter: 'open' });
    await fixture.startRelay();
    await tenant.event({ work_item: { item_type: 'job', status: 'closed' } });
    await tenant.event({ work_item: { item_type: 'job', status: 'open' } });
    const [request] = await receiver.waitFor(1);
    expect(request?.json).toMatchObject({ data: { work_item: { status: 'open' } } });
    expect(await tenant.deliveries()).toHaveLength(1);
  });

  it('dead-letters at once where the webhook has no retries', async () => {
    const { tenant, receiver } = fixture;
    receiver.respondWith({ status: 503, body: 'busy' });
    await tenant.webhook(receiver.url, { retry_count: 0 });
    await fixture.startRelay();
    await tenant.event();
    const [row] = await tenant.until((rows) => rows[0]?.status === 'failed');
    expect(row).toMatchObject({ sends: 1, response_body: 'busy', dlq_reason: '1 send failed; last: HTTP 503' });
    expect(row?.dlq_at).toBeInstanceOf(Date);
    expect(await tenant.system.query(STARTS)).toEqual([]);
  });

  it('counts what succeeded and failed, and remembers when', async () => {
    const { tenant, receiver } = fixture;
    receiver.respondWith((_request, index) => (index === 0 ? 500 : 200));
    const { webhook } = await tenant.webhook(receiver.url, { retry_count: 0 });
    const read = () => tenant.tenants.transaction(tenant.clientId, (tx) => getWebhook(tx, tenant.caller, webhook.id));
    await fixture.startRelay();
    await tenant.event();
    await tenant.until((rows) => rows[0]?.status === 'failed');
    const failed = await read();
    expect(failed).toMatchObject({ success_count: 0, failure_count: 1, last_success_at: null });
    expect(failed.last_triggered_at).toBe(failed.last_failure_at);
    await tenant.event();
    await tenant.until((rows) => rows[1]?.status === 'success');
    const succeeded = await read();
    expect(succeeded).toMatchObject({ success_count: 1, failure_count: 1, last_failure_at: failed.last_failure_at });
    expect(succeeded.last_triggered_at).toBe(succeeded.last_success_at);
    expect(Date.parse(succeeded.last_success_at ?? '')).toBeGreaterThanOrEqual(
      Date.parse(failed.last_failure_at ?? ''),
    );
  });

  it('switches a webhook off that answers 410', async () => {
    const { tenant, receiver } = fixture;
    receiver.respondWith(410);
    const { webhook } = await tenant.webhook(receiver.url);
    await fixture.startRelay();
    await tenant.event();
    await tenant.until((rows) => rows[0]?.status === 'failed');
    const read = await tenant.tenants.transaction(tenant.clientId, (tx) => getWebhook(tx, tenant.caller, webhook.id));
    expect(read).toMatchObject({ is_active: false, failure_count: 1 });
    await tenant.event();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(receiver.requests).toHaveLength(1);
  });

  it('sends little more to one that has answered 410, and keeps what waits for it', async () => {
    const { tenant, receiver } = fixture;
    receiver.respondWith(410);
    const { webhook } = await tenant.webhook(receiver.url);
    await tenant.events(100);
    await fixture.startRelay();
    await untilState(tenant, webhook.id, ({ is_active }) => !is_active);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const rows = await tenant.until((all) => all.every(({ leased_until }) => leased_until === null));
    const kept = rows.filter(({ status }) => status === 'pending').length;
    expect(receiver.requests.length).toBeLessThanOrEqual(24);
    expect(kept).toBe(100 - receiver.requests.length);
    receiver.respondWith(200);
    // As the service that switches one on again: its breaker, which so many failures may have opened, is closed too.
    await setWebhook(tenant, webhook.id, { is_active: true, breaker_opened_at: null, breaker_probe_at: null });
    await receiver.waitFor(100);
    await tenant.until((all) => all.filter(({ status }) => status === 'success').length === kept);
  });

  it('sends nothing but the challenge to an endpoint that is not verified', async () => {
    const { tenant, receiver } = fixture;
    receiver.respondWith(({ json }) => ({ status: 200, body: JSON.stringify((json as { data: unknown }).data) }));
    const { webhook } = await tenant.webhook(receiver.url, { require_verification: true });
    expect(webhook.verification_status).toBe('pending');
    await tenant.event();
    await fixture.startRelay();
    const [request] = await receiver.waitFor(1);
    expect(request?.json).toMatchObject({ event: 'webhook.verification', data: { challenge: expect.any(String) } });
    await tenant.until((rows) => rows[0]?.status === 'success');
    const read = await tenant.tenants.transaction(tenant.clientId, (tx) => getWebhook(tx, tenant.caller, webhook.id));
    expect(read).toMatchObject({ verification_status: 'verified', verified_at: expect.any(String) });
    await tenant.event();
    await receiver.waitFor(2);
    expect(receiver.requests.map(({ headers }) => headers['x-webhook-event'])).toEqual([
      'webhook.verification',
      'job.created',
    ]);
  });

  it('does not verify an endpoint that answers 200 without the challenge', async () => {
    const { tenant, receiver } = fixture;
    const { webhook } = await tenant.webhook(receiver.url, { require_verification: true, retry_count: 0 });
    await fixture.startRelay();
    const [row] = await tenant.until((rows) => rows[0]?.status === 'failed');
    expect(row?.error_message).toBe('the endpoint did not echo the challenge');
    const read = await tenant.tenants.transaction(tenant.clientId, (tx) => getWebhook(tx, tenant.caller, webhook.id));
    expect(read.verification_status).toBe('failed');
  });

  it('sends a Document AI callback: the event data alone, signed with the API key', async () => {
    const { tenant, receiver } = fixture;
    await fixture.startRelay();
    const data = { event: 'vision.extract.completed', request_id: 'r-1', fields: { total: { value: 12.5 } } };
    const apiKey = await callback(data);
    const [request] = await receiver.waitFor(1, { timeoutMs: 900 });
    expect(request?.path).toBe('/done');
    expect(request?.rawBody.toString()).toBe(JSON.stringify(data));
    const signature = createHmac('sha256', apiKey).update(request!.rawBody).digest('hex');
    expect(request?.headers).toMatchObject({
      'x-service-signature': `sha256=${signature}`,
      'x-webhook-event': 'vision.extract.completed',
    });
    const [row] = await tenant.until((rows) => rows[0]?.status === 'success');
    expect(row).toMatchObject({ webhook_id: null });
  });

  it('leaves a callback that failed to the same retries as any delivery', async () => {
    const { tenant, receiver } = fixture;
    receiver.respondWith(500);
    await fixture.startRelay();
    await callback({ event: 'vision.extract.completed', request_id: 'r-2' });
    const [row] = await tenant.until((rows) => rows[0]?.status === 'retrying');
    expect(row).toMatchObject({ webhook_id: null, sends: 1, error_message: 'HTTP 500' });
    const started = [{ workflow_id: `delivery/${String(row?.id)}/1` }];
    expect(await tenant.system.query(STARTS)).toEqual(started);
  });
});

/** Queues a Document AI callback to the receiver; answers the API key that signs it. */
async function callback(data: Record<string, unknown>): Promise<string> {
  const { tenant, receiver } = fixture;
  const input = CreateApiKey.parse({ key_name: uniqueName('key'), permissions: { 'vision:extract': true } });
  const { record, apiKey } = await tenant.tenants.transaction(tenant.clientId, (tx) =>
    createApiKey(tx, tenant.caller, input, { vault: tenant.vault, now: Date.now() }),
  );
  const eventType = 'vision.extract.completed';
  await tenant.tenants.transaction(tenant.clientId, (tx) => {
    const eventId = recordEvent(tx, { name: eventType, data });
    queueCallback(tx, { eventId, eventType, url: `${receiver.url}/done`, apiKeyId: record.id });
    return Promise.resolve();
  });
  return apiKey;
}

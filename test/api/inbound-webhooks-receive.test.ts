import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { INBOUND_RATE } from '../../domain/contracts/inbound-webhooks.ts';
import { statement } from '../../platform/db/statement.ts';
import { makeInbound, PATH, post, receiptsOf, serviceSignature } from './inbound-webhooks-support.ts';
import type { MadeWebhook } from './inbound-webhooks-support.ts';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';

let api: ApiFixture;
let open: MadeWebhook;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
  open = await makeInbound(api, api.acme, { auth_method: 'none' });
});
afterAll(() => api.close());

async function rows(sql: string, ...values: unknown[]): Promise<Record<string, unknown>[]> {
  return api.services.system.query(statement(sql), values);
}

describe('a call', () => {
  it('is kept as it came, with its event and its workflow, before the answer', async () => {
    const { id, receivePath, secret } = await makeInbound(api, api.acme);
    const body = '{ "kind": "alarm",  "level": 3.0 }';
    const secrets = { 'X-API-Key': secret, apikey: 's3', 'X-Auth': 's3', 'X-Access-Key': 's3', 'X-Hub-Token': 's3' };
    const headers = { ...secrets, 'X-Site': 'north', 'Idempotency-Key': 'alarm 1' };
    const answer = await post(api, receivePath, body, headers);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ success: true, data: { status: 'received', message: expect.any(String) } });
    const receiptId = String(answer.body.data.id);
    const token = await api.acme.token();
    const read = await api.http().get(`${PATH}/${id}/receipts/${receiptId}`).auth(token, { type: 'bearer' });
    expect(read.body.data).toMatchObject({
      id: receiptId,
      inbound_webhook_id: id,
      status: 'received',
      body: { kind: 'alarm', level: 3 },
      raw_body: body,
      body_bytes: body.length,
      processing_round: 1,
    });
    expect(read.body.data.headers).toMatchObject({
      ...Object.fromEntries(Object.keys(secrets).map((name) => [name.toLowerCase(), '***'])),
      'x-site': 'north',
      'idempotency-key': 'alarm 1',
    });
    const [event] = await rows(
      `select data from events where name = 'inbound_webhook.received' and data #>> '{receipt,id}' = $1`,
      receiptId,
    );
    expect(event?.['data']).toMatchObject({
      inbound_webhook: { id, receive_count: 1 },
      receipt: { id: receiptId, body: { kind: 'alarm', level: 3 } },
    });
    const [start] = await rows(
      'select workflow_type, input from workflow_starts where workflow_id = $1',
      `inbound/${receiptId}`,
    );
    expect(start).toMatchObject({ workflow_type: 'processInboundWebhook', input: { receipt_id: receiptId, round: 1 } });
    const webhook = await api.http().get(`${PATH}/${id}`).auth(token, { type: 'bearer' });
    expect(webhook.body.data).toMatchObject({ receive_count: 1, last_received_at: expect.any(String) });
  });

  it('of more than 64 KiB goes without its body into the event', async () => {
    const answer = await post(api, open.receivePath, { text: 'x'.repeat(70_000) });
    const [event] = await rows(
      `select data #> '{receipt,body}' as body from events where data #>> '{receipt,id}' = $1`,
      answer.body.data.id,
    );
    expect(event?.['body']).toBeNull();
  });

  it('is counted, each one, however many come at once', async () => {
    const { id, receivePath } = await makeInbound(api, api.acme, { auth_method: 'none' });
    await Promise.all(Array.from({ length: 60 }, (_, index) => post(api, receivePath, { index })));
    const { body } = await api
      .http()
      .get(`${PATH}/${id}`)
      .auth(await api.acme.token(), { type: 'bearer' });
    expect(body.data.receive_count).toBe(60);
  });
});

describe('a repeated call', () => {
  it.each([
    ['Idempotency-Key', { 'Idempotency-Key': 'k-1' }, { 'Idempotency-Key': 'k-1' }],
    ['webhook-id', { 'webhook-id': 'm-1' }, { 'webhook-id': 'm-1' }],
    ['either', { 'Idempotency-Key': 'k-2', 'webhook-id': 'm-2' }, { 'Idempotency-Key': 'k-3', 'webhook-id': 'm-2' }],
  ])('(%s) answers the first receipt', async (_, first, second) => {
    const { id, receivePath } = await makeInbound(api, api.acme, { auth_method: 'none' });
    const answers = [await post(api, receivePath, { n: 1 }, first), await post(api, receivePath, { n: 2 }, second)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[1]?.body.data.id).toBe(answers[0]?.body.data.id);
    expect(await receiptsOf(api, api.acme, id)).toHaveLength(1);
  });

  it('is one among 50 at the same moment, and so are its event and workflow', async () => {
    const { id, receivePath } = await makeInbound(api, api.acme, { auth_method: 'none' });
    const headers = { 'Idempotency-Key': randomUUID(), 'webhook-id': randomUUID() };
    const answers = await Promise.all(Array.from({ length: 50 }, () => post(api, receivePath, { a: 1 }, headers)));
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    const [receipt] = await receiptsOf(api, api.acme, id);
    expect(await rows(`select 1 from events where data #>> '{receipt,id}' = $1`, receipt?.['id'])).toHaveLength(1);
    expect(
      await rows('select 1 from workflow_starts where workflow_id = $1', `inbound/${String(receipt?.['id'])}`),
    ).toHaveLength(1);
  });

  it('means nothing to another webhook', async () => {
    const other = await makeInbound(api, api.acme, { auth_method: 'none' });
    const headers = { 'Idempotency-Key': 'shared' };
    const [a, b] = [await post(api, open.receivePath, {}, headers), await post(api, other.receivePath, {}, headers)];
    expect(a.body.data.id).not.toBe(b.body.data.id);
  });
});

describe('proof by key', () => {
  it.each([
    ['none', {}],
    ['that of another webhook', 'other'],
    ['an API key', 'api'],
    ['a changed one', 'changed'],
  ])('%s is 401, and not kept', async (_, which) => {
    const made = await makeInbound(api, api.acme);
    const keys: Record<string, string> = {
      other: (await makeInbound(api, api.acme)).secret,
      api: await api.acme.key(),
      changed: `${made.secret.slice(0, -1)}${made.secret.endsWith('A') ? 'B' : 'A'}`,
    };
    const headers: Record<string, string> = typeof which === 'string' ? { 'X-API-Key': keys[which] ?? '' } : {};
    expectRefusal(await post(api, made.receivePath, {}, headers), 401, 'UNAUTHORIZED');
    expect(await receiptsOf(api, api.acme, made.id)).toEqual([]);
  });

  it('opens nothing else', async () => {
    const { secret } = await makeInbound(api, api.acme);
    const answer = await api.act(secret, { action: 'list-contacts' });
    expectRefusal(answer, 401, 'INVALID_API_KEY');
  });
});

describe('proof by signature', () => {
  const body = '{"a": 1,\n "b": "é"}';

  it('X-Service-Signature is of the raw bytes', async () => {
    const { receivePath, secret } = await makeInbound(api, api.acme, { auth_method: 'hmac' });
    const right = serviceSignature(secret, body);
    const send = async (signature: string, sent = body) =>
      (await post(api, receivePath, sent, { 'X-Service-Signature': signature })).status;
    expect(await send(right)).toBe(200);
    expect(await send(right.toUpperCase().replace('SHA256', 'sha256'))).toBe(200);
    expect(await send(right, '{"a":1,"b":"é"}')).toBe(401);
    expect(await send(serviceSignature('whsec_other', body))).toBe(401);
    expect(await send('sha256=')).toBe(401);
    expect(await send(right.slice(0, -2))).toBe(401);
    expect((await post(api, receivePath, body)).status).toBe(401);
  });

  it('the headers of Standard Webhooks do as well, and are of now', async () => {
    const { receivePath, secret } = await makeInbound(api, api.acme, { auth_method: 'hmac' });
    const signer = new Webhook(secret);
    const send = async (at: Date, change: Record<string, string> = {}) => {
      const id = randomUUID();
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
        'webhook-signature': `v1a,abc ${signer.sign(id, at, body)}`,
        ...change,
      };
      return (await post(api, receivePath, body, headers)).status;
    };
    const now = api.clock.now();
    expect(await send(new Date(now))).toBe(200);
    expect(await send(new Date(now - 299_000))).toBe(200);
    expect(await send(new Date(now - 302_000))).toBe(401);
    expect(await send(new Date(now + 302_000))).toBe(401);
    expect(await send(new Date(now), { 'webhook-id': 'other' })).toBe(401);
    expect(await send(new Date(now), { 'webhook-signature': 'v1,' })).toBe(401);
    // Right by one, wrong by the other.
    expect(await send(new Date(now), { 'X-Service-Signature': serviceSignature('x', body) })).toBe(401);
  });
});

describe('a body that does not fit', () => {
  it.each([
    ['no JSON', '{"a":', 'BAD_REQUEST'],
    ['empty', '', 'BAD_REQUEST'],
    ['a list', '[1]', 'BAD_REQUEST'],
    ['a text', '"a"', 'BAD_REQUEST'],
    ['a NUL character', '{"a": "\\u0000"}', 'VALIDATION_ERROR'],
    ['half a surrogate pair', '{"a": "\\ud800"}', 'VALIDATION_ERROR'],
    ['__proto__', '{"__proto__": {"x": 1}}', 'VALIDATION_ERROR'],
  ])('(%s) is refused, and kept for its owner', async (_, body, code) => {
    const { id, receivePath } = await makeInbound(api, api.acme, { auth_method: 'none' });
    expectRefusal(await post(api, receivePath, body, { 'Idempotency-Key': 'k' }), 400, code);
    const [receipt, ...more] = await receiptsOf(api, api.acme, id, '?status=failed');
    expect(more).toEqual([]);
    expect(receipt).toMatchObject({ status: 'failed', processing_round: 0, error_message: expect.any(String) });
    const token = await api.acme.token();
    const path = `${PATH}/${id}/receipts/${String(receipt?.['id'])}`;
    expect((await api.http().get(path).auth(token, { type: 'bearer' })).body.data.raw_body).toBe(body);
    expectRefusal(
      await api.http().post(`${path}/reprocess`).auth(token, { type: 'bearer' }),
      422,
      'UNPROCESSABLE_ENTITY',
    );
    // Corrected, it may come under the same key.
    expect((await post(api, receivePath, { a: 1 }, { 'Idempotency-Key': 'k' })).status).toBe(200);
    expect(await rows('select 1 from events where data #>> $1 = $2', '{inbound_webhook,id}', id)).toHaveLength(1);
  });

  it('names the fields that are wrong', async () => {
    const { receivePath } = await makeInbound(api, api.acme, {
      auth_method: 'none',
      webhook_type: 'payment_notification',
    });
    const answer = await post(api, receivePath, { amount: '12', document_number: 'INV-1' });
    expectRefusal(answer, 400, 'BAD_REQUEST');
    expect(answer.body.error.details.map(({ field }: { field: string }) => field)).toEqual([
      'transaction_id',
      'amount',
    ]);
    const neither = await post(api, receivePath, { transaction_id: 't', amount: 12 });
    expectRefusal(neither, 400, 'VALIDATION_ERROR');
  });

  it('of more than 1 MiB is 413, of another media type 415, and neither is kept', async () => {
    const { id, receivePath } = await makeInbound(api, api.acme, { auth_method: 'none' });
    expectRefusal(await post(api, receivePath, `{"a":"${'x'.repeat(1_048_576)}"}`), 413, 'PAYLOAD_TOO_LARGE');
    expectRefusal(await post(api, receivePath, 'a=1', { 'Content-Type': 'text/plain' }), 415, 'UNSUPPORTED_MEDIA_TYPE');
    expectRefusal(await post(api, receivePath, `${'['.repeat(70)}${']'.repeat(70)}`), 400, 'BAD_REQUEST');
    expect(await receiptsOf(api, api.acme, id)).toEqual([]);
    const edge = `{"a":"${'x'.repeat(1_048_576 - 8)}"}`;
    expect((await post(api, receivePath, edge)).status).toBe(200);
  });
});

describe('receipts', () => {
  it('are paged and filtered', async () => {
    const { id, receivePath } = await makeInbound(api, api.acme, { auth_method: 'none' });
    for (const n of [1, 2, 3]) await post(api, receivePath, { n });
    const all = await receiptsOf(api, api.acme, id);
    expect(all).toHaveLength(3);
    expect(await receiptsOf(api, api.acme, id, '?limit=1&offset=1')).toEqual([all[1]]);
    expect(await receiptsOf(api, api.acme, id, '?status=processed')).toEqual([]);
    expect(await receiptsOf(api, api.acme, id, '?from=2200-01-01')).toEqual([]);
    expect(await receiptsOf(api, api.acme, id, `?to=${new Date(Date.now() + 60_000).toISOString()}`)).toHaveLength(3);
  });

  it('that did not fail are not processed again', async () => {
    const { id, receivePath } = await makeInbound(api, api.acme, { auth_method: 'none' });
    const { body } = await post(api, receivePath, {});
    const path = `${PATH}/${id}/receipts/${String(body.data.id)}/reprocess`;
    const token = await api.acme.token();
    expectRefusal(await api.http().post(path).auth(token, { type: 'bearer' }), 409, 'CONFLICT');
  });
});

it('the limit of a webhook is told, and those who are refused do not use it up', async () => {
  const limited = await startApi();
  try {
    const { id, receivePath, secret } = await makeInbound(limited, limited.acme);
    const refused = await post(limited, receivePath, {}, { 'X-API-Key': 'svc_wh_wrong' });
    expect([refused.status, refused.headers['x-ratelimit-limit']]).toEqual([401, '3000']);
    const taken = await post(limited, receivePath, {}, { 'X-API-Key': secret });
    expect(taken.headers).toMatchObject({ 'x-ratelimit-limit': '600', 'x-ratelimit-remaining': '599' });
    for (let used = 1; used < INBOUND_RATE.perWindow; used += 1) {
      await limited.services.limiter.admit(`inbound:${id}`, { perWindow: INBOUND_RATE.perWindow, burst: 10_000 });
    }
    const tooMany = await post(limited, receivePath, {}, { 'X-API-Key': secret });
    expectRefusal(tooMany, 429, 'RATE_LIMITED');
    expect(tooMany.headers['retry-after']).toEqual(expect.any(String));
  } finally {
    await limited.close();
  }
});

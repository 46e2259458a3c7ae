import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { statement } from '../../platform/db/statement.ts';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';

let api: ApiFixture;
let key: string;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
  key = await api.acme.key(['webhooks:write']);
});
afterAll(() => api.close());

const PATH = '/api/v1/events';
const EVENT = { event: 'custom.order.shipped', data: { order_id: 'ord_1', parcels: [1, { n: null }] } };
const OF = statement(`select name, client_id, data, work_item_id, published_by, occurred_at, dispatched_at
  from events where event_id = $1`);
const COUNT = statement(`select count(*)::int as count from events where client_id = $1`);

const publish = (body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  api
    .http()
    .post(PATH)
    .set('X-API-Key', key)
    .set(headers)
    .send(body as object);
const stored = async (id: string) => (await api.services.system.query(OF, [id]))[0];
const count = async () => (await api.services.system.query<{ count: number }>(COUNT, [api.acme.clientId]))[0]?.count;

describe('POST /api/v1/events', () => {
  it('stores the event for the relay and answers 202 with its id', async () => {
    const answer = await publish(EVENT);
    expect(answer.status).toBe(202);
    expect(answer.body.data).toEqual({
      event_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      event: EVENT.event,
      occurred_at: expect.any(String),
    });
    expect(await stored(answer.body.data.event_id)).toMatchObject({
      name: EVENT.event,
      client_id: api.acme.clientId,
      data: EVENT.data,
      work_item_id: null,
      published_by: expect.stringMatching(/^api_key:\d+$/),
      occurred_at: new Date(answer.body.data.occurred_at),
      dispatched_at: null,
    });
  });

  it('takes a user’s token, and says in the event who it was', async () => {
    const answer = await api
      .http()
      .post(PATH)
      .auth(await api.acme.token(), { type: 'bearer' })
      .send(EVENT);
    expect(answer.status).toBe(202);
    const publisher = `user:${String(api.acme.users.owner.id)}`;
    expect(await stored(answer.body.data.event_id)).toMatchObject({ published_by: publisher });
  });

  it('is one event for one Idempotency-Key, also where it comes many times at once', async () => {
    const before = (await count()) ?? 0;
    const headers = { 'Idempotency-Key': randomUUID() };
    const answers = await Promise.all(Array.from({ length: 20 }, () => publish(EVENT, headers)));
    expect(answers.filter((answer) => ![202, 409].includes(answer.status))).toEqual([]);
    const ids = answers.filter((answer) => answer.status === 202).map((answer) => answer.body.data.event_id);
    expect(new Set(ids).size).toBe(1);
    expect(await count()).toBe(before + 1);
    const again = await publish(EVENT, headers);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.body.data.event_id).toBe(ids[0]);
  });

  it('stores each of many at once, keyed or not, and answers each with its own', async () => {
    const before = (await count()) ?? 0;
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        publish({ event: 'custom.n', data: { n } }, n % 2 === 0 ? {} : { 'Idempotency-Key': randomUUID() }),
      ),
    );
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 202));
    expect(await count()).toBe(before + 60);
    const seen = await Promise.all(answers.map(async (answer) => (await stored(answer.body.data.event_id))?.['data']));
    expect(seen).toEqual(answers.map((_, n) => ({ n })));
  });

  it('refuses a wrong one of many alone', async () => {
    const wrong = { ...EVENT, work_item_id: randomUUID() };
    const answers = await Promise.all([publish(EVENT), publish(wrong), publish(EVENT), publish(wrong), publish(EVENT)]);
    expect(answers.map((answer) => answer.status)).toEqual([202, 400, 202, 400, 202]);
  });
});

describe('what may be published', () => {
  const long = `custom.${'a'.repeat(94)}`;
  it.each([
    ['an event of ours', 'job.created'],
    ['no name', 'custom.'],
    ['capitals', 'custom.Order'],
    ['an empty part', 'custom.a..b'],
    ['a name too long', long],
  ])('not %s', async (_what, event) => {
    expectRefusal(await publish({ ...EVENT, event }), 400, 'VALIDATION_ERROR');
  });

  it('data up to 256 KiB of JSON', async () => {
    const of = (bytes: number) => ({ ...EVENT, data: { text: 'x'.repeat(bytes - '{"text":""}'.length) } });
    expect((await publish(of(262_144))).status).toBe(202);
    expectRefusal(await publish(of(262_145)), 400, 'VALIDATION_ERROR');
    expectRefusal(await publish({ ...EVENT, data: [1] }), 400, 'BAD_REQUEST');
  });

  it('an event about a work item of the client, not about another’s', async () => {
    const [all, theirs] = [await api.acme.key(), await api.rival.key()];
    const item = { action: 'create-work-item', item_type: 'job', title: 'Pump' };
    const [mine, other] = [(await api.act(all, item)).body.data, (await api.act(theirs, item)).body.data];
    const answer = await publish({ ...EVENT, work_item_id: mine.work_item_id });
    expect(await stored(answer.body.data.event_id)).toMatchObject({ work_item_id: mine.id });
    const refused = await publish({ ...EVENT, work_item_id: other.work_item_id });
    expectRefusal(refused, 400, 'VALIDATION_ERROR');
    expect(refused.body.error.details).toMatchObject([{ field: 'work_item_id' }]);
  });

  it('nothing without the scope webhooks:write', async () => {
    const reader = await api.acme.key(['webhooks:read']);
    expectRefusal(await publish(EVENT, { 'X-API-Key': reader }), 403, 'SCOPE_REQUIRED');
    const member = await api
      .http()
      .post(PATH)
      .auth(await api.acme.token('member'), { type: 'bearer' })
      .send(EVENT);
    expectRefusal(member, 403, 'SCOPE_REQUIRED');
  });
});

describe('the action publish-event', () => {
  it('is the same operation', async () => {
    const answer = await api.act(key, { action: 'publish-event', ...EVENT });
    expect(answer.status).toBe(200);
    expect(await stored(answer.body.data.event_id)).toMatchObject({ name: EVENT.event, data: EVENT.data });
  });
});

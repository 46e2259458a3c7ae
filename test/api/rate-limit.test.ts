import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';

const DATA = '/api/v1/public/data';

let api: ApiFixture;
let key: string;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  key = await api.acme.key(['work_items:write', 'work_items:read'], {
    key_name: `limited ${String(Math.random())}`,
    rate_limit_per_minute: 5,
  });
});
afterAll(() => api.close());

const nameless = (apiKey = key) => api.act(apiKey, { action: 'create-work-item', item_type: 'job' });
const remaining = ({ headers }: Response): string | undefined => headers['x-ratelimit-remaining'];

/** What every answer of a limited endpoint carries, whatever its status. */
function expectLimitHeaders({ headers }: Response, limit: number, left: number): void {
  expect(headers['x-ratelimit-limit']).toBe(String(limit));
  expect(headers['x-ratelimit-remaining']).toBe(String(left));
  expect(headers['x-ratelimit-reset']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(Math.abs(Date.parse(headers['x-ratelimit-reset'] ?? '') - Date.now())).toBeLessThan(61_000);
  expect(headers['ratelimit-policy']).toBe(`"default";q=${String(limit)};w=60, "burst";q=1000;w=1`);
  expect(headers['ratelimit']).toMatch(new RegExp(`^"default";r=${String(left)};t=([1-9]|[1-5]\\d|60)$`));
}

describe('the limit of a key', () => {
  it('stands on 200, 400, 404 and 429 alike, counted down by one', async () => {
    const discovery = await api.http().get(DATA).set('X-API-Key', key);
    const invalid = await nameless();
    const unknown = await api.act(key, { action: 'nope' });
    const malformed = await api
      .http()
      .post(DATA)
      .set('X-API-Key', key)
      .set('Content-Type', 'application/json')
      .send('{');
    const absent = await api.act(key, {
      action: 'get-work-item',
      work_item_id: '00000000-0000-4000-8000-000000000000',
    });
    const answers = [discovery, invalid, unknown, malformed, absent];
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 400, 400, 404]);
    for (const [index, answer] of answers.entries()) expectLimitHeaders(answer, 5, 4 - index);
    const refused = await nameless();
    expectRefusal(refused, 429, 'RATE_LIMITED');
    expectLimitHeaders(refused, 5, 0);
    expect(refused.body.error.message).toMatch(/^The limit of 5 requests per 60 seconds is used up until 20/);
    const retryAfter = Number(refused.headers['retry-after']);
    expect(retryAfter).toBeGreaterThan(30);
    expect(retryAfter).toBeLessThanOrEqual(60);
  });

  it('is checked before the body is read', async () => {
    for (let index = 0; index < 5; index += 1) await nameless();
    const refused = await api
      .http()
      .post(DATA)
      .set('X-API-Key', key)
      .set('Content-Type', 'text/plain')
      .send('not JSON');
    expectRefusal(refused, 429, 'RATE_LIMITED');
  });

  it('is 100 a minute where the key has none, and the tier’s ceiling bounds it', async () => {
    const unset = await api.acme.key();
    expectLimitHeaders(await nameless(unset), 100, 99);
    const { headers } = await nameless(await api.rival.key());
    expect([headers['x-ratelimit-limit'], headers['ratelimit-policy']]).toEqual([
      '100',
      '"default";q=100;w=60, "burst";q=20;w=1',
    ]);
  });

  it('counts a batch as one request and MCP calls with the rest', async () => {
    const operation = { action: 'create-work-item', params: { item_type: 'job', title: 'one of many' } };
    const batch = await api
      .http()
      .post(`${DATA}/batch`)
      .set('X-API-Key', key)
      .send({ operations: Array.from({ length: 20 }, () => operation) });
    expect([batch.status, batch.body.data.succeeded, remaining(batch)]).toEqual([200, 20, '4']);
    const call = { name: 'create-work-item', arguments: { item_type: 'job', title: 'by MCP' } };
    const mcp = await api
      .http()
      .post('/api/v1/public/mcp')
      .set('X-API-Key', key)
      .set('Accept', 'application/json, text/event-stream')
      .send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call });
    expect([mcp.status, remaining(mcp)]).toEqual([200, '3']);
    expect(remaining(await nameless())).toBe('2');
  });

  it('is shared by the key as bearer token (Document AI)', async () => {
    const vision = await api.acme.key(['vision:extract'], { rate_limit_per_minute: 5 });
    await nameless(vision);
    const answer = await api
      .http()
      .post('/api/v1/vision/extract')
      .set('Authorization', `Bearer ${vision}`)
      .send({ file_base64: 'AA==' });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expectLimitHeaders(answer, 5, 3);
  });

  it('does not apply to another key of the same client', async () => {
    for (let index = 0; index < 6; index += 1) await nameless();
    const other = await api.acme.key(['work_items:write'], { rate_limit_per_minute: 5 });
    expect([(await nameless()).status, (await nameless(other)).status]).toEqual([429, 400]);
  });
});

describe('a burst', () => {
  it('beyond the tier’s burst_limit in one second is refused for a second, and says so', async () => {
    const free = await api.rival.key();
    const answers = await Promise.all(Array.from({ length: 40 }, () => nameless(free)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(1);
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(20);
    for (const answer of refused) {
      expectRefusal(answer, 429, 'RATE_LIMITED');
      expect(answer.headers['retry-after']).toBe('1');
      expect(answer.headers['ratelimit']).toMatch(/^"default";r=\d+;t=\d+, "burst";r=0;t=1$/);
      expect(answer.body.error.message).toBe('More than 20 requests came within one second.');
    }
  });
});

describe('the limit of a user', () => {
  it('is the tier’s, and one for all of the user’s tokens', async () => {
    const get = async (path: string, role: 'admin' | 'member') =>
      api
        .http()
        .get(path)
        .set('Authorization', `Bearer ${await api.acme.token(role)}`);
    expectLimitHeaders(await get('/api/v1/auth/me', 'admin'), 5_000, 4_999);
    expectLimitHeaders(await get('/api/v1/auth/me', 'admin'), 5_000, 4_998);
    const other = await get('/api/v1/work-items/webhooks/999999', 'member');
    expect(other.status).toBe(404);
    expectLimitHeaders(other, 5_000, 4_999);
  });
});

describe('without a caller', () => {
  it('there is no limit to tell of', async () => {
    const answers = await Promise.all([api.http().get('/api/v1/health'), api.http().get(DATA)]);
    expect(answers.map(({ headers }) => headers['x-ratelimit-limit'])).toEqual([undefined, undefined]);
  });
});

describe('metrics', () => {
  it('tell what was decided, how often the store was asked, and that it is there', async () => {
    for (let index = 0; index < 7; index += 1) await nameless();
    const { text } = await api.http().get('/metrics');
    const value = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
    expect(value('rate_limiter_decisions_total{result="admitted"}'.replace(/[{}"]/g, '\\$&'))).toBeGreaterThanOrEqual(
      5,
    );
    expect(value('rate_limiter_decisions_total{result="limited"}'.replace(/[{}"]/g, '\\$&'))).toBeGreaterThanOrEqual(2);
    expect(value('rate_limiter_leases_total')).toBeGreaterThan(0);
    expect([value('rate_limiter_store_failures_total'), value('rate_limiter_fallback')]).toEqual([0, 0]);
    expect(text).not.toMatch(/rate_limiter.*key:/);
  });
});

describe('RATE_LIMIT_DISABLED', () => {
  it('admits everything; the headers tell of an untouched window', async () => {
    const open = await startApi({ RATE_LIMIT_DISABLED: 'true' });
    try {
      const limited = await open.acme.key(['*'], { rate_limit_per_minute: 1 });
      const answers = [await open.act(limited, { action: 'nope' }), await open.act(limited, { action: 'nope' })];
      expect(answers.map(({ status }) => status)).toEqual([400, 400]);
      for (const answer of answers) expectLimitHeaders(answer, 1, 1);
    } finally {
      await open.close();
    }
  });
});

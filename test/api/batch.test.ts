import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { statement } from '../../platform/db/statement.ts';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';

interface Result {
  id: string;
  success: boolean;
  status: number;
  data?: { work_item_id: string };
  meta?: unknown;
  error?: string;
  code?: string;
}

let api: ApiFixture;
let key: string;
beforeAll(async () => {
  api = await startApi();
  key = await api.acme.key(['work_items:write']);
});
afterAll(() => api.close());

const batch = (body: unknown, apiKey = key) =>
  api
    .http()
    .post('/api/v1/public/data/batch')
    .set('X-API-Key', apiKey)
    .send(body as object);
const job = (title: string, extra: object = {}) => ({
  action: 'create-work-item',
  params: { item_type: 'job', title },
  ...extra,
});
const byId = (results: Result[]) => Object.fromEntries(results.map((result) => [result.id, result]));

describe('POST /api/v1/public/data/batch', () => {
  it('does not let the parameters choose another action', async () => {
    const operation = {
      action: 'create-work-item',
      params: { item_type: 'job', title: 'x', action: 'list-work-items' },
    };
    const { body } = await batch({ operations: [operation] });
    expect(body.data.results[0]).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
  });

  it('answers each operation with its own outcome; a failing one touches no other', async () => {
    const answer = await batch({
      operations: [
        job('first'),
        job('named', { id: 'mine' }),
        { action: 'create-work-item', params: { item_type: 'job' } },
        { action: 'list-work-items' },
        { action: 'creat-work-item' },
        job('last'),
      ],
    });
    expect(answer.status).toBe(200);
    const { data, success, meta } = answer.body;
    expect({ success, version: meta.api_version }).toEqual({ success: true, version: '2026-07-01' });
    expect(data).toMatchObject({ succeeded: 3, failed: 3, total: 6 });
    const results = byId(data.results);
    expect(Object.keys(results).sort()).toEqual(['mine', 'op-1', 'op-3', 'op-4', 'op-5', 'op-6']);
    expect(results['mine']).toMatchObject({ success: true, status: 200, data: { title: 'named' } });
    expect(results['op-3']).toEqual({
      id: 'op-3',
      success: false,
      status: 400,
      error: 'BAD_REQUEST: title: is required',
      code: 'BAD_REQUEST',
    });
    expect(results['op-4']).toMatchObject({ success: false, status: 403, code: 'SCOPE_REQUIRED' });
    expect(results['op-5']).toMatchObject({ success: false, status: 400, code: 'INVALID_ACTION' });
    const stored = statement(`select count(*) as count from work_items where title in ('first', 'named', 'last')`);
    expect(await api.services.system.query(stored)).toEqual([{ count: 3 }]);
  });

  it('runs 100 operations, and refuses 0 and 101', async () => {
    const many = (count: number) => ({ operations: Array.from({ length: count }, (_, n) => job(`many ${String(n)}`)) });
    expect((await batch(many(100))).body.data).toMatchObject({ succeeded: 100, failed: 0, total: 100 });
    for (const count of [0, 101]) expectRefusal(await batch(many(count)), 400, 'VALIDATION_ERROR');
  });

  it('refuses an id that stands twice, a default one included, and runs nothing', async () => {
    for (const operations of [
      [job('dup', { id: 'a' }), job('dup', { id: 'a' })],
      [job('dup', { id: 'op-2' }), job('dup')],
    ]) {
      const answer = await batch({ operations });
      expectRefusal(answer, 400, 'VALIDATION_ERROR');
      expect(answer.body.error.details).toEqual([expect.objectContaining({ field: 'operations[1].id' })]);
    }
    const stored = statement(`select count(*) as count from work_items where title = 'dup'`);
    expect(await api.services.system.query(stored)).toEqual([{ count: 0 }]);
  });

  it.each<[string, unknown, string, string]>([
    ['no operations', {}, 'BAD_REQUEST', 'operations'],
    ['operations that are no list', { operations: {} }, 'BAD_REQUEST', 'operations'],
    ['an operation without action', { operations: [{}] }, 'BAD_REQUEST', 'operations[0].action'],
    [
      'params that are a list',
      { operations: [{ action: 'get-work-item', params: [] }] },
      'BAD_REQUEST',
      'operations[0].params',
    ],
    ['an unknown field', { operations: [job('x')], atomic: true }, 'VALIDATION_ERROR', 'atomic'],
    ['an empty id', { operations: [job('x', { id: '' })] }, 'VALIDATION_ERROR', 'operations[0].id'],
  ])('refuses %s', async (_what, body, code, field) => {
    const answer = await batch(body);
    expectRefusal(answer, 400, code);
    expect(answer.body.error.details).toEqual([expect.objectContaining({ field })]);
  });

  it('gives a list where it stands within all that matches', async () => {
    const reader = await api.acme.key(['work_items:read']);
    const list = { action: 'list-work-items', params: { limit: 1, offset: 1 } };
    const { body } = await batch({ operations: [list, { action: 'no-such-thing' }] }, reader);
    const results = byId(body.data.results);
    expect(results['op-1']?.meta).toEqual({ pagination: { total: expect.any(Number), limit: 1, offset: 1 } });
    expect(results['op-2']).not.toHaveProperty('meta');
  });

  it('an operation that crashes is an INTERNAL_ERROR without a word of why, and the others are done', async () => {
    const writer = await api.acme.key(['contacts:write', 'work_items:write']);
    const superuser = new pg.Client({ connectionString: api.database.superuserUrl });
    await superuser.connect();
    await superuser.query('revoke insert on contacts from app');
    const crashing = { id: 'crash', action: 'create-contact', params: { name: 'Never' } };
    const { body } = await batch({ operations: [job('before'), crashing, job('after')] }, writer);
    await superuser.query('grant insert on contacts to app');
    await superuser.end();
    expect(body).toMatchObject({ success: true, data: { succeeded: 2, failed: 1 } });
    expect(byId(body.data.results)['crash']).toEqual({
      id: 'crash',
      success: false,
      status: 500,
      error: 'INTERNAL_ERROR: An unexpected error occurred.',
      code: 'INTERNAL_ERROR',
    });
    expect(api.logLines.filter((line) => line.includes('permission denied'))).toHaveLength(1);
  });

  it.each(['batch', 'run-batch', 'mcp', 'login'])('holds no %s: only actions are its operations', async (action) => {
    const { body } = await batch({ operations: [{ action, params: { operations: [job('nested')] } }] });
    expect(body.data.results[0]).toMatchObject({ status: 400, code: 'INVALID_ACTION' });
  });

  it('says in its headers that one of its operations is deprecated', async () => {
    const reader = await api.acme.key(['work_items:read']);
    const answer = await batch({ operations: [{ action: 'list-work-items' }, { action: 'get-work-items' }] }, reader);
    expect(answer.body.data).toMatchObject({ succeeded: 2 });
    expect(answer.headers['deprecation']).toBe('true');
  });

  it('needs a key', async () => {
    expectRefusal(await api.http().post('/api/v1/public/data/batch').send({}), 401, 'UNAUTHORIZED');
  });
});

it('runs a hundred reads as one request, and fast', async () => {
  const reader = await api.acme.key(['work_items:read', 'work_items:write'], { rate_limit_per_minute: 2 });
  const created = await batch({ operations: [job('read often')] }, reader);
  const { work_item_id } = created.body.data.results[0].data;
  const operations = Array.from({ length: 100 }, () => ({ action: 'get-work-item', params: { work_item_id } }));
  const begun = performance.now();
  const answer = await batch({ operations }, reader);
  expect(answer.body.data).toMatchObject({ succeeded: 100, failed: 0, total: 100 });
  // Some 100 ms on an idle machine; a read that waits for another would take seconds.
  expect(performance.now() - begun).toBeLessThan(3_000);
});

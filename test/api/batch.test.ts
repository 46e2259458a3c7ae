import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { statement } from '../../platform/db/statement.ts';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';

interface Result {
  id: string;
  success: boolean;
  status: number;
  data?: { work_item_id: string };
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

  it('does not let params choose another action', async () => {
    const params = { action: 'list-work-items' };
    const { body } = await batch({ operations: [{ action: 'create-work-item', params }] });
    expect(body.data.results[0]).toMatchObject({ success: false, code: 'BAD_REQUEST' });
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

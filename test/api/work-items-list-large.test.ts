import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { startApi } from './support.ts';
import type { ApiFixture } from './support.ts';

let api: ApiFixture;
let key: string;
let clientId: number;

beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
  const tenant = await api.tenant('list-large', { tier: 'enterprise' });
  key = await tenant.key();
  clientId = tenant.clientId;
});
afterAll(() => api.close());

async function list(
  input: Record<string, unknown>,
): Promise<{ titles: string[]; pagination: Record<string, unknown> }> {
  const { body } = await api.act(key, { action: 'list-work-items', ...input });
  expect(body).toMatchObject({ success: true });
  return {
    titles: body.data.work_items.map((item: { title: string }) => item.title),
    pagination: body.meta.pagination,
  };
}

describe('lists of more than 10,000 items', () => {
  it('count a search no further than 10,000, and say so', async () => {
    const owner = new pg.Client({ connectionString: api.database.superuserUrl });
    await owner.connect();
    await owner.query(
      `insert into work_items (work_item_id, client_id, item_number, item_type, title, status, priority, created_by_type, created_by_id)
       select gen_random_uuid(), $1, 'TASK-' || i, 'task', 'Mass item', 'open', 'low', 'user', '1' from generate_series(1, 10050) i`,
      [clientId],
    );
    await owner.end();
    expect((await list({ search: 'mass', limit: 1 })).pagination).toEqual({
      total: 10_000,
      limit: 1,
      offset: 0,
      total_is_exact: false,
    });
    expect((await list({ item_type: 'task', limit: 1 })).pagination).toEqual({ total: 10_050, limit: 1, offset: 0 });
    expect(await list({ search: 'mass', created_from: '2020-01-01', limit: 2, offset: 10_040 })).toMatchObject({
      titles: ['Mass item', 'Mass item'],
    });
    // Several filters that many items match are counted to 1,000, and none is walked for in vain.
    const many = { search: 'mass', created_from: '2020-01-01', priority: 'low' };
    expect(await list({ ...many, limit: 1 })).toMatchObject({
      titles: ['Mass item'],
      pagination: { total: 1_000, total_is_exact: false },
    });
    expect(await list({ ...many, limit: 2, offset: 1_500, sort: 'title' })).toMatchObject({
      titles: ['Mass item', 'Mass item'],
      pagination: { total: 1_502, total_is_exact: false },
    });
    expect(await list({ ...many, priority: 'critical' })).toMatchObject({ titles: [], pagination: { total: 0 } });
    expect(await list({ ...many, is_open: false })).toMatchObject({ titles: [], pagination: { total: 0 } });
    expect(await list({ ...many, limit: 2, offset: 10_049, sort: 'due_date' })).toMatchObject({
      titles: ['Mass item'],
      pagination: { total: 10_000, total_is_exact: false },
    });
  });
});

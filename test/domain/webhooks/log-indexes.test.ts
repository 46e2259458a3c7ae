import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { keyOf, LIST_QUERIES } from '../../../domain/webhooks/delivery-log.queries.ts';
import { testDatabase } from '../../support/stack.ts';
import type { TestDatabase } from '../../support/stack.ts';

let database: TestDatabase;
let app: pg.Client;
beforeAll(async () => {
  database = await testDatabase();
  const superuser = new pg.Client({ connectionString: database.superuserUrl });
  await superuser.connect();
  // Enough rows that the planner has to choose; the plan for more of them is the same.
  await superuser.query(`
    insert into deliveries (client_id, webhook_id, event_id, event_type, lane, status, created_at)
      select 1, 1 + n % 5, gen_random_uuid(), case when n % 999 = 0 then 'payment.refunded' else 'job.updated' end,
        'webhook/' || 1 + n % 5 || case when n % 2 = 0 then '/ordered' else '' end,
        case when n % 35 = 0 then 'failed' when n % 15 = 0 then 'pending' when n % 21 = 0 then 'retrying' else 'success' end,
        now() - n * interval '1 minute'
      from generate_series(30000, 1, -1) n`);
  await superuser.query('vacuum (analyze) deliveries');
  await superuser.end();
  app = new pg.Client({ connectionString: database.appUrl });
  await app.connect();
  await app.query(`select set_config('app.client_id', '1', false)`);
  // The plan that a connection keeps once it has met a statement a few times.
  await app.query('set plan_cache_mode = force_generic_plan');
});
afterAll(async () => {
  await app.end();
  await database.drop();
});

const PERIOD = `'2020-01-01', 'infinity'`;

async function planOf(key: string, query: 'list' | 'count', event: string): Promise<string> {
  await app.query(`prepare q as ${LIST_QUERIES.get(key)?.[query].text ?? ''}`);
  try {
    const page = query === 'list' ? ', 50, 0' : '';
    const { rows } = await app.query<{ 'QUERY PLAN': string }>(`explain execute q (1, 1, ${event}, ${PERIOD}${page})`);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  } finally {
    await app.query('deallocate q');
  }
}

describe('behind row-level security, with a kept plan, the delivery log reads', () => {
  it.each([
    [{ status: 'any', byEvent: false }, 'deliveries_log_index'],
    [{ status: 'any', byEvent: true }, 'deliveries_event_type_index'],
    [{ status: 'success', byEvent: false }, 'deliveries_log_index'],
    [{ status: 'failed', byEvent: true }, 'deliveries_event_type_index'],
  ] as const)('%j from one index, up to the time asked for', async (selection, index) => {
    for (const query of ['list', 'count'] as const) {
      const plan = await planOf(keyOf(selection), query, selection.byEvent ? `'job.updated'` : 'null');
      expect(plan).not.toContain('Seq Scan');
      const scan = plan.slice(plan.indexOf(index));
      expect(scan).toMatch(/^.*\n *Index Cond: .*status = '.*created_at >= .*created_at < /);
      expect(plan.match(new RegExp(`Only Scan.*${index}`, 'g'))?.length).toBe(selection.status === 'any' ? 4 : 1);
    }
  });

  it.each([
    [{ status: 'any', byEvent: false }, 0],
    [{ status: 'any', byEvent: false }, 777],
    [{ status: 'any', byEvent: true }, 5_950],
    [{ status: 'pending', byEvent: false }, 40],
    [{ status: 'failed', byEvent: true }, 100],
  ] as const)('%j from the %ith on as if there were no indexes', async ({ status, byEvent }, offset) => {
    const event = byEvent ? 'job.updated' : null;
    const filter = [1, 1, event, '-infinity', 'infinity'];
    const queries = LIST_QUERIES.get(keyOf({ status, byEvent }));
    const naive = `from deliveries where webhook_id = 1 and ($1 = 'any' or status = $1) and ($2::text is null or event_type = $2)`;
    const page = await app.query<{ id: string }>(queries?.list.text ?? '', [...filter, 50, offset]);
    const expected = await app.query<{ id: string }>(
      `select id ${naive} order by created_at desc, id desc limit 50 offset $3`,
      [status, event, offset],
    );
    expect(page.rows.map(({ id }) => id)).toEqual(expected.rows.map(({ id }) => id));
    expect(page.rows.length).toBeGreaterThan(0);
    const counted = await app.query<{ total: string }>(queries?.count.text ?? '', filter);
    const total = await app.query<{ total: string }>(`select count(*) as total ${naive}`, [status, event]);
    expect(counted.rows).toEqual(total.rows);
  });

  it('what waits from the index of its lane', async () => {
    const plan = await planOf(keyOf({ status: 'pending', byEvent: false }), 'list', 'null');
    expect(plan).toContain('deliveries_pending_index');
    expect(plan).not.toContain('Seq Scan');
  });
});

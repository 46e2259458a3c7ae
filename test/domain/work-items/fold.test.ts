import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { foldWorkItems } from '../../../domain/work-items/index.ts';
import { SystemDatabase } from '../../../platform/db/database.ts';
import { createLogger } from '../../../platform/log.ts';
import { testDatabase } from '../../support/stack.ts';
import type { TestDatabase } from '../../support/stack.ts';

let database: TestDatabase;
let system: SystemDatabase;
let superuser: pg.Client;
beforeAll(async () => {
  database = await testDatabase();
  const log = createLogger('test', 'silent');
  system = new SystemDatabase({ url: database.systemUrl, poolSize: 4, applicationName: 'test', entities: [], log });
  superuser = await connect();
});
afterAll(async () => {
  await Promise.all([system.close(), superuser.end()]);
  await database.drop();
});

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.superuserUrl });
  await client.connect();
  return client;
}

let made = 0;
async function insert(client: pg.Client, clientId: number, title = 'Work', count = 1): Promise<number> {
  made += count;
  const { rows } = await client.query<{ id: string }>(
    `insert into work_items (work_item_id, client_id, item_number, item_type, title, status, priority, created_by_type,
       created_by_id)
     select gen_random_uuid(), $1, 'JOB-' || $3::int - i, 'job', $2, 'open', 'low', 'user', '1' from generate_series(0, $4 - 1) i
     returning id`,
    [clientId, title, made, count],
  );
  return Number(rows[0]?.id);
}

/** By client, kind by kind and at one moment: what the sums say (as the lists do) less what there is. */
async function drift(client: pg.Client): Promise<unknown[]> {
  const { rows } = await client.query(`
    select client_id, item_type, status, priority, sum(n) as n from (
      select client_id, item_type, status, priority, n from work_item_counts
      union all
      select c.client_id, c.item_type, c.status, c.priority, c.n from work_item_changes c, work_item_watermarks m
      where m.name = 'counted' and c.work_item_id <= m.up_to
      union all
      select w.client_id, w.item_type, w.status, w.priority, 1 from work_items w, work_item_watermarks m
      where m.name = 'counted' and w.id > m.up_to and deleted_at is null
      union all
      select client_id, item_type, status, priority, -1 from work_items where deleted_at is null) parts
    group by 1, 2, 3, 4 having sum(n) <> 0`);
  return rows;
}

async function state(): Promise<{ counted: number; changes: number; marked: number }> {
  const { rows } = await superuser.query<{ counted: number; changes: number; marked: number }>(`
    select coalesce((select sum(n) from work_item_counts), 0)::int as counted,
      (select count(*) from work_item_changes)::int as changes,
      (select up_to from work_item_watermarks where name = 'counted')::int as marked`);
  return rows[0] ?? { counted: -1, changes: -1, marked: -1 };
}

const words = async (clientId: number): Promise<string[]> => {
  const { rows } = await superuser.query<{ word: string }>(
    'select word from work_item_words where client_id = $1 order by word',
    [clientId],
  );
  return rows.map(({ word }) => word);
};

describe('foldWorkItems', () => {
  it('counts new items and adds up the changes of the others, and does it once', async () => {
    const [first, second] = [await insert(superuser, 1), await insert(superuser, 1)];
    await superuser.query(`update work_items set status = 'done' where id = $1`, [first]);
    expect(await drift(superuser)).toEqual([]);
    expect(await foldWorkItems(system)).toBeGreaterThanOrEqual(2);
    expect(await state()).toEqual({ counted: 2, changes: 0, marked: second });
    await superuser.query(`update work_items set priority = 'high', deleted_at = now() where id = $1`, [first]);
    await superuser.query(`delete from work_items where id = $1`, [second]);
    expect(await state()).toMatchObject({ counted: 2, changes: 2 });
    expect(await drift(superuser)).toEqual([]);
    expect(await foldWorkItems(system)).toBe(0);
    expect(await state()).toEqual({ counted: 0, changes: 0, marked: second });
    expect(await drift(superuser)).toEqual([]);
  });

  it('waits for an item whose id is taken and which is not there yet, and nobody waits for it', async () => {
    const slow = await connect();
    await slow.query('begin');
    const late = await insert(slow, 2);
    const early = await insert(superuser, 2);
    expect(early).toBeGreaterThan(late);
    let isDone = false;
    const folding = foldWorkItems(system).then((items) => {
      isDone = true;
      return items;
    });
    await sleep(300);
    const last = await insert(superuser, 2);
    expect(isDone).toBe(false);
    expect((await state()).marked).toBeLessThan(late);
    await slow.query('commit');
    await slow.end();
    await folding;
    expect(await drift(superuser)).toEqual([]);
    expect((await state()).marked).toBeLessThan(last);
    await foldWorkItems(system);
    expect((await state()).marked).toBe(last);
    expect(await drift(superuser)).toEqual([]);
  });

  it('stays exact at each moment while items come, change and go and several folds run at once', async () => {
    const until = Date.now() + 3_000;
    const write = async (clientId: number): Promise<void> => {
      const client = await connect();
      for (let n = 0; Date.now() < until; n += 1) {
        await client.query('begin');
        const id = await insert(client, clientId);
        await client.query(`update work_items set status = 'done' where id = $1`, [n % 2 === 0 ? id : id - 5]);
        if (n % 3 === 0) await client.query(`update work_items set deleted_at = now() where id = $1`, [id - 3]);
        if (n % 7 === 0) await client.query(`delete from work_items where id = $1`, [id]);
        await client.query(n % 5 === 0 ? 'rollback' : 'commit');
      }
      await client.end();
    };
    const fold = async (): Promise<void> => {
      while (Date.now() < until) await foldWorkItems(system);
    };
    let looks = 0;
    const look = async (): Promise<void> => {
      for (; Date.now() < until; looks += 1) expect(await drift(superuser)).toEqual([]);
    };
    await Promise.all([write(3), write(4), write(3), fold(), fold(), look()]);
    expect(looks).toBeGreaterThan(10);
    await foldWorkItems(system);
    expect(await drift(superuser)).toEqual([]);
    expect(await state()).toMatchObject({ changes: 0 });
  }, 30_000);

  it('goes through many at a time, and takes the words of all', async () => {
    await insert(superuser, 5, 'Hydraulic pumps', 20_500);
    await superuser.query(`update work_items set title = 'Zeppelin' where client_id = 5 and id % 2 = 0`);
    await superuser.query(`update work_items set status = 'done' where client_id = 5`);
    expect(await state()).toMatchObject({ changes: 41_000 });
    expect(await foldWorkItems(system)).toBe(20_500);
    expect(await state()).toMatchObject({ changes: 0 });
    expect(await drift(superuser)).toEqual([]);
    expect(new Set(await words(5))).toEqual(new Set(['hydraul', 'hydraulic', 'pump', 'pumps', 'zeppelin']));
    expect((await words(5)).filter((word) => word === 'pumps')).toHaveLength(1);
    expect(await foldWorkItems(system)).toBe(0);
  }, 60_000);

  it('knows that the ids come from a sequence that keeps none in reserve', async () => {
    const { rows } = await superuser.query(
      `select seqcache::int from pg_sequence where seqrelid = 'work_items_id_seq'::regclass`,
    );
    expect(rows).toEqual([{ seqcache: 1 }]);
  });
});

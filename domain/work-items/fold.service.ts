import { setTimeout as sleep } from 'node:timers/promises';
import { statement } from '../../platform/db/statement.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';

/** Items or changes in one transaction. */
const COUNTED_AT_ONCE = 20_000;
const READ_AT_ONCE = 2_000;
/** How long writers that were at work when the run began are waited for; after that the next run has its turn. */
const WRITERS_MS = 20_000;
const POLL_MS = 25;

// The sequence hands out its numbers one by one (cache 1), so nobody holds a lower one in reserve.
const LAST_ID = statement(`select case when is_called then last_value else 0 end as id from work_items_id_seq`);
/** Whoever inserts into a table holds this lock, from before it takes an id until its rows are there for all to see. */
const WRITERS = statement(`
  select coalesce(array_agg(distinct virtualtransaction), '{}') as writers from pg_locks
  where locktype = 'relation' and relation = 'work_items'::regclass and mode = 'RowExclusiveLock'
    and database = (select oid from pg_database where datname = current_database())`);
const LOCK = statement(`select up_to from work_item_watermarks where name = $1 for update`);
const READ = statement(`select up_to from work_item_watermarks where name = $1`);
const ADVANCE = statement(`update work_item_watermarks set up_to = $2 where name = $1`);

/**
 * $1 the watermark, $2 where it moves to, $3 how many changes at most (null: all). Items in between are counted as this
 * one snapshot shows them, so what it shows of their changes is dropped; changes of items before are added up. A change
 * that it does not show yet stays, and is one of an item that was counted as it was before.
 */
const FOLD = statement(`
  with done as (
    delete from work_item_changes where ($3::int is null or (client_id, id) in (
      select client_id, id from work_item_changes limit $3))
    returning client_id, work_item_id, item_type, status, priority, n
  ), sums as (
    select client_id, item_type, status, priority, sum(n) as n from (
      select client_id, item_type, status, priority, n from done where work_item_id <= $1
      union all
      select client_id, item_type, status, priority, 1 from work_items
      where id > $1 and id <= $2 and deleted_at is null) parts
    group by 1, 2, 3, 4 having sum(n) <> 0
  ), added as (
    insert into work_item_counts as c (client_id, item_type, status, priority, n)
    select client_id, item_type, status, priority, n from sums
    on conflict (client_id, item_type, status, priority) do update set n = c.n + excluded.n
  )
  select count(*)::int as changes from done`);

const FIND_WORDS = statement(`
  insert into work_item_words (client_id, word)
  select client_id, word from (
    select distinct client_id, substr(lexeme, strpos(lexeme, ':') + 1) as word
    from work_items, unnest(tsvector_to_array(search)) lexeme
    where id > $1 and id <= $2 and deleted_at is null and lexeme ~ '^\\d+:[[:alpha:]]{4,30}$') found
  where not exists (
    select from work_item_words known where known.client_id = found.client_id and known.word = found.word)`);

/**
 * Brings the counts and words of work items up to date, a transaction at a time, so that it may be cut off anywhere and
 * run again, and two may run at once. Answers how many items it has gone through. `onStep` is called after each step.
 */
export async function foldWorkItems(system: SystemDatabase, onStep?: () => void): Promise<number> {
  while ((await countUpTo(system, 0, COUNTED_AT_ONCE)).changes === COUNTED_AT_ONCE) onStep?.();
  const settled = await settledId(system, onStep);
  let total = 0;
  for (let isDone = settled === undefined; !isDone;) {
    const { items } = await countUpTo(system, settled ?? 0, null);
    total += items;
    isDone = items < COUNTED_AT_ONCE;
    onStep?.();
  }
  while ((await readWords(system)) === READ_AT_ONCE) onStep?.();
  return total;
}

/**
 * An id up to which all items are there that ever will be: ids are given before the commit, in another order than that
 * of the commits. Undefined when a writer takes too long.
 */
async function settledId(system: SystemDatabase, onStep?: () => void): Promise<number | undefined> {
  const [last] = await system.query<{ id: number }>(LAST_ID);
  // Asked after the id is known: who took a lower one has ended, or is among them.
  let pending = await writersNow(system);
  const until = performance.now() + WRITERS_MS;
  while (pending.length > 0) {
    if (performance.now() > until) return undefined;
    await sleep(POLL_MS);
    onStep?.();
    const now = new Set(await writersNow(system));
    pending = pending.filter((writer) => now.has(writer));
  }
  return last?.id;
}

async function writersNow(system: SystemDatabase): Promise<string[]> {
  const [row] = await system.query<{ writers: string[] }>(WRITERS);
  return row?.writers ?? [];
}

async function countUpTo(
  system: SystemDatabase,
  settled: number,
  mostChanges: number | null,
): Promise<{ changes: number; items: number }> {
  return system.transaction(async (tx) => {
    // In a statement of its own: the next one's snapshot must be younger than the lock.
    const [mark] = await tx.query<{ up_to: number }>(LOCK, ['counted']);
    const from = mark?.up_to ?? 0;
    const to = Math.max(from, Math.min(settled, from + COUNTED_AT_ONCE));
    const [folded] = await tx.query<{ changes: number }>(FOLD, [from, to, mostChanges]);
    if (to > from) tx.write(ADVANCE, ['counted', to]);
    return { changes: folded?.changes ?? 0, items: to - from };
  });
}

/** Adds the words of the next items that are counted; answers how many ids it has gone through. */
async function readWords(system: SystemDatabase): Promise<number> {
  return system.transaction(async (tx) => {
    const [[mark], [counted]] = await Promise.all([
      tx.query<{ up_to: number }>(LOCK, ['words']),
      tx.query<{ up_to: number }>(READ, ['counted']),
    ]);
    const from = mark?.up_to ?? 0;
    const to = Math.min(counted?.up_to ?? 0, from + READ_AT_ONCE);
    if (to <= from) return 0;
    await tx.query(FIND_WORDS, [from, to]);
    tx.write(ADVANCE, ['words', to]);
    return to - from;
  });
}

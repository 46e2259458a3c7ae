import type { SystemDatabase } from '../../platform/db/database.ts';
import { statement } from '../../platform/db/statement.ts';
import type { Statement } from '../../platform/db/statement.ts';
import { ENTRY_HASH, GENESIS, IS_UNSEALED, SEAL_HASH } from './seal-sql.ts';

/** Entries that one seal holds at most. */
const SEAL_ROWS = 1_000;

/** Every transaction below it has ended, and what it wrote is in sight of the same statement. */
const HORIZON = `pg_snapshot_xmin(pg_current_snapshot())`;

/**
 * The clients that have entries behind the end of their chain. `has_moved`: the database was restored into a cluster
 * whose transactions count from lower numbers than those in the chain.
 */
const TO_SEAL = statement(`
  select c.id as client_id, coalesce(l.to_xid >= ${HORIZON}, false) as has_moved
  from clients c left join lateral (
    select to_xid, to_id from audit_seals where client_id = c.id order by sequence desc limit 1) l on true
  where l.to_xid >= ${HORIZON}
    or exists (select from audit_entries e where e.client_id = c.id and e.xid < ${HORIZON}
      and (e.xid, e.id) > (coalesce(l.to_xid, '0'), coalesce(l.to_id, 0)))
  order by c.id`);

const TRY_LOCK = statement(`select pg_try_advisory_xact_lock(hashtextextended('audit_seals/' || $1::int, 0)) as got`);

/**
 * The next entries in the order (xid, id). In that order none can appear any more before one that is sealed: whoever
 * might still write it holds the horizon back until it has ended. So nobody is waited for and nobody made to wait.
 */
const SEAL = sealStatement({
  condition: `e.xid < ${HORIZON}
    and (e.xid, e.id) > (coalesce((select to_xid from last), '0'), coalesce((select to_id from last), 0))`,
  order: 'e.xid, e.id',
});

/** After a move: first what was not sealed before it, then what was written since, which is known by its higher ids. */
const SEAL_AFTER_MOVE = sealStatement({
  condition: `(e.xid >= (select to_xid from last) or (e.xid < ${HORIZON}
    and e.id > (select max(last_id) from audit_seals where client_id = $1)))`,
  order: `e.xid < ${HORIZON}, e.xid, e.id`,
});

function sealStatement({ condition, order }: { condition: string; order: string }): Statement {
  return statement(`
    with last as (
      select sequence, to_xid, to_id, hash from audit_seals where client_id = $1 order by sequence desc limit 1
    ), batch as (
      select e.id, e.xid, ${ENTRY_HASH} as hash, row_number() over (order by ${order}) as place
      from audit_entries e where e.client_id = $1 and ${condition} and ${IS_UNSEALED}
      order by ${order} limit ${String(SEAL_ROWS)}
    ), n as (
      select $1::int as client_id, coalesce((select sequence from last), 0) + 1 as sequence,
        min(id) as first_id, max(id) as last_id, count(*)::int as rows,
        array_agg(id order by place) as entry_ids, array_agg(hash order by place) as entry_hashes,
        (array_agg(xid order by place desc))[1] as to_xid, (array_agg(id order by place desc))[1] as to_id,
        coalesce((select hash from last), ${GENESIS}) as previous_hash, now()::timestamptz(3) as sealed_at
      from batch having count(*) > 0
    )
    insert into audit_seals (client_id, sequence, first_id, last_id, rows, entry_ids, entry_hashes, to_xid, to_id,
      previous_hash, hash, sealed_at)
    select client_id, sequence, first_id, last_id, rows, entry_ids, entry_hashes, to_xid, to_id, previous_hash,
      ${SEAL_HASH}, sealed_at
    from n returning rows`);
}

interface ClientToSeal extends Record<string, unknown> {
  client_id: number;
  has_moved: boolean;
}

/**
 * Chains what has been committed since, client by client; answers how many entries. Each seal is a transaction of its
 * own, so that being cut off anywhere loses nothing. `onSeal` is called after each.
 */
export async function sealAuditEntries(system: SystemDatabase, onSeal: (rows: number) => void): Promise<number> {
  let total = 0;
  for (const client of await system.query<ClientToSeal>(TO_SEAL)) {
    for (let rows = SEAL_ROWS; rows === SEAL_ROWS;) {
      rows = await sealOnce(system, client);
      total += rows;
      onSeal(total);
    }
  }
  return total;
}

/** One seal; 0 where nothing is left, or where another sealer is at work on this client. */
async function sealOnce(system: SystemDatabase, { client_id, has_moved }: ClientToSeal): Promise<number> {
  return system.transaction(async (tx) => {
    // In a statement of its own: the next one's snapshot must be younger than the lock.
    const [lock] = await tx.query<{ got: boolean }>(TRY_LOCK, [client_id]);
    if (lock?.got !== true) return 0;
    const [seal] = await tx.query<{ rows: number }>(has_moved ? SEAL_AFTER_MOVE : SEAL, [client_id]);
    return seal?.rows ?? 0;
  });
}

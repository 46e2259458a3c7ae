import { statement } from '../../platform/db/statement.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { ENTRY_HASH, GENESIS, IS_UNSEALED, SEAL_HASH } from './seal-sql.ts';

/** What one statement checks at most: seals, and entries in them (of the last seal all). */
const SEALS_AT_ONCE = 1_000;
const ENTRIES_AT_ONCE = 20_000;

const NEXT_SEALS = statement(`
  with page as (
    select * from (
      select s.*, sum(rows) over (order by sequence) - rows as before from (
        select * from audit_seals where client_id = $1 and sequence > $2 and sequence <= $3
        order by sequence limit ${String(SEALS_AT_ONCE)}) s) counted
    where before < ${String(ENTRIES_AT_ONCE)}
  )
  select n.sequence, n.rows, encode(n.hash, 'hex') as hash, n.sealed_at, n.hash = ${SEAL_HASH} as is_whole,
    n.previous_hash = case n.sequence when 1 then ${GENESIS}
      else (select p.hash from audit_seals p where p.client_id = n.client_id and p.sequence = n.sequence - 1) end as is_joined,
    broken.entry_id, broken.is_missing
  from page n left join lateral (
    select sealed.entry_id, e.id is null as is_missing
    from unnest(n.entry_ids, n.entry_hashes) with ordinality sealed (entry_id, hash, place)
    left join audit_entries e on e.client_id = n.client_id and e.id = sealed.entry_id
    where e.id is null or ${ENTRY_HASH} <> sealed.hash
    order by sealed.place limit 1
  ) broken on true
  order by n.sequence`);

/**
 * The part of the chain that was made in a time, by sequence: a clock that was put back must not leave a hole in it. Where
 * none was made, `first` is behind `last`.
 */
const PART = statement(`
  select coalesce(min(sequence) filter (where sealed_at >= $2), max(sequence) + 1, 1) as first,
    coalesce(max(sequence) filter (where sealed_at <= $3), 0) as last
  from audit_seals where client_id = $1`);

/**
 * An entry that stands within the part of the chain, between the seal before it and its end, and that no seal holds was
 * put there past the sealer. Whether a seal elsewhere holds it (the database was moved) is asked of those only that none of
 * the part does.
 */
const SLIPPED_IN = statement(`
  with last as (
    select to_xid, to_id from audit_seals where client_id = $1 and sequence = $3
  ), before as (
    select to_xid, to_id from audit_seals where client_id = $1 and sequence = $2
  ), sealed as (
    select unnest(entry_ids) as id from audit_seals where client_id = $1 and sequence > $2 and sequence <= $3
  ), suspects as materialized (
    select e.id, e.client_id from last cross join audit_entries e left join sealed on sealed.id = e.id
    where e.client_id = $1 and (e.xid, e.id) <= (last.to_xid, last.to_id) and sealed.id is null
      and (e.xid, e.id) > (coalesce((select to_xid from before), '0'), coalesce((select to_id from before), 0))
  )
  select e.id from suspects e where ${IS_UNSEALED} order by e.id limit 1`);

const COUNT_SEALED = statement(`
  select coalesce(sum(rows), 0)::bigint as entries from audit_seals
  where client_id = $1 and sealed_at >= $2 and sealed_at <= $3`);

export type SealBreach =
  | { kind: 'seal_missing'; sequence: number }
  | { kind: 'seal_altered'; sequence: number }
  | { kind: 'entry_missing'; sequence: number; entry_id: number }
  | { kind: 'entry_altered'; sequence: number; entry_id: number }
  | { kind: 'entry_inserted'; entry_id: number };

export interface SealStatus {
  /** Seals looked at, and the entries they hold. */
  seals: number;
  entries: number;
  first_sequence: number | null;
  last_sequence: number | null;
  /** Hash of the last seal looked at: whoever keeps it can tell later whether the chain was made anew. */
  last_hash: string | null;
  last_sealed_at: Date | null;
  /** The first thing that is wrong. */
  breach: SealBreach | null;
}

interface CheckedSeal extends Record<string, unknown> {
  sequence: number;
  rows: number;
  hash: string;
  sealed_at: Date;
  is_whole: boolean;
  is_joined: boolean | null;
  entry_id: number | null;
  is_missing: boolean | null;
}

/**
 * Computes a client's chain anew and compares, seal by seal and entry by entry, and says where it first breaks. With
 * `since` and `until` only the seals made in between are looked at.
 */
export async function verifyAuditSeals(
  tx: Transaction,
  clientId: number,
  { since, until }: { since?: Date; until?: Date } = {},
): Promise<SealStatus> {
  const window = [clientId, since ?? '-infinity', until ?? 'infinity'];
  const [part] = await tx.query<{ first: number; last: number }>(PART, window);
  const { last } = part ?? { last: 0 };
  const first = since === undefined ? 1 : (part?.first ?? 1);
  const status: SealStatus = {
    seals: 0,
    entries: 0,
    first_sequence: null,
    last_sequence: null,
    last_hash: null,
    last_sealed_at: null,
    breach: null,
  };
  let before = first - 1;
  while (before < last) {
    const page = await tx.query<CheckedSeal>(NEXT_SEALS, [clientId, before, last]);
    for (const seal of page) {
      status.breach = breachOf(seal, before + 1);
      if (status.breach !== null) return status;
      before = seal.sequence;
      countIn(status, seal);
    }
  }
  const [slippedIn] = await tx.query<{ id: number }>(SLIPPED_IN, [clientId, first - 1, last]);
  if (slippedIn !== undefined) status.breach = { kind: 'entry_inserted', entry_id: slippedIn.id };
  return status;
}

/** How many entries the seals made in a time hold: what verifying them is going to cost. */
export async function countSealedEntries(
  tx: Transaction,
  clientId: number,
  { since, until }: { since: Date; until: Date },
): Promise<number> {
  const [row] = await tx.query<{ entries: number }>(COUNT_SEALED, [clientId, since, until]);
  return row?.entries ?? 0;
}

function breachOf(seal: CheckedSeal, expected: number): SealBreach | null {
  if (seal.sequence !== expected) return { kind: 'seal_missing', sequence: expected };
  if (seal.is_joined === null) return { kind: 'seal_missing', sequence: seal.sequence - 1 };
  const { sequence, entry_id } = seal;
  if (entry_id !== null)
    return { kind: seal.is_missing === true ? 'entry_missing' : 'entry_altered', sequence, entry_id };
  return seal.is_whole && seal.is_joined ? null : { kind: 'seal_altered', sequence };
}

function countIn(status: SealStatus, seal: CheckedSeal): void {
  status.seals += 1;
  status.entries += seal.rows;
  status.first_sequence ??= seal.sequence;
  status.last_sequence = seal.sequence;
  status.last_hash = seal.hash;
  status.last_sealed_at = seal.sealed_at;
}

import { statement } from '../../platform/db/statement.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { ENTRY_HASH, GENESIS, SEAL_HASH } from './seal-sql.ts';

/** Seals that one statement checks, with all their entries. */
const SEALS_AT_ONCE = 20;

const NEXT_SEALS = statement(`
  with page as (
    select * from audit_seals where client_id = $1 and sequence > $2 and ($4::timestamptz is null or sealed_at <= $4)
    order by sequence limit $3
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

const FIRST_SINCE = statement(`
  select coalesce(min(sequence), (select coalesce(max(sequence), 0) + 1 from audit_seals where client_id = $1)) as sequence
  from audit_seals where client_id = $1 and sealed_at >= $2`);

/** An entry that stands before the end of the chain and that no seal holds was put there past the sealer. */
const SLIPPED_IN = statement(`
  with last as (
    select to_xid, to_id from audit_seals where client_id = $1 order by sequence desc limit 1
  ), before as (
    select to_xid, to_id from audit_seals where client_id = $1 and sequence = $2
  ), sealed as (
    select unnest(entry_ids) as id from audit_seals where client_id = $1
  )
  select e.id from last cross join audit_entries e left join sealed on sealed.id = e.id
  where e.client_id = $1 and (e.xid, e.id) <= (last.to_xid, last.to_id) and sealed.id is null
    and (e.xid, e.id) > (coalesce((select to_xid from before), '0'), coalesce((select to_id from before), 0))
  order by e.id limit 1`);

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
  const [first] = since === undefined ? [] : await tx.query<{ sequence: number }>(FIRST_SINCE, [clientId, since]);
  const status: SealStatus = {
    seals: 0,
    entries: 0,
    first_sequence: null,
    last_sequence: null,
    last_hash: null,
    last_sealed_at: null,
    breach: null,
  };
  const start = (first?.sequence ?? 1) - 1;
  let before = start;
  for (;;) {
    const page = await tx.query<CheckedSeal>(NEXT_SEALS, [clientId, before, SEALS_AT_ONCE, until ?? null]);
    for (const seal of page) {
      status.breach = breachOf(seal, before + 1);
      if (status.breach !== null) return status;
      before = seal.sequence;
      countIn(status, seal);
    }
    if (page.length < SEALS_AT_ONCE) break;
  }
  const [slippedIn] = await tx.query<{ id: number }>(SLIPPED_IN, [clientId, start]);
  if (slippedIn !== undefined) status.breach = { kind: 'entry_inserted', entry_id: slippedIn.id };
  return status;
}

function breachOf(seal: CheckedSeal, expected: number): SealBreach | null {
  if (seal.sequence !== expected || seal.is_joined === null) return { kind: 'seal_missing', sequence: expected };
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

/**
 * The hash of audit entry `e`, as anyone can compute it again: SHA-256 of the JSON array of its columns in PostgreSQL's
 * own text form of jsonb. The moment is in whole milliseconds, so that no time zone setting counts.
 */
export const ENTRY_HASH = `
  sha256(convert_to(jsonb_build_array(e.id, e.client_id, (extract(epoch from e.at) * 1000)::bigint, e.actor_type, e.actor_id,
    e.action, e.subject_type, e.subject_id, e.address, e.details)::text, 'UTF8'))`;

/**
 * The hash of seal `n`: of the hash of the seal before it, of its own place and moment, and of the hashes of its entries
 * in their order.
 */
export const SEAL_HASH = `
  sha256(n.previous_hash
    || convert_to(n.client_id || '/' || n.sequence || '/' || (extract(epoch from n.sealed_at) * 1000)::bigint, 'UTF8')
    || (select string_agg(h.hash, ''::bytea order by h.place) from unnest(n.entry_hashes) with ordinality h (hash, place)))`;

/** What the first seal of a chain stands on: 32 zero bytes. */
export const GENESIS = `decode(repeat('00', 32), 'hex')`;

/** Entry `e` is in no seal. */
export const IS_UNSEALED = `
  not exists (select from audit_seals s where s.client_id = e.client_id and s.last_id >= e.id and s.first_id <= e.id
    and s.entry_ids @> array[e.id])`;

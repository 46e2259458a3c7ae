import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/**
 * A link of a client's chain over its audit entries: which entries it holds, the hash of each, and its own hash, made of
 * those and of the seal before it. `to_xid` and `to_id` say how far the chain has come in the order of the transactions.
 */
export const AuditSeal = defineEntity({
  name: 'AuditSeal',
  tableName: 'audit_seals',
  properties: {
    client_id: column.clientId().primary(),
    sequence: p.integer().primary(),
    first_id: p.bigint('number'),
    last_id: p.bigint('number'),
    rows: p.integer(),
    entry_ids: p.array().columnType('bigint[]'),
    entry_hashes: p.array().columnType('bytea[]'),
    to_xid: p.text().columnType('xid8'),
    to_id: p.bigint('number'),
    previous_hash: p.blob(),
    hash: p.blob(),
    sealed_at: column.createdAt(),
  },
  indexes: [{ name: 'audit_seals_last_id_index', properties: ['client_id', 'last_id'] }],
});

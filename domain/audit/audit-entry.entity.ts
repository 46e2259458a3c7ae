import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/**
 * Who did what to which record. The activity log of a work item is its entries here. Append-only: the app role may
 * insert and read, never change (decisions §6); so may role system.
 */
export const AuditEntry = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_entries',
  properties: {
    id: column.bigId(),
    client_id: column.clientId(),
    at: column.createdAt(),
    actor_type: p.text(),
    actor_id: p.text(),
    action: p.text(),
    subject_type: p.text(),
    subject_id: p.text(),
    address: p.text().nullable(),
    details: p.json<Record<string, unknown>>().nullable(),
    /** The transaction that wrote it: what the seals are ordered by. */
    xid: p.text().columnType('xid8').defaultRaw('pg_current_xact_id()'),
  },
  indexes: [
    { name: 'audit_entries_subject_index', properties: ['client_id', 'subject_type', 'subject_id', 'id'] },
    { name: 'audit_entries_xid_index', properties: ['client_id', 'xid', 'id'] },
  ],
});

import type { Caller } from '../contracts/caller.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { statement } from '../../platform/db/statement.ts';

export interface AuditRecord {
  action: string;
  subjectType: string;
  subjectId: string;
  details?: Record<string, unknown>;
}

const INSERT = statement(`
  insert into audit_entries (client_id, actor_type, actor_id, action, subject_type, subject_id, address, details)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`);

/** Notes who did what, in the transaction of the change itself. */
export function audit(tx: TenantTransaction, caller: Caller, record: AuditRecord): void {
  tx.write(INSERT, [
    caller.clientId,
    caller.actor.type,
    caller.actor.id,
    record.action,
    record.subjectType,
    record.subjectId,
    caller.address,
    record.details === undefined ? null : JSON.stringify(record.details),
  ]);
}

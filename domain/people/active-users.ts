import { ApiError } from '../contracts/errors.ts';
import type { FieldIssue } from '../contracts/errors.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';

const ACTIVE = statement(`select id from users where client_id = $1 and is_active and id = any($2::int[])`);

/** A user as a field of an input names it. */
export interface NamedUser {
  id: number;
  field: string;
}

/** An issue for each who is no active user of the client; nobody named costs no look-up. */
export async function issuesOfUsers(tx: TenantTransaction, named: readonly NamedUser[]): Promise<FieldIssue[]> {
  if (named.length === 0) return [];
  const rows = await tx.query<{ id: number }>(ACTIVE, [tx.clientId, named.map(({ id }) => id)]);
  const known = new Set(rows.map((row) => row.id));
  return named
    .filter(({ id }) => !known.has(id))
    .map(({ id, field }) => ({ field, issue: `there is no active user ${String(id)}` }));
}

/** Refuses the input unless all whom it names are active users of the client. */
export async function checkActiveUsers(tx: TenantTransaction, named: readonly NamedUser[]): Promise<void> {
  const issues = await issuesOfUsers(tx, named);
  if (issues.length > 0) throw ApiError.ofFields(issues);
}

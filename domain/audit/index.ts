import type { Caller } from '../contracts/caller.ts';
import type { Page } from '../contracts/common.ts';
import type { TenantTransaction, Transaction } from '../../platform/db/transaction.ts';
import { statement } from '../../platform/db/statement.ts';
import { ACTOR_NAME, ACTORS } from './actor-sql.ts';

/** What an entry says of who acted. */
type Noted = Pick<Caller, 'clientId' | 'actor' | 'address' | 'application'>;

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
export function audit(tx: Transaction, caller: Noted, record: AuditRecord): void {
  tx.write(INSERT, [
    caller.clientId,
    caller.actor.type,
    caller.actor.id,
    record.action,
    record.subjectType,
    record.subjectId,
    caller.address,
    detailsOf(caller, record.details),
  ]);
}

/** As JSON; where an application acts for a user, who stands there as the actor, the application is among them. */
function detailsOf({ actor, application }: Noted, details: Record<string, unknown> | undefined): string | null {
  const isForUser = actor.type === 'user' && application !== undefined;
  const whole = isForUser ? { ...details, oauth_application_id: application.id } : details;
  return whole === undefined ? null : JSON.stringify(whole);
}

const INSERT_MANY = statement(`
  insert into audit_entries (client_id, actor_type, actor_id, action, subject_type, subject_id, address, details)
  select $1, $2, $3, $4, $5, s ->> 'id', $6, (s ->> 'details')::jsonb from json_array_elements($7::json) s`);

/** The same for one action on many records; one statement, so give it some hundred at a time. */
export async function auditMany(
  tx: Transaction,
  caller: Noted,
  {
    action,
    subjectType,
    subjects,
  }: {
    action: string;
    subjectType: string;
    subjects: readonly { id: string; details?: Record<string, unknown> }[];
  },
): Promise<void> {
  const { clientId, actor, address } = caller;
  const noted = subjects.map(({ id, details }) => ({ id, details: detailsOf(caller, details) }));
  const values = [clientId, actor.type, actor.id, action, subjectType, address, JSON.stringify(noted)];
  await tx.query(INSERT_MANY, values);
}

export interface AuditTrailEntry extends Record<string, unknown> {
  id: number;
  at: Date;
  actor_type: string;
  actor_id: string;
  /** Name of the user, API key or OAuth application that acted. */
  actor_name: string | null;
  action: string;
  address: string | null;
  details: Record<string, unknown> | null;
}

const COUNT_TRAIL = statement(`
  select count(*) as total from audit_entries where client_id = $1 and subject_type = $2 and subject_id = $3`);
const READ_TRAIL = statement(`
  select a.id, a.at, a.actor_type, a.actor_id, ${ACTOR_NAME} as actor_name, a.action, a.address, a.details
  from audit_entries a ${ACTORS}
  where a.client_id = $1 and a.subject_type = $2 and a.subject_id = $3 order by a.id desc limit $4 offset $5`);

/** What was noted of one record, newest first. */
export async function auditTrail(
  tx: TenantTransaction,
  subject: { type: string; id: string },
  window: { limit: number; offset: number },
): Promise<{ entries: AuditTrailEntry[]; pagination: Page }> {
  const of = [tx.clientId, subject.type, subject.id];
  const [[count], entries] = await Promise.all([
    tx.query<{ total: number }>(COUNT_TRAIL, of),
    tx.query<AuditTrailEntry>(READ_TRAIL, [...of, window.limit, window.offset]),
  ]);
  return { entries, pagination: { total: count?.total ?? 0, limit: window.limit, offset: window.offset } };
}

export { ACTOR_NAME, ACTORS } from './actor-sql.ts';
export { sealAuditEntries } from './sealer.ts';
export { countSealedEntries, verifyAuditSeals } from './verify-seals.ts';
export type { SealBreach, SealStatus } from './verify-seals.ts';

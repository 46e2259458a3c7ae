import { createHash, randomUUID } from 'node:crypto';
import { audit } from '../audit/index.ts';
import type { Caller } from '../contracts/caller.ts';
import { ApiError } from '../contracts/errors.ts';
import { checkActiveUsers } from '../people/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';

const INSERT = statement(`
  insert into threads (thread_id, client_id, subject, participants_digest, created_by_type, created_by_id)
  values ($1, $2, $3, $4, $5, $6)
  on conflict (client_id, participants_digest) do nothing returning thread_id`);
// Locked, as a thread that is named by its id is: its messages get their ids in the order in which they are committed.
const FIND_DIRECT = statement(`
  select thread_id from threads where client_id = $1 and participants_digest = $2 for update`);
const INSERT_PARTICIPANTS = statement(`
  insert into thread_participants (thread_id, client_id, user_id) select $1, $2, unnest($3::int[])`);

interface NewThread {
  /** Null where the platform itself writes. */
  senderId: number | null;
  others: readonly number[];
  subject: string | undefined;
}

/**
 * A thread of the sender and others: a new one about a subject, or without one the direct thread that they have. Two who
 * open that at the same moment get the same: the second insert waits for the first transaction and then finds its row.
 */
export async function openThread(
  tx: TenantTransaction,
  caller: Caller,
  { senderId, others, subject }: NewThread,
): Promise<string> {
  const participants = [...new Set([...(senderId === null ? [] : [senderId]), ...others])].sort((a, b) => a - b);
  if (senderId !== null && participants.length < 2)
    throw ApiError.invalid('participant_user_ids', 'must name somebody beside the sender');
  await checkActiveUsers(
    tx,
    others.map((id, index) => ({ id, field: `participant_user_ids[${String(index)}]` })),
  );
  const digest = subject === undefined ? digestOf(participants) : null;
  const { type, id } = caller.actor;
  const values = [randomUUID(), tx.clientId, subject ?? null, digest, type, id];
  const [opened] = await tx.query<{ thread_id: string }>(INSERT, values);
  if (opened === undefined) return existing(tx, digest);
  tx.write(INSERT_PARTICIPANTS, [opened.thread_id, tx.clientId, participants]);
  audit(tx, caller, {
    action: 'thread.opened',
    subjectType: 'thread',
    subjectId: opened.thread_id,
    details: { participant_user_ids: participants, subject: subject ?? null },
  });
  return opened.thread_id;
}

async function existing(tx: TenantTransaction, digest: Buffer | null): Promise<string> {
  const [found] = await tx.query<{ thread_id: string }>(FIND_DIRECT, [tx.clientId, digest]);
  if (found === undefined) throw new Error('a direct thread is neither new nor there');
  return found.thread_id;
}

function digestOf(participants: readonly number[]): Buffer {
  return createHash('sha256').update(participants.join(',')).digest();
}

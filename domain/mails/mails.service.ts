import type { Caller } from '../contracts/caller.ts';
import { isoMoment, pageOf, MAX_COUNTED } from '../contracts/common.ts';
import type { Page } from '../contracts/common.ts';
import { ApiError } from '../contracts/errors.ts';
import type { ListMailsInput, MailDetail, MailView } from '../contracts/mails.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';

const COLUMNS = `mail_id, kind, to_address, subject, status, attempts, last_error, created_at, sent_at`;
const MATCHING = `
  from mails where client_id = $1 and ($2::text is null or status = $2) and ($3::text is null or kind = $3)`;
const LIST = statement(`select ${COLUMNS} ${MATCHING} order by id desc limit $4 offset $5`);
const COUNT = statement(`
  select count(*) as total from (select 1 ${MATCHING} limit ${String(MAX_COUNTED + 1)}) counted`);
// A confidential text would let whoever reads it into the receiver's account, an owner's for one.
const GET = statement(`
  select ${COLUMNS}, case when not is_confidential then text_body end as text_body from mails where client_id = $1 and mail_id = $2`);

interface MailRow extends Omit<MailView, 'created_at' | 'sent_at'>, Record<string, unknown> {
  created_at: Date;
  sent_at: Date | null;
}

/** The client's mails, newest first. For owners and admins: mails go to all kinds of people. */
export async function listMails(
  tx: TenantTransaction,
  caller: Caller,
  { status, kind, limit, offset }: ListMailsInput,
): Promise<{ mails: MailView[]; pagination: Page }> {
  checkReader(caller);
  const filter = [tx.clientId, status ?? null, kind ?? null];
  const [rows, [count]] = await Promise.all([
    tx.query<MailRow>(LIST, [...filter, limit, offset]),
    tx.query<{ total: number }>(COUNT, filter),
  ]);
  return { mails: rows.map(viewOf), pagination: pageOf(count?.total ?? 0, { limit, offset }) };
}

/** One mail with its text, unless that is confidential. */
export async function getMail(tx: TenantTransaction, caller: Caller, mailId: string): Promise<MailDetail> {
  checkReader(caller);
  const [row] = await tx.query<MailRow & { text_body: string | null }>(GET, [tx.clientId, mailId]);
  if (row === undefined) throw ApiError.notFound('mail', mailId);
  return { ...viewOf(row), text_body: row.text_body };
}

function checkReader({ role }: Caller): void {
  if (role === 'owner' || role === 'admin') return;
  throw new ApiError('FORBIDDEN', 'Mails are read by owners and admins.');
}

function viewOf(row: MailRow): MailView {
  return {
    mail_id: row.mail_id,
    kind: row.kind,
    to_address: row.to_address,
    subject: row.subject,
    status: row.status,
    attempts: row.attempts,
    last_error: row.last_error,
    created_at: isoMoment(row.created_at),
    sent_at: isoMoment(row.sent_at),
  };
}

import { audit } from '../audit/index.ts';
import type { Caller } from '../contracts/caller.ts';
import { DEFAULT_ACCOUNTS } from '../contracts/ledger-accounts.ts';
import type { LedgerAccountData, PutLedgerAccountsInput } from '../contracts/ledger-accounts.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';

/** Choices of a client that are kept and suggested from; the newest win. */
const MAX_LESSONS = 1_000;

const LIST = statement(`
  select gl_code, gl_name, keywords, is_active from ledger_accounts where client_id = $1 order by position`);
const LOCK = statement(`select pg_advisory_xact_lock(hashtextextended('ledger-accounts', $1))`);
const CLEAR = statement(`delete from ledger_accounts where client_id = $1`);
const INSERT = statement(`
  insert into ledger_accounts (client_id, position, gl_code, gl_name, keywords, is_active)
  select $1, a.ordinality, a.value ->> 'gl_code', a.value ->> 'gl_name',
    array(select jsonb_array_elements_text(a.value -> 'keywords')), (a.value ->> 'is_active')::boolean
  from jsonb_array_elements($2::jsonb) with ordinality a`);
const LESSONS = statement(`
  select description, vendor, gl_code from account_lessons
  where client_id = $1 and environment = $2 order by updated_at desc, id desc limit ${String(MAX_LESSONS)}`);
// Learned again as it was, it does not become the newest.
const LEARN = statement(`
  insert into account_lessons as l (client_id, request_id, document_index, line, description, vendor, gl_code, environment)
  values ($1, $2, $3, $4, $5, $6, $7, $8)
  on conflict (client_id, request_id, document_index, line)
  do update set gl_code = excluded.gl_code, description = excluded.description, vendor = excluded.vendor, updated_at = now()
  where (l.gl_code, l.description, l.vendor) is distinct from (excluded.gl_code, excluded.description, excluded.vendor)`);
const UNLEARN = statement(`
  delete from account_lessons where client_id = $1 and request_id = $2 and document_index = $3 and line = $4`);
const FORGET_OLD = statement(`
  delete from account_lessons where client_id = $1 and id in (
    select id from account_lessons where client_id = $1 and environment = $2 order by updated_at desc, id desc offset ${String(MAX_LESSONS)})`);

/** The client's chart of accounts, or the built-in one where it has none. */
export async function listAccounts(
  tx: TenantTransaction,
): Promise<{ accounts: LedgerAccountData[]; is_default: boolean }> {
  const accounts = await tx.query<LedgerAccountData & Record<string, unknown>>(LIST, [tx.clientId]);
  return accounts.length === 0
    ? { accounts: [...DEFAULT_ACCOUNTS], is_default: true }
    : { accounts, is_default: false };
}

/** Replaces the whole chart. What was learned of an account that is gone is no longer suggested, and kept for its return. */
export async function putAccounts(
  tx: TenantTransaction,
  caller: Caller,
  { accounts }: PutLedgerAccountsInput,
): Promise<{ accounts: LedgerAccountData[]; is_default: boolean }> {
  const { clientId } = tx;
  tx.write(LOCK, [clientId]);
  tx.write(CLEAR, [clientId]);
  tx.write(INSERT, [clientId, JSON.stringify(accounts)]);
  audit(tx, caller, {
    action: 'document_ai.ledger_accounts_replaced',
    subjectType: 'client',
    subjectId: String(clientId),
    details: { accounts: accounts.length },
  });
  return listAccounts(tx);
}

/** What a person chose for a line of a document. */
export interface AccountChoice {
  description: string;
  vendor: string | null;
  gl_code: string;
}

/** What suggestions are made from: the accounts in use, and the client's own choices, newest first. */
export async function accountKnowledge(
  tx: TenantTransaction,
  environment: string,
): Promise<{ accounts: { gl_code: string; gl_name: string; keywords: string[] }[]; lessons: AccountChoice[] }> {
  const [{ accounts }, lessons] = await Promise.all([
    listAccounts(tx),
    tx.query<AccountChoice & Record<string, unknown>>(LESSONS, [tx.clientId, environment]),
  ]);
  const active = accounts.filter((account) => account.is_active);
  return { accounts: active.map(({ gl_code, gl_name, keywords }) => ({ gl_code, gl_name, keywords })), lessons };
}

interface LinePlace {
  requestId: string;
  document: number;
  environment: string;
  line: number;
}

/** Keeps the choice for later suggestions; null takes an earlier one back. */
export function learnAccount(tx: TenantTransaction, place: LinePlace, choice: AccountChoice | null): void {
  const { clientId } = tx;
  const key = [clientId, place.requestId, place.document, place.line];
  if (choice === null) {
    tx.write(UNLEARN, key);
    return;
  }
  tx.write(LEARN, [...key, choice.description, choice.vendor, choice.gl_code, place.environment]);
  tx.write(FORGET_OLD, [clientId, place.environment]);
}

import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { PLAIN_TAX_NUMBER, spellings } from './tax-numbers.ts';

const BY_EMAIL = statement(`
  select distinct on (lower(email)) id, lower(email) as email from contacts
  where client_id = $1 and lower(email) = any($2::text[]) and deleted_at is null order by lower(email), id`);
const BY_TAX_NUMBER = statement(`
  select id from contacts
  where client_id = $1 and deleted_at is null and tax_number is not null and ${PLAIN_TAX_NUMBER} = any($2)
  order by contact_type in ('supplier', 'both') desc, is_active desc, id limit 1`);

/** The contact of each e-mail, whatever its case; the oldest where several have it. Keyed by the e-mail in lower case. */
export async function findContactIdsByEmail(
  tx: TenantTransaction,
  emails: readonly string[],
): Promise<Map<string, number>> {
  if (emails.length === 0) return new Map();
  const wanted = emails.map((email) => email.toLowerCase());
  const rows = await tx.query<{ id: number; email: string }>(BY_EMAIL, [tx.clientId, wanted]);
  return new Map(rows.map(({ id, email }) => [email, id]));
}

/** The contact with a tax number, however it is spelled: a supplier before a customer, then the oldest that is in use. */
export async function findContactIdByTaxNumber(tx: TenantTransaction, taxNumber: string): Promise<number | undefined> {
  const [row] = await tx.query<{ id: number }>(BY_TAX_NUMBER, [tx.clientId, spellings(taxNumber)]);
  return row?.id;
}

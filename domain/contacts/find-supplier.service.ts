import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { PLAIN_TAX_NUMBER, spellings } from './tax-numbers.ts';

/** The supplier that a document's vendor is, and by what it was known. */
export interface SupplierMatch {
  contact_id: number;
  name: string;
  matched_by: 'tax_number' | 'name';
  /** 1 for a tax number; how alike the names are, 0 to 1. */
  score: number;
}

/** Trigram similarity from which two names are taken for one supplier's (decisions §9). */
const MIN_SIMILARITY = 0.6;

const IS_SUPPLIER = `client_id = $1 and deleted_at is null and contact_type in ('supplier', 'both')`;
const BY_TAX_NUMBER = statement(`
  select id as contact_id, name from contacts
  where ${IS_SUPPLIER} and tax_number is not null
    and ${PLAIN_TAX_NUMBER} = any($2)
  order by is_active desc, id limit 1`);
const BY_NAME = statement(`
  select id as contact_id, name, similarity(lower(name), lower($2)) as score from contacts
  where ${IS_SUPPLIER} and lower(name) % lower($2) and similarity(lower(name), lower($2)) >= $3
  order by score desc, is_active desc, id limit 1`);

/** Looks a vendor up among the client's contacts of type supplier or both: by tax number, then by name. */
export async function findSupplier(
  tx: TenantTransaction,
  vendor: { name?: string | undefined; taxNumber?: string | undefined },
): Promise<SupplierMatch | undefined> {
  const [numbered] =
    vendor.taxNumber === undefined
      ? []
      : await tx.query<{ contact_id: number; name: string }>(BY_TAX_NUMBER, [tx.clientId, spellings(vendor.taxNumber)]);
  if (numbered !== undefined) return { ...numbered, matched_by: 'tax_number', score: 1 };
  if (vendor.name === undefined) return undefined;
  const [named] = await tx.query<{ contact_id: number; name: string; score: number }>(BY_NAME, [
    tx.clientId,
    vendor.name,
    MIN_SIMILARITY,
  ]);
  return named === undefined ? undefined : { ...named, matched_by: 'name', score: Math.round(named.score * 100) / 100 };
}

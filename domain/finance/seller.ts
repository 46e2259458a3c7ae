import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import type { DocumentType } from '../contracts/finance.ts';

/** The client as it stands on its documents; the list is part of the digest of what was issued: only add to its end. */
const SELLER_FIELDS = [
  'name',
  'country',
  'legal_name',
  'address',
  'tax_number',
  'registration_number',
  'phone',
  'email',
  'website',
  'bank_details',
] as const;

/** `country` is ISO 3166 and gives the paper size. */
export type Seller = Record<'name' | 'country', string> &
  Partial<Record<(typeof SELLER_FIELDS)[number], string | null>> & {
    /** Issued before sellers were kept: this is who the client was when that began. */
    kept_later?: boolean;
  };

const OF_CLIENT = `jsonb_build_object(${SELLER_FIELDS.map((field) => `'${field}', c.${field}`).join(', ')})`;
const TODAY = statement(`select ${OF_CLIENT} as seller from clients c where c.id = $1`);
const OF_DOCUMENT = statement(`
  select coalesce(d.seller, ${OF_CLIENT}) as seller from finance_documents d join clients c on c.id = d.client_id
  where d.client_id = $1 and d.document_type = $2 and d.id = $3`);

interface SellerRow extends Record<string, unknown> {
  seller: Seller;
}

/** The client as it is now. */
export async function sellerOfToday(tx: TenantTransaction): Promise<Seller> {
  const [row] = await tx.query<SellerRow>(TODAY, [tx.clientId]);
  if (row === undefined) throw new Error(`there is no client ${String(tx.clientId)}`);
  return row.seller;
}

/** The client as it was when the document was issued; of a draft, as it is now. Undefined where there is no such document. */
export async function sellerOf(
  tx: TenantTransaction,
  ref: { document_type: DocumentType; document_id: number },
): Promise<Seller | undefined> {
  const [row] = await tx.query<SellerRow>(OF_DOCUMENT, [tx.clientId, ref.document_type, ref.document_id]);
  return row?.seller;
}

/** What of the seller goes into the digest of an issued document; nothing where it was kept after the digest was made. */
export function sellerContent(seller: Seller | null): (string | null)[] | undefined {
  if (seller === null || seller.kept_later === true) return undefined;
  return SELLER_FIELDS.map((field) => seller[field] ?? null);
}

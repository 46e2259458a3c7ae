import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';

const FIND = statement(`
  select external_id, record_id from inbound_links
  where client_id = $1 and webhook_id = $2 and kind = $3 and external_id = any($4::text[])`);
const KEEP = statement(`
  insert into inbound_links (webhook_id, kind, external_id, client_id, record_id) values ($1, $2, $3, $4, $5)
  on conflict (webhook_id, kind, external_id) do update set record_id = excluded.record_id`);

/** Our records by the ids that a webhook's sender calls them. */
export async function findLinks(
  tx: TenantTransaction,
  webhookId: string,
  { kind, externalIds }: { kind: string; externalIds: readonly string[] },
): Promise<Map<string, string>> {
  if (externalIds.length === 0) return new Map();
  const rows = await tx.query<{ external_id: string; record_id: string }>(FIND, [
    tx.clientId,
    webhookId,
    kind,
    externalIds,
  ]);
  return new Map(rows.map((row) => [row.external_id, row.record_id]));
}

/** Notes which record a sender's id stands for. */
export function keepLink(
  tx: TenantTransaction,
  webhookId: string,
  { kind, externalId, recordId }: { kind: string; externalId: string; recordId: string },
): void {
  tx.write(KEEP, [webhookId, kind, externalId, tx.clientId, recordId]);
}

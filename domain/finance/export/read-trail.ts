import { ACTOR_NAME, ACTORS } from '../../audit/index.ts';
import type { AuditorExportOptions, ExportedEntry } from '../../contracts/auditor-export.ts';
import { isoMoment } from '../../contracts/common.ts';
import { statement } from '../../../platform/db/statement.ts';
import type { TenantTransaction } from '../../../platform/db/transaction.ts';

/** An entry may hold a hundred kilobytes. */
const PAGE = 500;

/** Entries of documents of the wanted types, known by their actions (`invoice.issued`), and of payments for them. */
const OF_PERIOD = `a.client_id = $1 and a.at >= $2 and a.at < $3 and (
    (a.subject_type = 'finance_document' and split_part(a.action, '.', 1) = any($4))
    or (a.subject_type = 'payment' and coalesce(a.details ->> 'document_type', '') = any($4)))`;
const COUNT = statement(`
  select count(*) as total from (select 1 from audit_entries a where ${OF_PERIOD} limit $5) counted`);
const ENTRIES = statement(`
  select a.id, a.at, a.actor_type, a.actor_id, ${ACTOR_NAME} as actor_name, a.action, a.subject_type, a.subject_id, a.address,
    a.details
  from (select * from audit_entries a where ${OF_PERIOD} and a.id > $5 order by a.id limit ${String(PAGE)}) a ${ACTORS}
  order by a.id`);

export interface TrailPage {
  entries: ExportedEntry[];
  /** Where the next page begins: behind this id. */
  next: number | null;
}

const periodOf = (tx: TenantTransaction, { since, until, document_types }: AuditorExportOptions): unknown[] => [
  tx.clientId,
  since,
  until,
  document_types,
];

/** How many entries there are; counted up to `limit`. */
export async function countTrail(tx: TenantTransaction, options: AuditorExportOptions, limit: number): Promise<number> {
  const [row] = await tx.query<{ total: number }>(COUNT, [...periodOf(tx, options), limit]);
  return row?.total ?? 0;
}

/** What was done to documents and payments within the period, oldest first. */
export async function readTrail(
  tx: TenantTransaction,
  options: AuditorExportOptions,
  after: number | null,
): Promise<TrailPage> {
  const rows = await tx.query<Omit<ExportedEntry, 'at'> & { at: Date }>(ENTRIES, [
    ...periodOf(tx, options),
    after ?? 0,
  ]);
  const last = rows.at(-1);
  return {
    entries: rows.map((row) => ({ ...row, at: isoMoment(row.at) })),
    next: last === undefined || rows.length < PAGE ? null : last.id,
  };
}

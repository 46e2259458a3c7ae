import type {
  AuditorExportOptions,
  ExportedDocument,
  ExportedLine,
  Violation,
} from '../../contracts/auditor-export.ts';
import { statement } from '../../../platform/db/statement.ts';
import type { TenantTransaction } from '../../../platform/db/transaction.ts';
import { COLUMNS, documentOf, LINE_COLUMNS, summaryOf } from '../finance-document.view.ts';
import type { DocumentRow, LineRow } from '../finance-document.view.ts';
import { violationsOf } from './check-document.ts';
import type { Settlement } from './check-document.ts';

const PAGE = 500;

/** Drafts have no number and bind nobody: they are not for the auditor. */
const OF_PERIOD = `client_id = $1 and document_date between $2 and $3 and document_type = any($4) and status <> 'draft'`;
const COUNT = statement(`
  select count(*) as documents, (select count(*) from finance_document_lines l where l.client_id = $1
      and l.document_id = any(array_agg(d.id))) as lines
  from (select id from finance_documents where ${OF_PERIOD} limit $5) d`);
// What was received and credited is of the same moment as the row: what is recorded meanwhile must not look like a
// contradiction.
const DOCUMENTS = statement(`
  select ${COLUMNS}, coalesce((select sum(p.amount_minor - p.refunded_minor) from payments p where p.client_id = d.client_id
      and p.document_id = d.id and p.status = 'completed'), 0)::bigint as received_minor,
    coalesce((select sum(n.total_minor) from finance_documents n where n.client_id = d.client_id
      and n.invoice_id = d.id and n.status <> 'draft'), 0)::bigint as noted_minor
  from finance_documents d
  where ${OF_PERIOD} and (document_date, id) > ($5::date, $6::bigint) order by document_date, id limit ${String(PAGE)}`);
const LINES = statement(`
  select document_id, ${LINE_COLUMNS} from finance_document_lines
  where client_id = $1 and document_id = any($2) order by document_id, line_number`);

/** Where the next page begins: behind this day and id. */
export interface DocumentCursor {
  document_date: string;
  id: number;
}

export interface DocumentsPage {
  documents: ExportedDocument[];
  line_items: ExportedLine[];
  violations: Violation[];
  next: DocumentCursor | null;
}

/** How much there is to export; counted up to `limit` documents. */
export async function countDocuments(
  tx: TenantTransaction,
  options: AuditorExportOptions,
  limit: number,
): Promise<{ documents: number; lines: number }> {
  const values = [tx.clientId, options.date_from, options.date_to, options.document_types, limit];
  const [row] = await tx.query<{ documents: number; lines: number | null }>(COUNT, values);
  return { documents: row?.documents ?? 0, lines: row?.lines ?? 0 };
}

/** Documents of the period by date, with their lines and what is wrong with each. */
export async function readDocuments(
  tx: TenantTransaction,
  options: AuditorExportOptions,
  after: DocumentCursor | null,
): Promise<DocumentsPage> {
  const { date_from, date_to, document_types, today } = options;
  const from = after ?? { document_date: '0001-01-01', id: 0 };
  const values = [tx.clientId, date_from, date_to, document_types, from.document_date, from.id];
  const rows = await tx.query<DocumentRow & Settlement>(DOCUMENTS, values);
  const ids = rows.map((row) => row.id);
  const lines = await tx.query<LineRow & { document_id: number }>(LINES, [tx.clientId, ids]);
  const linesOf = Map.groupBy(lines, (line) => line.document_id);
  const facts = rows.map((row) => ({
    row,
    lines: linesOf.get(row.id) ?? [],
    received_minor: row.received_minor,
    noted_minor: row.noted_minor,
  }));
  const last = rows.at(-1);
  return {
    documents: rows.map((row) => ({ ...summaryOf(row, today), issued_sha256: row.issued_sha256 })),
    line_items: facts.flatMap((fact) => linesOfDocument(fact.row, fact.lines, today)),
    violations: facts.flatMap(violationsOf),
    next: last === undefined || rows.length < PAGE ? null : { document_date: last.document_date, id: last.id },
  };
}

function linesOfDocument(row: DocumentRow, lines: readonly LineRow[], today: string): ExportedLine[] {
  const { id: document_id, document_type, document_number } = row;
  return documentOf(row, lines, today).lines.map((line) => ({ document_id, document_type, document_number, ...line }));
}

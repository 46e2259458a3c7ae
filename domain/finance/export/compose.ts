import { verifyAuditSeals } from '../../audit/index.ts';
import type { SealBreach } from '../../audit/index.ts';
import type {
  AuditorBundle,
  AuditorExportOptions,
  ExportedEntry,
  ExportedSeals,
  Violation,
} from '../../contracts/auditor-export.ts';
import { isoMoment } from '../../contracts/common.ts';
import { statement } from '../../../platform/db/statement.ts';
import type { TenantTransaction } from '../../../platform/db/transaction.ts';
import { bundleOf } from './bundle.ts';
import type { ExportContent } from './bundle.ts';
import { crossViolations } from './cross-checks.ts';
import { sealWindow } from './export-scope.ts';
import { readDocuments } from './read-documents.ts';
import type { DocumentCursor, DocumentsPage } from './read-documents.ts';
import { readTrail } from './read-trail.ts';

const TIMEZONE = statement(`select timezone from clients where id = $1`);
const SEALED = statement(`
  select count(*) as sealed from unnest($2::bigint[]) as e (id)
  join (select unnest(entry_ids) as id from audit_seals where client_id = $1 and last_id >= $3 and first_id <= $4) s
    on s.id = e.id`);

/** What was read page by page. */
export type ReadContent = Omit<ExportContent, 'compliance_violations'> & { violations: Violation[] };

/** Reads a short period whole; undefined where it comes to more than `maxBytes` of JSON. */
export async function readContent(
  tx: TenantTransaction,
  options: AuditorExportOptions,
  maxBytes: number,
): Promise<ReadContent | undefined> {
  const content: ReadContent = { documents: [], line_items: [], audit_trail: [], violations: [] };
  let bytes = 0;
  const isTooMuch = (page: unknown): boolean => (bytes += Buffer.byteLength(JSON.stringify(page))) > maxBytes;
  let cursor: DocumentCursor | null = null;
  do {
    const page: DocumentsPage = await readDocuments(tx, options, cursor);
    if (isTooMuch(page)) return undefined;
    addPage(content, page);
    cursor = page.next;
  } while (cursor !== null);
  let after: number | null = null;
  do {
    const page: { entries: ExportedEntry[]; next: number | null } = await readTrail(tx, options, after);
    if (isTooMuch(page)) return undefined;
    for (const entry of page.entries) content.audit_trail.push(entry);
    after = page.next;
  } while (after !== null);
  return content;
}

export function addPage(content: ReadContent, page: Omit<DocumentsPage, 'next'>): void {
  for (const document of page.documents) content.documents.push(document);
  for (const line of page.line_items) content.line_items.push(line);
  for (const violation of page.violations) content.violations.push(violation);
}

/** The bundle of what was read: with the checks between documents, and of the audit trail's seals. */
export async function compose(
  tx: TenantTransaction,
  options: AuditorExportOptions,
  { content, now }: { content: ReadContent; now: number },
): Promise<AuditorBundle> {
  const [between, { seals, breach }, [client]] = await Promise.all([
    crossViolations(tx, options),
    sealsOf(tx, options, content.audit_trail),
    tx.query<{ timezone: string }>(TIMEZONE, [tx.clientId]),
  ]);
  const { documents, line_items, audit_trail, violations } = content;
  const broken = breach === null ? [] : [trailViolation(breach)];
  const compliance_violations = [...broken, ...between, ...violations];
  const whole = { documents, line_items, audit_trail, compliance_violations };
  return bundleOf(whole, { options, timezone: client?.timezone ?? 'UTC', seals, now });
}

async function sealsOf(
  tx: TenantTransaction,
  options: AuditorExportOptions,
  entries: readonly ExportedEntry[],
): Promise<{ seals: ExportedSeals; breach: SealBreach | null }> {
  const ids = entries.map((entry) => entry.id);
  const [status, [row]] = await Promise.all([
    verifyAuditSeals(tx, tx.clientId, sealWindow(options)),
    tx.query<{ sealed: number }>(SEALED, [tx.clientId, ids, ids.at(0) ?? 0, ids.at(-1) ?? 0]),
  ]);
  const { last_sequence, last_hash, last_sealed_at, breach } = status;
  const whole = status.seals === 0 ? ('none' as const) : ('intact' as const);
  const seals: ExportedSeals = {
    status: breach === null ? whole : 'broken',
    seals: status.seals,
    entries: status.entries,
    unsealed: entries.length - (row?.sealed ?? 0),
    last_sequence,
    last_hash,
    last_sealed_at: isoMoment(last_sealed_at),
  };
  return { seals, breach };
}

function trailViolation(breach: SealBreach): Violation {
  return {
    rule: 'audit_trail_broken',
    severity: 'error',
    document_type: null,
    document_id: null,
    document_number: null,
    message: wordsOf(breach),
    expected: null,
    actual: null,
  };
}

function wordsOf(breach: SealBreach): string {
  if (breach.kind === 'entry_inserted') {
    return `Audit entry ${String(breach.entry_id)} was put among entries that were sealed already.`;
  }
  const seal = `seal ${String(breach.sequence)}`;
  switch (breach.kind) {
    case 'seal_missing':
      return `The chain of seals is interrupted: ${seal} is missing.`;
    case 'seal_altered':
      return `The chain of seals is broken: ${seal} was changed.`;
    case 'entry_missing':
      return `Audit entry ${String(breach.entry_id)} was removed after ${seal} was made.`;
    case 'entry_altered':
      return `Audit entry ${String(breach.entry_id)} was changed after ${seal} was made.`;
  }
}

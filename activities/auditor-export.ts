import { MAX_BUNDLE_MIB } from '../domain/contracts/auditor-export.ts';
import type { AuditorExportInput } from '../domain/contracts/workflows.ts';
import {
  addPage,
  completeExport,
  compose,
  exportFolder,
  failExport,
  getExport,
  readDocuments,
  readTrail,
  recordExportProgress,
} from '../domain/finance/index.ts';
import type {
  AuditorExportRow,
  DocumentCursor,
  DocumentsPage,
  ReadContent,
  TrailPage,
} from '../domain/finance/index.ts';
import type { BlobStore } from '../platform/blobs.ts';
import type { Clock } from '../platform/clock.ts';
import type { TenantDatabase } from '../platform/db/database.ts';
import { heartbeating } from './heartbeats.ts';

export interface AuditorExportActivityDeps {
  tenants: TenantDatabase;
  blobs: BlobStore;
  clock: Clock;
}

export type AuditorExportActivities = ReturnType<typeof createAuditorExportActivities>;

/**
 * The steps of `exportForAuditor`. A page lies in the blob store under its number, so that a step that is run twice
 * writes the same page again, and history carries cursors only.
 */
export function createAuditorExportActivities({ tenants, blobs, clock }: AuditorExportActivityDeps) {
  const rowOf = ({ client_id, export_id }: AuditorExportInput): Promise<AuditorExportRow> =>
    tenants.transaction(client_id, (tx) => getExport(tx, export_id));

  return {
    /** Reads a page of documents; answers where the next one begins, null after the last. */
    async exportDocuments(
      input: AuditorExportInput,
      page: { number: number; after: DocumentCursor | null; done: number },
    ): Promise<{ next: DocumentCursor | null; documents: number }> {
      const { options } = await rowOf(input);
      const read = await tenants.transaction(input.client_id, (tx) => readDocuments(tx, options, page.after));
      await putJson(blobs, pageKey(input, 'documents', page.number), read);
      const { length } = read.documents;
      await tenants.transaction(input.client_id, (tx) => {
        recordExportProgress(tx, input.export_id, page.done + length);
        return Promise.resolve();
      });
      return { next: read.next, documents: length };
    },

    /** The same for the audit trail. */
    async exportTrail(
      input: AuditorExportInput,
      page: { number: number; after: number | null },
    ): Promise<{ next: number | null }> {
      const { options } = await rowOf(input);
      const read = await tenants.transaction(input.client_id, (tx) => readTrail(tx, options, page.after));
      await putJson(blobs, pageKey(input, 'trail', page.number), read);
      return { next: read.next };
    },

    /** Puts the pages together with the checks between them, and closes the export. */
    async finishExport(input: AuditorExportInput, pages: { documents: number; trail: number }): Promise<void> {
      const { options } = await rowOf(input);
      await heartbeating(async () => {
        const content = await readPages(blobs, input, pages);
        const now = clock.now();
        if (content === undefined) {
          await tenants.transaction(input.client_id, (tx) => {
            failExport(tx, input.export_id, { ...TOO_LARGE, now });
            return Promise.resolve();
          });
          await blobs.deleteAll(`${folderOf(input)}/pages`);
          return;
        }
        const bundle = await tenants.transaction(input.client_id, (tx) => compose(tx, options, { content, now }));
        const blob = `${folderOf(input)}/bundle.json`;
        await putJson(blobs, blob, bundle);
        const result = { documents: content.documents.length, blob, sha256: bundle.sha256, now };
        await tenants.transaction(input.client_id, (tx) => {
          completeExport(tx, input.export_id, result);
          return Promise.resolve();
        });
        await blobs.deleteAll(`${folderOf(input)}/pages`);
      });
    },

    /** Closes it as failed. */
    async refuseExport(input: AuditorExportInput): Promise<void> {
      const failure = { code: 'INTERNAL_ERROR', message: 'The export could not be made.', now: clock.now() } as const;
      await tenants.transaction(input.client_id, (tx) => {
        failExport(tx, input.export_id, failure);
        return Promise.resolve();
      });
    },
  };
}

const TOO_LARGE = {
  code: 'UNPROCESSABLE_ENTITY',
  message: `The period comes to more than ${String(MAX_BUNDLE_MIB)} MiB: export it in shorter pieces, or with fewer parts.`,
} as const;

/** All that was read; undefined where it is more than one bundle may hold. */
async function readPages(
  blobs: BlobStore,
  input: AuditorExportInput,
  pages: { documents: number; trail: number },
): Promise<ReadContent | undefined> {
  const content: ReadContent = { documents: [], line_items: [], audit_trail: [], violations: [] };
  let bytes = 0;
  const read = async <T>(what: 'documents' | 'trail', number: number): Promise<T | undefined> => {
    const page = await blobs.get(pageKey(input, what, number));
    bytes += page.length;
    return bytes > MAX_BUNDLE_MIB * 1024 * 1024 ? undefined : (JSON.parse(Buffer.from(page).toString('utf8')) as T);
  };
  for (let number = 1; number <= pages.documents; number++) {
    const page = await read<DocumentsPage>('documents', number);
    if (page === undefined) return undefined;
    addPage(content, page);
  }
  for (let number = 1; number <= pages.trail; number++) {
    const page = await read<TrailPage>('trail', number);
    if (page === undefined) return undefined;
    for (const entry of page.entries) content.audit_trail.push(entry);
  }
  return content;
}

function folderOf({ export_id }: AuditorExportInput): string {
  return exportFolder(export_id);
}

function pageKey(input: AuditorExportInput, what: 'documents' | 'trail', number: number): string {
  return `${folderOf(input)}/pages/${what}-${String(number)}.json`;
}

async function putJson(blobs: BlobStore, key: string, value: unknown): Promise<void> {
  await blobs.put(key, Buffer.from(JSON.stringify(value)));
}

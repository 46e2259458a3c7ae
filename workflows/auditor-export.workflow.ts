import { defineQuery, proxyActivities, setHandler } from '@temporalio/workflow';
import type { AuditorExportActivities } from '../activities/auditor-export.ts';
import type { AuditorExportInput } from '../domain/contracts/workflows.ts';

/** How far an export is. */
export const exportProgressQuery = defineQuery<ExportProgress>('progress');

export interface ExportProgress {
  documents: number;
  pages: { documents: number; trail: number };
}

const { exportDocuments, exportTrail, refuseExport } = proxyActivities<AuditorExportActivities>({
  startToCloseTimeout: '2 minutes',
  scheduleToCloseTimeout: '2 hours',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});
const { finishExport } = proxyActivities<Pick<AuditorExportActivities, 'finishExport'>>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '30 seconds',
  scheduleToCloseTimeout: '2 hours',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

/** A long period's books for the auditor, page by page; what is read lies in the blob store. */
export async function exportForAuditor(input: AuditorExportInput): Promise<ExportProgress> {
  const progress: ExportProgress = { documents: 0, pages: { documents: 0, trail: 0 } };
  setHandler(exportProgressQuery, () => progress);
  try {
    await readDocumentPages(input, progress);
    await readTrailPages(input, progress);
    await finishExport(input, progress.pages);
  } catch (error) {
    await refuseExport(input);
    throw error;
  }
  return progress;
}

type DocumentPage = Parameters<typeof exportDocuments>[1];

async function readDocumentPages(input: AuditorExportInput, progress: ExportProgress): Promise<void> {
  let after: DocumentPage['after'] = null;
  do {
    progress.pages.documents += 1;
    const page: DocumentPage = { number: progress.pages.documents, after, done: progress.documents };
    const { next, documents }: Awaited<ReturnType<typeof exportDocuments>> = await exportDocuments(input, page);
    progress.documents += documents;
    after = next;
  } while (after !== null);
}

async function readTrailPages(input: AuditorExportInput, progress: ExportProgress): Promise<void> {
  let after: number | null = null;
  do {
    progress.pages.trail += 1;
    const { next }: { next: number | null } = await exportTrail(input, { number: progress.pages.trail, after });
    after = next;
  } while (after !== null);
}

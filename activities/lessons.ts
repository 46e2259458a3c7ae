import type { CropRegion, DocumentEngine, Extraction, PageText } from '../documents/index.ts';
import { CUSTOM_PREFIX } from '../domain/contracts/vision-models.ts';
import type { LearnCorrectionInput } from '../domain/contracts/workflows.ts';
import { correctionsOf, documentAt, lockResult, storeLesson } from '../domain/vision/index.ts';
import type { ResultDocument, StoredLesson } from '../domain/vision/index.ts';
import type { BlobStore } from '../platform/blobs.ts';
import type { TenantDatabase } from '../platform/db/database.ts';
import type { TenantTransaction } from '../platform/db/transaction.ts';
import { customModel } from './vision-knowledge.ts';
import { cutName, regionsName, VisionStore } from './vision-store.ts';

export interface LessonActivityDeps {
  tenants: TenantDatabase;
  blobs: BlobStore;
  engine: DocumentEngine;
}

export type LessonActivities = ReturnType<typeof createLessonActivities>;

/** The step of `learnCorrection`. */
export function createLessonActivities({ tenants, blobs, engine }: LessonActivityDeps) {
  return {
    /**
     * Makes a lesson of all that was corrected in a document so far, in place of the one before. The row is held meanwhile:
     * of two that learn at once the later one knows all, and what is erased teaches nothing.
     */
    async learnFromResult(input: LearnCorrectionInput): Promise<void> {
      const { client_id: clientId, request_id: requestId, document_index: index } = input;
      await tenants.transaction(clientId, async (tx) => {
        const row = await lockResult(tx, requestId);
        if (row === undefined) return;
        const document = documentAt(row.result, index);
        const corrections = correctionsOf(document);
        const pages = await pagesOf(new VisionStore(blobs, input), document, row.pages_total);
        const extraction = await readAgain(tx, { engine, pages, type: document.document_type });
        const lesson = engine.lessonOf(pages, extraction, corrections);
        storeLesson(tx, { requestId, document: index }, (lesson as StoredLesson | undefined) ?? null);
      });
    },
  };
}

/** The extraction as the pages alone give it: without earlier lessons, and with its boxes where the words are. */
async function readAgain(
  tx: TenantTransaction,
  { engine, pages, type }: { engine: DocumentEngine; pages: PageText[]; type: string },
): Promise<Extraction> {
  const custom = type.startsWith(CUSTOM_PREFIX) ? { custom: await customModel(tx, type) } : {};
  return engine.extract(pages, { document_type: type, ...custom });
}

/** The words that a document was extracted from: its pages, or what was cut out of one. */
async function pagesOf(files: VisionStore, { document }: ResultDocument, total: number): Promise<PageText[]> {
  if (document === undefined) return files.pages(total);
  const [first = 1] = document.pages;
  const { bbox } = document;
  if (bbox !== undefined && bbox !== null) {
    const regions = await files.json<CropRegion[]>(regionsName(first));
    const region = regions.find((one) => JSON.stringify(sides(one.bbox)) === JSON.stringify(sides(bbox)));
    if (region !== undefined) return [await files.json<PageText>(cutName(first, region.index, 'json'))];
  }
  return files.wordsOf(document.pages);
}

function sides(box: unknown): unknown[] {
  const { x, y, width, height } = box as Record<string, unknown>;
  return [x, y, width, height];
}

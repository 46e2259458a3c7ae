import type { CropRegion, DocumentEngine, Extraction, PageText } from '../documents/index.ts';
import type { ValidationData } from '../domain/contracts/vision.ts';
import { CUSTOM_PREFIX } from '../domain/contracts/vision-models.ts';
import type { LearnCorrectionInput } from '../domain/contracts/workflows.ts';
import {
  completedCall,
  correctionsOf,
  documentAt,
  lockUnchanged,
  storeLesson,
  storeResult,
  withChosenAccounts,
  withDocument,
} from '../domain/vision/index.ts';
import type { CompletedCall, ResultDocument, StoredLesson } from '../domain/vision/index.ts';
import type { BlobStore } from '../platform/blobs.ts';
import type { TenantDatabase } from '../platform/db/database.ts';
import type { TenantTransaction } from '../platform/db/transaction.ts';
import { computed } from './heartbeats.ts';
import { VisionAnswers } from './vision-answers.ts';
import { customModel } from './vision-knowledge.ts';
import { cutName, regionsName, VisionStore } from './vision-store.ts';

export interface LessonActivityDeps {
  tenants: TenantDatabase;
  blobs: BlobStore;
  engine: DocumentEngine;
}

export type LessonActivities = ReturnType<typeof createLessonActivities>;

/** A document as it stands in the result of its call. */
interface Corrected {
  call: CompletedCall;
  document: ResultDocument;
}

/** The steps of `learnCorrection`. */
export function createLessonActivities(deps: LessonActivityDeps) {
  const answers = new VisionAnswers(deps);
  return {
    /** Makes the checks of a corrected document again, on what is right. */
    validateCorrected: (input: LearnCorrectionInput): Promise<void> =>
      computed((signal) =>
        ofLatest(deps, input, signal, async ({ call, document }) => {
          const extraction = { line_items: [], alternatives: [], ...document } as unknown as Extraction;
          // The contacts that it names are ours, and so are the types of their ids.
          const made = (await answers.validated(call, extraction, signal)) as ValidationData;
          const after = { ...document, validation: withChosenAccounts(document, made) };
          return (tx) => {
            storeResult(tx, input.request_id, withDocument(call.result, input.document_index, after));
          };
        }),
      ),

    /** Makes a lesson of all that was corrected in a document so far, in place of the one before. */
    learnFromResult: (input: LearnCorrectionInput): Promise<void> =>
      computed((signal) =>
        ofLatest(deps, input, signal, async (corrected) => {
          const lesson = await lessonFrom(deps, input, corrected, signal);
          const { request_id: requestId, document_index: document } = input;
          const { environment } = corrected.call;
          return (tx) => {
            storeLesson(tx, { requestId, document, environment }, lesson);
          };
        }),
      ),
  };
}

/**
 * Works on a document and writes the outcome, unless the result changed meanwhile: then once more, with all that is known.
 * Nothing is held while it works, and what was erased is left alone.
 */
async function ofLatest(
  { tenants }: LessonActivityDeps,
  { client_id: clientId, request_id: requestId, document_index: index }: LearnCorrectionInput,
  signal: AbortSignal,
  work: (corrected: Corrected) => Promise<(tx: TenantTransaction) => void>,
): Promise<void> {
  for (let isWritten = false; !isWritten;) {
    signal.throwIfAborted();
    const call = await tenants.transaction(clientId, (tx) => completedCall(tx, requestId));
    if (call === undefined) return;
    const write = await work({ call, document: documentAt(call.result, index) });
    isWritten = await tenants.transaction(clientId, async (tx) => {
      const isLatest = await lockUnchanged(tx, requestId, call.version);
      if (isLatest) write(tx);
      return isLatest;
    });
  }
}

/** What the corrections of a document teach; null where that is nothing. */
async function lessonFrom(
  { tenants, blobs, engine }: LessonActivityDeps,
  input: LearnCorrectionInput,
  { call, document }: Corrected,
  signal: AbortSignal,
): Promise<StoredLesson | null> {
  const corrections = correctionsOf(document);
  if (Object.keys(corrections).length === 0) return null;
  const pages = await pagesOf(new VisionStore(blobs, input), document, call.pages_total);
  // As the pages alone give it: without earlier lessons, and with its boxes where the words are.
  const { document_type: type } = document;
  const custom = type.startsWith(CUSTOM_PREFIX)
    ? { custom: await tenants.transaction(input.client_id, (tx) => customModel(tx, type)) }
    : {};
  const extraction = await engine.compute('extract', [pages, { document_type: type, ...custom }], signal);
  const lesson = await engine.compute('lessonOf', [pages, extraction, corrections], signal);
  return (lesson as StoredLesson | undefined) ?? null;
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

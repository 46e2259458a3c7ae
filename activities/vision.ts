import type { CropRegion, DocumentEngine, Extraction, PageText } from '../documents/index.ts';
import type { DocumentFailureCode } from '../domain/contracts/vision.ts';
import { MAX_FILE_BYTES, MAX_PAGES, MAX_SYNC_PAGES } from '../domain/contracts/vision.ts';
import type { ExtractDocumentInput } from '../domain/contracts/workflows.ts';
import {
  completeRequest,
  failRequest,
  findVisionRequest,
  recordPageRead,
  shortOfCredits,
  startRequest,
  stepsOf,
  tooManySyncPages,
} from '../domain/vision/index.ts';
import type { VisionRequestRow } from '../domain/vision/index.ts';
import type { BlobStore } from '../platform/blobs.ts';
import type { Clock } from '../platform/clock.ts';
import type { TenantDatabase } from '../platform/db/database.ts';
import { computed, heartbeating } from './heartbeats.ts';
import { refusable, refusal } from './refusals.ts';
import { extractOptions, VisionAnswers } from './vision-answers.ts';
import { withKnowledge } from './vision-knowledge.ts';
import { ANSWER, cutName, EINVOICE, pageName, regionsName, VisionStore } from './vision-store.ts';

export interface VisionActivityDeps {
  tenants: TenantDatabase;
  blobs: BlobStore;
  engine: DocumentEngine;
  clock: Clock;
}

export type VisionActivities = ReturnType<typeof createVisionActivities>;

const LIMITS = { maxBytes: MAX_FILE_BYTES, maxPages: MAX_PAGES };

/**
 * The steps of `extractDocument` and `processDocument`. Each reads what it needs from the row and the blob store and writes
 * its outcome there, under names that follow from the request: run twice, it overwrites the same bytes with the same bytes.
 */
export function createVisionActivities(deps: VisionActivityDeps) {
  return { ...createReadingActivities(deps), ...createAnsweringActivities(deps) };
}

/** What is done with the file and its pages. */
function createReadingActivities(deps: VisionActivityDeps) {
  const { tenants, blobs, engine } = deps;
  const store = (input: ExtractDocumentInput): VisionStore => new VisionStore(blobs, input);
  return {
    /** Opens the file and holds the credits for its pages; answers how many there are. */
    async inspect(input: ExtractDocumentInput): Promise<number> {
      const row = await rowOf(tenants, input);
      const source = await blobs.get(row.source_blob);
      const info = await heartbeating(() => refusable(() => engine.inspect(source, LIMITS)));
      if (!row.is_async && info.pages > MAX_SYNC_PAGES) throw refusal('TOO_MANY_PAGES', tooManySyncPages(info.pages));
      if (info.einvoice !== undefined) {
        await store(input).putJson(EINVOICE, await refusable(() => engine.readEInvoice(source)));
      }
      const outcome = await startRequest(tenants, input.client_id, input.request_id, info.pages);
      if (outcome === 'closed') throw refusal('CANCELLED', 'The call was deleted.');
      if (outcome !== 'started') throw refusal('OUT_OF_CREDITS', shortOfCredits(outcome));
      return info.pages;
    },

    /** Reads one page into words. A page that was read before a crash is not read again. */
    async readPage(input: ExtractDocumentInput, page: number): Promise<void> {
      const files = store(input);
      if (!(await files.has(pageName(page)))) {
        const row = await rowOf(tenants, input);
        const source = await blobs.get(row.source_blob);
        await files.putJson(pageName(page), await read(engine, row, source, page));
      }
      await recordPageRead(tenants, input.client_id, input.request_id, page);
    },

    /** Cuts the papers out of one page, and reads each as a page of its own where the call goes on with them. */
    async cropPage(input: ExtractDocumentInput, page: number): Promise<void> {
      const files = store(input);
      const row = await rowOf(tenants, input);
      if (!(await files.has(regionsName(page)))) {
        const source = await blobs.get(row.source_blob);
        const cuts = await heartbeating((signal) => refusable(() => engine.crop(source, page, { signal })));
        for (const [index, image] of cuts.images.entries()) await files.putBytes(cutName(page, index, 'png'), image);
        await files.putJson(regionsName(page), cuts.regions);
      }
      if (stepsOf(row).length > 1) {
        const regions = await files.json<CropRegion[]>(regionsName(page));
        for (const region of regions) await readCut(deps, { files, row, page, region });
      }
      await recordPageRead(tenants, input.client_id, input.request_id, page);
    },
  };
}

/** What is done with what was read. */
function createAnsweringActivities({ tenants, blobs, engine, clock }: VisionActivityDeps) {
  const store = (input: ExtractDocumentInput): VisionStore => new VisionStore(blobs, input);
  const answers = new VisionAnswers({ tenants, engine });
  return {
    /** Of extractions that were begun when this was a step of its own; `extract` says what the document is. */
    classify: (input: ExtractDocumentInput): Promise<void> =>
      computed(async (signal) => {
        const files = store(input);
        const pages = await files.pages((await rowOf(tenants, input)).pages_total ?? 0);
        await files.putJson('classification.json', await engine.compute('classify', [pages], signal));
      }),

    extract: (input: ExtractDocumentInput): Promise<void> =>
      computed(async (signal) => {
        const files = store(input);
        const row = await rowOf(tenants, input);
        const pages = await files.pages(row.pages_total ?? 0);
        const options = await withKnowledge(tenants, row, extractOptions(row.options));
        const given = { ...options, einvoice: await files.einvoice() };
        await files.putJson('extraction.json', await engine.compute('extract', [pages, given], signal));
      }),

    validate: (input: ExtractDocumentInput): Promise<void> =>
      computed(async (signal) => {
        const files = store(input);
        const row = await rowOf(tenants, input);
        const extraction = await files.json<Extraction>('extraction.json');
        await files.putJson(ANSWER, await answers.extracted(row, extraction, signal));
      }),

    /** Does what a call that is no plain extraction asks for, with the words of its pages and cuts. */
    assemble: (input: ExtractDocumentInput): Promise<void> =>
      computed(async (signal) => {
        const files = store(input);
        await files.putJson(ANSWER, await answers.assembled(await rowOf(tenants, input), files, signal));
      }),

    /** Charges, closes the request, and writes its event and callback. */
    async settle(input: ExtractDocumentInput): Promise<void> {
      const answer = await store(input).json<Record<string, unknown>>(ANSWER);
      await completeRequest(tenants, input.client_id, input.request_id, answer, clock.now());
    },

    /** Refunds, closes the request as failed, and writes its event and callback. */
    async refuse(input: ExtractDocumentInput, failure: { code: DocumentFailureCode; message: string }): Promise<void> {
      await failRequest(tenants, input.client_id, input.request_id, failure, clock.now());
    },
  };
}

async function rowOf(
  tenants: TenantDatabase,
  { client_id, request_id }: ExtractDocumentInput,
): Promise<VisionRequestRow> {
  const row = await tenants.transaction(client_id, (tx) => findVisionRequest(tx, client_id, request_id));
  if (row === undefined || row.erased_at !== null) throw refusal('CANCELLED', 'The call was deleted.');
  return row;
}

function read(engine: DocumentEngine, row: VisionRequestRow, source: Uint8Array, page: number): Promise<PageText> {
  const { language_hint: language = 'auto' } = row.options;
  const hint = language === 'auto' ? {} : { language };
  return heartbeating((signal) => refusable(() => engine.readPage(source, page, { signal, ...hint })));
}

/** Of a paper that is the whole page, the page itself: it may have a text layer, and nothing is lost by cutting. */
async function readCut(
  { blobs, engine }: VisionActivityDeps,
  cut: { files: VisionStore; row: VisionRequestRow; page: number; region: CropRegion },
): Promise<void> {
  const { files, row, page, region } = cut;
  const name = cutName(page, region.index, 'json');
  if (await files.has(name)) return;
  const text = region.whole_page
    ? await read(engine, row, await blobs.get(row.source_blob), page)
    : await read(engine, row, await files.bytes(cutName(page, region.index, 'png')), 1);
  await files.putJson(name, text);
}

import { ApplicationFailure } from '@temporalio/activity';
import { DocumentError } from '../documents/index.ts';
import type { DocumentEngine, Extraction, PageText } from '../documents/index.ts';
import type { DocumentFailureCode } from '../domain/contracts/vision.ts';
import { MAX_FILE_BYTES, MAX_PAGES, MAX_SYNC_PAGES } from '../domain/contracts/vision.ts';
import type { ExtractDocumentInput } from '../domain/contracts/workflows.ts';
import {
  completeRequest,
  failRequest,
  getVisionRequest,
  recordPageRead,
  startRequest,
  tooManySyncPages,
} from '../domain/vision/index.ts';
import type { VisionRequestRow } from '../domain/vision/index.ts';
import type { BlobStore } from '../platform/blobs.ts';
import type { Clock } from '../platform/clock.ts';
import type { TenantDatabase } from '../platform/db/database.ts';
import { heartbeating } from './heartbeats.ts';

export interface VisionActivityDeps {
  tenants: TenantDatabase;
  blobs: BlobStore;
  engine: DocumentEngine;
  clock: Clock;
}

export type VisionActivities = ReturnType<typeof createVisionActivities>;

const LIMITS = { maxBytes: MAX_FILE_BYTES, maxPages: MAX_PAGES };

/**
 * The steps of `extractDocument`. Each reads what it needs from the row and the blob store and writes its outcome there,
 * under names that follow from the request: run twice, it overwrites the same bytes with the same bytes.
 */
export function createVisionActivities({ tenants, blobs, engine, clock }: VisionActivityDeps) {
  const rowOf = ({ client_id, request_id }: ExtractDocumentInput): Promise<VisionRequestRow> =>
    tenants.transaction(client_id, (tx) => getVisionRequest(tx, client_id, request_id));

  return {
    /** Opens the file and holds the credits for its pages; answers how many there are. */
    async inspect(input: ExtractDocumentInput): Promise<number> {
      const row = await rowOf(input);
      const info = await refusable(async () => engine.inspect(await blobs.get(row.source_blob), LIMITS));
      if (!row.is_async && info.pages > MAX_SYNC_PAGES) throw refusal('TOO_MANY_PAGES', tooManySyncPages(info.pages));
      const covered = await startRequest(tenants, input.client_id, input.request_id, info.pages);
      if (!covered) throw refusal('OUT_OF_CREDITS', `${String(info.pages)} credits are needed, one for each page.`);
      return info.pages;
    },

    /** Reads one page into words. A page that was read before a crash is not read again. */
    async readPage(input: ExtractDocumentInput, page: number): Promise<void> {
      const key = pageKey(input, page);
      if (!(await blobs.exists(key))) {
        const row = await rowOf(input);
        const source = await blobs.get(row.source_blob);
        const text = await heartbeating((signal) =>
          refusable(() => engine.readPage(source, page, readOptions(row, signal))),
        );
        await putJson(blobs, key, text);
      }
      await recordPageRead(tenants, input.client_id, input.request_id, page);
    },

    async classify(input: ExtractDocumentInput): Promise<void> {
      const row = await rowOf(input);
      const pages = await loadPages(blobs, input, row);
      await putJson(blobs, stepKey(input, 'classification'), engine.classify(pages));
    },

    async extract(input: ExtractDocumentInput): Promise<void> {
      const row = await rowOf(input);
      const pages = await loadPages(blobs, input, row);
      const { document_type, extract_line_items, confidence_threshold } = row.options;
      const hint = document_type === 'auto' ? {} : { document_type };
      await putJson(
        blobs,
        stepKey(input, 'extraction'),
        engine.extract(pages, { ...hint, extract_line_items, confidence_threshold }),
      );
    },

    async validate(input: ExtractDocumentInput): Promise<void> {
      const extraction = await getJson<Extraction>(blobs, stepKey(input, 'extraction'));
      await putJson(blobs, stepKey(input, 'validation'), engine.validate(extraction));
    },

    /** Charges, closes the request, and writes its event and callback. */
    async settle(input: ExtractDocumentInput): Promise<void> {
      const extraction = await getJson<Extraction>(blobs, stepKey(input, 'extraction'));
      const validation = await getJson(blobs, stepKey(input, 'validation'));
      const { document_type, document_type_confidence, fields, line_items } = extraction;
      const result = { document_type, document_type_confidence, fields, line_items, validation };
      await completeRequest(tenants, input.client_id, input.request_id, result, clock.now());
    },

    /** Refunds, closes the request as failed, and writes its event and callback. */
    async refuse(input: ExtractDocumentInput, failure: { code: DocumentFailureCode; message: string }): Promise<void> {
      await failRequest(tenants, input.client_id, input.request_id, failure, clock.now());
    },
  };
}

function pageKey(input: ExtractDocumentInput, page: number): string {
  return `vision/${input.request_id}/page-${String(page)}.json`;
}

function stepKey(input: ExtractDocumentInput, step: string): string {
  return `vision/${input.request_id}/${step}.json`;
}

async function loadPages(blobs: BlobStore, input: ExtractDocumentInput, row: VisionRequestRow): Promise<PageText[]> {
  const numbers = Array.from({ length: row.pages_total ?? 0 }, (_, index) => index + 1);
  return Promise.all(numbers.map((page) => getJson<PageText>(blobs, pageKey(input, page))));
}

async function putJson(blobs: BlobStore, key: string, value: unknown): Promise<void> {
  await blobs.put(key, Buffer.from(JSON.stringify(value)));
}

async function getJson<T>(blobs: BlobStore, key: string): Promise<T> {
  return JSON.parse(Buffer.from(await blobs.get(key)).toString('utf8')) as T;
}

function readOptions(row: VisionRequestRow, signal: AbortSignal): { signal: AbortSignal; language?: string } {
  const { language_hint: language } = row.options;
  return language === 'auto' ? { signal } : { signal, language };
}

/** A document that can't be read will not be readable a second later: its refusal is final. A lack of ours is not. */
async function refusable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DocumentError) throw refusal(error.code, error.message);
    throw error;
  }
}

function refusal(code: DocumentFailureCode, message: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(message, code);
}

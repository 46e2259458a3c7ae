import { combineDocuments, needsOf } from '../documents/index.ts';
import type {
  CropRegion,
  Cut,
  DocumentEngine,
  ExtractOptions,
  Extraction,
  PageText,
  PipelineStep,
  Validation,
} from '../documents/index.ts';
import { findSupplier } from '../domain/contacts/index.ts';
import type { ExtractInput } from '../domain/contracts/vision.ts';
import type { PipelineStepInput } from '../domain/contracts/vision-steps.ts';
import { clientOf } from '../domain/tenancy/index.ts';
import { accountKnowledge, checksOf, stepsOf } from '../domain/vision/index.ts';
import type { VisionRequestRow } from '../domain/vision/index.ts';
import type { TenantDatabase } from '../platform/db/database.ts';
import { cutName, regionsName } from './vision-store.ts';
import type { VisionStore } from './vision-store.ts';
import { withKnowledge } from './vision-knowledge.ts';

type ExtractionOptions = Partial<Pick<ExtractInput, 'document_type' | 'extract_line_items' | 'confidence_threshold'>>;
type Answer = Record<string, unknown>;

/** Makes the answer of a call out of what the engine found, and checks it against what the client has on record. */
export class VisionAnswers {
  readonly #tenants: TenantDatabase;
  readonly #engine: DocumentEngine;

  constructor({ tenants, engine }: { tenants: TenantDatabase; engine: DocumentEngine }) {
    this.#tenants = tenants;
    this.#engine = engine;
  }

  /** Of a plain extraction. */
  async extracted(row: VisionRequestRow, extraction: Extraction, signal: AbortSignal): Promise<Answer> {
    return { ...extraction, validation: await this.validated(row, extraction, signal) };
  }

  /** Of every other call. */
  async assembled(row: VisionRequestRow, files: VisionStore, signal: AbortSignal): Promise<Answer> {
    const pageCount = row.pages_total ?? 0;
    if (row.operation === 'crop') return cropAnswer(files, pageCount);
    const steps = stepsOf(row);
    const needs = needsOf(steps.map(({ action }) => action));
    const pages = needs.words ? await files.pages(pageCount) : [];
    if (row.operation === 'classify') return { ...(await this.#engine.compute('classify', [pages], signal)) };
    if (row.operation === 'split') return { documents: await this.#engine.compute('split', [pages], signal) };
    const input = { pages, cuts: needs.crops ? await cutsOf(files, pageCount) : [], einvoice: await files.einvoice() };
    const documents = await this.#engine.compute('assemble', [await this.#engineSteps(row, steps), input], signal);
    const results = await Promise.all(
      documents.map(async (found) => {
        if (found.fields === undefined) return found;
        return { ...found, validation: await this.validated(row, found as Extraction, signal) };
      }),
    );
    if (row.operation === 'pipeline') return { results };
    return combineDocuments(results);
  }

  /** Steps as the engine takes them, the extraction with what the client has taught us. */
  #engineSteps(row: VisionRequestRow, steps: readonly PipelineStepInput[]): Promise<PipelineStep[]> {
    return Promise.all(
      steps.map(async ({ action, options }) =>
        action === 'extract'
          ? { action, options: await withKnowledge(this.#tenants, row, extractOptions(options)) }
          : { action },
      ),
    );
  }

  /** The checks that the call asks for, with what only the client's records know. */
  async validated(
    row: Pick<VisionRequestRow, 'client_id' | 'environment' | 'operation' | 'options'>,
    extraction: Extraction,
    signal: AbortSignal,
  ): Promise<Validation> {
    const { fields } = extraction;
    const checks = checksOf(row);
    const text = (name: string): string | undefined => {
      const value = fields[name]?.value;
      return typeof value === 'string' ? value : undefined;
    };
    const client = await this.#tenants.transaction(row.client_id, async (tx) => ({
      country: (await clientOf(tx)).country,
      vendor:
        checks?.check_vendor_against_master === true
          ? ((await findSupplier(tx, {
              name: text('vendor_name') ?? text('merchant_name'),
              taxNumber: text('vendor_tax_number') ?? text('merchant_tax_number'),
            })) ?? null)
          : undefined,
      ...(checks?.gl_code_suggestion === true ? await accountKnowledge(tx, row.environment) : {}),
    }));
    return this.#engine.compute('validate', [extraction, { ...checks, ...client }], signal);
  }
}

export function extractOptions(options: ExtractionOptions = {}): ExtractOptions {
  const { document_type: type = 'auto', extract_line_items, confidence_threshold } = options;
  return {
    ...(type === 'auto' ? {} : { document_type: type }),
    ...(extract_line_items === undefined ? {} : { extract_line_items }),
    ...(confidence_threshold === undefined ? {} : { confidence_threshold }),
  };
}

/** Pictures stay in the blob store until somebody asks for them. */
async function cropAnswer(files: VisionStore, pages: number): Promise<Answer> {
  const found = await regionsOf(files, pages);
  return {
    image_blobs: found.map(({ page, region }) => files.key(cutName(page, region.index, 'png'))),
    regions: found.map(({ page, region: { bbox, rotation, confidence } }, index) => ({
      index,
      bbox: { ...bbox, page },
      rotation,
      confidence,
    })),
  };
}

async function cutsOf(files: VisionStore, pages: number): Promise<Cut[]> {
  const found = await regionsOf(files, pages);
  return Promise.all(
    found.map(async ({ page, region }) => ({
      ...region,
      page,
      text: await files.json<PageText>(cutName(page, region.index, 'json')),
    })),
  );
}

/** What was cut out of all pages, in order. */
async function regionsOf(files: VisionStore, pages: number): Promise<{ page: number; region: CropRegion }[]> {
  const numbers = Array.from({ length: pages }, (_, index) => index + 1);
  const found = await Promise.all(
    numbers.map(async (page) => {
      const regions = await files.json<CropRegion[]>(regionsName(page));
      return regions.map((region) => ({ page, region }));
    }),
  );
  return found.flat();
}

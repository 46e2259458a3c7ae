import type { PageText, TrainingSample } from '../documents/index.ts';
import type { ModelFieldDefinition } from '../domain/contracts/vision-models.ts';
import type { TrainModelInput } from '../domain/contracts/workflows.ts';
import {
  fieldsInTraining,
  forgetSamples,
  notePages,
  sampleFolder,
  samplesOf,
  surplusSamples,
  trainingFolder,
} from '../domain/vision/index.ts';
import type { SampleRow } from '../domain/vision/index.ts';
import type { BlobStore } from '../platform/blobs.ts';
import type { TenantDatabase } from '../platform/db/database.ts';
import type { TenantTransaction } from '../platform/db/transaction.ts';
import { storableJson } from '../platform/storable-json.ts';
import { refusal } from './refusals.ts';
import { pageName } from './vision-store.ts';

/** The samples of one training: their rows, and what lies of them in the blob store. */
export class TrainingSamples {
  readonly #tenants: TenantDatabase;
  readonly #blobs: BlobStore;
  readonly #input: TrainModelInput;

  constructor({ tenants, blobs }: { tenants: TenantDatabase; blobs: BlobStore }, input: TrainModelInput) {
    this.#tenants = tenants;
    this.#blobs = blobs;
    this.#input = input;
  }

  /** Definition and samples; undefined where the training has ended or its model is gone. */
  open(): Promise<{ fields: ModelFieldDefinition[]; rows: SampleRow[] } | undefined> {
    return this.#transaction(async (tx) => {
      const fields = await fieldsInTraining(tx, this.#input);
      return fields === undefined ? undefined : { fields, rows: await samplesOf(tx, this.#input.model_id) };
    });
  }

  /** Samples that this training brought. */
  async added(): Promise<SampleRow[]> {
    const { rows } = (await this.open()) ?? { rows: [] };
    return rows.filter((row) => row.training_id === this.#input.training_id);
  }

  /** @throws ApplicationFailure CANCELLED where there is none any more */
  async one(id: number): Promise<SampleRow> {
    const row = (await this.added()).find((sample) => sample.id === id);
    if (row === undefined) throw refusal('CANCELLED', 'The model was deleted, or its training has ended.');
    return row;
  }

  source(row: SampleRow): Promise<Uint8Array> {
    return this.#blobs.get(this.#name(row, 'source'));
  }

  hasWords(row: SampleRow, page: number): Promise<boolean> {
    return this.#blobs.exists(this.#name(row, pageName(page)));
  }

  putWords(row: SampleRow, words: PageText): Promise<void> {
    return this.#blobs.put(this.#name(row, pageName(words.page)), Buffer.from(storableJson(words)));
  }

  async notePages(row: SampleRow, pages: number): Promise<void> {
    await this.#transaction((tx) => {
      notePages(tx, row.id, pages);
      return Promise.resolve();
    });
  }

  /** A sample as the engine takes it. */
  async read(row: SampleRow): Promise<TrainingSample> {
    const numbers = Array.from({ length: row.pages ?? 0 }, (_, index) => index + 1);
    const pages = numbers.map(async (page) => {
      const words = await this.#blobs.get(this.#name(row, pageName(page)));
      return JSON.parse(Buffer.from(words).toString('utf8')) as PageText;
    });
    return { annotations: row.annotations, pages: await Promise.all(pages) };
  }

  /** Forgets samples that newer ones have taken the place of: first their files. */
  async dropSurplus(): Promise<void> {
    const surplus = await this.#transaction((tx) => surplusSamples(tx, this.#input.model_id));
    for (const row of surplus) await this.#blobs.deleteAll(this.#folder(row));
    const ids = surplus.map(({ id }) => id);
    await this.#transaction((tx) => {
      forgetSamples(tx, ids);
      return Promise.resolve();
    });
  }

  /** The files of the samples that this training brought, whose rows are gone. */
  dropAddedFiles(): Promise<void> {
    const { model_id: modelId, training_id: trainingId } = this.#input;
    return this.#blobs.deleteAll(trainingFolder({ modelId, trainingId }));
  }

  #folder({ training_id: trainingId, index }: SampleRow): string {
    return sampleFolder({ modelId: this.#input.model_id, trainingId }, index);
  }

  #name(row: SampleRow, name: string): string {
    return `${this.#folder(row)}/${name}`;
  }

  #transaction<T>(work: (tx: TenantTransaction) => Promise<T>): Promise<T> {
    return this.#tenants.transaction(this.#input.client_id, work);
  }
}

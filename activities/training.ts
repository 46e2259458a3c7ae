import type { DocumentEngine } from '../documents/index.ts';
import type { DocumentFailureCode } from '../domain/contracts/vision.ts';
import { MAX_FILE_BYTES } from '../domain/contracts/vision.ts';
import { MAX_SAMPLE_PAGES } from '../domain/contracts/vision-models.ts';
import type { EraseModelInput, TrainModelInput } from '../domain/contracts/workflows.ts';
import { completeTraining, failTraining, modelFolder } from '../domain/vision/index.ts';
import type { SampleRow } from '../domain/vision/index.ts';
import type { BlobStore } from '../platform/blobs.ts';
import type { Clock } from '../platform/clock.ts';
import type { TenantDatabase } from '../platform/db/database.ts';
import { computed, heartbeating } from './heartbeats.ts';
import { refusable } from './refusals.ts';
import { TrainingSamples } from './training-samples.ts';

export interface TrainingActivityDeps {
  tenants: TenantDatabase;
  blobs: BlobStore;
  engine: DocumentEngine;
  clock: Clock;
}

export type TrainingActivities = ReturnType<typeof createTrainingActivities>;

const LIMITS = { maxBytes: MAX_FILE_BYTES, maxPages: MAX_SAMPLE_PAGES };

/**
 * The steps of `trainModel` and `eraseModel`. Words of a sample's pages are kept beside it: a page is read once, for this
 * training and all that follow.
 */
export function createTrainingActivities({ tenants, blobs, engine, clock }: TrainingActivityDeps) {
  const samplesOf = (input: TrainModelInput): TrainingSamples => new TrainingSamples({ tenants, blobs }, input);

  return {
    /** Ids of the samples that have to be opened, because they are new. */
    async unreadSamples(input: TrainModelInput): Promise<number[]> {
      const added = await samplesOf(input).added();
      return added.map(({ id }) => id);
    },

    /** Opens the file of a sample; answers how many pages it has. */
    async inspectSample(input: TrainModelInput, sampleId: number): Promise<number> {
      const samples = samplesOf(input);
      const sample = await samples.one(sampleId);
      const source = await samples.source(sample);
      const { pages } = await ofSample(sample, () => engine.inspect(source, LIMITS));
      await samples.notePages(sample, pages);
      return pages;
    },

    /** Reads one page of a sample into words. A page that was read before a crash is not read again. */
    async readSamplePage(input: TrainModelInput, sampleId: number, page: number): Promise<void> {
      const samples = samplesOf(input);
      const sample = await samples.one(sampleId);
      if (await samples.hasWords(sample, page)) return;
      const source = await samples.source(sample);
      const words = await heartbeating((signal) => ofSample(sample, () => engine.readPage(source, page, { signal })));
      await samples.putWords(sample, words);
    },

    /** Learns from the samples, makes that the version that serves, and tells of it; drops what is no longer trained on. */
    fitModel: (input: TrainModelInput): Promise<void> =>
      computed(async (signal) => {
        const samples = samplesOf(input);
        const training = await samples.open();
        if (training !== undefined) {
          const read = await Promise.all(training.rows.map((row) => samples.read(row)));
          const model = await engine.compute('trainModel', [{ fields: training.fields }, read], signal);
          const learned = { parameters: { ...model }, accuracy: model.accuracy };
          await completeTraining(tenants, input, learned, clock.now());
        }
        await samples.dropSurplus();
      }),

    /** Closes a training that failed, tells of it, and drops the samples that it brought. */
    async abandonTraining(
      input: TrainModelInput,
      failure: { code: DocumentFailureCode; message: string },
    ): Promise<void> {
      await failTraining(tenants, input, failure, clock.now());
      await samplesOf(input).dropAddedFiles();
    },

    async eraseModelBlobs({ model_id }: EraseModelInput): Promise<void> {
      await blobs.deleteAll(modelFolder(model_id));
    },
  };
}

/** A document that can't be read: which one of those that were sent. */
function ofSample<T>({ index }: SampleRow, work: () => Promise<T>): Promise<T> {
  return refusable(work, (message) => `documents[${String(index)}]: ${message}`);
}

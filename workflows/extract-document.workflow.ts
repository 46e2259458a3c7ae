import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  defineQuery,
  proxyActivities,
  setHandler,
} from '@temporalio/workflow';
import type { VisionActivities } from '../activities/vision.ts';
import type { DocumentFailureCode } from '../domain/contracts/vision.ts';
import type { ExtractDocumentInput } from '../domain/contracts/workflows.ts';

/** How far a request is: pages read, of pages in all (0 until the file was opened). */
export const progressQuery = defineQuery<{ pages_done: number; pages_total: number }>('progress');

/** Pages of one request that are read at a time; the rest wait, so that a long document leaves room for others. */
const PAGES_AT_ONCE = 4;

/** A refused document ends the request; everything else (a crash, the database away) is ours and is tried again. */
const engine = proxyActivities<Pick<VisionActivities, 'inspect' | 'readPage' | 'classify' | 'extract' | 'validate'>>({
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '10 seconds',
  scheduleToCloseTimeout: '2 hours',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});
const books = proxyActivities<Pick<VisionActivities, 'settle' | 'refuse'>>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

/** One Document AI extraction, page by page. Carries ids only: the words of each page lie in the blob store. */
export async function extractDocument(input: ExtractDocumentInput): Promise<{ status: 'completed' | 'failed' }> {
  const progress = { pages_done: 0, pages_total: 0 };
  setHandler(progressQuery, () => progress);
  try {
    progress.pages_total = await engine.inspect(input);
    await readPages(input, progress);
    await engine.classify(input);
    await engine.extract(input);
    await engine.validate(input);
  } catch (error) {
    await books.refuse(input, failureOf(error));
    return { status: 'failed' };
  }
  await books.settle(input);
  return { status: 'completed' };
}

async function readPages(
  input: ExtractDocumentInput,
  progress: { pages_done: number; pages_total: number },
): Promise<void> {
  let next = 1;
  const lane = async (): Promise<void> => {
    while (next <= progress.pages_total) {
      const page = next;
      next += 1;
      await engine.readPage(input, page);
      progress.pages_done += 1;
    }
  };
  // When one lane fails the others are cancelled: the request is lost anyway.
  await CancellationScope.cancellable(async () => {
    try {
      await Promise.all(Array.from({ length: Math.min(PAGES_AT_ONCE, progress.pages_total) }, lane));
    } catch (error) {
      CancellationScope.current().cancel();
      throw error;
    }
  });
}

/** The engine's refusal travels as a non-retryable failure whose type is the code; anything else is INTERNAL. */
function failureOf(error: unknown): { code: DocumentFailureCode; message: string } {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (
    cause instanceof ApplicationFailure &&
    cause.nonRetryable === true &&
    cause.type !== null &&
    cause.type !== undefined
  ) {
    return { code: cause.type as DocumentFailureCode, message: cause.message };
  }
  return { code: 'INTERNAL', message: 'the document could not be processed' };
}

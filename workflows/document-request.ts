import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  defineQuery,
  isCancellation,
  log,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { ActivityOptions } from '@temporalio/workflow';
import type { VisionActivities } from '../activities/vision.ts';
import type { DocumentFailureCode } from '../domain/contracts/vision.ts';
import { PAGES_SUFFIX } from '../domain/contracts/workflows.ts';
import type { DocumentRequestInput } from '../domain/contracts/workflows.ts';

interface Progress {
  pages_done: number;
  pages_total: number;
}

/** How far a request is: pages read, of pages in all (0 until the file was opened). */
export const progressQuery = defineQuery<Progress>('progress');

/** Pages of one request that are read at a time; the rest wait, so that a long document leaves room for others. */
const PAGES_AT_ONCE = 4;

/** Of Temporal's five, of which 3 is what nobody says anything of. */
const PRIORITY = { somebodyWaits: 2, inBackground: 4 } as const;

/** A refused document ends the request; everything else (a crash, the database away) is ours and is tried again. */
const ENGINE_OPTIONS = {
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '10 seconds',
  scheduleToCloseTimeout: '2 hours',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
} as const satisfies ActivityOptions;
/** A step over a very long document computes for as long as a minute, and may wait for others to do so before it. */
const LONGEST_STEP = '10 minutes';
const books = proxyActivities<Pick<VisionActivities, 'settle' | 'refuse'>>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

type Pages = Pick<VisionActivities, 'readPage' | 'cropPage'>;
type Steps = Pick<VisionActivities, 'inspect' | 'classify' | 'extract' | 'validate' | 'assemble'>;

/** The engine's activities for one call. */
export type Engine = ReturnType<typeof engineFor>;

/**
 * Calls for which somebody waits come first; among equals each client has its turn, so that one client's long documents
 * leave room for another's single page. A server without task priorities or fairness takes them as they come.
 */
function engineFor({ client_id, is_async }: DocumentRequestInput) {
  const priorityKey = is_async === true ? PRIORITY.inBackground : PRIORITY.somebodyWaits;
  const options = { ...ENGINE_OPTIONS, priority: { priorityKey, fairnessKey: String(client_id) } };
  const taskQueue = `${workflowInfo().taskQueue}${PAGES_SUFFIX}`;
  const { readPage, cropPage } = proxyActivities<Pages>({ ...options, taskQueue });
  // Named one by one: a proxy has nothing to spread.
  const { inspect, classify, extract, validate, assemble } = proxyActivities<Steps>({
    ...options,
    startToCloseTimeout: LONGEST_STEP,
  });
  return { inspect, classify, extract, validate, assemble, readPage, cropPage };
}

interface Work {
  /** What is done with each page; all of them go on at once, a few at a time. */
  page(page: number): Promise<void>;
  /** What is done with the document when all its pages are done. */
  finish(): Promise<void>;
}

/**
 * Carries out one call of Document AI: opens the file, works on its pages, does with them what the call asks for, and
 * settles. Carries ids only: the words of each page lie in the blob store.
 */
export async function documentRequest(
  input: DocumentRequestInput,
  workWith: (engine: Engine) => Work,
): Promise<{ status: 'completed' | 'failed' }> {
  const progress = { pages_done: 0, pages_total: 0 };
  setHandler(progressQuery, () => progress);
  const engine = engineFor(input);
  const work = workWith(engine);
  try {
    progress.pages_total = await engine.inspect(input);
    await workOnPages(work, progress);
    await work.finish();
  } catch (error) {
    // Also when it is cancelled: where that was not the client's doing (it closed the call already), it is told and refunded.
    const failure = failureOf(error);
    if (failure.code === 'INTERNAL')
      log.error('a call could not be carried out', { request_id: input.request_id, error });
    await CancellationScope.nonCancellable(() => books.refuse(input, failure));
    if (isCancellation(error)) throw error;
    return { status: 'failed' };
  }
  await CancellationScope.nonCancellable(() => books.settle(input));
  return { status: 'completed' };
}

async function workOnPages(work: Work, progress: Progress): Promise<void> {
  let next = 1;
  const lane = async (): Promise<void> => {
    while (next <= progress.pages_total) {
      const page = next;
      next += 1;
      await work.page(page);
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
export function failureOf(error: unknown): { code: DocumentFailureCode; message: string } {
  if (isCancellation(error)) return { code: 'CANCELLED', message: 'The call was cancelled.' };
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

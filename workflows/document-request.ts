import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  defineQuery,
  isCancellation,
  log,
  patched,
  proxyActivities,
  proxyLocalActivities,
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

/**
 * The same steps, done by the worker that has the workflow's task while it has it: a short document isn't sent to the
 * server and back between them. A worker that dies in one leaves the task to another, which repeats it.
 */
const { inspect, extract, validate, assemble, settle } = proxyLocalActivities<Steps & Pick<VisionActivities, 'settle'>>(
  {
    startToCloseTimeout: '2 minutes',
    retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
  },
);
const nearby = { inspect, extract, validate, assemble, settle };
/** Documents of so many pages at most have their steps nearby: what is computed on them takes milliseconds. */
const SHORT_PAGES = 10;
/** Runs that were begun before have each step as an activity of its own, and one that says what the document is. */
const NEARBY_STEPS = 'nearby-steps';

type Pages = Pick<VisionActivities, 'readPage' | 'cropPage'>;
type Steps = Pick<VisionActivities, 'inspect' | 'extract' | 'validate' | 'assemble'> &
  // Only of a run that was begun when this was a step of its own.
  Partial<Pick<VisionActivities, 'classify'>>;

/** The engine's activities for one call. */
export type Engine = ReturnType<typeof engineFor>;

/**
 * Calls for which somebody waits come first; among equals each client has its turn, so that one client's long documents
 * leave room for another's single page. A server without task priorities or fairness takes them as they come.
 */
function engineFor({ client_id, is_async }: DocumentRequestInput, classifies: boolean) {
  const priorityKey = is_async === true ? PRIORITY.inBackground : PRIORITY.somebodyWaits;
  const options = { ...ENGINE_OPTIONS, priority: { priorityKey, fairnessKey: String(client_id) } };
  const taskQueue = `${workflowInfo().taskQueue}${PAGES_SUFFIX}`;
  const { readPage, cropPage } = proxyActivities<Pages>({ ...options, taskQueue });
  // Named one by one: a proxy has nothing to spread.
  const steps = proxyActivities<Required<Steps>>({ ...options, startToCloseTimeout: LONGEST_STEP });
  return {
    inspect: steps.inspect,
    extract: steps.extract,
    validate: steps.validate,
    assemble: steps.assemble,
    ...(classifies ? { classify: steps.classify } : {}),
    readPage,
    cropPage,
  };
}

interface Work {
  /** What is done with each page; all of them go on at once, a few at a time. */
  page(page: number): Promise<void>;
  /** What is done with the document when all its pages are done, by the steps that are given. */
  finish(steps: Steps): Promise<void>;
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
  // Asked once: of a run begun before, a second answer could be another.
  const hasNearbySteps = patched(NEARBY_STEPS);
  const engine = engineFor(input, !hasNearbySteps);
  const work = workWith(engine);
  const isNearby = (): boolean => hasNearbySteps && progress.pages_total <= SHORT_PAGES;
  try {
    // In the background there are many, and each waits for a reader: there they wait in the queue, by their turn.
    const opener = hasNearbySteps && input.is_async !== true ? nearby : engine;
    progress.pages_total = await opener.inspect(input);
    await workOnPages(work, progress);
    await work.finish(isNearby() ? nearby : engine);
  } catch (error) {
    // Also when it is cancelled: where that was not the client's doing (it closed the call already), it is told and refunded.
    const failure = failureOf(error);
    if (failure.code === 'INTERNAL')
      log.error('a call could not be carried out', { request_id: input.request_id, error });
    await CancellationScope.nonCancellable(() => books.refuse(input, failure));
    if (isCancellation(error)) throw error;
    return { status: 'failed' };
  }
  await CancellationScope.nonCancellable(() => (isNearby() ? nearby : books).settle(input));
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

import { patched, proxyActivities } from '@temporalio/workflow';
import type { LessonActivities } from '../activities/lessons.ts';
import type { LearnCorrectionInput } from '../domain/contracts/workflows.ts';

const { validateCorrected, learnFromResult } = proxyActivities<LessonActivities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '15 seconds',
  scheduleToCloseTimeout: '1 day',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '5 minutes' },
});

/** Checks a document again that a person corrected, and learns from that for the next document of the same issuer. */
export async function learnCorrection(input: LearnCorrectionInput): Promise<void> {
  if (patched('corrected documents are checked again')) await validateCorrected(input);
  await learnFromResult(input);
}

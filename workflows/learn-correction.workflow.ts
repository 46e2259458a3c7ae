import { proxyActivities } from '@temporalio/workflow';
import type { LessonActivities } from '../activities/lessons.ts';
import type { LearnCorrectionInput } from '../domain/contracts/workflows.ts';

const { learnFromResult } = proxyActivities<LessonActivities>({
  startToCloseTimeout: '1 minute',
  scheduleToCloseTimeout: '1 day',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '5 minutes' },
});

/** Learns from what a person corrected, for the next document of the same issuer. */
export async function learnCorrection(input: LearnCorrectionInput): Promise<void> {
  await learnFromResult(input);
}

import type { ExtractInput } from '../contracts/vision.ts';
import { stepsOf } from './steps.rules.ts';
import type { VisionWork } from './steps.rules.ts';

type Checks = NonNullable<ExtractInput['validation']>;

/** The checks beyond arithmetic that a call asks for, of the step that extracts. */
export function checksOf(work: VisionWork): Checks | undefined {
  for (const step of stepsOf(work)) if (step.action === 'extract') return step.options?.validation;
  return undefined;
}

/** Whether it asks for any. */
export function asksForChecks(work: VisionWork): boolean {
  const { custom_rules: rules = [], ...flags } = checksOf(work) ?? {};
  return rules.length > 0 || Object.values(flags).some(Boolean);
}

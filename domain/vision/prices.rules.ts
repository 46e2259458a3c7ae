import { stepsOf } from './steps.rules.ts';
import type { VisionWork } from './steps.rules.ts';

const EXTRACTION_PER_PAGE = 1;
const CLASSIFICATION = 0.25;
const SPLIT_PER_BOUNDARY = 0.5;

/** Whether a call extracts fields. That is what costs; a pipeline's other steps are free (spec, "Limits"). */
export function extracts(work: VisionWork): boolean {
  return stepsOf(work).some((step) => step.action === 'extract');
}

/** Credits held when a call is accepted, before its file was opened: what its smallest document costs. */
export function openingHold(work: VisionWork): number {
  if (extracts(work)) return EXTRACTION_PER_PAGE;
  return work.operation === 'classify' ? CLASSIFICATION : 0;
}

/** Credits held once the number of pages is known: the most that the call can come to. */
export function heldForPages(work: VisionWork, pages: number): number {
  if (extracts(work)) return EXTRACTION_PER_PAGE * pages;
  return work.operation === 'split' ? SPLIT_PER_BOUNDARY * Math.max(0, pages - 1) : openingHold(work);
}

/** Credits that a finished call costs. `documents`: how many were found in the file. */
export function priceOf(work: VisionWork, pages: number, documents: number): number {
  if (work.operation === 'split') return SPLIT_PER_BOUNDARY * Math.max(0, documents - 1);
  return heldForPages(work, pages);
}

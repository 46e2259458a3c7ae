import type { ExtractInput } from './vision.ts';
import type { PipelineStepInput } from './vision-steps.ts';

/** What a Document AI call asks for; each has an endpoint of its own. */
export const VISION_OPERATIONS = ['extract', 'classify', 'split', 'crop', 'pipeline'] as const;
export type VisionOperation = (typeof VISION_OPERATIONS)[number];

type ExtractionOptions = Pick<
  ExtractInput,
  'document_type' | 'extract_line_items' | 'confidence_threshold' | 'validation' | 'crop' | 'split'
>;

/** Options of a call as its row keeps them: what the workflow's activities need. */
export interface VisionOptions extends Partial<ExtractionOptions> {
  language_hint?: string;
  /** Of a pipeline. */
  steps?: PipelineStepInput[];
}

/** Requests per minute and asynchronous jobs at a time, per client (spec, "Limits"; decisions §9). */
export interface DocumentAiLimits {
  requests_per_minute: number;
  concurrent_jobs: number;
}

export const DOCUMENT_AI_LIMITS: Readonly<Record<string, DocumentAiLimits>> = {
  free: { requests_per_minute: 60, concurrent_jobs: 5 },
  business: { requests_per_minute: 200, concurrent_jobs: 20 },
  professional: { requests_per_minute: 500, concurrent_jobs: 100 },
  enterprise: { requests_per_minute: 2_000, concurrent_jobs: 500 },
};

import { z } from 'zod';
import { Moment, windowFields } from './common.ts';
import { VISION_OPERATIONS } from './vision-requests.ts';

const STATUSES = ['queued', 'running', 'completed', 'failed'] as const;

export const ListResults = z.strictObject({
  status: z.enum(STATUSES).describe('Only calls with this status').optional(),
  operation: z.enum(VISION_OPERATIONS).describe('Only calls of this endpoint').optional(),
  document_type: z.string().max(100).describe('Only calls whose document is of this type').optional(),
  ...windowFields(50, 200),
});
export type ListResultsInput = z.output<typeof ListResults>;

/** A call without what it answered. */
export const ResultSummary = z
  .object({
    request_id: z.uuid(),
    operation: z.enum(VISION_OPERATIONS),
    status: z.enum(STATUSES),
    is_async: z.boolean(),
    document_type: z.string().nullable(),
    pages_done: z.int(),
    pages_total: z.int().nullable(),
    error_code: z.string().nullable().describe('Of a failed call'),
    credits_used: z.number(),
    processing_time_ms: z.int().nullable(),
    created_at: Moment,
    finished_at: Moment.nullable(),
  })
  .meta({ id: 'ResultSummary' });
export type ResultSummary = z.output<typeof ResultSummary>;

export const ResultList = z.object({ results: z.array(ResultSummary) });

export const DeletedResult = z.object({ request_id: z.uuid(), deleted: z.literal(true) }).meta({ id: 'DeletedResult' });

import type { VisionRequestRow } from '../../domain/vision/index.ts';
import type { Services } from '../services.ts';

/** Flat fields of an answer; which ones, the operation's output schema says. */
export interface VisionAnswer extends Record<string, unknown> {
  request_id: string;
  status?: 'queued' | 'running' | 'completed';
}

/** What a finished call answers, and what `GET /results/{id}` shows of one that isn't. */
export async function answerOf(services: Pick<Services, 'blobs'>, row: VisionRequestRow): Promise<VisionAnswer> {
  if (row.status === 'queued' || row.status === 'running' || row.result === null) {
    return {
      request_id: row.request_id,
      status: row.status === 'running' ? 'running' : 'queued',
      pages_done: row.pages_read.length,
      pages_total: row.pages_total,
    };
  }
  const { image_blobs: blobs, ...result } = row.result;
  return {
    request_id: row.request_id,
    ...result,
    ...(Array.isArray(blobs) ? { images: await imagesOf(services, blobs as string[]) } : {}),
    credits_used: Number(row.credits_used),
    processing_time_ms: row.processing_time_ms ?? 0,
  };
}

/** Pictures lie in the blob store: a row that holds them would be read with every list. */
function imagesOf({ blobs }: Pick<Services, 'blobs'>, keys: readonly string[]): Promise<string[]> {
  return Promise.all(keys.map(async (key) => Buffer.from(await blobs.get(key)).toString('base64')));
}

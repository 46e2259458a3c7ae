import { visionFolder } from '../domain/vision/index.ts';
import type { BlobStore } from '../platform/blobs.ts';

export type ErasureActivities = ReturnType<typeof createErasureActivities>;

/** The step of `eraseDocument`: erasing again what is gone changes nothing. */
export function createErasureActivities({ blobs }: { blobs: BlobStore }) {
  return {
    async eraseBlobs(requestId: string): Promise<void> {
      await blobs.deleteAll(visionFolder(requestId));
    },
  };
}

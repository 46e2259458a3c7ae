import { discardUpload, noteUnclaimed, takeUnclaimed, UNCLAIMED_FOR_MS } from '../attachments/index.ts';
import { ApiError } from '../contracts/errors.ts';
import type { BlobStore } from '../../platform/blobs.ts';
import type { Clock } from '../../platform/clock.ts';
import type { TenantDatabase } from '../../platform/db/database.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { visionFolder } from './erase.service.ts';
import { findVisionRequest, getVisionRequest } from './requests.service.ts';
import type { VisionRequestRow } from './requests.service.ts';

interface SourceDeps {
  tenants: TenantDatabase;
  blobs: BlobStore;
  clock: Clock;
}

/** A call that is about to be accepted, and where its file comes from. */
interface NewSource<T> {
  clientId: number;
  requestId: string;
  file: () => Promise<Uint8Array>;
  /** Accepts the call, as `openRequest` does. */
  open: (tx: TenantTransaction, sourceBlob: string) => Promise<T>;
}

/** The call as it is once it was accepted, and what accepting it came to. */
export interface Opened<T> {
  outcome: T;
  row: VisionRequestRow;
}

/**
 * Stores the file of a call and accepts the call. A refusal leaves nothing behind, and where the process dies before the
 * call is accepted, maintenance finds the file. One that is there already (its Idempotency-Key sent again, an activity run
 * again) keeps the file that it has; one that was deleted meanwhile is a 404, and must not get its file back.
 */
export async function openWithSource<T>(deps: SourceDeps, source: NewSource<T>): Promise<Opened<T>> {
  const { tenants, blobs } = deps;
  const { clientId, requestId } = source;
  const sourceBlob = `${visionFolder(requestId)}/source`;
  if (await isThere(deps, source, sourceBlob)) {
    return tenants.transaction(clientId, (tx) => opened(tx, source, sourceBlob));
  }
  try {
    await blobs.put(sourceBlob, await source.file());
    return await tenants.transaction(clientId, (tx) => openedClaimed(tx, source, sourceBlob));
  } catch (error) {
    await discard(deps, source, sourceBlob);
    throw error;
  }
}

/** Whether the call was accepted before; where it was not, that a file may lie there is noted before its first byte does. */
function isThere(
  { tenants, clock }: SourceDeps,
  { clientId, requestId }: Pick<NewSource<unknown>, 'clientId' | 'requestId'>,
  sourceBlob: string,
): Promise<boolean> {
  return tenants.transaction(clientId, async (tx) => {
    if ((await findVisionRequest(tx, clientId, requestId)) !== undefined) return true;
    noteUnclaimed(tx, sourceBlob, clock.now() + UNCLAIMED_FOR_MS);
    return false;
  });
}

/** Of two that come with one Idempotency-Key at the same moment, the first claims the file for both. */
async function openedClaimed<T>(tx: TenantTransaction, source: NewSource<T>, sourceBlob: string): Promise<Opened<T>> {
  const isOurs = await takeUnclaimed(tx, sourceBlob);
  if (!isOurs && (await findVisionRequest(tx, source.clientId, source.requestId)) === undefined) {
    // The other was refused, and has removed the file.
    throw new ApiError('SERVICE_UNAVAILABLE', 'The call was sent twice at the same moment; send it again.');
  }
  return opened(tx, source, sourceBlob);
}

async function opened<T>(
  tx: TenantTransaction,
  { clientId, requestId, open }: NewSource<T>,
  sourceBlob: string,
): Promise<Opened<T>> {
  const outcome = await open(tx, sourceBlob);
  return { outcome, row: await getVisionRequest(tx, clientId, requestId) };
}

/** Where it isn't known whether the call was accepted, the note tells: it is gone with the commit. */
async function discard(
  { tenants, blobs }: SourceDeps,
  { clientId, requestId }: Pick<NewSource<unknown>, 'clientId' | 'requestId'>,
  sourceBlob: string,
): Promise<void> {
  await discardUpload({ tenants, blobs }, clientId, sourceBlob);
  const row = await tenants.transaction(clientId, (tx) => findVisionRequest(tx, clientId, requestId));
  // The other had it accepted, and somebody deleted it before this file came.
  if (row !== undefined && row.erased_at !== null) await blobs.delete(sourceBlob);
}

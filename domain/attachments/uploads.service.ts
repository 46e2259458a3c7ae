import { createHash, randomUUID } from 'node:crypto';
import { pipeline, Transform } from 'node:stream';
import type { Readable } from 'node:stream';
import { ApiError } from '../contracts/errors.ts';
import type { BlobStore } from '../../platform/blobs.ts';
import type { Clock } from '../../platform/clock.ts';
import type { SystemDatabase, TenantDatabase } from '../../platform/db/database.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { cleanFileName } from './file-name.rules.ts';
import { mediaTypeOf, SAMPLE_BYTES } from './media-type.ts';

/** A file whose bytes are stored and that no row speaks of yet. */
export interface Upload {
  blobKey: string;
  fileName: string;
  mediaType: string;
  size: number;
  /** Hexadecimal. */
  sha256: string;
}

export interface UploadDeps {
  tenants: TenantDatabase;
  blobs: BlobStore;
  clock: Clock;
}

/** Much longer than a request may take. */
export const UNCLAIMED_FOR_MS = 3_600_000;
const REMOVED_AT_ONCE = 100;

const NOTE = statement(`
  insert into unclaimed_blobs (blob_key, client_id, remove_after) values ($1, $2, $3) on conflict (blob_key) do nothing`);
const TAKE = statement(`delete from unclaimed_blobs where client_id = $1 and blob_key = $2 returning blob_key`);
const LOCK_OLD = statement(`
  select blob_key from unclaimed_blobs where remove_after < $1 order by remove_after limit $2 for update skip locked`);
const FORGET = statement(`delete from unclaimed_blobs where blob_key = any($1::text[])`);

/**
 * Stores a file as it arrives. That there is a blob is noted, and committed, before its first byte is written: wherever
 * this process dies, maintenance finds the blob.
 */
export async function storeUpload(
  { tenants, blobs, clock }: UploadDeps,
  clientId: number,
  part: { fileName: string; bytes: Readable },
): Promise<Upload> {
  const blobKey = `attachments/${String(clientId)}/${randomUUID()}`;
  await tenants.transaction(clientId, (tx) => {
    noteUnclaimed(tx, blobKey, clock.now() + UNCLAIMED_FOR_MS);
    return Promise.resolve();
  });
  const inspector = new Inspector();
  try {
    // The store waits for the inspector's end or error; either is passed on by the pipeline.
    await blobs.putStream(
      blobKey,
      pipeline(part.bytes, inspector, () => undefined),
    );
  } catch (error) {
    await discardUpload({ tenants, blobs }, clientId, blobKey);
    throw error;
  }
  const fileName = cleanFileName(part.fileName);
  const mediaType = await mediaTypeOf(inspector.sample, fileName);
  return { blobKey, fileName, mediaType, size: inspector.size, sha256: inspector.digest() };
}

/** Makes the blob the transaction's own: it stays if that commits. */
export async function claimUpload(tx: TenantTransaction, blobKey: string): Promise<void> {
  if (await takeUnclaimed(tx, blobKey)) return;
  throw new ApiError('SERVICE_UNAVAILABLE', 'The upload took too long; send it again.');
}

/** Takes a blob from maintenance, if the transaction commits; false where it is none that was noted, or no longer. */
export async function takeUnclaimed(tx: TenantTransaction, blobKey: string): Promise<boolean> {
  const [taken] = await tx.query(TAKE, [tx.clientId, blobKey]);
  return taken !== undefined;
}

/** Leaves a blob to maintenance, from the given moment on; one that was noted before stays as it was. */
export function noteUnclaimed(tx: TenantTransaction, blobKey: string, removeAfter: number): void {
  tx.write(NOTE, [blobKey, tx.clientId, new Date(removeAfter)]);
}

/** Removes what was stored, unless a row was made of it: so it is safe where it isn't known whether that was committed. */
export async function discardUpload(
  { tenants, blobs }: Pick<UploadDeps, 'tenants' | 'blobs'>,
  clientId: number,
  blobKey: string,
): Promise<void> {
  await tenants.transaction(clientId, async (tx) => {
    const [taken] = await tx.query(TAKE, [clientId, blobKey]);
    // Before the commit: a process that dies in between leaves the note, and maintenance tries again.
    if (taken !== undefined) await blobs.delete(blobKey);
  });
}

/** Removes a batch of blobs that nobody made a row of, and files that were never whole. `isDone`: no more are left. */
export async function removeUnclaimed(
  { system, blobs }: { system: SystemDatabase; blobs: BlobStore },
  now: number,
): Promise<{ removed: number; isDone: boolean }> {
  await blobs.sweep(now);
  const removed = await system.transaction(async (tx) => {
    const rows = await tx.query<{ blob_key: string }>(LOCK_OLD, [new Date(now), REMOVED_AT_ONCE]);
    const keys = rows.map((row) => row.blob_key);
    for (const key of keys) await blobs.delete(key);
    if (keys.length > 0) tx.write(FORGET, [keys]);
    return keys.length;
  });
  return { removed, isDone: removed < REMOVED_AT_ONCE };
}

/** Passes bytes on, and learns of them what the row says. */
class Inspector extends Transform {
  readonly #hash = createHash('sha256');
  readonly #sample: Buffer[] = [];
  #sampled = 0;
  size = 0;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: (error: null, chunk: Buffer) => void): void {
    this.size += chunk.length;
    this.#hash.update(chunk);
    if (this.#sampled < SAMPLE_BYTES) {
      // A copy: a slice would keep the whole chunk.
      const start = Buffer.from(chunk.subarray(0, SAMPLE_BYTES - this.#sampled));
      this.#sample.push(start);
      this.#sampled += start.length;
    }
    done(null, chunk);
  }

  get sample(): Buffer {
    return Buffer.concat(this.#sample);
  }

  digest(): string {
    return this.#hash.digest('hex');
  }
}

import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import type { S3Driver } from 'flydrive/drivers/s3';
import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import type { Config } from './config.ts';

/**
 * Where documents, page words and attachments live: Temporal payloads and rows carry their keys only. Keys are made by
 * us (`vision/<request_id>/source`) and never hold a caller's text.
 */
export interface BlobStore {
  /** All of the bytes or, wherever the process dies, what was there before. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** The bytes; throws {@link BlobMissingError} when there are none. */
  get(key: string): Promise<Uint8Array>;
  /** Stores what a stream brings, without holding it in memory; a stream that breaks off may leave a part of it. */
  putStream(key: string, bytes: Readable): Promise<void>;
  /** The same as `get`, without holding it in memory. */
  getStream(key: string): Promise<Readable>;
  exists(key: string): Promise<boolean>;
  /** Removes one blob; none there is no error. */
  delete(key: string): Promise<void>;
  /** Removes everything below a prefix; nothing there is no error. */
  deleteAll(prefix: string): Promise<void>;
  /** Removes what writes left behind that were cut off long ago. */
  sweep(now: number): Promise<void>;
  /** Resolves when the store can be reached. */
  check(): Promise<void>;
}

export class BlobMissingError extends Error {
  override readonly name = 'BlobMissingError';
}

export function createBlobStore(config: Config): BlobStore {
  let made: Promise<Disk> | undefined;
  const opened = (): Promise<Disk> => (made ??= openDisk(config));
  return {
    async put(key, bytes) {
      if (config.BLOB_DRIVER === 's3') await (await opened()).put(key, bytes);
      else await putWhole(config.BLOB_DIR, key, bytes);
    },
    async get(key) {
      const disk = await opened();
      if (!(await disk.exists(key))) throw new BlobMissingError(`there is no blob ${key}`);
      return disk.getBytes(key);
    },
    putStream: (key, bytes) =>
      config.BLOB_DRIVER === 's3' ? putSpooled(opened, key, bytes) : putIntoFolder(config.BLOB_DIR, key, bytes),
    async getStream(key) {
      const disk = await opened();
      if (!(await disk.exists(key))) throw new BlobMissingError(`there is no blob ${key}`);
      return disk.getStream(key);
    },
    async exists(key) {
      return (await opened()).exists(key);
    },
    async delete(key) {
      await (await opened()).delete(key);
    },
    async deleteAll(prefix) {
      await (await opened()).deleteAll(prefix);
    },
    async sweep(now) {
      if (config.BLOB_DRIVER !== 's3') await sweepUnfinished(config.BLOB_DIR, now);
    },
    async check() {
      await (await opened()).exists('health-probe');
    },
  };
}

/** Where files are written before they are moved to their place. No key begins with it. */
const UNFINISHED = '.unfinished';
/** Much longer than a file takes to be written. */
const CUT_OFF_MS = 3_600_000;

/**
 * Written apart and then moved to its place: who reads a blob, also after a crash, finds all of it or none. (S3 does so by
 * itself; the driver of folders writes in place.)
 */
async function putWhole(folder: string, key: string, bytes: Uint8Array): Promise<void> {
  const file = join(resolve(folder), key);
  const part = join(resolve(folder), UNFINISHED, randomUUID());
  await mkdir(dirname(part), { recursive: true });
  await mkdir(dirname(file), { recursive: true });
  try {
    await writeFile(part, bytes);
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

async function sweepUnfinished(folder: string, now: number): Promise<void> {
  const unfinished = join(resolve(folder), UNFINISHED);
  await mkdir(unfinished, { recursive: true });
  for (const name of await readdir(unfinished)) {
    const part = join(unfinished, name);
    // Gone meanwhile: it was moved to its place.
    const age = now - ((await stat(part).catch(() => undefined))?.mtimeMs ?? now);
    if (age > CUT_OFF_MS) await rm(part, { force: true });
  }
}

/** Settles when the file is closed: the driver's own may fail first and make the file then, behind the back of a clean-up. */
async function putIntoFolder(folder: string, key: string, bytes: Readable): Promise<void> {
  const file = join(resolve(folder), key);
  // Should it fail before the pipeline listens, the pipeline sees that it is destroyed.
  bytes.once('error', () => undefined);
  await mkdir(dirname(file), { recursive: true });
  await pipeline(bytes, createWriteStream(file));
}

/** S3 wants to know the length before the first byte, so the stream goes through a file. */
async function putSpooled(opened: () => Promise<Disk>, key: string, bytes: Readable): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'upload-'));
  try {
    const file = join(folder, 'bytes');
    await pipeline(bytes, createWriteStream(file, { mode: 0o600 }));
    const { size } = await stat(file);
    const disk = await opened();
    if (size === 0) await disk.put(key, new Uint8Array());
    else await disk.putStream(key, createReadStream(file), { contentLength: size });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The client of S3 is loaded where it is used: it takes 30 MB of a process. */
async function openDisk(config: Config): Promise<Disk> {
  return new Disk(config.BLOB_DRIVER === 's3' ? await s3Driver(config) : fsDriver(config));
}

function fsDriver(config: Config): FSDriver {
  return new FSDriver({ location: pathToFileURL(`${resolve(config.BLOB_DIR)}/`), visibility: 'private' });
}

async function s3Driver(config: Config): Promise<S3Driver> {
  const { S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = config;
  if (S3_BUCKET === undefined) throw new Error('BLOB_DRIVER s3 needs S3_BUCKET');
  const credentials =
    S3_ACCESS_KEY_ID === undefined || S3_SECRET_ACCESS_KEY === undefined
      ? {}
      : { credentials: { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY } };
  const { S3Driver } = await import('flydrive/drivers/s3');
  return new S3Driver({
    bucket: S3_BUCKET,
    region: config.S3_REGION,
    visibility: 'private',
    supportsACL: false,
    ...(config.S3_ENDPOINT === undefined ? {} : { endpoint: config.S3_ENDPOINT, forcePathStyle: true }),
    ...credentials,
  });
}

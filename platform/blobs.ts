import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import { S3Driver } from 'flydrive/drivers/s3';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Config } from './config.ts';

/**
 * Where documents, page words and attachments live: Temporal payloads and rows carry their keys only. Keys are made by
 * us (`vision/<request_id>/source`) and never hold a caller's text.
 */
export interface BlobStore {
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** The bytes; throws {@link BlobMissingError} when there are none. */
  get(key: string): Promise<Uint8Array>;
  exists(key: string): Promise<boolean>;
  /** Removes everything below a prefix; nothing there is no error. */
  deleteAll(prefix: string): Promise<void>;
  /** Resolves when the store can be reached. */
  check(): Promise<void>;
}

export class BlobMissingError extends Error {
  override readonly name = 'BlobMissingError';
}

export function createBlobStore(config: Config): BlobStore {
  const disk = new Disk(config.BLOB_DRIVER === 's3' ? s3Driver(config) : fsDriver(config));
  return {
    put: (key, bytes) => disk.put(key, bytes),
    async get(key) {
      if (!(await disk.exists(key))) throw new BlobMissingError(`there is no blob ${key}`);
      return disk.getBytes(key);
    },
    exists: (key) => disk.exists(key),
    deleteAll: (prefix) => disk.deleteAll(prefix),
    async check() {
      await disk.exists('health-probe');
    },
  };
}

function fsDriver(config: Config): FSDriver {
  return new FSDriver({ location: pathToFileURL(`${resolve(config.BLOB_DIR)}/`), visibility: 'private' });
}

function s3Driver(config: Config): S3Driver {
  const { S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = config;
  if (S3_BUCKET === undefined) throw new Error('BLOB_DRIVER s3 needs S3_BUCKET');
  const credentials =
    S3_ACCESS_KEY_ID === undefined || S3_SECRET_ACCESS_KEY === undefined
      ? {}
      : { credentials: { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY } };
  return new S3Driver({
    bucket: S3_BUCKET,
    region: config.S3_REGION,
    visibility: 'private',
    supportsACL: false,
    ...(config.S3_ENDPOINT === undefined ? {} : { endpoint: config.S3_ENDPOINT, forcePathStyle: true }),
    ...credentials,
  });
}

import type { Response } from 'express';
import zlib, { constants, deflateRawSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { combineCrc32, crc32Shift } from './crc32-combine.ts';

/** JSON text in three parts: a large one that many callers are sent alike, within what is this answer's own. */
export interface SharedJson {
  before: string;
  shared: string;
  after: string;
}

/** The shared part as bytes, and compressed, each made once. */
interface SharedBytes {
  plain: Buffer;
  /** Blocks of deflate (RFC 1951) that end on a byte and refer to nothing before them. */
  deflated: Buffer;
  crc: number;
  crcShift: number;
}

const kept = new LRUCache<string, SharedBytes>({ max: 32 });

/** Magic number, method deflate, no flags, no time, unknown system (RFC 1952 §2.3). */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
const MAX_STORED = 0xffff;

/** Node 20 before 20.15 has none: there nothing is compressed. */
const crc32 = (zlib as Partial<typeof zlib>).crc32;

/** Sends it, and to callers that take gzip compressed, which costs an answer nothing: its large part has been. */
export function sendSharedJson(res: Response, { before, shared, after }: SharedJson): void {
  const bytes = bytesOf(shared);
  const [head, tail] = [Buffer.from(before), Buffer.from(after)];
  const isGzip = crc32 !== undefined && res.req.acceptsEncodings('gzip', 'identity') === 'gzip';
  const parts = isGzip ? gzipped(head, bytes, tail, crc32) : [head, bytes.plain, tail];
  res.statusCode = 200;
  res.vary('Accept-Encoding');
  if (isGzip) res.setHeader('Content-Encoding', 'gzip');
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.setHeader(
    'Content-Length',
    parts.reduce((sum, { length }) => sum + length, 0),
  );
  res.cork();
  for (const part of parts) res.write(part);
  res.end();
}

export function textOf({ before, shared, after }: SharedJson): string {
  return before + shared + after;
}

/** The same as the value of a member, or an element. */
export function within(before: string, json: SharedJson, after: string): SharedJson {
  return { before: before + json.before, shared: json.shared, after: json.after + after };
}

function bytesOf(shared: string): SharedBytes {
  let bytes = kept.get(shared);
  if (bytes === undefined) {
    const plain = Buffer.from(shared);
    bytes = {
      plain,
      deflated: deflateRawSync(plain, { level: 9, finishFlush: constants.Z_SYNC_FLUSH }),
      crc: crc32?.(plain) ?? 0,
      crcShift: crc32Shift(plain.length),
    };
    kept.set(shared, bytes);
  }
  return bytes;
}

/** One gzip member: what is this answer's own stands in it uncompressed. */
function gzipped(head: Buffer, shared: SharedBytes, tail: Buffer, checksum: typeof zlib.crc32): Buffer[] {
  const { plain, deflated, crc, crcShift } = shared;
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(checksum(tail, combineCrc32(checksum(head), crc, crcShift)));
  trailer.writeUInt32LE((head.length + plain.length + tail.length) % 2 ** 32, 4);
  return [GZIP_HEADER, ...stored(head, false), deflated, ...stored(tail, true), trailer];
}

/** Stored blocks (RFC 1951 §3.2.4), as many as it takes: of no bytes one. */
function stored(bytes: Buffer, isLast: boolean): Buffer[] {
  const blocks: Buffer[] = [];
  for (let at = 0; at === 0 || at < bytes.length; at += MAX_STORED) {
    const block = bytes.subarray(at, at + MAX_STORED);
    const header = Buffer.alloc(5);
    header.writeUInt8(isLast && at + MAX_STORED >= bytes.length ? 1 : 0);
    header.writeUInt16LE(block.length, 1);
    header.writeUInt16LE(~block.length & MAX_STORED, 3);
    blocks.push(header, block);
  }
  return blocks;
}

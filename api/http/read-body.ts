import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { ApiError } from '../../domain/contracts/errors.ts';
import { JsonDepth } from './json-depth.ts';

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Every limit that a body is held to while it arrives. */
interface BodyLimits {
  bytes: number;
  timeoutMs: number;
  /** Levels of arrays and objects, where the body is JSON. */
  levels?: number;
}

/**
 * The body's bytes, inflated. The refusal comes as soon as there is a reason for one, however much of the body is still to
 * come: for bytes over the limit, which counts the inflated ones, for JSON that
 * nests too deep, and for a body that isn't whole in time. A client that
 * asked first (`Expect: 100-continue`) is told to go on here, so that none sends a body that is refused by its head.
 */
export async function readBody(req: IncomingMessage, res: ServerResponse, limits: BodyLimits): Promise<Buffer> {
  if (Number(req.headers['content-length'] ?? 0) > limits.bytes) throw tooLarge(limits.bytes);
  const decoder = decoderOf(req);
  if (req.headers.expect !== undefined) res.writeContinue();
  return collect(req, decoder, limits);
}

function collect(req: IncomingMessage, decoder: Transform | undefined, limits: BodyLimits): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const source: Readable = decoder ?? req;
    const chunks: Buffer[] = [];
    const depth = new JsonDepth();
    let size = 0;
    const stop = (): void => {
      clearTimeout(timer);
      source.off('data', take).off('end', finish).off('error', broken);
      req.off('error', broken).off('close', closed);
      // A broken stream may report once more; nobody is interested.
      source.on('error', () => undefined);
      req.on('error', () => undefined);
    };
    const refuse = (refusal: ApiError): void => {
      stop();
      req.unpipe();
      decoder?.destroy();
      // What still comes is read and dropped: a client that is in the middle of sending can then read its refusal.
      req.resume();
      reject(refusal);
    };
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > limits.bytes) refuse(tooLarge(limits.bytes));
      else if (limits.levels !== undefined && depth.goesBelow(limits.levels, chunk)) refuse(tooDeep(limits.levels));
      else chunks.push(chunk);
    };
    const finish = (): void => {
      stop();
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size));
    };
    const broken = (): void => {
      if (decoder !== undefined && req.complete)
        refuse(new ApiError('BAD_REQUEST', 'The body is not what its Content-Encoding says.'));
      else refuse(new ApiError('BAD_REQUEST', 'The body did not arrive whole.'));
    };
    const closed = (): void => {
      if (!req.complete) broken();
    };
    const timer = setTimeout(() => {
      refuse(new ApiError('REQUEST_TIMEOUT', 'The body did not arrive in time.'));
    }, limits.timeoutMs);
    source.on('data', take).on('end', finish).on('error', broken);
    if (decoder !== undefined) {
      req.on('error', broken);
      req.pipe(decoder);
    }
    req.on('close', closed);
  });
}

function decoderOf(req: IncomingMessage): Transform | undefined {
  const encoding = req.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (encoding === 'identity') return undefined;
  const create = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined;
  if (create !== undefined) return create();
  throw new ApiError(
    'UNSUPPORTED_MEDIA_TYPE',
    'The body must come without Content-Encoding, or with gzip, deflate or br.',
  );
}

function tooLarge(bytes: number): ApiError {
  return new ApiError('PAYLOAD_TOO_LARGE', `The body is larger than ${String(bytes)} bytes.`);
}

function tooDeep(levels: number): ApiError {
  return new ApiError('BAD_REQUEST', `The body is nested more than ${String(levels)} levels deep.`);
}

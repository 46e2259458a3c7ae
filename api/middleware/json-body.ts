import type { Request, Response } from 'express';
import { isUtf8 } from 'node:buffer';
import { ApiError } from '../../domain/contracts/errors.ts';
import { readBody } from '../http/read-body.ts';

export const DEFAULT_BODY_BYTES = 1_048_576;

/** Beyond this no body of ours goes, and code that walks a value by recursion stays safe. */
const MAX_DEPTH = 64;
/** Longest that a body may take to arrive; the application setting `body timeout` overrides it. */
const BODY_TIMEOUT_MS = 60_000;

/** Reads a JSON object of at most `limit` bytes. Called after authentication, so that strangers can't make us read. */
export async function readJsonObject(
  req: Request,
  res: Response,
  limit = DEFAULT_BODY_BYTES,
): Promise<Record<string, unknown>> {
  return jsonObject(await readJson(req, res, limit));
}

/** The body as an object; BAD_REQUEST for any other JSON value, and for none. */
export function jsonObject(body: unknown): Record<string, unknown> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ApiError('BAD_REQUEST', 'The body must be a JSON object.');
  }
  return body as Record<string, unknown>;
}

/** Reads any JSON value; an absent body is undefined. */
export async function readJson(req: Request, res: Response, limit = DEFAULT_BODY_BYTES): Promise<unknown> {
  const bytes = await readJsonBytes(req, res, limit);
  return bytes === undefined ? undefined : parseJson(bytes);
}

/** The bytes of a body that says that it is JSON, not looked at but for their depth; undefined where there is none. */
export async function readJsonBytes(req: Request, res: Response, limit: number): Promise<Buffer | undefined> {
  const { headers } = req;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (!hasBody) return undefined;
  // What nearly all send; the rules for the rest cost a parser.
  if (headers['content-type'] !== 'application/json') requireJson(req);
  return readBody(req, res, { bytes: limit, timeoutMs: bodyTimeoutOf(req), levels: MAX_DEPTH });
}

/** How long the body of a request may take. */
export function bodyTimeoutOf(req: Request): number {
  return (req.app.get('body timeout') as number | undefined) ?? BODY_TIMEOUT_MS;
}

function requireJson(req: Request): void {
  if (req.is(['application/json', 'application/*+json']) === false) {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The body must be JSON: send Content-Type: application/json.');
  }
  if (charsetOf(req) !== 'utf-8') throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The body must be JSON in UTF-8.');
}

/** JSON is UTF-8 (RFC 8259) whether or not it says so. */
function charsetOf(req: Request): string {
  const named = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(req.get('content-type') ?? '')?.[1] ?? 'utf-8';
  return named.toLowerCase().replace(/^utf8$/, 'utf-8');
}

/** BAD_REQUEST for what is not JSON in UTF-8. */
export function parseJson(bytes: Buffer): unknown {
  // Looked at as they came: decoding would replace what is no UTF-8, and say nothing.
  if (!isUtf8(bytes)) throw new ApiError('BAD_REQUEST', 'The body is not valid UTF-8.');
  try {
    return JSON.parse(bytes.toString('utf8', startsWithMark(bytes) ? 3 : 0)) as unknown;
  } catch (error) {
    throw new ApiError('BAD_REQUEST', 'The body is not valid JSON.', { cause: error });
  }
}

/** A byte order mark is no part of the text. */
function startsWithMark(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

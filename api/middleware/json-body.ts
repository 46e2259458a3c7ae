import express from 'express';
import type { Request, RequestHandler, Response } from 'express';
import { ApiError } from '../../domain/contracts/errors.ts';

export const DEFAULT_BODY_BYTES = 1_048_576;

const parsers = new Map<number, RequestHandler>();

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
  const hasBody = req.get('transfer-encoding') !== undefined || Number(req.get('content-length') ?? 0) > 0;
  if (!hasBody) return undefined;
  if (req.is(['application/json', 'application/*+json']) === false) {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The body must be JSON: send Content-Type: application/json.');
  }
  await new Promise<void>((resolve, reject) => {
    void parserFor(limit)(req, res, (error: unknown) => {
      if (error === undefined) resolve();
      else reject(error instanceof Error ? error : new Error('the body could not be read'));
    });
  });
  return req.body as unknown;
}

function parserFor(limit: number): RequestHandler {
  let parser = parsers.get(limit);
  if (parser === undefined) {
    parser = express.json({ limit, strict: false, type: () => true }) as RequestHandler;
    parsers.set(limit, parser);
  }
  return parser;
}

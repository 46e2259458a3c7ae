import type { RequestHandler } from 'express';
import { ApiError } from '../../domain/contracts/errors.ts';

/**
 * Headers that have one value. Of a second one Node keeps the first or joins both, a proxy before us may do otherwise:
 * whichever of us checks a value must be looking at the one that counts.
 */
const SINGLE = [
  'Authorization',
  'Content-Length',
  'Content-Type',
  'Expect',
  'Host',
  'Idempotency-Key',
  'MCP-Protocol-Version',
  'Origin',
  'X-API-Key',
  'X-API-Version',
  'X-Inspection-Token',
  'X-Request-Id',
] as const;

const NAME_OF = new Map<string, string>(SINGLE.map((name) => [name.toLowerCase(), name]));
const MAX_HEADERS = 100;

/** Refuses a request whose headers are too many, or say two things where one is meant. */
export const singleHeaders: RequestHandler = (req, _res, next) => {
  const { rawHeaders } = req;
  if (rawHeaders.length > 2 * MAX_HEADERS) {
    throw new ApiError('HEADERS_TOO_LARGE', `A request has at most ${String(MAX_HEADERS)} headers.`);
  }
  // As many names as headers: none came twice, and there is nothing to look for.
  if (Object.keys(req.headers).length * 2 !== rawHeaders.length) refuseSecondValues(rawHeaders);
  const { expect } = req.headers;
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    throw ApiError.badRequest('Expect', 'must be 100-continue or left out');
  }
  next();
};

function refuseSecondValues(rawHeaders: readonly string[]): void {
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = NAME_OF.get(rawHeaders[index]?.toLowerCase() ?? '');
    if (name === undefined) continue;
    if (seen.has(name)) throw ApiError.badRequest(name, 'must be sent once only');
    seen.add(name);
  }
}

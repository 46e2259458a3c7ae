import type { Request, Response } from 'express';
import type { RateLimiter } from '../domain/limits/index.ts';
import { DEFAULT_BODY_BYTES, readJsonBytes } from './middleware/json-body.ts';
import { limitSubject } from './middleware/rate-limit.ts';
import type { RawRequest } from './operation.ts';

/** The request as an operation sees it that authenticates its caller by the bytes of the body. */
export function rawRequestOf(
  req: Request,
  res: Response,
  { limiter, maxBytes = DEFAULT_BODY_BYTES }: { limiter: RateLimiter; maxBytes?: number | undefined },
): RawRequest {
  const headers = Object.entries(req.headers).map(([name, value]): [string, string] => [
    name,
    Array.isArray(value) ? value.join(', ') : (value ?? ''),
  ]);
  return {
    headers: Object.fromEntries(headers),
    limit: async (subject, policy) => {
      const refusal = await limitSubject(res, { subject, policy }, limiter);
      if (refusal !== undefined) throw refusal;
    },
    read: async () => (await readJsonBytes(req, res, maxBytes)) ?? Buffer.alloc(0),
  };
}

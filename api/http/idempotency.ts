import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import { ApiError } from '../../domain/contracts/errors.ts';
import { contextOf } from './request-context.ts';
import type { IdempotencyUse } from './request-context.ts';

/** The most characters of a key (spec, "Limits"). */
const MAX_KEY_CHARACTERS = 255;

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The key that an unsafe request carries, or undefined. VALIDATION_ERROR for one that is empty or too long. */
export function idempotencyOf(req: Request, body: unknown): IdempotencyUse | undefined {
  const key = req.get('idempotency-key');
  if (key === undefined || SAFE_METHODS.has(req.method)) return undefined;
  if (key === '' || key.length > MAX_KEY_CHARACTERS) {
    throw ApiError.invalid('Idempotency-Key', `must have 1 to ${String(MAX_KEY_CHARACTERS)} characters`);
  }
  const context = contextOf(req);
  // The sandbox of Document AI may have addresses of its own, or those of production on a process of its own.
  const where = context.isSandbox === true ? ['sandbox', req.originalUrl] : [req.originalUrl];
  const use = { key, part: '', fingerprint: fingerprintOf(req.method, ...where, body) };
  context.idempotency = use;
  return use;
}

/** Equal for two bodies that say the same, whatever the order of their fields. */
export function fingerprintOf(...parts: unknown[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${JSON.stringify(part, sortedFields)}\n`);
  return hash.digest();
}

function sortedFields(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The id that the answer speaks of: the first request's where its answer is given again. */
export function answeredRequestId(req: Request): string {
  const { idempotency, requestId } = contextOf(req);
  return idempotency?.replayOf ?? requestId;
}

/** Says in the headers that the answer is an earlier one, and whose. */
export function markReplay(req: Request, res: Response): void {
  const replayOf = contextOf(req).idempotency?.replayOf;
  if (replayOf === undefined) return;
  res.set('Idempotency-Replayed', 'true');
  res.set('X-Request-Id', replayOf);
}

import type { Request, Response } from 'express';
import type { Outcome } from '../operation.ts';
import { answeredRequestId, markReplay } from './idempotency.ts';
import { contextOf } from './request-context.ts';

interface Meta {
  api_version: string;
  request_id: string;
  pagination?: { total: number; limit: number; offset: number };
}

export function metaOf(req: Request): Meta {
  return { api_version: contextOf(req).version, request_id: answeredRequestId(req) };
}

/** The success body: `{success, data, …extras, meta}`, or flat with the payload's fields at the top (Document AI). */
export function successBody(
  req: Request,
  outcome: Outcome<unknown>,
  shape: 'envelope' | 'flat',
): Record<string, unknown> {
  const meta = outcome.pagination === undefined ? metaOf(req) : { ...metaOf(req), pagination: outcome.pagination };
  if (shape === 'flat') return { success: true, ...(outcome.data as Record<string, unknown>), meta };
  return { success: true, data: outcome.data, ...outcome.extras, meta };
}

export function sendOutcome(
  req: Request,
  res: Response,
  outcome: Outcome<unknown>,
  { status = 200, shape = 'envelope' }: { status?: number | undefined; shape?: 'envelope' | 'flat' | undefined } = {},
): void {
  markReplay(req, res);
  if (outcome.headers !== undefined) res.set(outcome.headers);
  res.status(outcome.status ?? status).json(successBody(req, outcome, shape));
}

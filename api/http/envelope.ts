import type { Request, Response } from 'express';
import type { Page } from '../../domain/contracts/common.ts';
import type { Outcome, Route } from '../operation.ts';
import { answeredRequestId, markReplay } from './idempotency.ts';
import { contextOf } from './request-context.ts';

interface Meta {
  api_version: string;
  request_id: string;
  pagination?: Page;
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

/** Answers with a value as JSON. Past `res.json`, which looks for settings, an ETag and a fresher copy at each answer. */
export function sendJson(res: Response, status: number, value: unknown): void {
  sendJsonText(res, status, JSON.stringify(value));
}

/** The same for a value that is JSON text already. */
export function sendJsonText(res: Response, status: number, text: string): void {
  res.statusCode = status;
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.setHeader('Content-Length', Buffer.byteLength(text));
  res.end(text);
}

type Presentation = Partial<Pick<Route, 'status' | 'shape' | 'unwrap' | 'answers'>>;

export function sendOutcome(
  req: Request,
  res: Response,
  outcome: Outcome<unknown>,
  { status = 200, shape = 'envelope', unwrap, answers }: Presentation = {},
): void {
  markReplay(req, res);
  if (outcome.headers !== undefined) res.set(outcome.headers);
  if (answers === 'empty') {
    res.status(outcome.status ?? status).end();
    return;
  }
  const shown =
    unwrap === undefined ? outcome : { ...outcome, data: (outcome.data as Record<string, unknown>)[unwrap] };
  sendJson(res, outcome.status ?? status, successBody(req, shown, shape));
}

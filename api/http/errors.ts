import type { ErrorRequestHandler, Request, Response } from 'express';
import { ApiError } from '../../domain/contracts/errors.ts';
import { DatabaseConflictError, DatabaseUnavailableError } from '../../platform/db/errors.ts';
import type { Logger } from '../../platform/log.ts';
import { bearerChallenge, presentsBearer } from './bearer-challenge.ts';
import { metaOf, sendJson } from './envelope.ts';
import { markReplay } from './idempotency.ts';
import { contextOf } from './request-context.ts';

/** The error body (spec, "Errors"). The one place that decides what of an error leaves the process. */
export function errorBody(req: Request, error: ApiError): Record<string, unknown> {
  return errorEnvelope(error, publicUrl(req), metaOf(req));
}

/** The same for what never became a request of Express. */
export function errorEnvelope(error: ApiError, url: string, meta: ReturnType<typeof metaOf>): Record<string, unknown> {
  return {
    success: false,
    error: {
      code: error.code,
      message: error.message,
      ...(error.details === undefined ? {} : { details: error.details }),
      request_id: meta.request_id,
      documentation_url: `${url}/docs/errors/${error.code}`,
      ...(error.guide === undefined ? {} : { migration_guide_url: `${url}${error.guide}` }),
    },
    meta,
  };
}

function publicUrl(req: Request): string {
  return req.app.get('public url') as string;
}

/** Any thrown value as the refusal the caller sees; what is not meant for it becomes INTERNAL_ERROR. */
export function publicError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof DatabaseUnavailableError || error instanceof DatabaseConflictError) {
    const message = 'The service is temporarily unavailable; try again shortly.';
    return new ApiError('SERVICE_UNAVAILABLE', message, { retryAfterSeconds: 1, cause: error });
  }
  return httpError(error) ?? new ApiError('INTERNAL_ERROR', 'An unexpected error occurred.', { cause: error });
}

/** What Express and its parts refuse of their own, such as a malformed percent-encoding in the path. */
function httpError(error: unknown): ApiError | undefined {
  const { status } = (error ?? {}) as { status?: unknown };
  if (status === 404) return new ApiError('NOT_FOUND', 'There is nothing at this address.');
  return typeof status === 'number' && status >= 400 && status < 500
    ? new ApiError('BAD_REQUEST', 'The request is malformed.', { cause: error })
    : undefined;
}

/** Express' last handler: turns whatever was thrown into the envelope, and logs what was unexpected. */
export function errorHandler(log: Logger): ErrorRequestHandler {
  return (error: unknown, req, res, next) => {
    const refusal = publicError(error);
    if (refusal.code === 'INTERNAL_ERROR') log.error({ err: refusal.cause }, 'unexpected error');
    else if (refusal.status >= 500) log.warn({ err: (refusal.cause as Error | undefined)?.message }, refusal.message);
    if (res.headersSent) next(error);
    else sendRefusal(req, res, refusal);
  };
}

/** Answers with a refusal. */
export function sendRefusal(req: Request, res: Response, refusal: ApiError): void {
  markReplay(req, res);
  if (refusal.retryAfterSeconds !== undefined) res.setHeader('Retry-After', String(refusal.retryAfterSeconds));
  // What is left of the request may still be on its way, and is not waited for.
  if (refusal.code === 'REQUEST_TIMEOUT') res.setHeader('Connection', 'close');
  const challenge = challengeOf(req, refusal);
  if (challenge !== undefined) res.setHeader('WWW-Authenticate', challenge);
  sendJson(res, refusal.status, errorBody(req, refusal));
}

/** How the caller may prove more than it did: with every 401, and where the token's scopes didn't do. */
function challengeOf(req: Request, { status, code, message }: ApiError): string | undefined {
  const { guard } = contextOf(req);
  if (status === 401) {
    const error = guard && ({ error: 'invalid_token', description: message } as const);
    return bearerChallenge(req, guard?.takesOAuth === true, error);
  }
  if (code !== 'SCOPE_REQUIRED' || guard === undefined || !presentsBearer(req)) return undefined;
  // Any one of them opens the route; a list would read as if all were needed.
  const scope = guard.scopes?.[0];
  return bearerChallenge(req, guard.takesOAuth, { error: 'insufficient_scope', description: message, scope });
}

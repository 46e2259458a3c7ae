import type { ErrorRequestHandler, Request, Response } from 'express';
import { OAuthError } from '../../domain/oauth/index.ts';
import type { ApiError } from '../../domain/contracts/errors.ts';
import type { Logger } from '../../platform/log.ts';
import { bearerChallenge, describable } from '../http/bearer-challenge.ts';
import { publicError } from '../http/errors.ts';
import { contextOf } from '../http/request-context.ts';

const REALM = 'Business Platform';

/** Turns what was thrown into the error answer of RFC 6749 §5.2, with the request's id beside it. */
export function oauthErrorHandler(log: Logger): ErrorRequestHandler {
  return (error: unknown, req, res, next) => {
    if (res.headersSent) {
      next(error);
      return;
    }
    if (error instanceof OAuthError) {
      refuse(req, res, error);
      return;
    }
    const refusal = publicError(error);
    // No matter of the protocol: as everywhere else.
    if (refusal.code === 'METHOD_NOT_ALLOWED') {
      next(error);
      return;
    }
    if (refusal.code === 'INTERNAL_ERROR') log.error({ err: refusal.cause }, 'unexpected error');
    if (refusal.retryAfterSeconds !== undefined) res.set('Retry-After', String(refusal.retryAfterSeconds));
    if (refusal.code === 'REQUEST_TIMEOUT') res.set('Connection', 'close');
    send(req, res, refusal.status, codeOf(refusal), refusal.message);
  };
}

function refuse(req: Request, res: Response, error: OAuthError): void {
  const { code, message, retryAfterSeconds } = error;
  if (retryAfterSeconds !== undefined) res.set('Retry-After', String(retryAfterSeconds));
  const status = retryAfterSeconds === undefined ? statusOf(code) : 429;
  if (status === 401 && code === 'invalid_client')
    res.set('WWW-Authenticate', `Basic realm="${REALM}", charset="UTF-8"`);
  if (code === 'invalid_token' || code === 'insufficient_scope') {
    const scope = code === 'insufficient_scope' ? 'openid' : undefined;
    res.set('WWW-Authenticate', bearerChallenge(req, true, { error: code, description: message, scope }));
  }
  send(req, res, status, code, message);
}

function statusOf(code: OAuthError['code']): number {
  if (code === 'invalid_client' || code === 'invalid_token') return 401;
  return code === 'insufficient_scope' ? 403 : 400;
}

/** What isn't of the protocol itself in the codes that it has. A client may wait and try again, unchanged, after 429. */
function codeOf({ status }: ApiError): string {
  if (status === 429 || status === 503) return 'temporarily_unavailable';
  return status >= 500 ? 'server_error' : 'invalid_request';
}

function send(req: Request, res: Response, status: number, code: string, description: string): void {
  const { requestId } = contextOf(req);
  res.status(status).json({ error: code, error_description: describable(description), request_id: requestId });
}

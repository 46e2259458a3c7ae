import type { ErrorRequestHandler, Request } from 'express';
import { ApiError } from '../../domain/contracts/errors.ts';
import { DatabaseUnavailableError } from '../../platform/db/errors.ts';
import type { Logger } from '../../platform/log.ts';
import { metaOf } from './envelope.ts';
import { contextOf } from './request-context.ts';

/** The error body (spec, "Errors"). The one place that decides what of an error leaves the process. */
export function errorBody(req: Request, error: ApiError): Record<string, unknown> {
  return {
    success: false,
    error: {
      code: error.code,
      message: error.message,
      ...(error.details === undefined ? {} : { details: error.details }),
      request_id: contextOf(req).requestId,
      documentation_url: documentationUrl(req, error.code),
    },
    meta: metaOf(req),
  };
}

function documentationUrl(req: Request, code: string): string {
  return `${req.app.get('public url') as string}/docs/errors/${code}`;
}

/** Any thrown value as the refusal the caller sees; what is not meant for it becomes INTERNAL_ERROR. */
export function publicError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof DatabaseUnavailableError) {
    const message = 'The service is temporarily unavailable; try again shortly.';
    return new ApiError('SERVICE_UNAVAILABLE', message, { retryAfterSeconds: 1, cause: error });
  }
  return bodyParserError(error) ?? new ApiError('INTERNAL_ERROR', 'An unexpected error occurred.', { cause: error });
}

/** What `express.json` throws, told by its `type`. */
function bodyParserError(error: unknown): ApiError | undefined {
  const { type, limit } = (error ?? {}) as { type?: unknown; limit?: unknown };
  switch (type) {
    case 'entity.too.large':
      return new ApiError('PAYLOAD_TOO_LARGE', `The body is larger than ${String(limit)} bytes.`);
    case 'entity.parse.failed':
      return new ApiError('BAD_REQUEST', 'The body is not valid JSON.');
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return new ApiError(
        'UNSUPPORTED_MEDIA_TYPE',
        'The body must be UTF-8 JSON without or with gzip, deflate or br encoding.',
      );
    case 'request.aborted':
    case 'request.size.invalid':
    case 'stream.encoding.set':
      return new ApiError('BAD_REQUEST', 'The body did not arrive whole.');
    default:
      return undefined;
  }
}

/** Express' last handler: turns whatever was thrown into the envelope, and logs what was unexpected. */
export function errorHandler(log: Logger): ErrorRequestHandler {
  return (error: unknown, req, res, next) => {
    const refusal = publicError(error);
    if (refusal.code === 'INTERNAL_ERROR') log.error({ err: refusal.cause }, 'unexpected error');
    else if (refusal.status >= 500) log.warn({ err: (refusal.cause as Error | undefined)?.message }, refusal.message);
    if (res.headersSent) {
      next(error);
      return;
    }
    if (refusal.retryAfterSeconds !== undefined) res.set('Retry-After', String(refusal.retryAfterSeconds));
    if (refusal.status === 401) res.set('WWW-Authenticate', 'Bearer');
    res.status(refusal.status).json(errorBody(req, refusal));
  };
}

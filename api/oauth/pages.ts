import type { ErrorRequestHandler, Request, Response } from 'express';
import { errorPage } from '../../console/message-pages.ts';
import type { ErrorPage } from '../../console/message-pages.ts';
import type { ErrorCode } from '../../domain/contracts/errors.ts';
import { ApiError } from '../../domain/contracts/errors.ts';
import { secretsEqual } from '../../platform/crypto.ts';
import type { Logger } from '../../platform/log.ts';
import { publicError } from '../http/errors.ts';
import { readBody } from '../http/read-body.ts';
import { contextOf } from '../http/request-context.ts';
import { readJsonObject } from '../middleware/json-body.ts';
import type { SessionCookies, Visitor } from './session-cookies.ts';

const FORM_BYTES = 16_384;
const FORM_TIMEOUT_MS = 10_000;
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Sends a page. `formTargets`: where else a form's answer may lead, since browsers hold redirects against form-action too. */
export function sendPage(res: Response, page: string, { status = 200, formTargets = '' } = {}): void {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    'img-src data:',
    `form-action 'self'${formTargets === '' ? '' : ` ${formTargets}`}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  res.status(status).set('Content-Security-Policy', policy.join('; ')).type('html').send(page);
}

/** Without a body: the address alone may hold a code. */
export function seeOther(res: Response, location: string): void {
  res.status(303).location(location).end();
}

/** A refusal that is shown with a way on. */
export class PageRefusal extends ApiError {
  readonly otherAccount: ErrorPage['otherAccount'];

  constructor(code: ErrorCode, message: string, otherAccount: NonNullable<ErrorPage['otherAccount']>) {
    super(code, message);
    this.otherAccount = otherAccount;
  }
}

const TITLES: Partial<Record<ErrorCode, string>> = {
  BAD_REQUEST: 'This request can’t be used',
  VALIDATION_ERROR: 'This request can’t be used',
  FORBIDDEN: 'This is not allowed',
  METHOD_NOT_ALLOWED: 'This address can’t be used like that',
  RATE_LIMITED: 'Too many requests',
  SERVICE_UNAVAILABLE: 'The service is away for a moment',
};

/** Shows a refusal as a page. Who sent JSON gets the API's own error body, from the handler after this one. */
export function pageErrorHandler(log: Logger): ErrorRequestHandler {
  return (error: unknown, req, res, next) => {
    if (res.headersSent || sendsJson(req)) {
      next(error);
      return;
    }
    const refusal = publicError(error);
    if (refusal.code === 'INTERNAL_ERROR') log.error({ err: refusal.cause }, 'unexpected error');
    if (refusal.retryAfterSeconds !== undefined) res.set('Retry-After', String(refusal.retryAfterSeconds));
    const page = errorPage({
      title: TITLES[refusal.code] ?? 'Something went wrong',
      message: refusal.message,
      requestId: contextOf(req).requestId,
      ...(error instanceof PageRefusal && error.otherAccount !== undefined ? { otherAccount: error.otherAccount } : {}),
    });
    sendPage(res, page, { status: refusal.status });
  };
}

function sendsJson(req: Request): boolean {
  return typeof req.is('application/json') === 'string';
}

/** The text fields of a form, sent from one of our own pages or as JSON. A field sent twice is refused: which one would count? */
export async function readForm(req: Request, res: Response): Promise<ReadonlyMap<string, string>> {
  const site = req.get('sec-fetch-site');
  if (site === 'cross-site' || site === 'same-site')
    throw new ApiError('FORBIDDEN', 'This form was sent from another site.');
  const pairs = sendsJson(req) ? Object.entries(await readJsonObject(req, res, FORM_BYTES)) : await formPairs(req, res);
  const fields = new Map<string, string>();
  for (const [name, value] of pairs) {
    if (typeof value !== 'string') throw ApiError.badRequest(name, 'must be text');
    if (fields.has(name)) throw ApiError.badRequest(name, 'must be sent once only');
    fields.set(name, value);
  }
  return fields;
}

async function formPairs(req: Request, res: Response): Promise<Iterable<[string, unknown]>> {
  if (typeof req.is(FORM_TYPE) !== 'string')
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', `The body must be a form: send Content-Type: ${FORM_TYPE}.`);
  const body = await readBody(req, res, { bytes: FORM_BYTES, timeoutMs: FORM_TIMEOUT_MS });
  return new URLSearchParams(body.toString('utf8'));
}

/** A form counts only with the token of the page that it was sent from. */
export function checkCsrf(fields: ReadonlyMap<string, string>, expected: string | undefined): void {
  if (expected !== undefined && secretsEqual(fields.get('csrf_token') ?? '', expected)) return;
  throw new ApiError('FORBIDDEN', 'This form is no longer valid. Open the page anew and try again.');
}

/** The form of a page for people who aren't signed in, and the visitor whom that page was shown to. */
export async function readVisitorForm(
  cookies: SessionCookies,
  req: Request,
  res: Response,
): Promise<{ fields: ReadonlyMap<string, string>; visitor: Visitor }> {
  const fields = await readForm(req, res);
  const visitor = cookies.visitor(req);
  checkCsrf(fields, visitor?.csrfToken);
  if (visitor === undefined) throw new Error('a form passed without its cookie');
  return { fields, visitor };
}

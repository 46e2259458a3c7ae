import type { Request, Response } from 'express';
import { Router } from 'express';
import { loginPage } from '../../console/login-page.ts';
import { logoutPage, signedInPage, signedOutPage } from '../../console/message-pages.ts';
import { checkLogin, endBrowserSession, findBrowserSession, startBrowserSession } from '../../domain/auth/index.ts';
import type { BrowserSession } from '../../domain/auth/index.ts';
import { MAX_PASSWORD } from '../../domain/contracts/auth.ts';
import { ApiError } from '../../domain/contracts/errors.ts';
import type { AuthorizationRequest, AuthorizationRequests } from '../../domain/oauth/index.ts';
import { findApplication } from '../../domain/oauth/index.ts';
import { methodNotAllowed } from '../http/method-not-allowed.ts';
import type { Services } from '../services.ts';
import { checkCsrf, readForm, readVisitorForm, seeOther, sendPage } from './pages.ts';
import type { SessionCookies } from './session-cookies.ts';

/** What the pages are made of. */
export interface PageParts {
  services: Services;
  requests: AuthorizationRequests;
  cookies: SessionCookies;
}

export const REQUEST_OVER =
  'This authorization request has expired or was answered already. Go back to the application and start again.';

export const CONSENT_PATH = '/consent';
export const LOGIN_PATH = '/login';
export const LOGOUT_PATH = '/logout';
const METHODS = 'GET, HEAD, POST, OPTIONS';
const MAX_EMAIL = 254;

/** Sign-in and sign-out at our own pages. */
export function sessionRouter(parts: PageParts): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get(LOGIN_PATH, (req, res) => showLogin(parts, req, res));
  router.post(LOGIN_PATH, (req, res) => logIn(parts, req, res));
  router.all(LOGIN_PATH, methodNotAllowed(LOGIN_PATH, METHODS));
  router.get(LOGOUT_PATH, (req, res) => showLogout(parts, req, res));
  router.post(LOGOUT_PATH, (req, res) => logOut(parts, req, res));
  router.all(LOGOUT_PATH, methodNotAllowed(LOGOUT_PATH, METHODS));
  return router;
}

/** The session of a request's cookie, while it lasts. */
export async function sessionOf({ services, cookies }: PageParts, req: Request): Promise<BrowserSession | undefined> {
  const id = cookies.sessionId(req);
  return id === undefined ? undefined : findBrowserSession(services.system, id, services.clock.now());
}

async function showLogin(parts: PageParts, req: Request, res: Response): Promise<void> {
  const handle = typeof req.query['request'] === 'string' ? req.query['request'] : undefined;
  if (handle === undefined) {
    const session = await sessionOf(parts, req);
    if (session !== undefined) {
      sendPage(res, signedInPage(session.user, session.csrfToken));
      return;
    }
  }
  const visitor = parts.cookies.welcome(req, res);
  const request = await waitingRequest(parts, handle, visitor.hash);
  await sendLogin(parts, res, { csrfToken: visitor.csrfToken, request, email: request?.parameters.login_hint ?? '' });
}

interface LoginForm {
  csrfToken: string;
  request: AuthorizationRequest | undefined;
  email: string;
  error?: string;
}

async function sendLogin(
  { services }: PageParts,
  res: Response,
  { csrfToken, request, email, error }: LoginForm,
  status = 200,
): Promise<void> {
  const application = request && (await findApplication(services.system, request.oauthClientId));
  const page = loginPage({
    csrfToken,
    request: request?.handle,
    applicationName: application?.name,
    email,
    error,
  });
  sendPage(res, page, { status });
}

/** The request that a login is for; BAD_REQUEST when there is none that this browser may go on with. */
async function waitingRequest(
  { services, requests }: PageParts,
  handle: string | undefined,
  holder: Buffer,
): Promise<AuthorizationRequest | undefined> {
  if (handle === undefined) return undefined;
  const request = await requests.find(handle, holder, services.clock.now());
  if (request === undefined) throw new ApiError('BAD_REQUEST', REQUEST_OVER);
  return request;
}

async function logIn(parts: PageParts, req: Request, res: Response): Promise<void> {
  const { services, cookies, requests } = parts;
  const { fields, visitor } = await readVisitorForm(cookies, req, res);
  const request = await waitingRequest(parts, fields.get('request'), visitor.hash);
  const email = (fields.get('email') ?? '').trim();
  const address = req.ip ?? null;
  let user: { id: number; client_id: number };
  try {
    user = await checkLogin(services.system, {
      email: checkedEmail(email),
      password: checkedPassword(fields),
      address,
    });
  } catch (error) {
    const refusal = loginRefusal(error, res);
    await sendLogin(parts, res, { csrfToken: visitor.csrfToken, request, email, error: refusal.text }, refusal.status);
    return;
  }
  const now = services.clock.now();
  const before = cookies.sessionId(req);
  if (before !== undefined) await endBrowserSession(services.system, before);
  const from = { address, userAgent: req.get('user-agent') ?? null };
  const session = await startBrowserSession(services.system, user, from, now);
  cookies.setSession(res, session.id);
  if (request === undefined) {
    seeOther(res, LOGIN_PATH);
    return;
  }
  const handed = await requests.rebind(request.handle, visitor.hash, session.hash, now);
  if (handed === undefined) throw new ApiError('BAD_REQUEST', REQUEST_OVER);
  seeOther(res, pathOf(CONSENT_PATH, request.handle));
}

/** What can't be an address or password of ours is not looked up. */
function checkedEmail(email: string): string {
  if (email === '' || email.length > MAX_EMAIL || email.includes('\0')) throw incomplete();
  return email;
}

function checkedPassword(fields: ReadonlyMap<string, string>): string {
  const password = fields.get('password') ?? '';
  if (password === '' || password.length > MAX_PASSWORD) throw incomplete();
  return password;
}

function incomplete(): ApiError {
  return ApiError.unprocessable('Enter your e-mail address and your password.');
}

/** A refused login as the page says it; what is no refusal is thrown on. */
function loginRefusal(error: unknown, res: Response): { text: string; status: number } {
  if (!(error instanceof ApiError)) throw error;
  if (error.code === 'RATE_LIMITED') {
    const seconds = error.retryAfterSeconds ?? 60;
    const minutes = Math.ceil(seconds / 60);
    res.set('Retry-After', String(seconds));
    const wait = minutes === 1 ? '1 minute' : `${String(minutes)} minutes`;
    return { text: `Too many failed sign-ins. Try again in ${wait}.`, status: error.status };
  }
  // A form that was understood and not accepted: 401 would ask for HTTP authentication (RFC 9110 §15.5.2).
  if (error.code === 'UNAUTHORIZED' || error.code === 'UNPROCESSABLE_ENTITY')
    return { text: error.message, status: 422 };
  throw error;
}

async function showLogout(parts: PageParts, req: Request, res: Response): Promise<void> {
  const session = await sessionOf(parts, req);
  sendPage(res, session === undefined ? signedOutPage() : logoutPage(session.user, session.csrfToken));
}

/** Ends the session; with an authorization request, that one waits for whoever signs in next. */
async function logOut(parts: PageParts, req: Request, res: Response): Promise<void> {
  const { services, cookies, requests } = parts;
  const fields = await readForm(req, res);
  const session = await sessionOf(parts, req);
  const id = cookies.sessionId(req);
  if (session === undefined || id === undefined) {
    seeOther(res, LOGOUT_PATH);
    return;
  }
  checkCsrf(fields, session.csrfToken);
  await endBrowserSession(services.system, id);
  cookies.clearSession(res);
  const handle = fields.get('request');
  if (handle === undefined) {
    seeOther(res, LOGOUT_PATH);
    return;
  }
  const handed = await requests.rebind(handle, session.hash, cookies.newVisitor(res).hash, services.clock.now());
  if (handed === undefined) throw new ApiError('BAD_REQUEST', REQUEST_OVER);
  seeOther(res, pathOf(LOGIN_PATH, handle));
}

export function pathOf(page: string, handle: string): string {
  return `${page}?${new URLSearchParams({ request: handle }).toString()}`;
}

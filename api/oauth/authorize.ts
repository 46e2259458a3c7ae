import type { Request, Response } from 'express';
import { Router } from 'express';
import { consentPage } from '../../console/consent-page.ts';
import type { BrowserSession } from '../../domain/auth/index.ts';
import { ApiError } from '../../domain/contracts/errors.ts';
import {
  AuthorizationRefusal,
  checkRequest,
  findApplication,
  isRegisteredRedirect,
  issueCode,
  needsNewLogin,
  recordDenial,
  RequestParameters,
  stateOf,
} from '../../domain/oauth/index.ts';
import type { AuthorizationParameters, Decision, OAuthApplication } from '../../domain/oauth/index.ts';
import { methodNotAllowed } from '../http/method-not-allowed.ts';
import { addressOf } from '../http/request-context.ts';
import {
  answerApplication,
  answerRefusal,
  applicationOf,
  checkGrant,
  checkTenant,
  destinationOf,
  permissionsOf,
  policySource,
} from './authorize-answer.ts';
import { OAUTH_PATHS } from './metadata.ts';
import { checkCsrf, readForm, seeOther, sendPage } from './pages.ts';
import { CONSENT_PATH, LOGIN_PATH, pathOf, REQUEST_OVER, sessionOf } from './session-pages.ts';
import type { PageParts } from './session-pages.ts';

export const AUTHORIZE_PATH = OAUTH_PATHS.authorize;
/** Whatever else an identifier holds, none of ours does. */
const CLIENT_ID = /^[\w-]{1,100}$/;
/** Requests kept for one address: each is a row, and nobody is known yet. */
const KEPT_PER_ADDRESS = { perWindow: 120, burst: 30 };

/** The authorization endpoint (RFC 6749 §3.1) and its consent page. */
export function authorizeRouter(parts: PageParts): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get(AUTHORIZE_PATH, (req, res) => authorize(parts, req, res));
  router.post(AUTHORIZE_PATH, (req, res) => decide(parts, req, res));
  router.all(AUTHORIZE_PATH, methodNotAllowed(AUTHORIZE_PATH, 'GET, HEAD, POST, OPTIONS'));
  router.get(CONSENT_PATH, (req, res) => showConsent(parts, req, res));
  router.all(CONSENT_PATH, methodNotAllowed(CONSENT_PATH, 'GET, HEAD, OPTIONS'));
  return router;
}

async function authorize(parts: PageParts, req: Request, res: Response): Promise<void> {
  const query = req.originalUrl.split('?').slice(1).join('?');
  const parameters = new RequestParameters(new URLSearchParams(query));
  const { application, redirectUri } = await identify(parts, parameters);
  // From here on the address of the answer is known to be the application's own.
  const to = { redirect_uri: redirectUri, state: stateOf(parameters) };
  try {
    const checked = checkRequest(parameters, application, redirectUri);
    await begin(parts, { req, res, application, checked });
  } catch (error) {
    answerRefusal(req, res, to, error);
  }
}

/** Who asks and where the answer goes. When either is wrong nothing may be redirected (RFC 6749 §4.1.2.1). */
async function identify(
  { services }: PageParts,
  parameters: RequestParameters,
): Promise<{ application: OAuthApplication; redirectUri: string }> {
  const oauthClientId = only(parameters, 'client_id');
  const redirectUri = only(parameters, 'redirect_uri');
  const application = CLIENT_ID.test(oauthClientId) ? await findApplication(services.system, oauthClientId) : undefined;
  if (application === undefined)
    throw new ApiError('BAD_REQUEST', 'The client_id is not that of a registered application.');
  if (!isRegisteredRedirect(redirectUri, application.redirectUris))
    throw new ApiError('BAD_REQUEST', 'The redirect_uri is not one that the application has registered.');
  return { application, redirectUri };
}

function only(parameters: RequestParameters, name: string): string {
  const value = parameters.get(name);
  if (value !== undefined) return value;
  throw new ApiError(
    'BAD_REQUEST',
    parameters.has(name) ? `The parameter ${name} was sent more than once.` : `The parameter ${name} is missing.`,
  );
}

interface Beginning {
  req: Request;
  res: Response;
  application: OAuthApplication;
  checked: AuthorizationParameters;
}

/** Keeps the request for the user's decision, and sends the browser to the page that comes next. */
async function begin(parts: PageParts, { req, res, application, checked }: Beginning): Promise<void> {
  const { services, requests, cookies } = parts;
  const now = services.clock.now();
  const session = await sessionOf(parts, req);
  const isSignedIn = session !== undefined && !needsNewLogin(checked, session.authenticatedAt, now);
  if (checked.prompts.includes('none'))
    throw isSignedIn
      ? new AuthorizationRefusal('interaction_required', 'The user has to give consent.')
      : new AuthorizationRefusal('login_required', 'The user has to sign in.');
  await limitKept(parts, req);
  if (isSignedIn) {
    if (application.clientId === session.user.clientId) checkGrant(checked, application, session);
    const handle = await requests.keep(application, checked, session.hash, now);
    seeOther(res, pathOf(CONSENT_PATH, handle));
  } else {
    const handle = await requests.keep(application, checked, cookies.welcome(req, res).hash, now);
    seeOther(res, pathOf(LOGIN_PATH, handle));
  }
}

async function limitKept({ services }: PageParts, req: Request): Promise<void> {
  const { verdict, retryAfterSeconds } = await services.limiter.admit(`authorize:${req.ip ?? ''}`, KEPT_PER_ADDRESS);
  if (verdict === 'admitted') return;
  throw new ApiError('RATE_LIMITED', 'Too many requests came from your address. Wait a moment and try again.', {
    retryAfterSeconds,
  });
}

async function showConsent(parts: PageParts, req: Request, res: Response): Promise<void> {
  const handle = typeof req.query['request'] === 'string' ? req.query['request'] : '';
  const session = await sessionOf(parts, req);
  const request = session && (await parts.requests.find(handle, session.hash, parts.services.clock.now()));
  if (session === undefined || request === undefined) throw new ApiError('BAD_REQUEST', REQUEST_OVER);
  const { parameters } = request;
  const application = await applicationOf(parts.services, request);
  checkTenant(application, session, handle);
  try {
    checkGrant(parameters, application, session);
  } catch (error) {
    await parts.requests.take(handle, session.hash, parts.services.clock.now());
    answerRefusal(req, res, parameters, error);
    return;
  }
  const page = consentPage({
    applicationName: application.name,
    permissions: permissionsOf(parameters.scopes),
    destination: destinationOf(parameters.redirect_uri),
    user: session.user,
    csrfToken: session.csrfToken,
    request: handle,
  });
  sendPage(res, page, { formTargets: policySource(parameters.redirect_uri) });
}

/** The user's decision. The request is used up by it, whatever it is, before anything is issued. */
async function decide(parts: PageParts, req: Request, res: Response): Promise<void> {
  const { services, requests } = parts;
  const fields = await readForm(req, res);
  const session = await sessionOf(parts, req);
  if (session === undefined)
    throw new ApiError('FORBIDDEN', 'You are no longer signed in. Go back to the application and start again.');
  checkCsrf(fields, session.csrfToken);
  const decision = fields.get('decision');
  if (decision !== 'approve' && decision !== 'deny') throw ApiError.badRequest('decision', 'must be approve or deny');
  const handle = fields.get('request') ?? '';
  const waiting = await requests.find(handle, session.hash, services.clock.now());
  if (waiting === undefined) throw new ApiError('BAD_REQUEST', REQUEST_OVER);
  const application = await applicationOf(services, waiting);
  checkTenant(application, session, handle);
  const request = await requests.take(handle, session.hash, services.clock.now());
  if (request === undefined) throw new ApiError('BAD_REQUEST', REQUEST_OVER);
  const { parameters } = request;
  try {
    const taken = decisionOf(req, application, session, parameters);
    if (decision === 'deny') {
      await recordDenial(services.system, taken);
      throw new AuthorizationRefusal('access_denied', 'The user denied the request.');
    }
    checkGrant(parameters, application, session);
    answerApplication(req, res, parameters, { code: await codeFor(parts, session, taken, parameters) });
  } catch (error) {
    answerRefusal(req, res, parameters, error);
  }
}

function decisionOf(
  req: Request,
  application: OAuthApplication,
  { user }: BrowserSession,
  { redirect_uri: redirectUri, scopes }: AuthorizationParameters,
): Decision {
  return { application, userId: user.id, redirectUri, scopes, address: addressOf(req) };
}

function codeFor(
  { services }: PageParts,
  session: BrowserSession,
  decision: Decision,
  { code_challenge, nonce }: AuthorizationParameters,
): Promise<string> {
  const grant = {
    ...decision,
    codeChallenge: code_challenge,
    ...(nonce === null ? {} : { nonce }),
    authenticatedAt: new Date(session.authenticatedAt),
  };
  return issueCode(services.system, grant, services.clock.now());
}

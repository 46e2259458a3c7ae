import type { Request, Response } from 'express';
import type { BrowserSession } from '../../domain/auth/index.ts';
import { availableScopes } from '../../domain/contracts/scopes.ts';
import { ApiError } from '../../domain/contracts/errors.ts';
import {
  answerUri,
  AuthorizationRefusal,
  effectiveScopes,
  findApplication,
  IDENTITY_SCOPES,
  isRegisteredRedirect,
} from '../../domain/oauth/index.ts';
import type { AuthorizationParameters, AuthorizationRequest, OAuthApplication } from '../../domain/oauth/index.ts';
import type { Services } from '../services.ts';
import { PageRefusal, seeOther } from './pages.ts';

/** Sends the browser back to the application. Always with `iss`, so that it can tell our answers from another server's (RFC 9207). */
export function answerApplication(
  req: Request,
  res: Response,
  to: { redirect_uri: string; state: string | null | undefined },
  answer: Readonly<Record<string, string>>,
): void {
  const iss = req.app.get('public url') as string;
  seeOther(res, answerUri(to.redirect_uri, { ...answer, state: to.state, iss }));
}

/** Tells the application why it gets no code; what is no such refusal is thrown on. */
export function answerRefusal(
  req: Request,
  res: Response,
  to: { redirect_uri: string; state: string | null | undefined },
  refusal: unknown,
): void {
  if (!(refusal instanceof AuthorizationRefusal)) throw refusal;
  answerApplication(req, res, to, { error: refusal.error, error_description: refusal.message });
}

/** The application of a waiting request, as it is now: it may have been changed or deleted since. */
export async function applicationOf(
  { system }: Services,
  { oauthClientId, parameters }: AuthorizationRequest,
): Promise<OAuthApplication> {
  const application = await findApplication(system, oauthClientId);
  if (application === undefined || !isRegisteredRedirect(parameters.redirect_uri, application.redirectUris))
    throw new ApiError('BAD_REQUEST', 'The application of this request is no longer registered.');
  return application;
}

/** Users answer for applications of their own organisation only. */
export function checkTenant(application: OAuthApplication, { user, csrfToken }: BrowserSession, request: string): void {
  if (application.clientId === user.clientId) return;
  throw new PageRefusal(
    'FORBIDDEN',
    `You are signed in as ${user.email}, and this application belongs to another organisation.`,
    { csrfToken, request },
  );
}

/** What is asked for must be the application's, and this user's to give. */
export function checkGrant(
  { scopes }: AuthorizationParameters,
  application: OAuthApplication,
  { user }: BrowserSession,
): void {
  if (effectiveScopes(scopes, application.scopes, user.role).length < scopes.length)
    throw new AuthorizationRefusal('invalid_scope', 'The signed-in user may not grant every scope that was asked for.');
}

/** What the consent page says of each scope. */
export function permissionsOf(scopes: readonly string[]): { scope: string; words: string }[] {
  const words: Readonly<Record<string, string>> = { ...availableScopes('full'), ...IDENTITY_SCOPES };
  return scopes.map((scope) => ({ scope, words: words[scope] ?? scope }));
}

const PLAIN_ORIGIN = /^https?:\/\/[a-z0-9.-]+(?::\d+)?$/;
const PLAIN_SCHEME = /^[a-z][a-z0-9+.-]*:$/;

/** The redirect target as a source of a Content-Security-Policy, which has no way to write an IPv6 address. */
export function policySource(redirectUri: string): string {
  const { origin, protocol } = new URL(redirectUri);
  if (PLAIN_ORIGIN.test(origin)) return origin;
  return PLAIN_SCHEME.test(protocol) ? protocol : '';
}

/** The redirect target in words. */
export function destinationOf(redirectUri: string): string {
  const { protocol, host, hostname } = new URL(redirectUri);
  if (protocol !== 'https:' && protocol !== 'http:') return `the app ${protocol.slice(0, -1)} on this device`;
  const isLoopback = /^(127\.0\.0\.1|\[::1\]|localhost)$/.test(hostname);
  return isLoopback ? `this computer (${host})` : host;
}

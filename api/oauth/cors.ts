import type { RequestHandler } from 'express';
import { OAUTH_PATHS } from './metadata.ts';

/**
 * Endpoints that a program in a browser calls from any origin (RFC 9700 §2.6, draft-ietf-oauth-browser-based-apps). None
 * of them looks at cookies: who calls is in the request itself. Not the authorization endpoint, which is a page.
 */
const OPEN = new Set<string>([
  OAUTH_PATHS.token,
  OAUTH_PATHS.revoke,
  OAUTH_PATHS.userinfo,
  OAUTH_PATHS.jwks,
  OAUTH_PATHS.serverMetadata,
  OAUTH_PATHS.openidConfiguration,
  OAUTH_PATHS.resourceMetadata,
]);

export const oauthCors: RequestHandler = (req, res, next) => {
  if (!OPEN.has(req.path) || req.get('origin') === undefined) {
    next();
    return;
  }
  res.set('Access-Control-Allow-Origin', '*');
  if (req.method !== 'OPTIONS') {
    next();
    return;
  }
  res.set({
    'Access-Control-Allow-Headers': 'Authorization, Content-Type',
    'Access-Control-Allow-Methods': 'GET, POST, OPTIONS',
    'Access-Control-Max-Age': '86400',
  });
  res.status(204).end();
};

const EXPOSED = [
  ...['WWW-Authenticate', 'Retry-After', 'X-Request-Id'],
  ...['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'],
].join(', ');

/** What such a program may read of an answer. For the router itself: the API's own CORS comes before it, and names less. */
export const exposeOAuthHeaders: RequestHandler = (req, res, next) => {
  if (OPEN.has(req.path) && req.get('origin') !== undefined) res.set('Access-Control-Expose-Headers', EXPOSED);
  next();
};

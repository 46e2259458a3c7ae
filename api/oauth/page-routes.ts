import { Router } from 'express';
import { STYLE, STYLE_PATH, STYLE_VERSION } from '../../console/layout.ts';
import { AuthorizationRequests } from '../../domain/oauth/index.ts';
import { contextOf } from '../http/request-context.ts';
import type { Services } from '../services.ts';
import { AUTHORIZE_PATH, authorizeRouter } from './authorize.ts';
import { FORGOT_PASSWORD_PATH, forgotPasswordRouter } from './forgot-password-pages.ts';
import { INVITATION_PATH, invitationRouter } from './invitation-pages.ts';
import { pageErrorHandler } from './pages.ts';
import { SessionCookies } from './session-cookies.ts';
import { CONSENT_PATH, LOGIN_PATH, LOGOUT_PATH, sessionRouter } from './session-pages.ts';

/** The authorization endpoint with the pages around it: login, consent, logout, passwords, and their style sheet. */
export function oauthPagesRouter(services: Services, publicUrl: string): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const parts = {
    services,
    requests: new AuthorizationRequests(services.system, services.vault),
    cookies: new SessionCookies(publicUrl),
  };
  router.use(
    [LOGIN_PATH, LOGOUT_PATH, CONSENT_PATH, INVITATION_PATH, FORGOT_PASSWORD_PATH, AUTHORIZE_PATH, STYLE_PATH],
    (req, res, next) => {
      contextOf(req).route = req.baseUrl;
      // Pages are for people: no other origin, known or not, gets to read the tokens in them.
      for (const name of res.getHeaderNames()) if (name.startsWith('access-control-')) res.removeHeader(name);
      next();
    },
  );
  router.get(STYLE_PATH, (req, res) => {
    const isCurrent = req.query['v'] === STYLE_VERSION;
    res.set('Cache-Control', isCurrent ? 'public, max-age=31536000, immutable' : 'no-cache');
    res.type('css').send(STYLE);
  });
  router.use(authorizeRouter(parts), sessionRouter(parts), invitationRouter(parts), forgotPasswordRouter(parts));
  router.use(pageErrorHandler(services.log));
  return router;
}

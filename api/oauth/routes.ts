import { Router } from 'express';
import type { Request, RequestHandler, Response } from 'express';
import {
  authenticateApplication,
  grantTokens,
  introspectToken,
  OAuthError,
  revokeToken,
} from '../../domain/oauth/index.ts';
import type { GrantDeps, OAuthApplication, RequestParameters } from '../../domain/oauth/index.ts';
import { addLogContext } from '../../platform/log.ts';
import { methodNotAllowed } from '../http/method-not-allowed.ts';
import { addressOf, contextOf } from '../http/request-context.ts';
import { limitSubject } from '../middleware/rate-limit.ts';
import type { Services } from '../services.ts';
import { credentialsOf } from './client-auth.ts';
import { exposeOAuthHeaders } from './cors.ts';
import { oauthErrorHandler } from './errors.ts';
import { OAUTH_PATHS, resourceMetadata, serverMetadata } from './metadata.ts';
import { readParameters } from './parameters.ts';
import { answerUserInfo } from './userinfo.ts';

/** Keys and metadata change with a deployment; a client that meets an unknown key asks anew. */
const CACHED = 'public, max-age=300';

/** The endpoints of the protocol that programs call: token, revoke, introspect, userinfo, keys and metadata. */
export function oauthRouter(services: Services, publicUrl: string): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.use(exposeOAuthHeaders);
  const post = (path: string, handler: (req: Request, res: Response) => Promise<void>): void => {
    router.post(path, named(path), async (req, res) => {
      res.set({ 'Cache-Control': 'no-store', Pragma: 'no-cache' });
      await handler(req, res);
    });
    router.all(path, methodNotAllowed(path, 'POST, OPTIONS'));
  };
  const deps = (): GrantDeps & Pick<Services, 'broadcast'> => ({
    ...services,
    issuer: publicUrl,
    now: services.clock.now(),
  });

  post(OAUTH_PATHS.token, async (req, res) => {
    const parameters = await readParameters(req, res);
    const application = await clientOf(services, req, parameters);
    const refusal = await limitSubject(res, tokenRateOf(application, addressOf(req)), services.limiter);
    if (refusal !== undefined) throw refusal;
    res.json(await grantTokens(deps(), application, (name) => parameters.get(name)));
  });
  post(OAUTH_PATHS.revoke, async (req, res) => {
    await revokeToken(deps(), tokenOf(await readParameters(req, res)));
    res.status(200).json({});
  });
  post(OAUTH_PATHS.introspect, async (req, res) => {
    const parameters = await readParameters(req, res);
    const application = await clientOf(services, req, parameters);
    if (application.clientType === 'public') {
      throw new OAuthError('invalid_client', 'Introspection is for clients that authenticate with a secret.');
    }
    res.json(await introspectToken(deps(), application, tokenOf(parameters)));
  });

  router.use(OAUTH_PATHS.userinfo, named(OAUTH_PATHS.userinfo));
  router.get(OAUTH_PATHS.userinfo, (req, res) => answerUserInfo(services, req, res));
  router.post(OAUTH_PATHS.userinfo, (req, res) => answerUserInfo(services, req, res));
  router.all(OAUTH_PATHS.userinfo, methodNotAllowed(OAUTH_PATHS.userinfo, 'GET, HEAD, POST, OPTIONS'));

  serveDocuments(router, services, publicUrl);
  router.use(oauthErrorHandler(services.log));
  return router;
}

function serveDocuments(router: Router, services: Services, publicUrl: string): void {
  const documents: Readonly<Record<string, object>> = {
    [OAUTH_PATHS.jwks]: { keys: services.jwt.publicKeys() },
    [OAUTH_PATHS.serverMetadata]: serverMetadata(publicUrl),
    [OAUTH_PATHS.openidConfiguration]: serverMetadata(publicUrl),
    [OAUTH_PATHS.resourceMetadata]: resourceMetadata(publicUrl),
  };
  for (const [path, document] of Object.entries(documents)) {
    router.get(path, named(path), (_req, res) => {
      res.set('Cache-Control', CACHED).json(document);
    });
    router.all(path, methodNotAllowed(path, 'GET, HEAD, OPTIONS'));
  }
}

/**
 * Whose token requests count together: an application's, apart from the calls with its tokens, so that neither uses the
 * other's limit up. A public client's id is no secret: by address too, or anyone could use up the limit of all its users.
 */
function tokenRateOf(
  { id, clientType, rateLimit }: OAuthApplication,
  address: string | null,
): Parameters<typeof limitSubject>[1] {
  const subject = `oauth-token:${String(id)}`;
  return {
    subject: clientType === 'public' ? `${subject}:${address ?? ''}` : subject,
    policy: rateLimit,
  };
}

/** The application that the request authenticates as. */
async function clientOf(services: Services, req: Request, parameters: RequestParameters): Promise<OAuthApplication> {
  const application = await authenticateApplication(services, credentialsOf(req, parameters));
  addLogContext({ client_id: application.clientId });
  return application;
}

function tokenOf(parameters: RequestParameters): string {
  const token = parameters.get('token');
  if (token === undefined) throw new OAuthError('invalid_request', 'token is missing.');
  return token;
}

function named(path: string): RequestHandler {
  return (req, _res, next) => {
    contextOf(req).route = path;
    next();
  };
}

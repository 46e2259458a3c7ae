import express from 'express';
import type { Express, RequestHandler } from 'express';
import { ApiError } from '../domain/contracts/errors.ts';
import { actionRouter } from './adapters/actions.ts';
import { restRouter } from './adapters/rest.ts';
import { docsRouter } from './docs/routes.ts';
import { healthRouter } from './health/routes.ts';
import { errorHandler } from './http/errors.ts';
import { methodNotAllowed } from './http/method-not-allowed.ts';
import { createApiMetrics } from './metrics.ts';
import { cors } from './middleware/cors.ts';
import { apiVersion, requestContext } from './middleware/request-context.ts';
import { securityHeaders } from './middleware/security-headers.ts';
import { singleHeaders } from './middleware/single-headers.ts';
import { oauthCors } from './oauth/cors.ts';
import { oauthPagesRouter } from './oauth/page-routes.ts';
import { oauthRouter } from './oauth/routes.ts';
import { operations } from './registry.ts';
import type { Services } from './services.ts';
import { sandboxPaths } from './vision/sandbox.ts';

const API = '/api/v1/';
const HEALTH = `${API}health`;
const OAUTH = `${API}oauth/`;
const PUBLIC_DATA = `${API}public/`;

/** The whole HTTP face over the given services. `publicUrl` is how callers reach it (for links in answers). */
export function createApp(parts: Services, publicUrl: string): Express {
  const metrics = createApiMetrics(parts);
  const services: Services = { ...parts, publicUrl, authenticator: metrics.counted(parts.authenticator) };
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', services.config.TRUSTED_PROXIES);
  app.set('query parser', 'simple');
  app.set('public url', publicUrl);

  app.use(requestContext(services.log), metrics.observe, securityHeaders);
  app.use(oauthCors, cors(services.config.CORS_ORIGINS));
  app.use(singleHeaders);
  app.get('/metrics', metrics.serve);
  app.all('/metrics', methodNotAllowed('/metrics', 'GET, HEAD, OPTIONS'));
  app.use(sandboxPaths(services.config.VISION_SANDBOX));
  app.use(only((path) => path.startsWith(HEALTH), healthRouter(services)));
  app.use(only((path) => !path.startsWith(API), docsRouter(publicUrl)));
  app.use(oauthRouter(services, publicUrl));
  app.use(only((path) => !path.startsWith(API) || path.startsWith(OAUTH), oauthPagesRouter(services, publicUrl)));
  app.use(apiVersion);
  app.use(only((path) => path.startsWith(PUBLIC_DATA), actionRouter(services)));
  app.use(restRouter(operations, services));
  app.use((req) => {
    throw new ApiError('NOT_FOUND', `There is nothing at ${req.path.slice(0, 200)}.`);
  });
  app.use(errorHandler(services.log));
  return app;
}

/** A router for some paths only: the others don't pay for being held against each of its routes. */
function only(isOf: (path: string) => boolean, router: RequestHandler): RequestHandler {
  return (req, res, next) => {
    if (isOf(req.path)) router(req, res, next);
    else next();
  };
}

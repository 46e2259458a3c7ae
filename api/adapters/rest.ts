import { Router } from 'express';
import type { Request, RequestHandler, Response } from 'express';
import { checked, checkScope, execute } from '../execute.ts';
import { sendContent } from '../http/content.ts';
import { sendOutcome } from '../http/envelope.ts';
import { methodNotAllowed } from '../http/method-not-allowed.ts';
import { idempotencyOf } from '../http/idempotency.ts';
import { contextOf } from '../http/request-context.ts';
import { authenticate } from '../middleware/authenticate.ts';
import { jsonObject, readJson } from '../middleware/json-body.ts';
import { limitRate } from '../middleware/rate-limit.ts';
import { rawRequestOf } from '../raw-request.ts';
import type { Call, DetachedOperation, HttpMethod, Operation, Route, TenantOperation } from '../operation.ts';
import type { Services } from '../services.ts';
import { withUpload } from '../uploads.ts';
import { validateInput } from '../validate.ts';
import { inSandbox } from '../vision/sandbox.ts';
import { coerceStrings } from './coerce.ts';
import { factsOf } from './run-action.ts';

type RoutedOperation = Operation & { route: Route };
type RoutedAction = (TenantOperation | DetachedOperation) & { route: Route };

/** Every operation that declares a route, and 405 with `Allow` for other methods on the same paths. */
export function restRouter(operations: readonly Operation[], services: Services): RequestHandler {
  const bySegment = Map.groupBy(operations.filter(hasRoute), (operation) => segmentOf(operation.route.path));
  const routers = new Map([...bySegment].map(([segment, sharing]) => [segment, routerOf(sharing, services)]));
  return (req, res, next) => {
    const router = routers.get(segmentOf(req.path));
    if (router === undefined) next();
    else router(req, res, next);
  };
}

/** What tells the areas apart, `work-items` of `/api/v1/work-items/{id}`: a request is held against its own area's routes only. */
function segmentOf(path: string): string | undefined {
  return path.split('/', 4)[3];
}

function routerOf(operations: readonly RoutedOperation[], services: Services): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const byPath = Map.groupBy(operations, (operation) => operation.route.path);
  for (const [path, sharing] of [...byPath].sort(([a], [b]) => literalsFirst(a, b))) {
    const route = router.route(expressPath(path));
    for (const operation of sharing) {
      route[operation.route.method](async (req: Request, res: Response) => {
        contextOf(req).route = path;
        await serve(operation, services, req, res);
      });
    }
    const allow = allowedMethods(sharing.map((operation) => operation.route.method));
    route.all(methodNotAllowed(path, allow));
  }
  return router;
}

export function hasRoute(operation: Operation): operation is RoutedOperation {
  return operation.route !== undefined;
}

/** `/work-items/webhooks` before `/work-items/{id}`, which would take it for an id. */
function literalsFirst(a: string, b: string): number {
  const rank = (path: string): string => path.replaceAll(/\{\w+\}/g, '~');
  return rank(a) < rank(b) ? -1 : 1;
}

/** `/work-items/{id}` in Express' spelling, `/work-items/:id`. */
function expressPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

function allowedMethods(methods: readonly HttpMethod[]): string {
  const names = methods.map((method) => method.toUpperCase());
  return [...new Set([...names, ...(names.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])].join(', ');
}

async function serve(operation: RoutedOperation, services: Services, req: Request, res: Response): Promise<void> {
  const { route } = operation;
  const request = factsOf(req, res);
  if (operation.unit === 'open') {
    operation.admit?.({ services, request }, (name) => req.get(name));
    const isRaw = route.body === 'raw';
    const raw = isRaw ? rawRequestOf(req, res, { ...services, maxBytes: route.maxBodyBytes }) : undefined;
    const given = isRaw ? coerceStrings(operation.input, req.params) : await rawInput(operation, req, res);
    const input = validateInput(operation.input, given) as never;
    sendOutcome(req, res, checked(operation, await operation.run({ services, request, raw }, input)), route);
    return;
  }
  contextOf(req).guard = { takesOAuth: route.auth.includes('oauth'), scopes: operation.scopes };
  const caller = inSandbox(req, await authenticate(req, route.auth, services.authenticator));
  const refusal = await limitRate(res, caller, services.limiter, route.quota);
  if (refusal !== undefined) throw refusal;
  if (route.body === 'multipart') {
    await serveUpload(operation, { caller, services, request }, req, res);
    return;
  }
  const input = await rawInput(operation, req, res);
  const outcome = await execute(
    operation,
    { caller, services, request, idempotency: idempotencyOf(req, input) },
    input,
  );
  if (outcome.content === undefined) sendOutcome(req, res, outcome, route);
  else await sendContent(req, res, outcome.content);
}

/** A request that brings a file: it is stored as it arrives, and part of what a repetition must share. */
async function serveUpload(operation: RoutedAction, call: Call, req: Request, res: Response): Promise<void> {
  // Before the bytes are taken, not after.
  checkScope(operation, call.caller);
  const outcome = await withUpload(req, res, call, (upload, fields) => {
    const { input: schema } = operation;
    const input = { ...coerceStrings(schema, fields), ...coerceStrings(schema, req.params) };
    const { fileName, size, sha256 } = upload;
    const idempotency = idempotencyOf(req, { input, file: { fileName, size, sha256 } });
    return execute(operation, { ...call, idempotency, upload }, input);
  });
  sendOutcome(req, res, outcome, operation.route);
}

/** Path parameters, and the query (GET, DELETE) or the body and what the route takes from the query (else), as one object. */
async function rawInput(operation: RoutedOperation, req: Request, res: Response): Promise<unknown> {
  const { route, input } = operation;
  const params = coerceStrings(input, req.params);
  if (route.method === 'get' || route.method === 'delete') {
    return { ...coerceStrings(input, req.query), ...params };
  }
  const body = await readJson(req, res, route.maxBodyBytes);
  const outside =
    route.query === undefined ? params : { ...coerceStrings(input, only(route.query, req.query)), ...params };
  return body === undefined ? outside : { ...jsonObject(body), ...outside };
}

function only(names: readonly string[], values: Request['query']): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
}

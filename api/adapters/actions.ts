import { Router } from 'express';
import type { Request, Response } from 'express';
import type { Caller } from '../../domain/contracts/caller.ts';
import { ApiError } from '../../domain/contracts/errors.ts';
import { metaOf, sendOutcome } from '../http/envelope.ts';
import { sendRefusal } from '../http/errors.ts';
import { methodNotAllowed } from '../http/method-not-allowed.ts';
import { idempotencyOf } from '../http/idempotency.ts';
import { contextOf } from '../http/request-context.ts';
import { sendSharedJson, within } from '../http/shared-json.ts';
import type { SharedJson } from '../http/shared-json.ts';
import { authenticate } from '../middleware/authenticate.ts';
import { readJsonObject } from '../middleware/json-body.ts';
import { limitRate } from '../middleware/rate-limit.ts';
import type { Call } from '../operation.ts';
import type { Services } from '../services.ts';
import { runBatch } from './batch.ts';
import { discoveryMembers } from './discovery.ts';
import { handleMcp } from './mcp.ts';
import { factsOf, runAction } from './run-action.ts';
import { TOOL_FORMATS, toolCatalogMembers } from './tools.ts';

const BASE = '/api/v1/public';

/** The Public Data API (spec): discovery, one action, the tool catalogue, batch, and the MCP adapter. */
export function actionRouter(services: Services): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const withKey =
    (path: string, serve: (req: Request, res: Response, caller: Caller) => Promise<void> | void) =>
    async (req: Request, res: Response): Promise<void> => {
      contextOf(req).route = path;
      const caller = await authenticate(req, ['api_key'], services.authenticator);
      const refusal = await limitRate(res, caller, services.limiter);
      // At once, past the router's way with errors: a flood is answered by the thousand.
      if (refusal !== undefined) sendRefusal(req, res, refusal);
      else await serve(req, res, caller);
    };

  const callOf = (req: Request, res: Response, caller: Caller, body: unknown): Call => ({
    caller,
    services,
    request: factsOf(req, res),
    idempotency: idempotencyOf(req, body),
  });

  const data = `${BASE}/data`;
  router
    .route(data)
    .get(
      withKey(data, (req, res) => {
        sendCatalog(req, res, within('"data":{', discoveryMembers(services.clock.now()), '}'));
      }),
    )
    .post(
      withKey(data, async (req, res, caller) => {
        const body = await readJsonObject(req, res);
        sendOutcome(req, res, await runAction(callOf(req, res, caller, body), body));
      }),
    )
    .all(methodNotAllowed(data, 'GET, HEAD, POST, OPTIONS'));
  const tools = `${data}/tools`;
  router
    .route(tools)
    .get(
      withKey(tools, (req, res) => {
        // The catalogue's keys stand beside `success`.
        sendCatalog(req, res, toolCatalogMembers[formatOf(req)](services.clock.now()));
      }),
    )
    .all(methodNotAllowed(tools, 'GET, HEAD, OPTIONS'));
  const batch = `${data}/batch`;
  router
    .route(batch)
    .post(
      withKey(batch, async (req, res, caller) => {
        const body = await readJsonObject(req, res);
        sendOutcome(req, res, await runBatch(callOf(req, res, caller, body), body));
      }),
    )
    .all(methodNotAllowed(batch, 'POST, OPTIONS'));
  const mcp = `${BASE}/mcp`;
  router
    .route(mcp)
    .post(withKey(mcp, (req, res, caller) => handleMcp({ caller, services, request: factsOf(req, res) }, req, res)))
    .all(methodNotAllowed(mcp, 'POST, OPTIONS'));
  return router;
}

/** The envelope around members that are JSON text already. */
function sendCatalog(req: Request, res: Response, members: SharedJson): void {
  sendSharedJson(res, within('{"success":true,', members, `,"meta":${JSON.stringify(metaOf(req))}}`));
}

function formatOf(req: Request): (typeof TOOL_FORMATS)[number] {
  const asked = req.query['format'] ?? 'mcp';
  const format = TOOL_FORMATS.find((known) => known === asked);
  if (format === undefined) throw ApiError.invalid('format', `must be one of ${TOOL_FORMATS.join(', ')}`);
  return format;
}

import type { Request, Response } from 'express';
import { z } from 'zod';
import { ApiError } from '../../domain/contracts/errors.ts';
import { sendJson, sendJsonText } from '../http/envelope.ts';
import { publicError } from '../http/errors.ts';
import { CallParams, callTool } from '../mcp/call-tool.ts';
import { eraOf } from '../mcp/era.ts';
import { loadFixtures } from '../mcp/fixtures.ts';
import { cacheableIn, discoverResult, initializeResult, resultIn } from '../mcp/results.ts';
import type { Era } from '../mcp/revisions.ts';
import { checkParams, idOf, RPC_ERROR, RpcError, rpcFailure, RpcRequest } from '../mcp/rpc.ts';
import type { RpcMessage } from '../mcp/rpc.ts';
import { readJson } from '../middleware/json-body.ts';
import type { Call } from '../operation.ts';
import { mcpToolsText } from './tools.ts';

const Params = z.record(z.string(), z.unknown());
const InitializeParams = z.object({ protocolVersion: z.string() });
const ListParams = z.object({ cursor: z.undefined('there is one page only').optional() });

/** The MCP adapter (spec, "MCP adapter"; decisions §5): one JSON-RPC request, one JSON answer, in either era of MCP. */
export async function handleMcp(call: Call, req: Request, res: Response): Promise<void> {
  checkOrigin(req, call.services.config.MCP_ALLOWED_ORIGINS);
  const body = await readJson(req, res).catch(unlessParseError);
  if (body === PARSE_FAILED) {
    refuse(res, null, new RpcError(RPC_ERROR.parse, 'the body is not valid JSON', { status: 400 }));
    return;
  }
  const parsed = RpcRequest.safeParse(body);
  if (!parsed.success) {
    const error = new RpcError(RPC_ERROR.invalidRequest, 'the body is not a JSON-RPC 2.0 request', { status: 400 });
    refuse(res, idOf(body), error);
    return;
  }
  const message = parsed.data;
  try {
    await answer(call, { req, res }, message);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    refuse(res, message.id ?? null, error);
  }
}

/** A page of another origin may not use a key that a person has pasted into a tool of theirs, where origins are named. */
function checkOrigin(req: Request, allowed: readonly string[]): void {
  const { origin } = req.headers;
  if (allowed.length === 0 || origin === undefined || allowed.includes(origin)) return;
  throw new ApiError('FORBIDDEN', `The origin ${origin.slice(0, 200)} may not use MCP here.`);
}

async function answer(call: Call, { req, res }: { req: Request; res: Response }, message: RpcMessage): Promise<void> {
  const era = eraOf(message, {
    version: req.get('mcp-protocol-version'),
    method: req.get('mcp-method'),
    name: req.get('mcp-name'),
  });
  const { id, params = {} } = message;
  if (id === undefined) {
    res.status(202).end();
    return;
  }
  const fixtures = await loadFixtures(call.services.config);
  if (fixtures !== undefined && (await fixtures.serve({ ...message, id }, era, res))) return;
  const checked = checkParams(Params, params);
  const result = await resultText(call, { req, res, era }, message.method, checked);
  sendJsonText(
    res,
    200,
    `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${fixtures?.listed(message, result) ?? result}}`,
  );
}

interface Exchange {
  req: Request;
  res: Response;
  era: Era;
}

/** The result as JSON text: the catalogue and a tool's answer are that already. */
async function resultText(
  call: Call,
  exchange: Exchange,
  method: string,
  params: Record<string, unknown>,
): Promise<string> {
  const { era } = exchange;
  switch (method) {
    case 'tools/list':
      checkParams(ListParams, params);
      return cacheableIn(era, mcpToolsText(call.services.clock.now()));
    case 'tools/call':
      return resultIn(era, await callTool(call, exchange, checkParams(CallParams, params)));
    default:
      return era === 'handshake' ? handshakeResult(method, params) : statelessResult(method);
  }
}

function handshakeResult(method: string, params: Record<string, unknown>): string {
  if (method === 'initialize')
    return JSON.stringify(initializeResult(checkParams(InitializeParams, params).protocolVersion));
  if (method === 'ping') return '{}';
  throw new RpcError(RPC_ERROR.methodNotFound, `unknown method ${method.slice(0, 100)}`);
}

function statelessResult(method: string): string {
  if (method === 'server/discover') return cacheableIn('stateless', JSON.stringify(discoverResult));
  throw new RpcError(RPC_ERROR.methodNotFound, `unknown method ${method.slice(0, 100)}`, { status: 404 });
}

function refuse(res: Response, id: string | number | null, error: RpcError): void {
  sendJson(res, error.status, rpcFailure(id, error));
}

const PARSE_FAILED = Symbol('parse failed');

/** A body that is too large, too slow or of another type is refused as everywhere; only what is no JSON is JSON-RPC's business. */
function unlessParseError(error: unknown): typeof PARSE_FAILED {
  if (publicError(error).code === 'BAD_REQUEST') return PARSE_FAILED;
  throw error;
}

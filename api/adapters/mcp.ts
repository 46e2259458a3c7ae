import type { Request, Response } from 'express';
import { z } from 'zod';
import { ApiError } from '../../domain/contracts/errors.ts';
import { sendJson, sendJsonText } from '../http/envelope.ts';
import { publicError } from '../http/errors.ts';
import { sendSharedJson, textOf, within } from '../http/shared-json.ts';
import type { SharedJson } from '../http/shared-json.ts';
import { checkBatch } from '../mcp/batches.ts';
import { CallParams, callTool } from '../mcp/call-tool.ts';
import { eraOf } from '../mcp/era.ts';
import { loadFixtures } from '../mcp/fixtures.ts';
import { cacheableIn, discoverResult, initializeResult, listIn, resultIn } from '../mcp/results.ts';
import type { Era } from '../mcp/revisions.ts';
import { checkParams, idOf, RPC_ERROR, RpcError, rpcFailure, RpcRequest } from '../mcp/rpc.ts';
import type { RpcMessage } from '../mcp/rpc.ts';
import { readJson } from '../middleware/json-body.ts';
import type { Call } from '../operation.ts';
import { CURRENT_VERSION } from '../versions.ts';
import { inLanes } from './lanes.ts';
import { mcpToolsMembers, olderMcpToolsMembers } from './tools.ts';

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
  try {
    if (Array.isArray(body)) await answerBatch(call, { req, res }, body);
    else if (parsed.success) await answer(call, { req, res }, parsed.data);
    else throw new RpcError(RPC_ERROR.invalidRequest, 'the body is not a JSON-RPC 2.0 request', { status: 400 });
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    refuse(res, idOf(body), error);
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
  const result = await resultOf(call, { req, res, era }, message.method, checked);
  const shown = fixtures?.listed(message, result) ?? result;
  if (typeof shown === 'string') sendJsonText(res, 200, resultMessage(id, shown));
  else sendSharedJson(res, within(beforeResult(id), shown, '}'));
}

interface Exchange {
  req: Request;
  res: Response;
  era: Era;
}

/** Several requests at once, as revision 2025-03-26 has every server take them: answers in any order, none for notifications. */
async function answerBatch(
  call: Call,
  { req, res }: { req: Request; res: Response },
  messages: readonly unknown[],
): Promise<void> {
  checkBatch(messages, { version: req.get('mcp-protocol-version'), idempotencyKey: req.get('idempotency-key') });
  const exchange: Exchange = { req, res, era: 'handshake' };
  const answers = await inLanes(messages, (message) => answerOfBatch(call, exchange, message));
  const told = answers.filter((text) => text !== undefined);
  if (told.length === 0) res.status(202).end();
  else sendJsonText(res, 200, `[${told.join()}]`);
}

/** The answer to one of several as JSON text; a refusal is the answer to that one alone. */
async function answerOfBatch(call: Call, exchange: Exchange, message: unknown): Promise<string | undefined> {
  const parsed = RpcRequest.safeParse(message);
  try {
    if (!parsed.success) throw new RpcError(RPC_ERROR.invalidRequest, 'it is not a JSON-RPC 2.0 request');
    const { id, method, params = {} } = parsed.data;
    if (id === undefined) return undefined;
    if (method === 'initialize') throw new RpcError(RPC_ERROR.invalidRequest, 'initialize stands alone');
    const result = await resultOf(call, exchange, method, checkParams(Params, params));
    return resultMessage(id, typeof result === 'string' ? result : textOf(result));
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return JSON.stringify(rpcFailure(idOf(message), error));
  }
}

function resultMessage(id: string | number, result: string): string {
  return `${beforeResult(id)}${result}}`;
}

function beforeResult(id: string | number): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
}

/** The result as JSON text: the catalogue and a tool's answer are that already. */
async function resultOf(
  call: Call,
  exchange: Exchange,
  method: string,
  params: Record<string, unknown>,
): Promise<string | SharedJson> {
  const { era } = exchange;
  switch (method) {
    case 'tools/list':
      checkParams(ListParams, params);
      return listTools(call, era);
    case 'tools/call':
      return resultIn(era, await callTool(call, exchange, checkParams(CallParams, params)));
    default:
      return era === 'handshake' ? handshakeResult(method, params) : statelessResult(method);
  }
}

/** Alike for every caller on today's version. */
function listTools({ request: { version }, services: { clock } }: Call, era: Era): SharedJson {
  const now = clock.now();
  return version < CURRENT_VERSION
    ? listIn(era, olderMcpToolsMembers(now), 'private')
    : listIn(era, mcpToolsMembers(now), 'public');
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

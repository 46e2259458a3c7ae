import type { Request, Response } from 'express';
import { z } from 'zod';
import { sendJson, sendJsonText, successBody } from '../http/envelope.ts';
import { errorBody, publicError } from '../http/errors.ts';
import { idempotencyOf } from '../http/idempotency.ts';
import { readJson } from '../middleware/json-body.ts';
import type { Call } from '../operation.ts';
import { runAction } from './run-action.ts';
import { mcpToolsText } from './tools.ts';

/** The protocol revisions that are understood, newest first. */
const PROTOCOL_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

/** JSON-RPC 2.0 §5.1. */
const RPC_ERROR = { parse: -32_700, invalidRequest: -32_600, methodNotFound: -32_601, invalidParams: -32_602 } as const;

const RpcRequest = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.int()]).optional(),
  method: z.string(),
  params: z.unknown().optional(),
});

const Params = z.record(z.string(), z.unknown());

const CallParams = z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()).optional() });
const InitializeParams = z.object({ protocolVersion: z.string() });

class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** The stateless MCP adapter (spec, "MCP adapter"; decisions §5): one JSON-RPC request, one JSON answer. */
export async function handleMcp(call: Call, req: Request, res: Response): Promise<void> {
  const version = req.get('mcp-protocol-version');
  if (version !== undefined && !isKnownVersion(version)) {
    const message = `unknown MCP-Protocol-Version; known: ${PROTOCOL_VERSIONS.join(', ')}`;
    sendJson(res, 400, rpcFailure(null, RPC_ERROR.invalidRequest, message));
    return;
  }
  const body = await readJson(req, res).catch(unlessParseError);
  if (body === PARSE_FAILED) {
    sendJson(res, 400, rpcFailure(null, RPC_ERROR.parse, 'the body is not valid JSON'));
    return;
  }
  const parsed = RpcRequest.safeParse(body);
  if (!parsed.success) {
    sendJson(res, 400, rpcFailure(idOf(body), RPC_ERROR.invalidRequest, 'the body is not a JSON-RPC 2.0 request'));
    return;
  }
  const { id, method, params } = parsed.data;
  if (id === undefined) {
    res.status(202).end();
    return;
  }
  try {
    const result = await resultText(call, req, method, checkParams(Params, params ?? {}));
    sendJsonText(res, 200, `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    sendJson(res, 200, rpcFailure(id, error.code, error.message));
  }
}

const PARSE_FAILED = Symbol('parse failed');

/** A body that is too large, too slow or of another type is refused as everywhere; only what is no JSON is JSON-RPC's business. */
function unlessParseError(error: unknown): typeof PARSE_FAILED {
  if (publicError(error).code === 'BAD_REQUEST') return PARSE_FAILED;
  throw error;
}

/** The result as JSON text: the catalogue and a tool's answer are that already. */
async function resultText(call: Call, req: Request, method: string, params: Record<string, unknown>): Promise<string> {
  switch (method) {
    case 'initialize':
      return JSON.stringify(initialize(checkParams(InitializeParams, params).protocolVersion));
    case 'ping':
      return '{}';
    case 'tools/list':
      return mcpToolsText(call.services.clock.now());
    case 'tools/call':
      return callTool(call, req, checkParams(CallParams, params));
    default:
      throw new RpcError(RPC_ERROR.methodNotFound, `unknown method ${method}`);
  }
}

function initialize(wanted: string): unknown {
  return {
    protocolVersion: isKnownVersion(wanted) ? wanted : PROTOCOL_VERSIONS[0],
    capabilities: { tools: { listChanged: false } },
    serverInfo: { name: 'business-platform', title: 'Business Platform', version: '1.0.0' },
    instructions: 'Each tool is an action of the Public Data API and acts on the data of the API key’s client.',
  };
}

/** A tool's result is the JSON of the underlying answer; a refusal is a result with isError, not a protocol error (spec). */
async function callTool(call: Call, req: Request, tool: z.output<typeof CallParams>): Promise<string> {
  try {
    const idempotency = idempotencyOf(req, tool);
    const outcome = await runAction({ ...call, idempotency }, { ...tool.arguments, action: tool.name });
    const body = JSON.stringify(successBody(req, outcome, 'envelope'));
    return `{"content":[{"type":"text","text":${JSON.stringify(body)}}],"structuredContent":${body},"isError":false}`;
  } catch (error) {
    const refusal = publicError(error);
    if (refusal.code === 'INTERNAL_ERROR')
      call.services.log.error({ err: refusal.cause }, 'unexpected error in a tool call');
    return JSON.stringify({
      content: [{ type: 'text', text: JSON.stringify(errorBody(req, refusal)) }],
      isError: true,
    });
  }
}

function checkParams<Schema extends z.ZodType>(schema: Schema, params: unknown): z.output<Schema> {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  throw new RpcError(
    RPC_ERROR.invalidParams,
    parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '),
  );
}

function isKnownVersion(version: string): boolean {
  return (PROTOCOL_VERSIONS as readonly string[]).includes(version);
}

function idOf(body: unknown): string | number | null {
  const id = (body as { id?: unknown } | null)?.id;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

function rpcFailure(id: string | number | null, code: number, message: string): unknown {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

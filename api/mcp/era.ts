import { z } from 'zod';
import { HANDSHAKE_REVISIONS, REVISIONS, STATELESS_REVISION } from './revisions.ts';
import type { Era } from './revisions.ts';
import { checkParams, RPC_ERROR, RpcError } from './rpc.ts';
import type { RpcMessage } from './rpc.ts';

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';

const Envelope = z.object({
  _meta: z.looseObject({
    [VERSION_KEY]: z.string(),
    [CAPABILITIES_KEY]: z.record(z.string(), z.unknown()),
  }),
});

/** The headers that revision 2026-07-28 has repeat the body, so that a proxy need not read it. */
export interface McpHeaders {
  version: string | undefined;
  method: string | undefined;
  name: string | undefined;
}

/**
 * The rules that a request is to be served by: the body's own claim decides, the header must agree with it. A request
 * without a claim is of the handshake's time, unless its header says otherwise: then the claim is missing.
 */
export function eraOf(message: RpcMessage, headers: McpHeaders): Era {
  const claim = claimOf(message);
  const version = headers.version ?? claim;
  if (claim !== undefined && headers.version !== undefined && claim !== headers.version) {
    throw mismatch(`MCP-Protocol-Version says ${quoted(headers.version)}, the body ${quoted(claim)}`);
  }
  if (version !== undefined && !REVISIONS.includes(version)) throw unsupported(version);
  if (version === undefined || HANDSHAKE_REVISIONS.includes(version)) return 'handshake';
  // A notification is answered by nobody; what it lacks hurts nobody either.
  if (message.id !== undefined) checkStateless(message, headers);
  return 'stateless';
}

/** Whether the client said in this request that it can do something. */
export function declaredCapabilities(params: unknown): Record<string, unknown> {
  const meta = (params as { _meta?: Record<string, unknown> } | undefined)?._meta;
  return (meta?.[CAPABILITIES_KEY] ?? {}) as Record<string, unknown>;
}

/** What the body says of its revision; a claim of another type than text is answered as an envelope that is wrong. */
function claimOf({ params }: RpcMessage): string | undefined {
  const meta = (params as { _meta?: Record<string, unknown> } | null | undefined)?._meta;
  const claim = meta?.[VERSION_KEY];
  if (claim === undefined || typeof claim === 'string') return claim;
  throw new RpcError(RPC_ERROR.invalidParams, `params._meta.${VERSION_KEY}: must be a string`, { status: 400 });
}

function checkStateless({ method, params }: RpcMessage, headers: McpHeaders): void {
  try {
    checkParams(Envelope, params ?? {});
  } catch (error) {
    const { message } = error as RpcError;
    throw new RpcError(RPC_ERROR.invalidParams, message, { status: 400 });
  }
  if (headers.version === undefined)
    throw mismatch(`the header MCP-Protocol-Version: ${STATELESS_REVISION} is missing`);
  if (headers.method === undefined) throw mismatch('the header Mcp-Method is missing');
  if (headers.method !== method) {
    throw mismatch(`Mcp-Method says ${quoted(headers.method)}, the body ${quoted(method)}`);
  }
  if (method === 'tools/call') checkName(headers.name, (params as { name?: unknown }).name);
}

/** Of a call without a name more is to be said than that its header is missing. */
function checkName(header: string | undefined, name: unknown): void {
  if (typeof name !== 'string') return;
  if (header === undefined) throw mismatch('the header Mcp-Name is missing');
  if (decoded(header) !== name) throw mismatch(`Mcp-Name says ${quoted(header)}, the body ${quoted(name)}`);
}

/** A value that no header can carry is sent as `=?base64?…?=`; undefined when that is no base64 of UTF-8. */
function decoded(value: string): string | undefined {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(value)?.[1];
  if (encoded === undefined) return value;
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.toString('base64') === encoded ? bytes.toString('utf8') : undefined;
}

function mismatch(what: string): RpcError {
  return new RpcError(RPC_ERROR.headerMismatch, `Header mismatch: ${what}`, { status: 400 });
}

function unsupported(requested: string): RpcError {
  const message = `Unsupported protocol version ${quoted(requested)}; supported: ${REVISIONS.join(', ')}`;
  return new RpcError(RPC_ERROR.unsupportedVersion, message, {
    status: 400,
    data: { supported: REVISIONS, requested },
  });
}

function quoted(value: string): string {
  return JSON.stringify(value.slice(0, 100));
}

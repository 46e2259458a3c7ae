import { z } from 'zod';

/** JSON-RPC 2.0 §5.1, and the three that MCP 2026-07-28 adds. */
export const RPC_ERROR = {
  parse: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  headerMismatch: -32_020,
  missingClientCapability: -32_021,
  unsupportedVersion: -32_022,
} as const;

export const RpcRequest = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.int()]).optional(),
  method: z.string(),
  params: z.unknown().optional(),
});

/** A request that was understood as JSON-RPC; without `id` it is a notification. */
export type RpcMessage = z.output<typeof RpcRequest>;

/** An error of the protocol, as against a tool that refuses, which is a result. */
export class RpcError extends Error {
  readonly code: number;
  readonly status: number;
  readonly data: unknown;

  constructor(code: number, message: string, { status = 200, data }: { status?: number; data?: unknown } = {}) {
    super(message);
    this.code = code;
    this.status = status;
    this.data = data;
  }
}

export function rpcFailure(id: string | number | null, { code, message, data }: RpcError): unknown {
  return { jsonrpc: '2.0', id, error: data === undefined ? { code, message } : { code, message, data } };
}

/** The id of something that is no request, for the answer that says so. */
export function idOf(body: unknown): string | number | null {
  const id = (body as { id?: unknown } | null)?.id;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

/** The checked parameters of a method; -32602 with what is wrong in words. */
export function checkParams<Schema extends z.ZodType>(schema: Schema, params: unknown): z.output<Schema> {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `${['params', ...path].join('.')}: ${message}`);
  throw new RpcError(RPC_ERROR.invalidParams, problems.join('; '));
}

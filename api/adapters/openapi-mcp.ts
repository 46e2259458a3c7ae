import { MAX_MESSAGES } from '../mcp/batches.ts';
import type { JsonSchema } from './action-schema.ts';
import { closed } from './openapi-answers.ts';
import type { Endpoint, Parameter } from './openapi-model.ts';
import { PUBLIC_DATA_TAG } from './openapi-public-data.ts';
import type { SchemaCollector } from './schema-collector.ts';

const ID: JsonSchema = { anyOf: [{ type: 'string' }, { type: 'integer' }] };
const VERSION: JsonSchema = { type: 'string', const: '2.0' };

const REQUEST: JsonSchema = {
  type: 'object',
  properties: {
    jsonrpc: VERSION,
    id: { ...ID, description: 'Left out: a notification, which is answered 202 without a body' },
    method: {
      type: 'string',
      description: 'server/discover, tools/list, tools/call, initialize, ping, or a notification',
      examples: ['tools/call'],
    },
    params: {
      type: 'object',
      description: 'Of the method, as MCP has them; from revision 2026-07-28 on with `_meta`',
    },
  },
  required: ['jsonrpc', 'method'],
};

const BATCH = 'Of revision 2025-03-26 alone: several at once. Each is answered, but for notifications, in any order';

const HEADERS: readonly Parameter[] = (
  [
    [
      'MCP-Protocol-Version',
      'Revision of the protocol; from 2026-07-28 on the same as in `params._meta`',
      '2026-07-28',
    ],
    ['Mcp-Method', 'The method of the body; required from revision 2026-07-28 on', 'tools/call'],
    ['Mcp-Name', 'The tool of a `tools/call`; required from revision 2026-07-28 on', 'list-work-items'],
  ] as const
).map(([name, description, example]) => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string', examples: [example] },
}));

/** The MCP adapter: JSON-RPC 2.0 (spec, "MCP adapter"). Its own refusals have the JSON-RPC form. */
export function mcpEndpoint(schemas: SchemaCollector): Endpoint {
  const result = schemas.add('JsonRpcResult', closed({ jsonrpc: VERSION, id: ID, result: { type: 'object' } }));
  const failure = schemas.add('JsonRpcError', jsonRpcError());
  const request = schemas.add('JsonRpcRequest', REQUEST);
  const call = { name: 'list-work-items', arguments: { limit: 5 } };
  return {
    operationId: 'mcp',
    summary: 'MCP JSON-RPC adapter',
    description:
      'The actions as MCP tools, without a session: one JSON-RPC request, one answer. Both eras of MCP are served: the stateless revision 2026-07-28, and 2025-11-25 and older, which begin with `initialize`. A tool that refuses is a result with `isError`.',
    tag: PUBLIC_DATA_TAG,
    method: 'post',
    auth: ['api_key'],
    versioned: true,
    deprecation: 'inner actions',
    parameters: HEADERS,
    body: {
      required: true,
      schema: {
        anyOf: [request, { type: 'array', items: request, minItems: 1, maxItems: MAX_MESSAGES, description: BATCH }],
      },
      examples: {
        'tools-call': {
          summary: 'Call a tool',
          value: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call },
        },
        'tools-list': { summary: 'List the tools', value: { jsonrpc: '2.0', id: 2, method: 'tools/list' } },
      },
    },
    answers: {
      200: {
        description: 'The result, or the error of a request that was understood as JSON-RPC',
        schema: { anyOf: [result, failure, { type: 'array', items: { anyOf: [result, failure] }, minItems: 1 }] },
        examples: {
          result: { value: { jsonrpc: '2.0', id: 1, result: { content: [], isError: false } } },
          error: { value: { jsonrpc: '2.0', id: 1, error: { code: -32_601, message: 'unknown method tools/get' } } },
        },
      },
      202: { description: 'A notification was taken' },
      404: {
        description: 'An unknown method, from revision 2026-07-28 on',
        schema: failure,
        examples: {
          error: { value: { jsonrpc: '2.0', id: 1, error: { code: -32_601, message: 'unknown method tools/get' } } },
        },
      },
    },
    errors: ['FORBIDDEN'],
    otherErrors: { 400: failure },
  };
}

function jsonRpcError(): JsonSchema {
  return closed({
    jsonrpc: VERSION,
    // The id as it came, whatever number it is; null where none could be read.
    id: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }] },
    error: {
      type: 'object',
      properties: { code: { type: 'integer' }, message: { type: 'string' }, data: {} },
      required: ['code', 'message'],
      additionalProperties: false,
    },
  });
}

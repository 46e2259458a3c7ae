import { z } from 'zod';
import { actions } from '../registry.ts';
import type { Action } from '../registry.ts';
import { describeAction } from './action-schema.ts';
import type { JsonSchema } from './action-schema.ts';
import { Batch } from './batch.ts';
import { errorRefs } from './openapi-components.ts';
import type { SchemaCollector } from './schema-collector.ts';

const SECURITY = [{ apiKey: [] }];
const TAGS = ['Public Data API'];
const READ_ERRORS = errorRefs(['UNAUTHORIZED', 'IP_NOT_ALLOWED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE']);
const WRITE_ERRORS = errorRefs([
  'BAD_REQUEST',
  'UNAUTHORIZED',
  'SCOPE_REQUIRED',
  'NOT_FOUND',
  'CONFLICT',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'UNPROCESSABLE_ENTITY',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
]);

/** The paths of the Public Data API; the action endpoint's body is one schema per action, told apart by `action`. */
export function publicDataPaths(schemas: SchemaCollector): Record<string, Record<string, unknown>> {
  const bodies = [...actions.values()].map((action) => actionBody(action, schemas));
  const answers = [...actions.values()].map((action) => schemas.use(action.output, 'output'));
  return {
    '/api/v1/public/data': {
      get: read('discover-actions', 'List the available actions', success({ type: 'object' })),
      post: write(
        'run-action',
        'Run an action',
        { oneOf: bodies, discriminator: { propertyName: 'action' } },
        success({ anyOf: answers }),
      ),
    },
    '/api/v1/public/data/tools': {
      get: {
        ...read('tool-catalog', 'Tool catalogue for AI agents', {
          type: 'object',
          properties: {
            success: { const: true },
            format: { type: 'string' },
            tools: { type: 'array', items: { type: 'object' } },
          },
          required: ['success', 'format', 'tools'],
        }),
        parameters: [
          {
            name: 'format',
            in: 'query',
            required: false,
            description: 'Schema dialect',
            schema: { type: 'string', enum: ['mcp', 'openai'], default: 'mcp' },
          },
        ],
      },
    },
    '/api/v1/public/data/batch': {
      post: write(
        'run-batch',
        'Run up to 100 actions',
        schemas.use(Batch, 'input'),
        success(schemas.use(BatchAnswer, 'output')),
      ),
    },
    '/api/v1/public/mcp': {
      post: write('mcp', 'MCP JSON-RPC adapter', { type: 'object' }, { type: 'object' }),
    },
  };
}

const BatchAnswer = z
  .object({
    results: z.array(
      z.object({
        id: z.string(),
        success: z.boolean(),
        status: z.int(),
        data: z.unknown().optional(),
        error: z.string().optional(),
        code: z.string().optional(),
      }),
    ),
    succeeded: z.int(),
    failed: z.int(),
    total: z.int(),
  })
  .meta({ id: 'BatchResult' });

function actionBody(action: Action, schemas: SchemaCollector): JsonSchema {
  const input = schemas.use(action.input, 'input');
  return {
    ...input,
    title: action.name,
    description: describeAction(action),
    properties: { action: { const: action.name, type: 'string' }, ...input.properties },
    required: ['action', ...(input.required ?? [])],
  };
}

function success(data: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: { success: { const: true }, data, meta: { type: 'object' } },
    required: ['success', 'data', 'meta'],
  };
}

function read(operationId: string, summary: string, schema: JsonSchema): Record<string, unknown> {
  return {
    operationId,
    summary,
    description: `${summary}.`,
    tags: TAGS,
    security: SECURITY,
    responses: { '200': { description: summary, content: { 'application/json': { schema } } }, ...READ_ERRORS },
  };
}

function write(operationId: string, summary: string, body: JsonSchema, schema: JsonSchema): Record<string, unknown> {
  const { responses, ...described } = read(operationId, summary, schema);
  return {
    ...described,
    requestBody: { required: true, content: { 'application/json': { schema: body } } },
    responses: { ...(responses as Record<string, unknown>), ...WRITE_ERRORS },
  };
}

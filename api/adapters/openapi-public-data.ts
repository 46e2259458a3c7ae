import { z } from 'zod';
import { Pagination } from '../../domain/contracts/common.ts';
import type { ErrorCode } from '../../domain/contracts/errors.ts';
import { actions } from '../registry.ts';
import type { Action } from '../registry.ts';
import { describeAction } from './action-schema.ts';
import type { JsonSchema } from './action-schema.ts';
import { Batch } from './batch.ts';
import { answerSchema, closed, envelope } from './openapi-answers.ts';
import { Meta } from './openapi-errors.ts';
import { exampleOf } from './openapi-example.ts';
import type { Endpoint, Examples } from './openapi-model.ts';
import { TOOL_FORMATS } from './tools.ts';
import type { SchemaCollector } from './schema-collector.ts';

export const PUBLIC_DATA_TAG = 'Public Data API';

/** The endpoints of the Public Data API but MCP; the action endpoint's body is one schema per action, told apart by `action`. */
export function publicDataEndpoints(schemas: SchemaCollector): [string, Endpoint][] {
  return [
    ['/api/v1/public/data', discoveryEndpoint(schemas)],
    ['/api/v1/public/data', actionEndpoint(schemas)],
    ['/api/v1/public/data/tools', catalogEndpoint(schemas)],
    ['/api/v1/public/data/batch', batchEndpoint(schemas)],
  ];
}

/** The component that holds the answer of an action. */
export function actionAnswerName(action: string): string {
  return `${pascalCase(action)}Answer`;
}

const withKey = { tag: PUBLIC_DATA_TAG, auth: ['api_key'], versioned: true } as const;

function discoveryEndpoint(schemas: SchemaCollector): Endpoint {
  return {
    ...withKey,
    operationId: 'discover-actions',
    summary: 'List the available actions',
    description: 'Every action with the scopes and parameters that it takes.',
    method: 'get',
    answers: { 200: { description: 'The actions', schema: envelope(schemas.use(Discovery, 'output'), schemas) } },
  };
}

function actionEndpoint(schemas: SchemaCollector): Endpoint {
  const all = [...actions.values()];
  const bodies = all.map((action) => schemas.add(`${pascalCase(action.name)}Request`, actionBody(action, schemas)));
  const mapping = Object.fromEntries(all.map(({ name }, index) => [name, String(bodies[index]?.['$ref'])]));
  const answers = all.map((action) => schemas.add(actionAnswerName(action.name), answerSchema(action, schemas)));
  const examples = (parts: JsonSchema[]): Examples =>
    Object.fromEntries(
      all.map(({ name, title }, index) => [name, { summary: title, value: exampleOf(parts[index] ?? {}, schemas) }]),
    );
  return {
    ...withKey,
    operationId: 'run-action',
    summary: 'Run an action',
    description: 'Runs the action that `action` names; the other fields are its parameters.',
    method: 'post',
    scoped: true,
    deprecation: 'action',
    body: {
      required: true,
      schema: { oneOf: bodies, discriminator: { propertyName: 'action', mapping } },
      examples: examples(bodies),
    },
    answers: {
      200: { description: 'What the action answers', schema: { anyOf: answers }, examples: examples(answers) },
    },
    errors: ['INVALID_ACTION', ...new Set(all.flatMap((action): readonly ErrorCode[] => action.errors ?? []))],
  };
}

function actionBody(action: Action, schemas: SchemaCollector): JsonSchema {
  const input = schemas.inline(action.input, 'input');
  return {
    ...input,
    title: action.name,
    description: describeAction(action),
    ...(action.deprecation === undefined ? {} : { deprecated: true }),
    properties: { action: { type: 'string', const: action.name }, ...input.properties },
    required: ['action', ...(input.required ?? [])],
  };
}

function catalogEndpoint(schemas: SchemaCollector): Endpoint {
  const schema = closed({
    success: { type: 'boolean', const: true },
    format: { type: 'string', enum: [...TOOL_FORMATS] },
    tools: { type: 'array', items: { anyOf: [McpTool, FunctionTool].map((tool) => schemas.use(tool, 'output')) } },
    meta: schemas.use(Meta, 'output'),
  });
  return {
    ...withKey,
    operationId: 'tool-catalog',
    summary: 'Tool catalogue for AI agents',
    description: 'The actions as tools, in the format of MCP or as function schemas.',
    method: 'get',
    parameters: [
      {
        name: 'format',
        in: 'query',
        required: false,
        description: 'Format of the tools',
        schema: { type: 'string', enum: [...TOOL_FORMATS], default: 'mcp' },
      },
    ],
    answers: { 200: { description: 'The tools', schema } },
  };
}

function batchEndpoint(schemas: SchemaCollector): Endpoint {
  const data = schemas.use(BatchAnswer, 'output');
  return {
    ...withKey,
    operationId: 'run-batch',
    summary: 'Run up to 100 actions',
    deprecation: 'inner actions',
    description:
      'Runs 1 to 100 actions, each on its own: one that fails leaves the others alone, and the batch still answers 200. It counts as one request.',
    method: 'post',
    body: {
      required: true,
      schema: schemas.use(Batch, 'input'),
      examples: {
        two: {
          summary: 'Two actions',
          value: {
            operations: [
              { id: 'newest', action: 'list-work-items', params: { limit: 5 } },
              { action: 'create-work-item', params: { item_type: 'job', title: 'Replace the pump' } },
            ],
          },
        },
      },
    },
    answers: { 200: { description: 'The result of each', schema: envelope(data, schemas) } },
  };
}

const JsonObject = z.record(z.string(), z.unknown());

const Discovery = z.object({
  available_actions: z.array(
    z
      .object({
        action: z.string().meta({ example: 'list-work-items' }),
        description: z.string(),
        required_scopes: z.array(z.string()).describe('One of these is needed'),
        parameters: z.record(
          z.string(),
          z.object({
            type: z.string(),
            required: z.boolean(),
            description: z.string(),
            enum: z.array(z.unknown()).optional(),
            default: z.unknown().optional(),
            example: z.unknown().optional(),
            schema: JsonObject.optional().describe('JSON Schema of a list or an object'),
          }),
        ),
        deprecated: z.boolean(),
        sunset: z.iso.date().optional().describe('Date from which a deprecated action answers 410'),
      })
      .meta({ id: 'DiscoveredAction' }),
  ),
  count: z.int(),
});

const McpTool = z
  .object({
    name: z.string(),
    title: z.string(),
    description: z.string(),
    inputSchema: JsonObject,
    outputSchema: JsonObject,
    annotations: z.object({
      title: z.string(),
      readOnlyHint: z.boolean(),
      destructiveHint: z.boolean(),
      idempotentHint: z.boolean(),
      openWorldHint: z.boolean(),
    }),
  })
  .meta({ id: 'McpTool' });

const FunctionTool = z
  .object({
    type: z.literal('function'),
    name: z.string(),
    description: z.string(),
    parameters: JsonObject,
    strict: z.literal(false).describe('Optional parameters may be left out'),
  })
  .meta({ id: 'FunctionTool' });

const BatchAnswer = z
  .object({
    results: z.array(
      z.object({
        id: z.string().meta({ example: 'op-1' }),
        success: z.boolean(),
        status: z.int().meta({ example: 200 }),
        data: z.unknown().optional().describe('What the action answers; of one that succeeded'),
        meta: z.object({ pagination: Pagination }).optional().describe('Of a list that succeeded'),
        error: z.string().optional().describe('Code and message; of one that failed'),
        code: z.string().optional(),
      }),
    ),
    succeeded: z.int(),
    failed: z.int(),
    total: z.int(),
  })
  .meta({ id: 'BatchResult' });

function pascalCase(name: string): string {
  return name.replaceAll(/(^|-)(\w)/g, (_match, _dash, letter: string) => letter.toUpperCase());
}

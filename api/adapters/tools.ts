import { offeredActions } from '../registry.ts';
import type { Action } from '../registry.ts';
import { describeAction, inputSchema, outputSchema } from './action-schema.ts';
import type { JsonSchema } from './action-schema.ts';
import { catalogMembers } from './catalog-members.ts';

export const TOOL_FORMATS = ['mcp', 'openai'] as const;

/** An MCP tool as `tools/list` and the catalogue show it. */
export interface McpTool {
  name: string;
  title: string;
  description: string;
  inputSchema: JsonSchema;
  outputSchema: JsonSchema;
  annotations: {
    title: string;
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
}

/** The tool catalogue (spec, "Tool catalog response"), in the order of the registry. */
export function toolCatalog(format: (typeof TOOL_FORMATS)[number], now: number): { format: string; tools: unknown[] } {
  const tools = format === 'mcp' ? mcpTools(now) : offeredActions(now).map(functionTool);
  return { format, tools };
}

/** The catalogue in each format, as JSON text. */
export const toolCatalogMembers = {
  mcp: catalogMembers((now) => toolCatalog('mcp', now)),
  openai: catalogMembers((now) => toolCatalog('openai', now)),
};

export function mcpTools(now: number): McpTool[] {
  return offeredActions(now).map(mcpTool);
}

/** The result of MCP's `tools/list` as JSON text. */
export const mcpToolsMembers = catalogMembers((now) => ({ tools: mcpTools(now) }));

/** The same for a caller on an older dated version, whose answers need not fit the schemas of today's. */
export const olderMcpToolsMembers = catalogMembers((now) => ({
  tools: mcpTools(now).map(({ outputSchema: _, ...tool }) => tool),
}));

function mcpTool(action: Action): McpTool {
  return {
    name: action.name,
    title: action.title,
    description: describeAction(action),
    inputSchema: inputSchema(action),
    outputSchema: envelopeSchema(action),
    annotations: {
      title: action.title,
      readOnlyHint: action.effects === 'read',
      destructiveHint: action.effects === 'destructive',
      idempotentHint: action.effects === 'read' || action.idempotent === true,
      openWorldHint: false,
    },
  };
}

/**
 * The function schema: `parameters` in place of `inputSchema` (spec). Not strict, which OpenAI's Responses API takes a
 * function for that says nothing: it would require every parameter, and the model would fill those that were to be left out.
 */
function functionTool(action: Action): Record<string, unknown> {
  return {
    type: 'function',
    name: action.name,
    description: describeAction(action),
    parameters: inputSchema(action),
    strict: false,
  };
}

/** `structuredContent` is the answer of the Public Data endpoint, envelope and all. */
function envelopeSchema(action: Action): JsonSchema {
  return {
    type: 'object',
    properties: {
      success: { type: 'boolean' },
      data: outputSchema(action),
      meta: { type: 'object' },
    },
    required: ['success', 'data'],
  };
}

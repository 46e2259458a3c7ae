import { deprecationPhase, sunsetOf } from '../deprecation.ts';
import { offeredActions } from '../registry.ts';
import type { Action } from '../registry.ts';
import { inputSchema } from './action-schema.ts';
import type { JsonSchema } from './action-schema.ts';
import { catalogMembers } from './catalog-members.ts';

interface Parameter {
  type: string;
  required: boolean;
  description: string;
  enum?: unknown[];
  default?: unknown;
  example?: unknown;
  /** Of a list or an object, whose type says too little: its whole JSON Schema. */
  schema?: JsonSchema;
}

interface ActionEntry {
  action: string;
  description: string;
  required_scopes: readonly string[];
  parameters: Record<string, Parameter>;
  deprecated: boolean;
  sunset?: string;
}

/** What the discovery endpoint answers (decisions §5): every action with its scopes and parameters. */
export function discovery(now: number): { available_actions: ActionEntry[]; count: number } {
  const available = offeredActions(now).map((action) => {
    const schema = inputSchema(action);
    const parameters = Object.entries(schema.properties ?? {}).map(
      ([name, property]) => [name, parameterOf(name, property, schema)] as const,
    );
    return {
      action: action.name,
      description: action.description,
      required_scopes: action.scopes ?? [],
      parameters: Object.fromEntries(parameters),
      ...deprecationOf(action, now),
    };
  });
  return { available_actions: available, count: available.length };
}

/** The same as JSON text. */
export const discoveryMembers = catalogMembers(discovery);

function deprecationOf({ deprecation }: Action, now: number): Pick<ActionEntry, 'deprecated' | 'sunset'> {
  if (deprecation === undefined || deprecationPhase(deprecation.since, now) === undefined) return { deprecated: false };
  return { deprecated: true, sunset: new Date(sunsetOf(deprecation.since)).toISOString().slice(0, 10) };
}

function parameterOf(name: string, property: JsonSchema, schema: JsonSchema): Parameter {
  const { type = 'object', description = '' } = property;
  const [example] = (property['examples'] ?? []) as unknown[];
  return {
    type,
    required: schema.required?.includes(name) ?? false,
    description,
    ...(property.enum === undefined ? {} : { enum: property.enum }),
    ...(property.default === undefined ? {} : { default: property.default }),
    ...(example === undefined ? {} : { example }),
    ...(type === 'array' || type === 'object' ? { schema: property } : {}),
  };
}

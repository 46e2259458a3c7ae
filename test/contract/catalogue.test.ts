import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describeAction, inputSchema, outputSchema } from '../../api/adapters/action-schema.ts';
import type { JsonSchema } from '../../api/adapters/action-schema.ts';
import { discovery } from '../../api/adapters/discovery.ts';
import { openApiDocument } from '../../api/adapters/openapi.ts';
import { mcpTools, toolCatalog } from '../../api/adapters/tools.ts';
import { actions, operations } from '../../api/registry.ts';

/** The lowest of what the providers of agents allow (OpenAI, Anthropic, MCP): see docs/guides/agents.md. */
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const MAX_TOOLS = 128;
const MAX_DESCRIPTION = 1_024;
const MAX_DEPTH = 5;
const MAX_PROPERTIES = 100;
const MAX_ENUM_VALUES = 500;
const TYPES = ['string', 'integer', 'number', 'boolean', 'array', 'object'];
const MANY_TYPES = ['anyOf', 'oneOf', 'allOf', 'not', '$ref', '$defs', 'if', 'const'];

const NOW = Date.parse('2026-11-21T08:00:00Z');
const names = [...actions.keys()];
const actionOf = (name: string) => actions.get(name)!;

interface Place {
  path: string;
  schema: JsonSchema;
  depth: number;
}

/** Every schema within one, itself first. */
function places(schema: JsonSchema, path = '', depth = 0): Place[] {
  const inner = Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    places(property, `${path}.${name}`, depth + 1),
  );
  const items = schema['items'] as JsonSchema | undefined;
  return [{ path, schema, depth }, ...inner, ...(items === undefined ? [] : places(items, `${path}[]`, depth + 1))];
}

function problemsOf({ path, schema, depth }: Place): string[] {
  const { type, description, properties, required = [], additionalProperties } = schema;
  const isObject = type === 'object';
  const wrong: [boolean, string][] = [
    [!TYPES.includes(type ?? ''), `has the type ${JSON.stringify(type)}`],
    [MANY_TYPES.some((keyword) => schema[keyword] !== undefined), 'has more than one type'],
    [path !== '' && !path.endsWith('[]') && (description ?? '').trim() === '', 'has no description'],
    [(description ?? '').length > MAX_DESCRIPTION, 'is described in too many words'],
    [isObject && properties === undefined && additionalProperties !== true, 'is an object of neither kind'],
    [isObject && properties !== undefined && additionalProperties !== false, 'lets unknown properties in'],
    [required.some((name) => properties?.[name] === undefined), 'requires what it does not have'],
    [required.some((name) => properties?.[name]?.default !== undefined), 'requires what has a default'],
    [type === 'array' && schema['items'] === undefined, 'is a list of anything'],
    [(schema.enum ?? []).length > MAX_ENUM_VALUES, 'has too many values'],
    [schema.enum?.some((value) => typeof value !== type) ?? false, 'has values of another type'],
    [depth > MAX_DEPTH, 'lies too deep'],
  ];
  return wrong.flatMap(([isWrong, what]) => (isWrong ? [`${path || '(root)'} ${what}`] : []));
}

describe('the tool catalogue', () => {
  it('has no more tools than a model takes, each under one name', () => {
    expect(names.length).toBeLessThanOrEqual(MAX_TOOLS);
    expect(operations.filter(({ action }) => action === true)).toHaveLength(names.length);
  });

  describe.each(names)('%s', (name) => {
    it('has a name, a title and a description that providers take', () => {
      const { title } = actionOf(name);
      expect(name).toMatch(NAME);
      expect(title).not.toBe('');
      const description = describeAction(actionOf(name));
      expect(description.length).toBeLessThanOrEqual(MAX_DESCRIPTION);
      expect(description).toMatch(/\. Required scope: [a-z_:]+( or [a-z_:]+)*\.$/);
    });

    it('has parameters of one type each, all described', () => {
      const schema = inputSchema(actionOf(name));
      expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
      const all = places(schema);
      expect(all.flatMap(problemsOf)).toEqual([]);
      expect(all.length).toBeLessThanOrEqual(MAX_PROPERTIES);
    });

    it('has schemas that compile, and examples that fit', () => {
      const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allowUnionTypes: true });
      (formats as unknown as (ajv: Ajv2020) => void)(ajv);
      ajv.compile(outputSchema(actionOf(name)));
      ajv.compile(inputSchema(actionOf(name)));
      const unfit = places(inputSchema(actionOf(name))).flatMap(({ path, schema }) =>
        ((schema['examples'] ?? []) as unknown[]).filter((value) => !ajv.validate(schema, value)).map(() => path),
      );
      expect(unfit).toEqual([]);
    });

    it('says of itself whether it reads, destroys, and may be repeated', () => {
      const { effects, idempotent } = actionOf(name);
      const tool = mcpTools(NOW).find((known) => known.name === name);
      expect(tool?.annotations).toMatchObject({
        readOnlyHint: effects === 'read',
        destructiveHint: effects === 'destructive',
        idempotentHint: effects === 'read' || idempotent === true,
      });
    });
  });
});

describe('every face', () => {
  const document = openApiDocument('https://api.business.test') as unknown as {
    paths: Record<string, Record<string, { operationId: string }>>;
    components: { schemas: Record<string, unknown> };
  };

  it('has every action, in one order', () => {
    const functions = toolCatalog('openai', NOW).tools as { name: string; parameters: JsonSchema }[];
    expect(discovery(NOW).available_actions.map(({ action }) => action)).toEqual(names);
    expect(mcpTools(NOW).map((tool) => tool.name)).toEqual(names);
    expect(functions.map((tool) => tool.name)).toEqual(names);
    expect(functions.map((tool) => tool.parameters)).toEqual(mcpTools(NOW).map((tool) => tool.inputSchema));
  });

  it.each(discovery(NOW).available_actions.map((entry) => [entry.action, entry] as const))(
    'discovery tells the parameters of %s as the tools do',
    (name, { parameters, required_scopes: scopes }) => {
      const schema = inputSchema(actionOf(name));
      expect(Object.keys(parameters)).toEqual(Object.keys(schema.properties ?? {}));
      expect(scopes).toEqual(actionOf(name).scopes ?? []);
      for (const [parameter, told] of Object.entries(parameters)) {
        const property = schema.properties?.[parameter];
        expect(told).toEqual({
          type: property?.type,
          required: schema.required?.includes(parameter),
          description: property?.description,
          ...(property?.enum === undefined ? {} : { enum: property.enum }),
          ...(property?.default === undefined ? {} : { default: property.default }),
        });
      }
    },
  );

  it('has every route, under the name of its operation', () => {
    for (const { name, route } of operations) {
      if (route === undefined) continue;
      expect([name, document.paths[route.path]?.[route.method]?.operationId]).toEqual([name, name]);
    }
  });

  it('offers each operation on one face at least', () => {
    const nowhere = operations.filter(({ action, route }) => action !== true && route === undefined);
    expect(nowhere.map(({ name }) => name)).toEqual([]);
  });
});

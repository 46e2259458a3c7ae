import { describe, expect, it } from '@jest/globals';
import { discovery } from '../../api/adapters/discovery.ts';
import { openApiDocument } from '../../api/adapters/openapi.ts';
import { mcpTools, toolCatalog } from '../../api/adapters/tools.ts';
import { hasRoute } from '../../api/adapters/rest.ts';
import { actions, operations } from '../../api/registry.ts';
import { ERROR_STATUS } from '../../domain/contracts/errors.ts';
import { KNOWN_SCOPES } from '../../domain/contracts/scopes.ts';

interface OpenApiOperation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: { name: string; in: string; required: boolean; description: string; schema: object }[];
  requestBody?: { content: Record<string, { schema: { oneOf?: unknown[] } }> };
  responses: Record<string, { $ref?: string; description?: string; content?: object }>;
}

interface Document {
  openapi: string;
  info: { title: string; version: string };
  servers: { url: string }[];
  tags: { name: string }[];
  paths: Record<string, Record<string, OpenApiOperation>>;
  components: { schemas: object; securitySchemes: object; responses: object };
}

const document = openApiDocument('https://api.example') as unknown as Document;
const listed = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
);
const named = (name: string) => listed.find(({ operation }) => operation.operationId === name);

describe('every operation', () => {
  it.each(operations.map((operation) => [operation.name, operation] as const))(
    '%s appears on each face that it declares',
    (name, operation) => {
      expect(operation.action === true || hasRoute(operation)).toBe(true);
      if (hasRoute(operation))
        expect(named(name)).toMatchObject({ path: operation.route.path, method: operation.route.method });
      const onActionFaces = [
        actions.has(name),
        discovery().available_actions.some((entry) => entry.action === name),
        mcpTools().some((tool) => tool.name === name),
        (toolCatalog('openai').tools as { name: string }[]).some((tool) => tool.name === name),
        actionBodies().some((body) => body.title === name),
      ];
      expect(onActionFaces).toEqual(onActionFaces.map(() => operation.action === true));
    },
  );

  it('has a name of its own, words, and scopes that exist', () => {
    expect(new Set(operations.map((operation) => operation.name)).size).toBe(operations.length);
    for (const { name, title, description, scopes, input } of operations) {
      expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect([title, description].every((text) => text.length > 3)).toBe(true);
      for (const scope of scopes ?? []) expect({ name, known: KNOWN_SCOPES.has(scope) }).toEqual({ name, known: true });
      for (const [field, schema] of Object.entries(input.shape)) {
        const described = (schema as { description?: string }).description ?? unwrapped(schema).description;
        expect({ name, field, described: described !== undefined }).toEqual({ name, field, described: true });
      }
    }
  });

  function unwrapped(schema: unknown): { description?: string } {
    const inner = (schema as { def: { innerType?: unknown } }).def.innerType;
    return inner === undefined ? (schema as { description?: string }) : unwrapped(inner);
  }
});

describe('the OpenAPI document', () => {
  it('is OpenAPI 3.1 of the current version at the given address', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { version: '2026-07-01' },
      servers: [{ url: 'https://api.example' }],
    });
  });

  it('names each operation once, with tags and security schemes that are declared', () => {
    const tags = new Set(document.tags.map((tag) => tag.name));
    const ids = listed.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { operation } of listed) {
      expect(operation.summary).not.toBe('');
      expect(operation.tags.every((tag) => tags.has(tag))).toBe(true);
      for (const requirement of operation.security)
        for (const scheme of Object.keys(requirement))
          expect(document.components.securitySchemes).toHaveProperty(scheme);
    }
  });

  it('declares each path parameter, required, and no other', () => {
    for (const { path, operation } of listed) {
      const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
      const wanted = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      expect({ path, names: inPath.map((parameter) => parameter.name) }).toEqual({ path, names: wanted });
      expect(inPath.every((parameter) => parameter.required)).toBe(true);
      const keys = (operation.parameters ?? []).map((parameter) => `${parameter.in} ${parameter.name}`);
      expect(new Set(keys).size).toBe(keys.length);
    }
  });

  it('gives each operation a success and its errors, and a body to those alone that take one', () => {
    const statuses = new Set<string>(Object.values(ERROR_STATUS).map(String));
    for (const { path, method, operation } of listed) {
      const codes = Object.keys(operation.responses);
      expect(codes.some((code) => code.startsWith('2'))).toBe(true);
      expect(codes.filter((code) => !code.startsWith('2')).every((code) => statuses.has(code))).toBe(true);
      expect({ path, body: operation.requestBody !== undefined }).toEqual({ path, body: method !== 'get' });
      if (operation.security.length > 0) expect(codes).toContain('401');
      for (const response of Object.values(operation.responses))
        expect(response.$ref !== undefined || response.description !== undefined).toBe(true);
    }
  });

  it('tells the action bodies apart by a constant `action`', () => {
    expect(actionBodies().map((body) => body.properties.action.const)).toEqual([...actions.keys()]);
    for (const body of actionBodies()) expect(body.required).toContain('action');
  });

  it('resolves every $ref, and uses every component schema', () => {
    const used = new Set<string>();
    walk(document, (node) => {
      if (typeof node['$ref'] !== 'string') return;
      used.add(node['$ref']);
      expect({ ref: node['$ref'], found: resolve(node['$ref']) !== undefined }).toEqual({
        ref: node['$ref'],
        found: true,
      });
    });
    expect(used.size).toBeGreaterThan(5);
  });

  it('holds no keyword that JSON Schema 2020-12 does not know, and no undefined value', () => {
    walk(document.components.schemas, (node) => {
      expect(typeof node['id']).not.toBe('string');
      expect(node['nullable']).toBeUndefined();
      expect(node['$defs']).toBeUndefined();
      if (Array.isArray(node['required']) && typeof node['properties'] === 'object')
        for (const name of node['required']) expect(node['properties']).toHaveProperty([name as string]);
    });
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });
});

interface ActionBody {
  title: string;
  required: string[];
  properties: { action: { const: string } };
}

function actionBodies(): ActionBody[] {
  const schema = named('run-action')?.operation.requestBody?.content['application/json']?.schema;
  return (schema?.oneOf ?? []) as ActionBody[];
}

function walk(value: unknown, visit: (node: Record<string, unknown>) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) visit(value as Record<string, unknown>);
  for (const inner of Object.values(value)) walk(inner, visit);
}

function resolve(pointer: string): unknown {
  return pointer
    .slice(2)
    .split('/')
    .reduce<unknown>((node, part) => (node as Record<string, unknown> | undefined)?.[part], document);
}

import { describe, expect, it } from '@jest/globals';
import { discovery } from '../../api/adapters/discovery.ts';
import { openApiDocument } from '../../api/adapters/openapi.ts';
import { mcpTools, toolCatalog } from '../../api/adapters/tools.ts';
import { hasRoute } from '../../api/adapters/rest.ts';
import { OAUTH_PATHS } from '../../api/oauth/metadata.ts';
import { actions, operations } from '../../api/registry.ts';
import { ERROR_STATUS } from '../../domain/contracts/errors.ts';
import { EVENT_NAMES } from '../../domain/contracts/event-names.ts';
import { KNOWN_SCOPES } from '../../domain/contracts/scopes.ts';

/** Before any sunset. */
const NOW = Date.parse('2026-11-21');

interface OpenApiOperation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: Record<string, string[]>[];
  deprecated?: boolean;
  parameters: (Parameter | { $ref: string })[];
  requestBody?: { required: boolean; content: Record<string, { schema: { oneOf?: unknown[] }; examples?: object }> };
  responses: Record<string, DescribedResponse | { $ref: string }>;
}

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  description: string;
  schema: object;
}

interface DescribedResponse {
  description: string;
  headers: Record<string, { $ref: string }>;
  content?: Record<string, { schema: object; examples: object }>;
}

interface Document {
  openapi: string;
  info: { title: string; version: string };
  servers: { url: string }[];
  tags: { name: string }[];
  paths: Record<string, Record<string, OpenApiOperation>>;
  webhooks: Record<string, { post: OpenApiOperation }>;
  components: Record<string, object>;
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
        discovery(NOW).available_actions.some((entry) => entry.action === name),
        mcpTools(NOW).some((tool) => tool.name === name),
        (toolCatalog('openai', NOW).tools as { name: string }[]).some((tool) => tool.name === name),
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
        expect({ name, field, described: descriptionOf(schema) !== undefined }).toEqual({
          name,
          field,
          described: true,
        });
      }
    }
  });

  /** On the field itself, or under its optional, default and nullable wrappers. */
  function descriptionOf(schema: unknown): string | undefined {
    const { description, def } = schema as { description?: string; def: { innerType?: unknown } };
    return description ?? (def.innerType === undefined ? undefined : descriptionOf(def.innerType));
  }
});

/** Probes, and the OAuth protocol, whose versions are its own. */
const UNVERSIONED = /^\/api\/v1\/(health|oauth\/(?!applications))|^\/metrics|^\/\.well-known\//;

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
      const parameters = operation.parameters.map((given) => resolved<Parameter>(given));
      const inPath = parameters.filter((parameter) => parameter.in === 'path');
      const wanted = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      expect({ path, names: inPath.map((parameter) => parameter.name) }).toEqual({ path, names: wanted });
      expect(inPath.every((parameter) => parameter.required)).toBe(true);
      const keys = parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
      expect(new Set(keys).size).toBe(keys.length);
      for (const { name, description } of parameters)
        expect({ name, short: description.length < 4 }).toMatchObject({ short: false });
    }
  });

  it('declares the header parameters: X-Request-Id everywhere, X-API-Version but for health and the OAuth protocol, Idempotency-Key on authenticated changes', () => {
    for (const { path, method, operation } of listed) {
      const names = operation.parameters.map((given) => resolved<Parameter>(given).name);
      const open = UNVERSIONED.test(path);
      expect({ path, id: names.includes('X-Request-Id'), version: names.includes('X-API-Version') }).toEqual({
        path,
        id: true,
        version: !open,
      });
      // Senders to an inbound webhook have an Idempotency-Key of their own, with rules of its own.
      const isInbound = path === '/api/v1/webhooks/inbound/{id}';
      const changes = isInbound || (!open && method !== 'get' && operation.security.length > 0);
      expect({ path, method, key: names.includes('Idempotency-Key') }).toEqual({ path, method, key: changes });
    }
  });

  it('lists every path of the API: the Public Data API, MCP, OAuth, each REST operation, health and metrics', () => {
    const paths = [
      '/api/v1/public/data',
      '/api/v1/public/data/tools',
      '/api/v1/public/data/batch',
      '/api/v1/public/mcp',
      ...['', '/all', '/api-gateway', '/websocket', '/cloud-storage', '/whatsapp', '/firewall', '/freeswitch'].map(
        (service) => `/api/v1/health${service}`,
      ),
      '/metrics',
      ...Object.values(OAUTH_PATHS),
      ...operations.filter(hasRoute).map((operation) => operation.route.path),
    ];
    expect(Object.keys(document.paths).sort()).toEqual([...new Set(paths)].sort());
  });

  it('gives each operation a success and its errors, each with headers and examples', () => {
    const statuses = new Set<string>(Object.values(ERROR_STATUS).map(String));
    for (const { path, method, operation } of listed) {
      const codes = Object.keys(operation.responses);
      const refusals = codes.filter((code) => !/^[23]|^default$/.test(code));
      expect(refusals.length).toBeLessThan(codes.length);
      expect(refusals.every((code) => statuses.has(code))).toBe(true);
      const always = UNVERSIONED.test(path) ? [] : ['400', '503'];
      const authenticated = operation.security.length > 0 ? ['401', '429'] : [];
      const changing = authenticated.length > 0 && method !== 'get' && !UNVERSIONED.test(path) ? ['409'] : [];
      const withBody = method === 'get' || method === 'delete' ? [] : UNVERSIONED.test(path) ? ['413'] : ['413', '415'];
      expect({ path, method, codes }).toEqual({
        path,
        method,
        codes: expect.arrayContaining([
          '405',
          '408',
          '431',
          '500',
          ...always,
          ...authenticated,
          ...changing,
          ...withBody,
        ]),
      });
      for (const given of Object.values(operation.responses)) {
        const { description, headers, content } = resolved<DescribedResponse>(given);
        expect(description.length).toBeGreaterThan(3);
        expect(Object.keys(headers)).toEqual(expect.arrayContaining(['X-Request-Id', 'X-API-Version']));
        for (const { examples } of Object.values(content ?? {}))
          expect(Object.keys(examples).length).toBeGreaterThan(0);
      }
    }
  });

  it('names on each error the codes that the operation declares, and no other', () => {
    for (const operation of operations.filter(hasRoute)) {
      const declared = operation.errors ?? [];
      for (const code of declared) expect(codesOf(operation.name, ERROR_STATUS[code])).toContain(code);
    }
    expect(codesOf('login', 401)).toEqual(['UNAUTHORIZED']);
    expect(codesOf('me', 401)).toEqual(['UNAUTHORIZED', 'TOKEN_EXPIRED']);
    expect(codesOf('run-action', 401)).toEqual(['UNAUTHORIZED', 'INVALID_API_KEY']);
    expect(codesOf('run-action', 403)).toEqual(['FORBIDDEN', 'IP_NOT_ALLOWED', 'SCOPE_REQUIRED', 'TIER_RESTRICTED']);
    expect(codesOf('run-action', 409)).toEqual(['CONFLICT', 'IDEMPOTENCY_CONFLICT']);
    expect(codesOf('me', 409)).toEqual([]);
  });

  it('declares the headers of limits, replays, refusals, deprecation and CORS where they can come', () => {
    const headers = (name: string, status: number): string[] =>
      Object.keys(resolved<DescribedResponse>(named(name)!.operation.responses[String(status)]!).headers);
    const limits = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'RateLimit', 'RateLimit-Policy'];
    expect(headers('me', 200)).toEqual(expect.arrayContaining([...limits, 'Access-Control-Allow-Origin']));
    expect(headers('health', 200)).not.toContain('RateLimit');
    expect(headers('run-action', 429)).toEqual(expect.arrayContaining([...limits, 'Retry-After']));
    expect(headers('run-action', 200)).toEqual(
      expect.arrayContaining(['Idempotency-Replayed', 'Deprecation', 'Sunset', 'Link']),
    );
    expect(headers('me', 200)).not.toContain('Idempotency-Replayed');
    expect(headers('me', 401)).toContain('WWW-Authenticate');
    expect(headers('me', 405)).toContain('Allow');
    expect(headers('me', 503)).toContain('Retry-After');
  });

  it('marks a deprecated action, and says what to use', () => {
    const old = actionBodies().find((body) => body.title === 'get-work-items');
    expect(old).toMatchObject({ deprecated: true });
    expect(actionBodies().filter((body) => body.deprecated === true)).toHaveLength(
      [...actions.values()].filter((action) => action.deprecation !== undefined).length,
    );
  });

  it('describes what is sent to webhooks, headers and events included', () => {
    const events = new Set<string>();
    walk(document.webhooks, (node) => {
      if (Array.isArray(node['enum'])) for (const name of node['enum']) events.add(name as string);
    });
    expect([...events]).toEqual(expect.arrayContaining([...EVENT_NAMES]));
    const names = document.webhooks['work-item-event']!.post.parameters.map((given) => resolved<Parameter>(given).name);
    expect(names).toEqual(
      expect.arrayContaining(['Idempotency-Key', 'X-Webhook-Event', 'X-Service-Signature', 'webhook-signature']),
    );
  });

  it('takes a body with each change, but where there is nothing to say', () => {
    for (const { path, method, operation } of listed) {
      if (method === 'get' || method === 'delete') expect({ path, body: operation.requestBody }).toEqual({ path });
      for (const { examples } of Object.values(operation.requestBody?.content ?? {})) expect(examples).toBeDefined();
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
    walk(document.components['schemas'], (node) => {
      expect(typeof node['id']).not.toBe('string');
      expect(node['nullable']).toBeUndefined();
      expect(node['$defs']).toBeUndefined();
      if (Array.isArray(node['required']) && typeof node['properties'] === 'object')
        for (const name of node['required']) expect(node['properties']).toHaveProperty([name as string]);
    });
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });
});

/** The error codes that an operation may answer with a status. */
function codesOf(name: string, status: number): string[] {
  const response = named(name)?.operation.responses[String(status)];
  if (response === undefined) return [];
  return Object.keys(resolved<DescribedResponse>(response).content?.['application/json']?.examples ?? {});
}

/** What a reference stands for; anything else is itself. */
function resolved<T>(given: T | { $ref: string }): T {
  return typeof given === 'object' && given !== null && '$ref' in given ? (resolve(given.$ref) as T) : given;
}

interface ActionBody {
  title: string;
  deprecated?: boolean;
  required: string[];
  properties: { action: { const: string } };
}

function actionBodies(): ActionBody[] {
  const schema = named('run-action')?.operation.requestBody?.content['application/json']?.schema;
  return (schema?.oneOf ?? []).map((given) => resolved<ActionBody>(given as { $ref: string }));
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

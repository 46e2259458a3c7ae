import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describeAction, inputSchema, outputSchema } from '../../api/adapters/action-schema.ts';
import type { JsonSchema } from '../../api/adapters/action-schema.ts';
import { discovery } from '../../api/adapters/discovery.ts';
import { openApiDocument } from '../../api/adapters/openapi.ts';
import { mcpTools, toolCatalog } from '../../api/adapters/tools.ts';
import { actions, operations } from '../../api/registry.ts';
import { KNOWN_SCOPES } from '../../domain/contracts/scopes.ts';

/** The lowest of what the providers of agents allow (OpenAI, Anthropic, MCP): see docs/guides/agents.md. */
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const MAX_TOOLS = 128;
const MAX_DESCRIPTION = 1_024;
const MAX_DEPTH = 5;
const MAX_PROPERTIES = 100;
const MAX_ENUM_VALUES = 500;
/** Of a parameter (Anthropic; OpenAI and Gemini take more). */
const PROPERTY_NAME = /^[a-zA-Z0-9_.-]{1,64}$/;
/** What is left when each provider has passed over the keywords that it doesn't use. */
const KEYWORDS = new Set([
  ...['type', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'description', 'default', 'examples'],
  ...['format', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'minItems', 'maxItems'],
]);
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
    [Object.keys(schema).some((keyword) => !KEYWORDS.has(keyword)), 'has a keyword that some provider refuses'],
    [Object.keys(properties ?? {}).some((name) => !PROPERTY_NAME.test(name)), 'has a parameter of an odd name'],
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

/** Where a schema takes whatever comes. */
function untyped(schema: JsonSchema, path = ''): string[] {
  const options = (schema['anyOf'] ?? schema['oneOf'] ?? []) as JsonSchema[];
  const saysWhat = [schema.type, schema.enum, schema['const']].some((keyword) => keyword !== undefined);
  const items = schema['items'] as JsonSchema | undefined;
  return [
    ...(saysWhat || options.length > 0 ? [] : [path || '(root)']),
    ...options.flatMap((option) => untyped(option, path)),
    ...(items === undefined ? [] : untyped(items, `${path}[]`)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) => untyped(property, `${path}.${name}`)),
  ];
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

    it('takes and answers nothing of which it does not say what it is', () => {
      expect(untyped(inputSchema(actionOf(name)))).toEqual([]);
      expect(untyped(outputSchema(actionOf(name)))).toEqual([]);
    });

    it('has an example on one parameter at least, or none that could have one', () => {
      const { properties = {} } = inputSchema(actionOf(name));
      const own = Object.entries(properties).filter(([parameter]) => !['limit', 'offset'].includes(parameter));
      const hasExample = own.some(([, schema]) =>
        places(schema).some((place) => place.schema['examples'] !== undefined),
      );
      expect(hasExample || own.length === 0).toBe(true);
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

/** The scopes of the specification's table, and those of decisions §5 for what the table leaves open. */
const SCOPES: Readonly<Record<string, readonly string[]>> = {
  'get-active-users': ['users:read'],
  'get-employees': ['employees:read'],
  'get-user-memberships': ['users:read'],
  'get-subordinates': ['employees:read', 'users:read'],
  'get-work-item': ['work_items:read'],
  'list-work-items': ['work_items:read'],
  'get-work-item-relationships': ['work_items:read'],
  'get-work-item-attachments': ['work_items:read'],
  'get-work-item-comments': ['work_items:read'],
  'get-work-item-time-entries': ['work_items:read'],
  'create-work-item': ['work_items:write'],
  'update-work-item': ['work_items:write'],
  'close-work-item': ['work_items:write'],
  'create-managed-task': ['work_items:write'],
  'add-work-item-to-managed-task': ['work_items:write'],
  'delete-work-item': ['work_items:write', 'work_items:delete'],
  'create-appointment': ['appointments:write', 'work_items:write'],
  'create-comment': ['comments:write', 'work_items:write'],
  'get-employee-due-tasks': ['work_items:read', 'employees:read'],
  'get-employee-overdue-tasks': ['work_items:read', 'employees:read'],
  'create-recurring-job': ['recurring:write'],
  'update-recurring-job': ['recurring:write'],
  'pause-recurring-job': ['recurring:write'],
  'resume-recurring-job': ['recurring:write'],
  'generate-recurring-job': ['recurring:write'],
  'send-thread-message': ['threads:send_message'],
  'list-contacts': ['contacts:read'],
  'get-attendance-logs': ['attendance:read'],
  'get-timesheets': ['timesheets:read'],
  'list-quotes': ['quotes:read'],
  'list-invoices': ['invoices:read'],
  'list-credit-notes': ['credit_notes:read'],
  'list-bills': ['bills:read'],
  'list-purchase-orders': ['purchase_orders:read'],
  'list-delivery-notes': ['delivery_notes:read'],
  'list-payments': ['payments:read'],
  'generate-finance-document-pdf': ofEachType('read'),
  'convert-finance-document': ofEachType('write').filter((scope) => scope !== 'quotes:write'),
};

/** `get-work-item-comments` is also for whoever may read comments; nothing in the table forbids that. */
const ALSO: Readonly<Record<string, readonly string[]>> = { 'get-work-item-comments': ['comments:read'] };

function ofEachType(access: 'read' | 'write'): string[] {
  const types = ['quotes', 'invoices', 'credit_notes', 'bills', 'purchase_orders', 'delivery_notes'];
  return types.map((type) => `${type}:${access}`);
}

describe('the actions of the specification', () => {
  it.each(Object.entries(SCOPES))('%s is there, under its scopes', (name, scopes) => {
    expect([...(actions.get(name)?.scopes ?? [])].sort()).toEqual([...scopes, ...(ALSO[name] ?? [])].sort());
  });

  it('stand beside those that the decisions add', () => {
    const added = ['get-contact', 'create-contact', 'update-contact', 'create-finance-document'];
    added.push('issue-finance-document', 'record-finance-payment', 'get-finance-document', 'list-threads');
    added.push('get-thread-messages', 'list-recurring-jobs', 'get-recurring-job', 'create-time-entry');
    added.push('add-work-item-relationship', 'publish-event');
    expect(names).toEqual(expect.arrayContaining(added));
  });

  it('have every scope of the decisions, and no other', () => {
    const base = `users:read employees:read work_items:read work_items:write work_items:delete appointments:read
      appointments:write comments:read comments:write threads:read threads:send_message recurring:read recurring:write
      contacts:read contacts:write attendance:read attendance:write timesheets:read payments:read forms:read forms:write
      workflows:read webhooks:read webhooks:write vision:extract vision:classify vision:split vision:crop vision:pipeline
      vision:models vision:corrections vision:usage *`;
    const all = [...base.split(/\s+/), ...ofEachType('read'), ...ofEachType('write')];
    expect([...KNOWN_SCOPES].sort()).toEqual(all.sort());
  });
});

describe('every face', () => {
  const document = openApiDocument('https://api.business.test') as unknown as {
    paths: Record<string, Record<string, { operationId: string; parameters: { name: string; schema: JsonSchema }[] }>>;
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
          ...(property?.['examples'] === undefined ? {} : { example: (property['examples'] as unknown[])[0] }),
          ...(['array', 'object'].includes(property?.type ?? '') ? { schema: property } : {}),
        });
      }
    },
  );

  it('says in the document which days are taken, and to agents the format alone', () => {
    const { date_to: day } = inputSchema(actionOf('list-payments')).properties ?? {};
    expect(day).toMatchObject({ format: 'date' });
    expect(day).not.toHaveProperty('pattern');
    const { parameters } = document.paths['/api/v1/payments']!['get']!;
    const pattern = parameters.find(({ name }) => name === 'date_to')?.schema['pattern'];
    const isTaken = (text: string) => new RegExp(String(pattern)).test(text);
    expect(['2026-11-21', '4821-03-30', '2027-02-29'].map(isTaken)).toEqual([true, false, false]);
  });

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

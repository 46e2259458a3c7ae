import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { z } from 'zod';
import { inputSchema } from '../../api/adapters/action-schema.ts';
import type { JsonSchema } from '../../api/adapters/action-schema.ts';
import type { Operation, Route } from '../../api/operation.ts';
import { actions, operations } from '../../api/registry.ts';
import { MAX_ID } from '../../domain/contracts/common.ts';
import { startApi } from '../api/support.ts';
import type { ApiFixture } from '../api/support.ts';
import { cases } from './action-cases.ts';
import { World } from './world.ts';

/** One more than a 32-bit column holds, and the largest integer that JSON carries exactly. */
const LARGE = [MAX_ID + 1, Number.MAX_SAFE_INTEGER];
/** Fields that hold ids of 64-bit columns; whatever else is an integer fits one of 32 bits. */
const BIG_IDS = new Set([
  'appointment_id',
  'attachment_id',
  'attachments',
  'callback_id',
  'comment_id',
  'delivery_id',
  'document_id',
  // Of deliveries (replay-dead-letters).
  'ids',
  'invoice_id',
  'payment_id',
  'run_id',
  'source_id',
  'submission_id',
  'time_entry_id',
]);

type Data = Record<string, unknown>;

let api: ApiFixture;
let world: World;
let token: string;
let known: Data;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
  world = await World.of(api, 'counts');
  token = await world.tenant.token();
  known = { work_item_id: await world.item(), contact_id: await world.contact() };
});
afterAll(() => api.close());

/** Where a schema has integers: names of fields, and `[]` for the entries of a list. */
function integersOf(
  schema: JsonSchema,
  path: readonly string[] = [],
): { path: readonly string[]; schema: JsonSchema }[] {
  const inner = ['anyOf', 'oneOf', 'allOf'].flatMap((word) => (schema[word] as JsonSchema[] | undefined) ?? []);
  return [
    ...(schema.type === 'integer' ? [{ path, schema }] : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) => integersOf(property, [...path, name])),
    ...(schema['items'] === undefined ? [] : integersOf(schema['items'] as JsonSchema, [...path, '[]'])),
    ...inner.flatMap((part) => integersOf(part, path)),
  ];
}

function withInteger(input: unknown, [name, ...rest]: readonly string[], value: number): unknown {
  if (name === undefined) return value;
  if (name === '[]') return [withInteger((input as unknown[] | undefined)?.[0], rest, value)];
  const fields = (input ?? {}) as Data;
  return { ...fields, [name]: withInteger(fields[name], rest, value) };
}

const schemaOf = ({ input }: Operation): JsonSchema => z.toJSONSchema(input, { io: 'input' }) as JsonSchema;

it('every integer input is bounded by the column that it is for', () => {
  const unbounded = operations.flatMap((operation) =>
    integersOf(schemaOf(operation))
      .filter(({ path, schema }) => {
        const field = path.filter((name) => name !== '[]').at(-1) ?? '';
        return Number(schema['maximum'] ?? Infinity) > (BIG_IDS.has(field) ? Number.MAX_SAFE_INTEGER : MAX_ID);
      })
      .map(({ path }) => `${operation.name} ${path.join('.')}`),
  );
  expect(unbounded).toEqual([]);
});

describe('an integer too large for most columns never is a 5xx', () => {
  const ofActions = [...actions.values()].filter((action) => integersOf(inputSchema(action)).length > 0);
  it.each(ofActions.map(({ name }) => name))('of action %s', async (name) => {
    const input = await cases[name]!.input(world);
    for (const { path } of integersOf(inputSchema(actions.get(name)!))) {
      for (const value of LARGE) {
        const answer = await world.act(name, withInteger(input, path, value) as Data);
        expect([path, value, Math.floor(answer.status / 100)]).not.toEqual([path, value, 5]);
      }
    }
  });

  const ofRoutes = operations.filter((operation) => {
    const { route } = operation;
    const isForUsers = route?.auth.includes('jwt') === true && route.body !== 'multipart';
    return isForUsers && integersOf(schemaOf(operation)).length > 0;
  });
  it.each(ofRoutes.map((operation) => [operation.name, operation] as const))('of route %s', async (_, operation) => {
    const schema = schemaOf(operation);
    const input = exampleOf(schema) as Data;
    for (const { path } of integersOf(schema)) {
      for (const value of LARGE) {
        const answer = await call(operation.route!, withInteger(input, path, value) as Data);
        expect([path, value, Math.floor(answer.status / 100)]).not.toEqual([path, value, 5]);
      }
    }
  });
});

/** The required fields, by example. */
function exampleOf(schema: JsonSchema, name = ''): unknown {
  if (known[name] !== undefined) return known[name];
  const given = schema['example'] ?? schema['const'] ?? schema.default ?? schema.enum?.[0];
  if (given !== undefined) return given;
  if (schema.type === 'object') {
    const fields = Object.entries(schema.properties ?? {}).filter(([field]) => schema.required?.includes(field));
    return Object.fromEntries(fields.map(([field, inner]) => [field, exampleOf(inner, field)]));
  }
  if (schema.type === 'array') return [exampleOf((schema['items'] ?? {}) as JsonSchema)];
  return schema.type === 'string' ? 'words' : 1;
}

function call({ method, path, params = [], query = [] }: Route, input: Data): Promise<Response> {
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])));
  const rest = Object.entries(input).filter(([name]) => !params.includes(name));
  const isInQuery = (name: string): boolean => method === 'get' || method === 'delete' || query.includes(name);
  const sent = api.http()[method](address).set('Authorization', `Bearer ${token}`);
  const asked = sent.query(Object.fromEntries(rest.filter(([name]) => isInQuery(name))));
  if (method === 'get' || method === 'delete') return asked;
  return asked.send(Object.fromEntries(rest.filter(([name]) => !isInQuery(name))));
}

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { inputSchema } from '../../api/adapters/action-schema.ts';
import { actions } from '../../api/registry.ts';
import { ALL_SCOPES, KNOWN_SCOPES } from '../../domain/contracts/scopes.ts';
import { statement } from '../../platform/db/statement.ts';
import { startApi } from '../api/support.ts';
import type { ApiFixture } from '../api/support.ts';
import { cases } from './action-cases.ts';
import { World } from './world.ts';

/** What any action may answer without saying so. */
const AUTOMATIC = ['BAD_REQUEST', 'VALIDATION_ERROR', 'SCOPE_REQUIRED'];
/** Tell a key of itself, whatever it may do. */
const FOR_ANY_KEY = new Set(['get-current-user']);
const WRONG = { string: 7, integer: 'x', number: 'x', boolean: 'x', array: 'x', object: 'x' } as const;

let api: ApiFixture;
let ours: World;
let theirs: World;
let weak: string;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
  ours = await World.of(api, 'ours');
  theirs = await World.of(api, 'theirs');
  weak = await ours.tenant.key([]);
});
afterAll(() => api.close());

const names = [...actions.keys()];

it('every action has its case here, and every case its action', () => {
  expect(Object.keys(cases).sort()).toEqual([...names].sort());
});

function refusalOf(name: string, answer: Response): { status: number; code: string; fields: string[] } {
  const { code, details = [] } = answer.body.error as { code: string; details?: { field: string }[] };
  // A code that an action answers with is one that it has told of.
  expect([...AUTOMATIC, ...(actions.get(name)?.errors ?? [])]).toContain(code);
  return { status: answer.status, code, fields: details.map(({ field }) => field) };
}

const keys = new Map<string, Promise<string>>();

/** One key for each set of scopes. */
function keyWith(scopes: readonly string[]): Promise<string> {
  const name = scopes.join();
  const key = keys.get(name) ?? ours.tenant.key(scopes);
  keys.set(name, key);
  return key;
}

function read(input: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], input);
}

/** The input with what another has at a path. */
function withOther(input: Record<string, unknown>, other: unknown, path: string): Record<string, unknown> {
  const copy = structuredClone(input);
  const parts = path.split('.');
  const holder = read(copy, parts.slice(0, -1)) as Record<string, unknown>;
  holder[parts.at(-1) ?? ''] = read(other, parts);
  return copy;
}

const listed = names.filter((name) => cases[name] !== undefined);

describe.each(listed)('%s', (name) => {
  const { input: make, ids = [], filters = [] } = cases[name]!;
  const { properties = {}, required = [] } = inputSchema(actions.get(name)!);
  let input: Record<string, unknown>;
  beforeAll(async () => {
    input = await make(ours);
  });

  it('needs its scope, whatever else is wrong', async () => {
    const answer = await api.act(weak, { action: name, no_such_field: 1 });
    const code = FOR_ANY_KEY.has(name) ? 'VALIDATION_ERROR' : 'SCOPE_REQUIRED';
    expect(refusalOf(name, answer).code).toBe(code);
  });

  it('is open to a key with one of its scopes, and to none with all the others', async () => {
    const scopes = actions.get(name)?.scopes ?? [];
    for (const scope of scopes) {
      const answer = await api.act(await keyWith([scope]), { action: name, no_such_field: 1 });
      expect([scope, refusalOf(name, answer).code]).not.toEqual([scope, 'SCOPE_REQUIRED']);
    }
    if (scopes.length === 0) return;
    const others = [...KNOWN_SCOPES].filter((scope) => scope !== ALL_SCOPES && !scopes.includes(scope));
    const answer = await api.act(await keyWith(others), { action: name, no_such_field: 1 });
    expect(refusalOf(name, answer).code).toBe('SCOPE_REQUIRED');
    expect(scopes.every((scope) => (answer.body.error.message as string).includes(scope))).toBe(true);
  });

  it('names a field that it does not know', async () => {
    const answer = await ours.act(name, { ...input, no_such_field: 1 });
    const fields = ['no_such_field'];
    expect(refusalOf(name, answer)).toEqual({ status: 400, code: 'VALIDATION_ERROR', fields });
  });

  it('names each required parameter that is missing', async () => {
    for (const missing of required) {
      const answer = await ours.act(name, { ...input, [missing]: undefined });
      expect(refusalOf(name, answer)).toEqual({ status: 400, code: 'BAD_REQUEST', fields: [missing] });
    }
  });

  it('names each parameter of the wrong type', async () => {
    for (const [parameter, { type }] of Object.entries(properties)) {
      const wrong = WRONG[type as keyof typeof WRONG];
      const answer = await ours.act(name, { ...input, [parameter]: wrong });
      expect(refusalOf(name, answer)).toEqual({ status: 400, code: 'BAD_REQUEST', fields: [parameter] });
    }
  });

  it('does not know the records of another client', async () => {
    const foreign = ids.length + filters.length === 0 ? {} : await make(theirs);
    for (const path of ids) {
      const answer = await ours.act(name, withOther(input, foreign, path));
      const { status, code } = refusalOf(name, answer);
      expect([path, `${String(status)} ${code}`]).toEqual([
        path,
        expect.stringMatching(/^(404 NOT_FOUND|400 VALIDATION_ERROR)$/),
      ]);
      expect(answer.text).not.toContain(theirs.words);
    }
    for (const path of filters) {
      const answer = await ours.act(name, withOther(input, foreign, path));
      if (answer.status === 200) expect(answer.body.meta.pagination?.total ?? 0).toBe(0);
      else expect(refusalOf(name, answer).status).toBe(404);
      expect(answer.text).not.toContain(theirs.words);
    }
  });

  it('succeeds, again where it says that it may be repeated, and shows nothing of another client', async () => {
    const times = actions.get(name)?.idempotent === true ? 2 : 1;
    for (let time = 0; time < times; time += 1) {
      const answer = await ours.act(name, input);
      expect([answer.status, answer.body.error]).toEqual([200, undefined]);
      expect(answer.text).not.toContain(theirs.words);
    }
  });

  if (actions.get(name)?.paginated === true) {
    it('answers the window that was asked for, and refuses one out of range', async () => {
      const { limit, offset } = properties;
      expect({ limit: limit?.default, offset: offset?.default }).toEqual({ limit: expect.any(Number), offset: 0 });
      const asked = await ours.act(name, { ...input, limit: 1, offset: 0 });
      expect(asked.body.meta.pagination).toMatchObject({ total: expect.any(Number), limit: 1, offset: 0 });
      for (const [field, value] of [
        ['limit', 0],
        ['limit', Number(limit?.['maximum']) + 1],
        ['offset', -1],
      ] as const) {
        const refused = refusalOf(name, await ours.act(name, { ...input, [field]: value }));
        expect(refused).toEqual({ status: 400, code: 'VALIDATION_ERROR', fields: [field] });
      }
    });
  }

  if (actions.get(name)?.effects !== 'read') {
    it('leaves in the audit trail what was done, and by which key', async () => {
      const [before] = await trail(name, 0);
      const fresh = await make(ours);
      const [made] = await trail(name, 0);
      expect((await ours.act(name, fresh)).status).toBe(200);
      const left = await trail(name, made?.id ?? before?.id ?? 0);
      expect(left).not.toEqual([]);
      for (const entry of left) expect(entry).toMatchObject({ actor_type: 'api_key', client_id: ours.tenant.clientId });
    });
  }
});

const TRAIL = statement(
  'select id, client_id, actor_type from audit_entries where client_id = $1 and id > $2 order by id desc',
);
// An event that a caller publishes is its own entry.
const PUBLISHED = statement(`
  select id, client_id, split_part(published_by, ':', 1) as actor_type from events
  where client_id = $1 and id > $2 and published_by is not null order by id desc`);

/** What was noted of our client by an action after an entry, newest first. */
function trail(name: string, after: number): Promise<{ id: number; client_id: number; actor_type: string }[]> {
  return api.services.system.query(name === 'publish-event' ? PUBLISHED : TRAIL, [ours.tenant.clientId, after]);
}

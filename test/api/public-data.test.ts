import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { statement } from '../../platform/db/statement.ts';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';

let api: ApiFixture;
let key: string;
beforeAll(async () => {
  api = await startApi();
  key = await api.acme.key();
});
afterAll(() => api.close());

const post = (body: string | object, apiKey?: string) => {
  const request = api.http().post('/api/v1/public/data').set('Content-Type', 'application/json');
  return (apiKey === undefined ? request : request.set('X-API-Key', apiKey)).send(body);
};
const detailsOf = (answer: { body: { error: { details: unknown } } }) => answer.body.error.details;

describe('the order of checks', () => {
  it('looks at the key first', async () => {
    expectRefusal(await post('{'), 401, 'UNAUTHORIZED');
    expectRefusal(await post('{', 'nonsense'), 401, 'INVALID_API_KEY');
  });

  it.each(['[]', '"x"', '7', 'null', '{', ''])('then that the body is a JSON object: %j', async (body) => {
    expectRefusal(await post(body, key), 400, 'BAD_REQUEST');
  });

  it.each([{}, { action: null }, { action: 7 }, { action: ['get-work-item'] }])(
    'then that it names an action: %j',
    async (body) => {
      const answer = await post(body, key);
      expectRefusal(answer, 400, 'BAD_REQUEST');
      expect(detailsOf(answer)).toEqual([expect.objectContaining({ field: 'action' })]);
    },
  );

  it('then that the action is known, then the scope, then the input', async () => {
    const weak = await api.acme.key(['contacts:read']);
    expectRefusal(await post({ action: 'no-such-thing', x: 1 }, weak), 400, 'INVALID_ACTION');
    expectRefusal(await post({ action: 'create-work-item', x: 1 }, weak), 403, 'SCOPE_REQUIRED');
    expectRefusal(await post({ action: 'create-work-item', x: 1 }, key), 400, 'BAD_REQUEST');
  });

  it.each(['toString', '__proto__', 'constructor', ''])('takes %j for no action', async (action) => {
    expectRefusal(await post(JSON.stringify({ action }), key), 400, 'INVALID_ACTION');
  });
});

describe('what a refusal says', () => {
  it('suggests the nearest action', async () => {
    const answer = await post({ action: 'create-workitem' }, key);
    expectRefusal(answer, 400, 'INVALID_ACTION');
    expect(answer.body.error.message).toContain('Did you mean create-work-item?');
  });

  it('names an unknown field and the nearest known one', async () => {
    const answer = await post({ action: 'create-work-item', item_type: 'job', title: 'x', priorty: 'low' }, key);
    expectRefusal(answer, 400, 'VALIDATION_ERROR');
    expect(detailsOf(answer)).toEqual([{ field: 'priorty', issue: expect.stringContaining('priority') }]);
  });

  it('names every field that is wrong, with its path', async () => {
    const body = { item_type: 'jobb', title: '', assigned_users: [1, -2], location_coordinates: { lat: 91, lng: 0 } };
    const answer = await post({ action: 'create-work-item', ...body }, key);
    expectRefusal(answer, 400, 'VALIDATION_ERROR');
    expect((detailsOf(answer) as { field: string }[]).map((detail) => detail.field).sort()).toEqual([
      'assigned_users[1]',
      'item_type',
      'location_coordinates.lat',
      'title',
    ]);
  });

  it('names the scope that is missing', async () => {
    const answer = await post({ action: 'create-work-item' }, await api.acme.key(['work_items:read']));
    expectRefusal(answer, 403, 'SCOPE_REQUIRED');
    expect(answer.body.error.message).toContain('work_items:write');
  });
});

describe('API keys', () => {
  const list = (apiKey: string) => post({ action: 'list-work-items' }, apiKey);

  it('answers INVALID_API_KEY for a typo or a wrong prefix, UNAUTHORIZED for a well-formed unknown one', async () => {
    const typo = `${key.slice(0, 20)}${key[20] === 'A' ? 'B' : 'A'}${key.slice(21)}`;
    for (const bad of [typo, key.slice(0, -1), key.replace('svc_sk_', 'svc_wh_'), `${key}x`])
      expectRefusal(await list(bad), 401, 'INVALID_API_KEY');
    const gone = await api.acme.key();
    await api.services.system.query(statement('delete from api_keys where api_key_masked like $1'), [
      `%${gone.slice(-4)}`,
    ]);
    expectRefusal(await list(gone), 401, 'UNAUTHORIZED');
  });

  it('is refused alike when inactive, expired, or owned by a deactivated user', async () => {
    const tenant = await api.tenant('dead-keys');
    const inactive = await tenant.key();
    await api.services.system.query(statement('update api_keys set is_active = false where client_id = $1'), [
      tenant.clientId,
    ]);
    const expiring = await tenant.key(['*'], { expires_in_days: 1 });
    expect((await list(expiring)).status).toBe(200);
    api.clock.advance(86_401);
    const expired = await list(expiring);
    api.clock.advance(-86_401);
    const orphan = await tenant.key();
    await api.services.system.query(statement('update users set is_active = false where client_id = $1'), [
      tenant.clientId,
    ]);
    const answers = [await list(inactive), expired, await list(orphan)];
    for (const answer of answers) expectRefusal(answer, 401, 'UNAUTHORIZED');
    expect(new Set(answers.map((answer) => answer.body.error.message)).size).toBe(1);
  });

  it('stops working within a second of its deactivation', async () => {
    const tenant = await api.tenant('revoked');
    const revoked = await tenant.key();
    expect((await list(revoked)).status).toBe(200);
    await api.services.system.query(statement('update api_keys set is_active = false where client_id = $1'), [
      tenant.clientId,
    ]);
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    expectRefusal(await list(revoked), 401, 'UNAUTHORIZED');
  });

  it('is not taken from a bearer header, a query or a body', async () => {
    const bare = () => api.http().post(`/api/v1/public/data?api_key=${key}`);
    expectRefusal(await bare().send({ action: 'list-work-items', api_key: key }), 401, 'UNAUTHORIZED');
    expectRefusal(await bare().set('Authorization', `Bearer ${key}`), 401, 'UNAUTHORIZED');
  });

  it.each([
    ['203.0.113.77', 200],
    ['::ffff:203.0.113.77', 200],
    ['203.0.114.1', 403],
    ['198.51.100.7', 200],
    ['198.51.100.8', 403],
    ['2001:db8:1::5', 200],
    ['2001:db9::5', 403],
    ['::1', 403],
  ])('with an allowlist, from %s: %d', async (address, status) => {
    const allowed_ips = ['203.0.113.0/24', '198.51.100.7', '2001:db8::/32'];
    const guarded = await api.acme.key(['*'], { allowed_ips });
    const answer = await post({ action: 'list-work-items' }, guarded).set('X-Forwarded-For', address);
    expect(answer.status).toBe(status);
    expect(answer.body.error?.code).toBe(status === 403 ? 'IP_NOT_ALLOWED' : undefined);
  });

  it('believes the nearest untrusted address, not what a caller puts before it', async () => {
    const guarded = await api.acme.key(['*'], { allowed_ips: ['203.0.113.0/24'] });
    const answer = await post({ action: 'list-work-items' }, guarded).set(
      'X-Forwarded-For',
      '203.0.113.77, 198.51.100.9',
    );
    expectRefusal(answer, 403, 'IP_NOT_ALLOWED');
  });
});

describe('GET /api/v1/public/data', () => {
  it('lists every action with its scopes and parameters, for a key without scopes', async () => {
    const answer = await api
      .http()
      .get('/api/v1/public/data')
      .set('X-API-Key', await api.acme.key([]));
    expect(answer.status).toBe(200);
    const { available_actions: entries, count } = answer.body.data;
    expect(count).toBe(entries.length);
    const create = entries.find((entry: { action: string }) => entry.action === 'create-work-item');
    expect(create).toMatchObject({
      required_scopes: ['work_items:write'],
      deprecated: false,
      parameters: {
        item_type: { type: 'string', required: true, enum: ['job', 'task', 'ticket', 'project', 'milestone'] },
        title: { type: 'string', required: true },
        priority: { type: 'string', required: false, default: 'medium' },
        tags: { type: 'array', required: false },
        location_coordinates: {
          type: 'object',
          example: { lat: -25.47, lng: 30.97 },
          schema: { properties: { lat: { type: 'number', minimum: -90 } }, additionalProperties: false },
        },
        contact_id: { type: 'integer' },
      },
    });
    expect(create.parameters.tags.schema.items).toMatchObject({ type: 'string' });
    for (const entry of entries)
      for (const parameter of Object.values<{ description: string }>(entry.parameters))
        expect(parameter.description).not.toBe('');
  });
});

describe('GET /api/v1/public/data/tools', () => {
  const tools = (query: string) => api.http().get(`/api/v1/public/data/tools${query}`).set('X-API-Key', key);

  it.each([
    ['', 'mcp', 'inputSchema'],
    ['?format=mcp', 'mcp', 'inputSchema'],
    ['?format=openai', 'openai', 'parameters'],
  ])('%s answers format %s with %s', async (query, format, schemaKey) => {
    const { body } = await tools(query);
    expect(body).toMatchObject({ success: true, format, meta: { api_version: '2026-07-01' } });
    expect(body.tools.length).toBeGreaterThanOrEqual(3);
    for (const tool of body.tools) {
      expect(tool.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      expect(tool.description).toMatch(/Required scope: .+\.$/);
      expect(tool[schemaKey]).toMatchObject({ type: 'object', additionalProperties: false });
      expectNoUnions(tool[schemaKey]);
      expect(tool[format === 'mcp' ? 'parameters' : 'inputSchema']).toBeUndefined();
      // Left out, OpenAI's Responses API would make every parameter a required one.
      expect(tool.strict).toBe(format === 'openai' ? false : undefined);
    }
  });

  it('refuses another format', async () => {
    expectRefusal(await tools('?format=anthropic'), 400, 'VALIDATION_ERROR');
  });

  function expectNoUnions(schema: unknown): void {
    if (typeof schema !== 'object' || schema === null) return;
    for (const keyword of ['anyOf', 'oneOf', 'allOf', '$ref', '$defs']) expect(schema).not.toHaveProperty(keyword);
    const { type } = schema as { type?: unknown };
    if (type !== undefined && typeof type !== 'object') expect(typeof type).toBe('string');
    expect(Array.isArray(type)).toBe(false);
    Object.values(schema).forEach(expectNoUnions);
  }
});

describe('what people say', () => {
  const data = async (body: object, apiKey = key) => {
    const answer = await post(body, apiKey);
    expect([answer.status, answer.body.error]).toEqual([200, undefined]);
    return answer.body.data;
  };

  it('"me" and "today": the owner of the key and its employee, the client, and the day there', async () => {
    const mine = await api.acme.key(['work_items:read', 'contacts:read']);
    const { id, role } = api.acme.users.owner;
    const seconds = Math.round((Date.parse('2027-03-01T22:30:00Z') - api.clock.now()) / 1_000);
    api.clock.advance(seconds);
    const before = await data({ action: 'get-current-user' }, mine);
    api.clock.advance(-seconds);
    expect(before).toEqual({
      user: { user_id: id, name: role, role, employee_id: null },
      client: {
        client_id: api.acme.clientId,
        name: 'acme',
        country: 'ZA',
        currency: 'ZAR',
        timezone: 'Africa/Johannesburg',
        finance_tier: 'full',
      },
      scopes: ['contacts:read', 'work_items:read'],
      now: expect.stringMatching(/^2027-03-01T22:/),
      today: '2027-03-02',
    });
    const insert = statement(`
      insert into employees (client_id, employee_number, first_name, last_name, user_id)
      values ($1, 'E-77', 'Thandi', 'Nkosi', $2) returning id`);
    const [employee] = await api.services.system.query<{ id: number }>(insert, [api.acme.clientId, id]);
    const { user } = await data({ action: 'get-current-user' }, mine);
    expect(user.employee_id).toBe(employee?.id);
    const { employees } = await data({ action: 'get-employees', search: 'thandi' });
    expect(employees).toEqual([expect.objectContaining({ employee_id: employee?.id, user_id: id })]);
  });

  it('the number of an item or a document, the name of a user or a contact: each is found by search', async () => {
    const contact = await data({ action: 'create-contact', name: 'Kruger Farms' });
    const lines = [{ description: 'Pump', unit_price: 100 }];
    const draft = { action: 'create-finance-document', document_type: 'quote', contact_id: contact.id, lines };
    const { id: document_id } = await data(draft);
    const quote = await data({ action: 'issue-finance-document', document_type: 'quote', document_id });
    const job = await data({ action: 'create-work-item', item_type: 'job', title: 'Numbered' });
    await data({ action: 'create-work-item', item_type: 'job', title: 'Another' });
    const found = {
      items: (await data({ action: 'list-work-items', search: job.item_number })).work_items,
      quotes: (await data({ action: 'list-quotes', search: quote.document_number })).quotes,
      users: (await data({ action: 'get-active-users', search: 'auditor' })).users,
      contacts: (await data({ action: 'list-contacts', search: 'kruger farms' })).contacts,
    };
    expect(found).toEqual({
      items: [expect.objectContaining({ work_item_id: job.work_item_id })],
      quotes: [expect.objectContaining({ id: document_id })],
      users: [expect.objectContaining({ user_id: api.acme.users.auditor.id })],
      contacts: [expect.objectContaining({ id: contact.id })],
    });
  });
});

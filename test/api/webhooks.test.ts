import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Role } from '../../domain/contracts/caller.ts';
import { statement } from '../../platform/db/statement.ts';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture, ApiTenant } from './support.ts';

const PATH = '/api/v1/work-items/webhooks';

let api: ApiFixture;
beforeAll(async () => {
  api = await startApi({ ALLOW_PRIVATE_TARGETS: 'false' });
});
afterAll(() => api.close());

const get = async (path: string, tenant: ApiTenant = api.acme, role: Role = 'owner') =>
  api
    .http()
    .get(path)
    .set('Authorization', `Bearer ${await tenant.token(role)}`);
const create = async (input: object = {}, tenant: ApiTenant = api.acme, role: Role = 'owner') =>
  api
    .http()
    .post(PATH)
    .set('Authorization', `Bearer ${await tenant.token(role)}`)
    .send({ name: 'ERP', endpoint_url: 'https://erp.example/hooks', events: ['job.created'], ...input });

describe('POST /api/v1/work-items/webhooks', () => {
  it('answers the webhook and its secret once; reads show the secret masked', async () => {
    const answer = await create({ auth_type: 'bearer', auth_credentials: 'their-own-token' });
    expect(answer.status).toBe(201);
    const secret = /whsec_[A-Za-z0-9+/=]{44}/.exec(answer.text)?.[0] ?? 'no secret';
    expect(secret).not.toBe('no secret');
    const read = await get(`${PATH}/${String(answer.body.data.id)}`);
    expect(read.body.data).toMatchObject({ name: 'ERP', endpoint_url: 'https://erp.example/hooks' });
    for (const text of [read.text, (await get(PATH)).text, api.logLines.join('\n')]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain('their-own-token');
    }
  });

  it.each<[string, object, string, string]>([
    ['a private address', { endpoint_url: 'http://127.0.0.1/x' }, 'VALIDATION_ERROR', 'endpoint_url'],
    ['a metadata address', { endpoint_url: 'http://169.254.169.254/' }, 'VALIDATION_ERROR', 'endpoint_url'],
    ['credentials in the address', { endpoint_url: 'https://a:b@erp.example' }, 'VALIDATION_ERROR', 'endpoint_url'],
    ['another protocol', { endpoint_url: 'ftp://erp.example' }, 'VALIDATION_ERROR', 'endpoint_url'],
    ['an unknown event', { events: ['job.exploded'] }, 'VALIDATION_ERROR', 'events[0]'],
    ['no events', { events: [] }, 'VALIDATION_ERROR', 'events'],
    ['a name that is missing', { name: undefined }, 'BAD_REQUEST', 'name'],
    ['an address that is missing', { endpoint_url: undefined }, 'BAD_REQUEST', 'endpoint_url'],
    ['events that are missing', { events: undefined }, 'BAD_REQUEST', 'events'],
    ['too many retries', { retry_count: 6 }, 'VALIDATION_ERROR', 'retry_count'],
    ['a NUL character', { description: 'a\u0000' }, 'VALIDATION_ERROR', 'description'],
  ])('refuses %s', async (_what, input, code, field) => {
    const answer = await create(input);
    expectRefusal(answer, 400, code);
    expect(answer.body.error.details).toEqual([expect.objectContaining({ field })]);
  });

  it('refuses finance events outside the tier, and roles without webhooks:write', async () => {
    expectRefusal(await create({ events: ['invoice.issued'] }, api.rival), 403, 'TIER_RESTRICTED');
    for (const role of ['member', 'auditor'] as const)
      expectRefusal(await create({}, api.acme, role), 403, 'SCOPE_REQUIRED');
  });
});

describe('reading webhooks and deliveries', () => {
  it("answers 404 for another client's webhook, and does not list it", async () => {
    const { id } = (await create({ name: 'Only of acme' })).body.data;
    for (const path of [`${PATH}/${String(id)}`, `${PATH}/${String(id)}/deliveries`])
      expectRefusal(await get(path, api.rival), 404, 'NOT_FOUND');
    const { body } = await get(PATH, api.rival);
    expect(body.data).toEqual([]);
    expect(body.available_events).toContain('job.created');
  });

  it('shows a member only what it created', async () => {
    const { id } = (await create()).body.data;
    expectRefusal(await get(`${PATH}/${String(id)}`, api.acme, 'member'), 404, 'NOT_FOUND');
    const mine = statement('update webhooks set created_by_user_id = $2 where id = $1');
    await api.services.system.query(mine, [id, api.acme.users.member.id]);
    const { body } = await get(PATH, api.acme, 'member');
    expect(body.data.map((webhook: { id: number }) => webhook.id)).toEqual([id]);
    expect(body.can_view_all_users).toBe(false);
  });

  it.each([
    ['7000000', 404, 'NOT_FOUND'],
    ['0', 400, 'VALIDATION_ERROR'],
    ['3000000000', 400, 'VALIDATION_ERROR'],
    ['abc', 400, 'BAD_REQUEST'],
    ['1.5', 400, 'BAD_REQUEST'],
  ])('the id %s is a %d', async (id, status, code) => {
    expectRefusal(await get(`${PATH}/${id}`), status, code);
  });

  it.each([
    ['?limit=abc', 'limit'],
    ['?nonsense=1', 'nonsense'],
    ['?limit=1&limit=2', 'limit'],
  ])('names what is wrong with the query %s of the delivery log', async (query, field) => {
    const { id } = (await create()).body.data;
    const answer = await get(`${PATH}/${String(id)}/deliveries${query}`);
    expect(answer.status).toBe(400);
    expect(answer.body.error.details).toEqual([expect.objectContaining({ field })]);
  });

  it('an unknown delivery is a 404, a far too large id included', async () => {
    const { id } = (await create()).body.data;
    const path = `${PATH}/${String(id)}/deliveries`;
    expect((await get(path)).body.data).toEqual(expect.anything());
    expectRefusal(await get(`${path}/9007199254740991`), 404, 'NOT_FOUND');
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import type { Role } from '../../domain/contracts/caller.ts';
import { statement } from '../../platform/db/statement.ts';
import { APPLICATIONS, refresh, register, resourceStatus, signIn, tokenRequest } from './oauth-support.ts';
import { expectRefusal, PASSWORD, startApi } from './support.ts';
import type { ApiFixture, ApiTenant } from './support.ts';
import { activeOwners, actingAs } from './users-support.ts';

const PATH = '/api/v1/users';
const AUDIT = statement(`
  select action, actor_id, details from audit_entries
  where client_id = $1 and subject_type = $2 and subject_id = $3 order by id`);
const KEPT = statement(`select encode(answer, 'escape') as text from idempotency_records where key = $1`);

let api: ApiFixture;
let names = 0;

beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
});
afterAll(() => api.close());

const as = (tenant: ApiTenant, role: Role = 'owner') => actingAs(api, tenant, role);
const newcomer = (email: string, more: Record<string, unknown> = {}) => ({
  email,
  given_name: 'Zanele',
  family_name: 'Dlamini',
  ...more,
});
/** A client of its own, so that no test meets the users of another. */
const own = (): Promise<ApiTenant> => api.tenant(`users-${String((names += 1))}`, { tier: 'enterprise' });
const login = (email: string, password = PASSWORD) => api.http().post('/api/v1/auth/login').send({ email, password });
const auditOf = (tenant: ApiTenant, type: string, id: number) =>
  api.services.system.query(AUDIT, [tenant.clientId, type, String(id)]);
const patch = async (tenant: ApiTenant, id: number, change: object, role: Role = 'owner'): Promise<Response> =>
  as(tenant, role).patch(`${PATH}/${String(id)}`, change);

describe('GET /api/v1/users', () => {
  it('lists the own active users to every role, without a password hash', async () => {
    const tenant = await own();
    for (const role of ['owner', 'admin', 'member', 'auditor'] as const) {
      const answer = await as(tenant, role).get(PATH);
      expect(answer.body.data.map((user: { role: string }) => user.role)).toEqual([
        'owner',
        'admin',
        'member',
        'auditor',
      ]);
      expect(answer.body.meta.pagination).toEqual({ total: 4, limit: 100, offset: 0 });
      expect(answer.text).not.toMatch(/argon2|password/);
    }
  });

  it('filters by status, role and text, and pages', async () => {
    const tenant = await own();
    const { admin, auditor } = tenant.users;
    await patch(tenant, auditor.id, { is_active: false });
    const ids = async (query: string): Promise<number[]> =>
      (await as(tenant).get(`${PATH}?${query}`)).body.data.map((user: { id: number }) => user.id);
    expect(await ids('status=inactive')).toEqual([auditor.id]);
    expect(await ids('status=all&role=auditor')).toEqual([auditor.id]);
    expect(await ids('role=auditor')).toEqual([]);
    expect(await ids(`search=${admin.email.toUpperCase()}`)).toEqual([admin.id]);
    expect(await ids('role=admin&search=nobody')).toEqual([]);
    expect(await ids('limit=1&offset=1')).toEqual([admin.id]);
    expectRefusal(await as(tenant).get(`${PATH}?role=king`), 400, 'VALIDATION_ERROR');
  });

  it('shows one user, and answers 404 for another client’s', async () => {
    const { users } = api.acme;
    const answer = await as(api.acme, 'member').get(`${PATH}/${String(users.owner.id)}`);
    expect(answer.body.data).toMatchObject({
      id: users.owner.id,
      email: users.owner.email,
      invitation_expires_at: null,
    });
    expectRefusal(await as(api.rival).get(`${PATH}/${String(users.owner.id)}`), 404, 'NOT_FOUND');
    expectRefusal(await patch(api.rival, users.owner.id, { given_name: 'X' }), 404, 'NOT_FOUND');
    expectRefusal(await as(api.rival).post(`${PATH}/${String(users.owner.id)}/invite`, {}), 404, 'NOT_FOUND');
  });
});

describe('POST /api/v1/users', () => {
  it('adds a user who can’t sign in yet, with an invitation that is told once', async () => {
    const tenant = await own();
    const answer = await as(tenant).post(PATH, newcomer('Zanele@one.example'));
    expect(answer.status).toBe(201);
    const { data, invitation_url: url } = answer.body;
    expect(data).toMatchObject({
      email: 'Zanele@one.example',
      name: 'Zanele Dlamini',
      role: 'member',
      is_active: true,
      email_verified: false,
    });
    expect(url).toMatch(/\/invitation\?token=svc_in_[\w-]{49}$/);
    expect(url.startsWith(api.url)).toBe(true);
    const days = (Date.parse(data.invitation_expires_at) - api.clock.now()) / 86_400_000;
    expect(days).toBeGreaterThan(6.99);
    expect(days).toBeLessThanOrEqual(7);
    const later = await as(tenant).get(`${PATH}/${String(data.id)}`);
    expect(later.body.data).toEqual(data);
    expect(later.text).not.toContain('svc_in_');
    expect((await login('zanele@one.example', '')).status).toBe(400);
    expectRefusal(await login('zanele@one.example'), 401, 'UNAUTHORIZED');
    expect(await auditOf(tenant, 'user', data.id)).toEqual([
      { action: 'user.created', actor_id: String(tenant.users.owner.id), details: { role: 'member' } },
    ]);
  });

  it('is for owners and admins, and makes owners for an owner only', async () => {
    const tenant = await own();
    for (const role of ['member', 'auditor'] as const) {
      expectRefusal(await as(tenant, role).post(PATH, newcomer(`by-${role}@two.example`)), 403, 'FORBIDDEN');
    }
    expectRefusal(await as(tenant, 'admin').post(PATH, newcomer('a@two.example', { role: 'owner' })), 403, 'FORBIDDEN');
    expect((await as(tenant, 'admin').post(PATH, newcomer('b@two.example', { role: 'admin' }))).status).toBe(201);
    expect((await as(tenant).post(PATH, newcomer('c@two.example', { role: 'owner' }))).status).toBe(201);
  });

  it('answers 409 for an e-mail address in use, whatever its case and whosever it is', async () => {
    const tenant = await own();
    for (const email of ['OWNER@acme.example', tenant.users.member.email.toUpperCase()]) {
      const answer = await as(tenant).post(PATH, newcomer(email));
      expectRefusal(answer, 409, 'CONFLICT');
      expect(answer.body.error.message).toBe('email: there is a user with this e-mail address already');
    }
  });

  it.each([
    [{ email: 'nobody' }, 'VALIDATION_ERROR'],
    [{ given_name: undefined }, 'BAD_REQUEST'],
    [{ family_name: 'A\u202eB' }, 'VALIDATION_ERROR'],
    [{ given_name: 'http://evil.example/win' }, 'VALIDATION_ERROR'],
    [{ role: 'king' }, 'VALIDATION_ERROR'],
    [{ client_id: 1 }, 'VALIDATION_ERROR'],
  ])('refuses %j', async (wrong, code) => {
    expectRefusal(await as(api.acme).post(PATH, newcomer('bad@three.example', wrong)), 400, code);
  });

  it('repeats its answer, invitation included, under the same Idempotency-Key', async () => {
    const tenant = await own();
    const again = () => as(tenant).post(PATH, newcomer('again@four.example'), { 'Idempotency-Key': 'one newcomer' });
    const [first, second] = [await again(), await again()];
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(second.body.invitation_url).toBe(first.body.invitation_url);
    const [kept] = await api.services.system.query(KEPT, ['one newcomer']);
    expect(kept).toEqual({ text: expect.not.stringContaining('svc_in_') });
  });
});

describe('PATCH /api/v1/users/{user_id}', () => {
  it('changes names and picture, and notes who changed what', async () => {
    const tenant = await own();
    const { body } = await as(tenant).post(PATH, newcomer('names@five.example'));
    const { id } = body.data;
    const renamed = await patch(tenant, id, { family_name: 'Khumalo', picture: 'https://five.example/z.png' }, 'admin');
    expect(renamed.body.data).toMatchObject({ name: 'Zanele Khumalo', picture: 'https://five.example/z.png' });
    await patch(tenant, id, { name: 'Dr Z' });
    const last = await patch(tenant, id, { given_name: 'Zee', picture: null });
    expect(last.body.data).toMatchObject({ name: 'Dr Z', given_name: 'Zee', picture: null });
    const trail = await auditOf(tenant, 'user', id);
    expect(trail[1]).toMatchObject({
      action: 'user.updated',
      actor_id: String(tenant.users.admin.id),
      details: { changes: { family_name: { from: 'Dlamini', to: 'Khumalo' } } },
    });
    await patch(tenant, id, { name: 'Dr Z' });
    expect(await auditOf(tenant, 'user', id)).toHaveLength(trail.length);
    expectRefusal(await patch(tenant, id, {}), 400, 'BAD_REQUEST');
    expectRefusal(await patch(tenant, id, { picture: 'http://five.example/z.png' }), 400, 'VALIDATION_ERROR');
    expectRefusal(await patch(tenant, id, { email: 'new@five.example' }), 400, 'VALIDATION_ERROR');
  });

  it('lets owners alone touch owners, and nobody without the role anybody', async () => {
    const tenant = await own();
    const { owner, admin, member } = tenant.users;
    for (const role of ['member', 'auditor'] as const) {
      expectRefusal(await patch(tenant, member.id, { given_name: 'X' }, role), 403, 'FORBIDDEN');
      expectRefusal(await as(tenant, role).post(`${PATH}/${String(member.id)}/invite`, {}), 403, 'FORBIDDEN');
    }
    expectRefusal(await patch(tenant, owner.id, { given_name: 'X' }, 'admin'), 403, 'FORBIDDEN');
    expectRefusal(await patch(tenant, member.id, { role: 'owner' }, 'admin'), 403, 'FORBIDDEN');
    expectRefusal(await as(tenant, 'admin').post(`${PATH}/${String(owner.id)}/invite`, {}), 403, 'FORBIDDEN');
    expect((await patch(tenant, admin.id, { role: 'owner' })).body.data.role).toBe('owner');
    expect((await patch(tenant, owner.id, { role: 'admin' }, 'admin')).body.data.role).toBe('admin');
  });

  it('lets nobody deactivate themselves, change their own role or invite themselves', async () => {
    const tenant = await own();
    for (const role of ['owner', 'admin'] as const) {
      const { id } = tenant.users[role];
      expectRefusal(await patch(tenant, id, { is_active: false }, role), 422, 'UNPROCESSABLE_ENTITY');
      expectRefusal(await patch(tenant, id, { role: 'member' }, role), 422, 'UNPROCESSABLE_ENTITY');
      expectRefusal(await as(tenant, role).post(`${PATH}/${String(id)}/invite`, {}), 422, 'UNPROCESSABLE_ENTITY');
      expect((await patch(tenant, id, { given_name: 'Thandi', family_name: 'Nkosi', role }, role)).status).toBe(200);
    }
  });

  it('leaves one active owner when two owners demote each other at the same moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      const tenant = await own();
      const { owner, admin } = tenant.users;
      await patch(tenant, admin.id, { role: 'owner' });
      const change = round % 2 === 0 ? { role: 'member' } : { is_active: false };
      const answers = await Promise.all([patch(tenant, admin.id, change), patch(tenant, owner.id, change, 'admin')]);
      // Who is deactivated before the own request is looked at isn't known any more.
      const statuses = answers.map(({ status }) => (status === 401 && 'is_active' in change ? 403 : status));
      expect([await activeOwners(api, tenant), ...statuses.sort((a, b) => a - b)]).toEqual([1, 200, 403]);
    }
  });
});

describe('a deactivated user', () => {
  it('is signed out of everything at once, and signs in anew when it is active again', async () => {
    const tenant = await own();
    const { member } = tenant.users;
    const session = (await login(member.email)).body.data;
    const me = () =>
      api
        .http()
        .get('/api/v1/auth/me')
        .set('Authorization', `Bearer ${String(session.access_token)}`);
    const app = await register(api, {}, tenant);
    const grant = await signIn(api, app, { tenant, role: 'member' });
    expect((await me()).status).toBe(200);
    expect(await resourceStatus(api, grant.access_token)).toBe(404);
    // Not within the second in which the tokens were issued: they tell whole seconds.
    api.clock.advance(1);
    expect((await patch(tenant, member.id, { is_active: false })).body.data.is_active).toBe(false);
    const ended = async (): Promise<unknown[]> => [
      (await me()).status,
      (await api.http().post('/api/v1/auth/refresh').send({ refresh_token: session.refresh_token })).status,
      await resourceStatus(api, grant.access_token),
      (await refresh(api, app, grant.refresh_token)).status,
    ];
    expect(await ended()).toEqual([401, 401, 401, 400]);
    expectRefusal(await login(member.email), 401, 'UNAUTHORIZED');
    expectRefusal(await as(tenant).post(`${PATH}/${String(member.id)}/invite`, {}), 409, 'CONFLICT');
    await patch(tenant, member.id, { is_active: true });
    expect(await ended()).toEqual([401, 401, 401, 400]);
    expect((await login(member.email)).status).toBe(200);
  });

  it('has its API keys turned off, which stay off until another turns them on', async () => {
    const tenant = await own();
    const { member, owner } = tenant.users;
    const made = await as(tenant, 'member').post('/api/v1/integrations/api-keys', {
      key_name: 'of a member',
      environment: 'testing',
      permissions: { 'users:read': true },
    });
    const { id } = made.body.data;
    const use = () => api.act(made.body.api_key, { action: 'get-active-users' });
    const key = () => as(tenant).get(`/api/v1/integrations/api-keys/${String(id)}`);
    const turnOn = () => as(tenant).patch(`/api/v1/integrations/api-keys/${String(id)}`, { is_active: true });
    expect((await use()).status).toBe(200);
    await patch(tenant, member.id, { is_active: false });
    expectRefusal(await use(), 401, 'UNAUTHORIZED');
    expect((await key()).body.data.is_active).toBe(false);
    expect((await auditOf(tenant, 'api_key', id)).at(-1)).toEqual({
      action: 'api_key.updated',
      actor_id: String(owner.id),
      details: { changes: { is_active: { from: true, to: false } }, because: 'user_deactivated' },
    });
    expectRefusal(await turnOn(), 409, 'CONFLICT');
    await patch(tenant, member.id, { is_active: true });
    expectRefusal(await use(), 401, 'UNAUTHORIZED');
    expect((await turnOn()).status).toBe(200);
    expect((await use()).status).toBe(200);
  });
});

describe('a demoted user', () => {
  it('keeps no right of the former role, in tokens, keys and what was held of them', async () => {
    const tenant = await own();
    const { admin } = tenant.users;
    const makeKey = async (name: string, scope: string): Promise<string> => {
      const input = { key_name: name, environment: 'testing', permissions: { [scope]: true } };
      return (await as(tenant, 'admin').post('/api/v1/integrations/api-keys', input)).body.api_key;
    };
    const [every, some] = [await makeKey('all', '*'), await makeKey('hooks', 'webhooks:write')];
    const publish = (key: string) => api.act(key, { action: 'publish-event', event: 'custom.x', data: {} });
    const mails = () => as(tenant, 'admin').get('/api/v1/mails');
    expect([(await publish(every)).status, (await publish(some)).status, (await mails()).status]).toEqual([
      200, 200, 200,
    ]);
    await patch(tenant, admin.id, { role: 'member' });
    expectRefusal(await publish(every), 403, 'SCOPE_REQUIRED');
    expectRefusal(await publish(some), 403, 'SCOPE_REQUIRED');
    expectRefusal(await mails(), 403, 'FORBIDDEN');
    expect((await api.act(every, { action: 'get-active-users' })).status).toBe(200);
    await patch(tenant, admin.id, { role: 'admin' });
    expect((await publish(every)).status).toBe(200);
  });

  it('no longer vouches for the scopes of an OAuth application, until somebody who may does', async () => {
    const tenant = await own();
    const { admin } = tenant.users;
    const input = {
      name: 'Trainer',
      scopes: ['work_items:read', 'vision:models'],
      grant_types: ['client_credentials'],
    };
    const application = (await as(tenant, 'admin').post(APPLICATIONS, input)).body.data;
    const grant = async () => (await tokenRequest(api, { grant_type: 'client_credentials' }, application)).body;
    const scopes = async (): Promise<string> => (await grant()).scope;
    const { access_token: token } = await grant();
    const models = () =>
      api
        .http()
        .get('/api/v1/vision/models')
        .set('Authorization', `Bearer ${String(token)}`);
    expect(await scopes()).toBe('work_items:read vision:models');
    expect((await models()).status).toBe(200);
    await patch(tenant, admin.id, { role: 'member' });
    expect(await scopes()).toBe('work_items:read');
    expectRefusal(await models(), 403, 'SCOPE_REQUIRED');
    await as(tenant).patch(`${APPLICATIONS}/${String(application.id)}`, { name: 'Vouched for anew' });
    expect(await scopes()).toBe('work_items:read vision:models');
  });
});

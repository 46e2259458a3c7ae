import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { manageClient } from '../../api/manage-client.ts';
import { statement } from '../../platform/db/statement.ts';
import { processEnvironment } from '../support/stack.ts';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';
import { actingAs } from './users-support.ts';

const PATH = '/api/v1/client';
const TRAIL = statement(`
  select action, actor_type, actor_id, details from audit_entries
  where client_id = $1 and subject_type = 'client' order by id`);

let api: ApiFixture;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
});
afterAll(() => api.close());

describe('GET /api/v1/client', () => {
  it.each(['owner', 'admin', 'member', 'auditor'] as const)('shows an %s the own client', async (role) => {
    const { body } = await actingAs(api, api.acme, role).get(PATH);
    expect(body.data).toEqual({
      id: api.acme.clientId,
      slug: 'acme',
      name: 'acme',
      tier: 'enterprise',
      finance_tier: 'full',
      production_api_enabled: true,
      legal_name: null,
      address: null,
      tax_number: null,
      registration_number: null,
      phone: null,
      email: null,
      website: null,
      bank_details: null,
      country: 'ZA',
      currency: 'ZAR',
      timezone: 'Africa/Johannesburg',
      document_ai_retention_days: 30,
      document_ai_requests_per_minute: 2000,
      document_ai_concurrent_jobs: 500,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
  });
});

describe('PATCH /api/v1/client', () => {
  it('changes the settings for everybody at once, and notes who did', async () => {
    const tenant = await api.tenant('movers', { tier: 'business' });
    const [owner, member] = [actingAs(api, tenant), actingAs(api, tenant, 'member')];
    const key = await tenant.key();
    const today = async () => (await api.act(key, { action: 'get-current-user' })).body.data;
    expect(await today()).toMatchObject({ client: { timezone: 'Africa/Johannesburg' } });
    const change = {
      name: 'Movers Ltd',
      country: 'GB',
      currency: 'GBP',
      timezone: 'Europe/London',
      document_ai_retention_days: 7,
    };
    const answer = await owner.patch(PATH, change);
    expect(answer.body.data).toMatchObject(change);
    expect(await today()).toMatchObject({ client: { name: 'Movers Ltd', timezone: 'Europe/London' } });
    expect((await member.get(PATH)).body.data).toEqual(answer.body.data);
    await owner.patch(PATH, change);
    expect(await api.services.system.query(TRAIL, [tenant.clientId])).toEqual([
      {
        action: 'client.updated',
        actor_type: 'user',
        actor_id: String(tenant.users.owner.id),
        details: {
          changes: expect.objectContaining({ currency: { from: 'ZAR', to: 'GBP' }, country: { from: 'ZA', to: 'GB' } }),
        },
      },
    ]);
  });

  it('takes what is printed on finance documents, and clears it with null', async () => {
    const tenant = await api.tenant('sellers', { tier: 'business' });
    const seller = {
      legal_name: 'Sellers (Pty) Ltd',
      address: '7 Dock Road\nCape Town',
      tax_number: '4012345678',
      registration_number: '2019/123456/07',
      phone: '+27 21 555 0100',
      email: 'accounts@sellers.example',
      website: 'https://sellers.example',
      bank_details: 'FNB\nAccount 62000000001',
    };
    const owner = actingAs(api, tenant);
    expect((await owner.patch(PATH, seller)).body.data).toMatchObject(seller);
    const cleared = Object.fromEntries(Object.keys(seller).map((field) => [field, null]));
    const some = { ...cleared, address: seller.address };
    expect(
      (await actingAs(api, tenant, 'admin').patch(PATH, { ...cleared, address: undefined })).body.data,
    ).toMatchObject(some);
    expect((await owner.get(PATH)).body.data).toMatchObject(some);
    const trail = await api.services.system.query<{ details: unknown }>(TRAIL, [tenant.clientId]);
    expect(trail[0]?.details).toMatchObject({ changes: { address: { from: null, to: seller.address } } });
  });

  it('is for owners and admins', async () => {
    for (const role of ['member', 'auditor'] as const) {
      expectRefusal(await actingAs(api, api.acme, role).patch(PATH, { name: 'X' }), 403, 'FORBIDDEN');
    }
    expect((await actingAs(api, api.rival, 'admin').patch(PATH, { name: 'Rival' })).status).toBe(200);
  });

  it.each([
    [{ country: 'XX' }, 'VALIDATION_ERROR'],
    [{ currency: 'ABC' }, 'VALIDATION_ERROR'],
    [{ timezone: 'Mars/Phobos' }, 'VALIDATION_ERROR'],
    [{ timezone: '+02:00' }, 'VALIDATION_ERROR'],
    [{ document_ai_retention_days: 0 }, 'VALIDATION_ERROR'],
    [{ document_ai_retention_days: 366 }, 'VALIDATION_ERROR'],
    [{ name: ' ' }, 'VALIDATION_ERROR'],
    [{ tier: 'enterprise' }, 'VALIDATION_ERROR'],
    [{ email: 'nobody' }, 'VALIDATION_ERROR'],
    [{ website: 'javascript:alert(1)' }, 'VALIDATION_ERROR'],
    [{ address: ' ' }, 'VALIDATION_ERROR'],
    [{ bank_details: 'x'.repeat(1_001) }, 'VALIDATION_ERROR'],
    [{ tax_number: 4012345678 }, 'BAD_REQUEST'],
    [{ name: 7 }, 'BAD_REQUEST'],
    [{}, 'BAD_REQUEST'],
  ])('refuses %j', async (change, code) => {
    expectRefusal(await actingAs(api, api.acme).patch(PATH, change), 400, code);
  });
});

describe('the operator’s command', () => {
  const run = (...args: string[]): Promise<string> => {
    const { system, tenants } = api.services;
    return manageClient(args, { system, tenants, publicUrl: 'https://platform.example', now: api.clock.now() });
  };
  const create = (slug: string, ...more: string[]): Promise<string> =>
    run('create', '--slug', slug, '--name', 'New Client', '--owner-email', `owner@${slug}.example`, ...more);
  const tokenIn = (text: string): string => /invitation\?token=(\S+)/.exec(text)?.[1] ?? '';

  it('makes a client whose owner signs in by the invitation, has the trial credits, and adds the next user', async () => {
    const said = await create('fresh', '--tier', 'business', '--country', 'GB', '--currency', 'GBP');
    expect(said).toContain('New Client – tier business, finance none, production API off');
    expect(said).toContain('https://platform.example/invitation?token=svc_in_');
    const password = 'a long sentence is easy to keep';
    await api
      .http()
      .post('/api/v1/auth/accept-invitation')
      .send({ token: tokenIn(said), password });
    const login = await api.http().post('/api/v1/auth/login').send({ email: 'OWNER@fresh.example', password });
    const bearer = `Bearer ${String(login.body.data.access_token)}`;
    expect(login.body.data.user.role).toBe('owner');
    const second = { email: 'second@fresh.example', given_name: 'A', family_name: 'B' };
    expect((await api.http().post('/api/v1/users').set('Authorization', bearer).send(second)).status).toBe(201);
    expect((await api.http().get(PATH).set('Authorization', bearer)).body.data).toMatchObject({
      slug: 'fresh',
      country: 'GB',
    });
    const granted = statement(`select amount::float8 as amount, bundle from credit_entries where client_id = $1`);
    const { client_id: id } = login.body.data.user;
    expect(await api.services.system.query(granted, [id])).toEqual([{ amount: 30, bundle: 'Trial' }]);
    expect(await api.services.system.query(TRAIL, [id])).toMatchObject([
      { action: 'client.created', actor_type: 'system', actor_id: 'operator' },
    ]);
  });

  it('changes nothing for a slug that is there, and invites again an owner who has not accepted', async () => {
    const first = await create('twice');
    const again = await create('twice', '--tier', 'enterprise');
    expect(again).toContain('Exists already');
    expect(again).toContain('tier free');
    const accept = (token: string) =>
      api.http().post('/api/v1/auth/accept-invitation').send({ token, password: 'a long sentence is easy to keep' });
    expect((await accept(tokenIn(first))).status).toBe(401);
    expect((await accept(tokenIn(again))).status).toBe(200);
    const third = await create('twice');
    expect(third).toContain('has accepted the invitation already');
    expect(third).not.toContain('token');
  });

  it('makes one client of many commands at the same moment', async () => {
    const said = await Promise.all([create('race'), create('race'), create('race')]);
    expect(said.filter((text) => text.startsWith('Exists already'))).toHaveLength(2);
  });

  it('refuses an owner who is somebody else’s, or not the client’s, and leaves no client behind', async () => {
    const { email } = api.acme.users.owner;
    const stolen = run('create', '--slug', 'stolen', '--name', 'S', '--owner-email', email);
    await expect(stolen).rejects.toThrow(`${email} is a user of another client`);
    const other = run('create', '--slug', 'acme', '--name', 'A', '--owner-email', 'new@acme.example');
    await expect(other).rejects.toThrow('The client acme exists already, and new@acme.example is none of its users.');
    const member = run('create', '--slug', 'acme', '--name', 'A', '--owner-email', api.acme.users.member.email);
    await expect(member).rejects.toThrow('is no owner of acme');
    expect(await run('list')).not.toContain('stolen');
  });

  it('lists clients, and sets tiers and limits, which the client sees', async () => {
    await create('settings');
    const set = (...args: string[]): Promise<string> => run('set', 'settings', ...args);
    await set('--tier', 'business', '--finance-tier', 'full', '--production-api', 'on');
    await set('--document-ai-requests-per-minute', '77', '--document-ai-jobs', '5');
    const described =
      'New Client – tier business, finance full, production API on, Document AI 77 per minute, 5 jobs, ZA, ZAR, Africa/Johannesburg';
    expect(await run('list')).toContain(described);
    expect(await set('--document-ai-jobs', 'tier')).toContain('77 per minute, 20 jobs');
  });

  it.each([
    [['create', '--slug', 'Bad Slug', '--name', 'X', '--owner-email', 'a@b.example'], '--slug: must be lower-case'],
    [['create', '--slug', 'x'], '--owner-email: '],
    [['create', '--slug', 'x', '--name', 'X', '--owner-email', 'a@b.example', '--country', 'XX'], '--country: must be'],
    [['create', '--colour', 'red'], '--colour'],
    [['set', 'nobody', '--tier', 'free'], 'There is no client nobody'],
    [['set', 'acme', '--tier', 'gold'], '--tier: '],
    [['set', 'acme', '--production-api', 'maybe'], 'on or off'],
    [['set', 'acme', '--document-ai-jobs', 'many'], '--document-ai-concurrent-jobs: '],
    [['set', 'acme'], 'Nothing to set'],
    [['set', '--tier', 'free'], 'set takes the slug of one client'],
    [['destroy', 'acme'], 'There is no command destroy'],
  ])('refuses %j', async (args, message) => {
    await expect(run(...args)).rejects.toThrow(message);
  });

  it('is a program: prints what it did, or what was wrong and a status that says so', async () => {
    const program = (...args: string[]): Promise<{ status: number | null; out: string; err: string }> => {
      const env = {
        ...process.env,
        ...processEnvironment(api.database, {}),
        NODE_ENV: 'production',
        LOG_LEVEL: 'warn',
      };
      const child = spawn(process.execPath, ['api/manage-client.ts', ...args], { env });
      const [out, err]: [string[], string[]] = [[], []];
      child.stdout.on('data', (chunk: Buffer) => out.push(chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => err.push(chunk.toString()));
      return new Promise((resolve) => {
        child.on('close', (status) => {
          resolve({ status, out: out.join(''), err: err.join('') });
        });
      });
    };
    const [listed, wrong] = await Promise.all([program('list'), program('set', 'nobody', '--tier', 'free')]);
    expect(listed).toMatchObject({ status: 0, out: expect.stringContaining('acme ('), err: '' });
    expect(wrong).toEqual({ status: 1, out: '', err: 'There is no client nobody; list shows all.\n' });
  });
});

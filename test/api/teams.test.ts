import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { statement } from '../../platform/db/statement.ts';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';

const PATH = '/api/v1/teams';

let api: ApiFixture;
let key: string;
let token: string;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
  key = await api.acme.key();
  token = await api.acme.token();
});
afterAll(() => api.close());

type Data = Record<string, unknown>;

const rest = (method: 'get' | 'post' | 'put' | 'patch' | 'delete', path = PATH, bearer = token) =>
  api.http()[method](path).set('Authorization', `Bearer ${bearer}`);
const at = (id: string): string => `${PATH}/${id}`;
const memberAt = (id: string, user: number): string => `${PATH}/${id}/members/${String(user)}`;
const act = (action: string, input: Data = {}) => api.act(key, { action, ...input });

async function team(name = `Team ${randomUUID()}`, more: Data = {}): Promise<string> {
  const { status, body } = await rest('post').send({ name, ...more });
  expect([status, body.error]).toEqual([201, undefined]);
  return body.data.team_id;
}

const get = async (id: string): Promise<Data> => (await rest('get', at(id))).body.data;
const join = (id: string, user: number, input: Data = {}): Promise<Response> =>
  rest('put', memberAt(id, user)).send(input);
const namesOf = ({ body }: Response) => body.data.map(({ name }: { name: string }) => name);

const AUDIT = statement(`
  select action, actor_id, details from audit_entries
  where client_id = $1 and subject_type = 'team' and subject_id = $2 order by id`);
const trail = (id: string) => api.services.system.query(AUDIT, [api.acme.clientId, id]);
const SET_ACTIVE = statement('update users set is_active = $2 where id = $1');

describe('create-team', () => {
  it('makes a team with nobody in it, and reads show it', async () => {
    const { status, body } = await rest('post').send({ name: ' Pumps ', description: 'North and east' });
    expect(status).toBe(201);
    expect(body.data).toEqual({
      team_id: expect.any(String),
      client_id: api.acme.clientId,
      name: 'Pumps',
      description: 'North and east',
      is_active: true,
      member_count: 0,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(await get(body.data.team_id)).toEqual(body.data);
    expect(await trail(body.data.team_id)).toMatchObject([
      { action: 'team.created', actor_id: String(api.acme.users.owner.id) },
    ]);
    const item = await act('create-work-item', { item_type: 'job', title: 'Pump', assigned_team: body.data.team_id });
    expect(item.body.data).toMatchObject({ assigned_team: body.data.team_id });
  });

  it('refuses a name that another team has in whatever case, and lets other clients have it', async () => {
    const id = await team('Boilers');
    const answer = await rest('post').send({ name: 'BOILERS' });
    expectRefusal(answer, 409, 'CONFLICT');
    expect(answer.body.error.details).toEqual([{ field: 'name', issue: expect.any(String) }]);
    expectRefusal(await rest('patch', at(await team())).send({ name: 'boilers' }), 409, 'CONFLICT');
    expect((await rest('patch', at(id)).send({ name: 'BOILERS' })).body.data.name).toBe('BOILERS');
    expect((await rest('post', PATH, await api.rival.token()).send({ name: 'Boilers' })).status).toBe(201);
    const twice = await Promise.all([1, 2].map(() => rest('post').send({ name: 'Twins' })));
    expect(twice.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  it('refuses a name that is blank or missing', async () => {
    expectRefusal(await rest('post').send({ name: '  ' }), 400, 'VALIDATION_ERROR');
    expectRefusal(await rest('post').send({}), 400, 'BAD_REQUEST');
  });
});

describe('list-teams', () => {
  it('lists by name, searches, counts members and pages; the action answers the same', async () => {
    const [valves] = [await team('valves of the list'), await team('Gates', { description: 'Of the list' })];
    await team('Cranes of the list', { is_active: false });
    await join(valves, api.acme.users.member.id);
    const list = (query: string) => rest('get', `${PATH}?search=OF%20THE%20list${query}`);
    const all = await list('');
    expect(namesOf(all)).toEqual(['Cranes of the list', 'Gates', 'valves of the list']);
    expect(all.body.data[2]).toMatchObject({ team_id: valves, member_count: 1 });
    expect(all.body.meta.pagination).toEqual({ total: 3, limit: 50, offset: 0 });
    expect(namesOf(await list('&is_active=false'))).toEqual(['Cranes of the list']);
    const page = await list('&is_active=true&limit=1&offset=1');
    expect([namesOf(page), page.body.meta.pagination]).toEqual([
      ['valves of the list'],
      { total: 2, limit: 1, offset: 1 },
    ]);
    expect((await act('list-teams', { search: 'of the list' })).body.data.teams).toEqual(all.body.data);
    expect(namesOf(await rest('get', `${PATH}?search=%25`))).toEqual([]);
    expectRefusal(await rest('get', `${PATH}?limit=501`), 400, 'VALIDATION_ERROR');
  });
});

describe('update-team', () => {
  it('changes what is given, notes who changed what, once, and gives a team out of use no new work', async () => {
    const id = await team('Meters', { description: 'Readings' });
    const item = { item_type: 'job', title: 'Read them', assigned_team: id };
    expect((await act('create-work-item', item)).status).toBe(200);
    const changed = await rest('patch', at(id)).send({ description: null, is_active: false });
    expectRefusal(await act('create-work-item', item), 400, 'VALIDATION_ERROR');
    expect(changed.body.data).toMatchObject({ name: 'Meters', description: null, is_active: false });
    expect((await rest('patch', at(id)).send({ is_active: false })).body.data).toEqual(changed.body.data);
    expect((await trail(id)).slice(1)).toEqual([
      {
        action: 'team.updated',
        actor_id: String(api.acme.users.owner.id),
        details: { changes: { description: { from: 'Readings', to: null }, is_active: { from: true, to: false } } },
      },
    ]);
  });
});

describe('the members of a team', () => {
  it('are put in, given another role and taken out, each as often as one likes, and noted once', async () => {
    const id = await team();
    const { member, owner } = api.acme.users;
    const joined = await join(id, member.id);
    expect(joined.status).toBe(200);
    expect(joined.body.data).toEqual({
      team_id: id,
      user_id: member.id,
      name: 'member',
      email: member.email,
      is_active: true,
      role: 'member',
      joined_at: expect.any(String),
    });
    expect((await join(id, member.id)).body.data).toEqual(joined.body.data);
    expect((await join(id, member.id, { role: 'lead' })).body.data).toEqual({ ...joined.body.data, role: 'lead' });
    await join(id, owner.id);
    const list = await rest('get', `${at(id)}/members`);
    expect(list.body.data).toMatchObject([
      { user_id: member.id, role: 'lead' },
      { user_id: owner.id, role: 'member' },
    ]);
    expect(list.body.meta.pagination).toEqual({ total: 2, limit: 100, offset: 0 });
    const page = await rest('get', `${at(id)}/members?limit=1&offset=1`);
    expect(page.body.data).toMatchObject([{ user_id: owner.id }]);
    const { memberships } = (await act('get-user-memberships', { user_id: member.id })).body.data;
    expect(memberships).toContainEqual(expect.objectContaining({ team_id: id, role: 'lead' }));
    expect((await rest('delete', memberAt(id, owner.id))).body.data).toEqual({ removed: true });
    expect((await rest('delete', memberAt(id, owner.id))).body.data).toEqual({ removed: false });
    expect(await get(id)).toMatchObject({ member_count: 1 });
    expect((await trail(id)).slice(1).map(({ action, details }) => [action, details])).toEqual([
      ['team.member_added', { user_id: member.id, role: 'member' }],
      ['team.member_updated', { user_id: member.id, changes: { role: { from: 'member', to: 'lead' } } }],
      ['team.member_added', { user_id: owner.id, role: 'member' }],
      ['team.member_removed', { user_id: owner.id, role: 'member' }],
    ]);
  });

  it('put in twice at once are in it once', async () => {
    const id = await team();
    const answers = await Promise.all([1, 2, 3].map(() => join(id, api.acme.users.admin.id)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await get(id)).toMatchObject({ member_count: 1 });
    expect(await trail(id)).toHaveLength(2);
  });

  it('are users of the client; one who is deactivated stays, but joins no more', async () => {
    const [id, other] = [await team(), await team()];
    const { auditor } = api.acme.users;
    await join(id, auditor.id);
    await api.services.system.query(SET_ACTIVE, [auditor.id, false]);
    expectRefusal(await join(other, auditor.id), 422, 'UNPROCESSABLE_ENTITY');
    expect((await join(id, auditor.id, { role: 'lead' })).body.data).toMatchObject({ is_active: false, role: 'lead' });
    await api.services.system.query(SET_ACTIVE, [auditor.id, true]);
    const stranger = api.rival.users.owner.id;
    expectRefusal(await join(id, stranger), 404, 'NOT_FOUND');
    expectRefusal(await rest('delete', memberAt(id, stranger)), 404, 'NOT_FOUND');
    expectRefusal(await join(randomUUID(), auditor.id), 404, 'NOT_FOUND');
    expectRefusal(await join(id, auditor.id, { role: 'boss' }), 400, 'VALIDATION_ERROR');
  });
});

describe('delete-team', () => {
  it('takes the team and its memberships away, and notes who was in it', async () => {
    const id = await team('Painters');
    await join(id, api.acme.users.member.id);
    const { status, body } = await rest('delete', at(id));
    expect([status, body.data]).toEqual([200, expect.objectContaining({ team_id: id, member_count: 1 })]);
    expectRefusal(await rest('get', at(id)), 404, 'NOT_FOUND');
    expectRefusal(await rest('get', `${at(id)}/members`), 404, 'NOT_FOUND');
    expectRefusal(await rest('delete', at(id)), 404, 'NOT_FOUND');
    const { memberships } = (await act('get-user-memberships', { user_id: api.acme.users.member.id })).body.data;
    expect(memberships).not.toContainEqual(expect.objectContaining({ team_id: id }));
    expect((await trail(id)).at(-1)).toMatchObject({
      action: 'team.deleted',
      details: { name: 'Painters', user_ids: [api.acme.users.member.id] },
    });
    expect(await team('Painters')).not.toBe(id);
  });

  it('refuses while there is work for it, says how much, and leaves ended work its team', async () => {
    const id = await team('Fitters');
    const item = { item_type: 'job', title: 'Fit it', assigned_team: id.toUpperCase() };
    const made = [await act('create-work-item', item), await act('create-work-item', item)];
    const [first = '', second = ''] = made.map(({ body }) => body.data.work_item_id as string);
    const schedule = { frequency: 'daily', time: '08:00' };
    const job = await act('create-recurring-job', { title: 'Check it', schedule, template: { assigned_team: id } });
    const flow = {
      name: 'Give it to the fitters',
      module: 'service-operations',
      trigger_type: 'manual',
      status: 'active',
      config: { steps: [{ type: 'create_item', item: { ...item, assigned_team: id } }] },
    };
    const template = await rest('post', '/api/v1/workflows').send(flow);
    expect([job.status, template.body.error]).toEqual([200, undefined]);
    const left = async (): Promise<string> => {
      const answer = await rest('delete', at(id));
      expectRefusal(answer, 409, 'CONFLICT');
      return answer.body.error.message;
    };
    expect(await left()).toContain('2 open work items, 1 recurring job, 1 active workflow template:');
    await act('close-work-item', { work_item_id: first });
    expect(await left()).toContain('1 open work item, ');
    await act('delete-work-item', { work_item_id: second });
    expect(await left()).toContain('has 1 recurring job, ');
    await act('update-recurring-job', { recurring_job_id: job.body.data.recurring_job_id, template: {} });
    expect(await left()).toContain('has 1 active workflow template:');
    await rest('patch', `/api/v1/workflows/${String(template.body.data.id)}`).send({ status: 'archived' });
    expect((await rest('delete', at(id))).status).toBe(200);
    expect((await act('get-work-item', { work_item_id: first })).body.data.assigned_team).toBe(id);
  });
});

describe('who may', () => {
  it.each(['member', 'auditor'] as const)('%s reads all teams and changes none', async (role) => {
    const id = await team();
    const bearer = await api.acme.token(role);
    const user = api.acme.users.member.id;
    for (const path of [PATH, at(id), `${at(id)}/members`]) expect((await rest('get', path, bearer)).status).toBe(200);
    expectRefusal(await rest('post', PATH, bearer).send({ name: 'Mine' }), 403, 'FORBIDDEN');
    expectRefusal(await rest('patch', at(id), bearer).send({ name: 'Mine' }), 403, 'FORBIDDEN');
    expectRefusal(await rest('delete', at(id), bearer), 403, 'FORBIDDEN');
    expectRefusal(await rest('put', memberAt(id, user), bearer).send({}), 403, 'FORBIDDEN');
    expectRefusal(await rest('delete', memberAt(id, user), bearer), 403, 'FORBIDDEN');
  });

  it("another client's team is not there: not to read, change, join or delete", async () => {
    const id = await team();
    const theirs = await api.rival.token();
    const user = api.rival.users.owner.id;
    expectRefusal(await rest('get', at(id), theirs), 404, 'NOT_FOUND');
    expectRefusal(await rest('get', `${at(id)}/members`, theirs), 404, 'NOT_FOUND');
    expectRefusal(await rest('patch', at(id), theirs).send({ name: 'Ours' }), 404, 'NOT_FOUND');
    expectRefusal(await rest('put', memberAt(id, user), theirs).send({}), 404, 'NOT_FOUND');
    expectRefusal(await rest('delete', memberAt(id, user), theirs), 404, 'NOT_FOUND');
    expectRefusal(await rest('delete', at(id), theirs), 404, 'NOT_FOUND');
    expect((await rest('get', PATH, theirs)).text).not.toContain(id);
  });
});

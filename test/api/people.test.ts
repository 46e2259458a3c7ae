import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { statement } from '../../platform/db/statement.ts';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';

let api: ApiFixture;
let key: string;

beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
  key = await api.acme.key();
});
afterAll(() => api.close());

const act = (action: string, input: Record<string, unknown> = {}, apiKey = key) =>
  api.act(apiKey, { action, ...input });

const INSERT_EMPLOYEE = statement(`
  insert into employees (client_id, user_id, employee_number, first_name, last_name, department, manager_id, is_active, terminated_on)
  values ($1, $2, $3, $3, 'Nkosi', $4, $5, $6, $7) returning id`);
const SET_MANAGER = statement('update employees set manager_id = $2 where id = $1');

interface NewEmployee {
  clientId?: number;
  userId?: number;
  department?: string;
  manager?: number;
  isActive?: boolean;
  leftOn?: string;
}

async function employ(name: string, options: NewEmployee = {}): Promise<number> {
  const { clientId = api.acme.clientId, userId, department, manager, isActive = true, leftOn } = options;
  const [row] = await api.services.system.query<{ id: number }>(INSERT_EMPLOYEE, [
    clientId,
    userId ?? null,
    name,
    department ?? null,
    manager ?? null,
    isActive,
    leftOn ?? null,
  ]);
  return row?.id ?? 0;
}

describe('get-active-users', () => {
  it('lists active users by id, and others on demand, but nothing to sign in with', async () => {
    const { owner, member } = api.acme.users;
    await api.services.system.query(statement('update users set is_active = false where id = $1'), [member.id]);
    const ids = async (input: object): Promise<number[]> =>
      (await act('get-active-users', { ...input })).body.data.users.map((user: { id: number }) => user.id);
    expect(await ids({})).not.toContain(member.id);
    expect(await ids({ status: 'inactive' })).toEqual([member.id]);
    expect(await ids({ status: 'all' })).toHaveLength(4);
    expect(await ids({ search: 'OWNER@acme' })).toEqual([owner.id]);
    expect(await ids({ search: '%' })).toEqual([]);
    const { body } = await act('get-active-users', { limit: 1, offset: 1 });
    expect(body.meta.pagination).toEqual({ total: 3, limit: 1, offset: 1 });
    expect(JSON.stringify(body)).not.toMatch(/password|argon2/);
    await api.services.system.query(statement('update users set is_active = true where id = $1'), [member.id]);
  });

  it("shows no other client's users", async () => {
    const { body } = await act('get-active-users', { status: 'all' }, await api.rival.key());
    expect(body.data.users.map((user: { client_id: number }) => user.client_id)).toEqual(
      Array.from({ length: 4 }, () => api.rival.clientId),
    );
  });
});

describe('get-employees', () => {
  it('filters by department, activity and whether they have left', async () => {
    await employ('active', { department: 'Field Service' });
    await employ('on leave', { department: 'Office', isActive: false });
    await employ('left', { department: 'Field Service', isActive: false, leftOn: '2020-01-31' });
    await employ('leaving', { department: 'Office', leftOn: '2999-01-31' });
    const names = async (input: object): Promise<string[]> =>
      (await act('get-employees', { ...input })).body.data.employees.map(
        (row: { first_name: string }) => row.first_name,
      );
    expect(await names({})).toEqual(['active', 'leaving']);
    expect(await names({ is_active: false })).toEqual(['on leave']);
    expect(await names({ include_terminated: true })).toEqual(['active', 'left', 'leaving']);
    expect(await names({ department: 'field service', include_terminated: true })).toEqual(['active', 'left']);
    expect(await names({ search: 'leav' })).toEqual(['leaving']);
    const { body } = await act('get-employees', { include_terminated: true, limit: 1, offset: 1 });
    expect(body.data.employees).toEqual([expect.objectContaining({ first_name: 'left', terminated_on: '2020-01-31' })]);
    expect(body.meta.pagination).toEqual({ total: 3, limit: 1, offset: 1 });
  });

  it.each([{ limit: 501 }, { limit: 0 }, { offset: -1 }])('refuses %j', async (input) => {
    expectRefusal(await act('get-employees', input), 400, 'VALIDATION_ERROR');
  });
});

describe('get-user-memberships', () => {
  it("lists the teams of a user, by default of the key's own, by name", async () => {
    const { owner, admin } = api.acme.users;
    const teams = [randomUUID(), randomUUID()];
    for (const [index, team] of teams.entries()) {
      await api.services.system.query(statement('insert into teams (team_id, client_id, name) values ($1, $2, $3)'), [
        team,
        api.acme.clientId,
        ['Pumps', 'Boilers'][index],
      ]);
      await api.services.system.query(
        statement('insert into team_memberships (team_id, user_id, client_id, role) values ($1, $2, $3, $4)'),
        [team, owner.id, api.acme.clientId, 'lead'],
      );
    }
    const { body } = await act('get-user-memberships');
    expect(body.data.memberships).toMatchObject([
      { team_id: teams[1], team_name: 'Boilers', role: 'lead', user_id: owner.id },
      { team_id: teams[0], team_name: 'Pumps', role: 'lead', user_id: owner.id },
    ]);
    expect((await act('get-user-memberships', { user_id: admin.id })).body.data.memberships).toEqual([]);
    expectRefusal(await act('get-user-memberships', { user_id: api.rival.users.owner.id }), 404, 'NOT_FOUND');
  });
});

describe('get-subordinates', () => {
  it('gives direct reports, the whole tree and oneself, with depth and scope', async () => {
    const boss = await employ('boss', { userId: api.acme.users.owner.id });
    const lead = await employ('lead', { manager: boss, userId: api.acme.users.admin.id });
    const second = await employ('second', { manager: boss });
    const worker = await employ('worker', { manager: lead, userId: api.acme.users.member.id });
    const places = async (input: object): Promise<unknown> => {
      const { data } = (await act('get-subordinates', { ...input })).body;
      return [data.employees.map((row: { id: number; depth: number }) => [row.id, row.depth]), data.scope];
    };
    expect(await places({ employee_id: boss })).toEqual([
      [
        [lead, 1],
        [second, 1],
      ],
      { employee_ids: [lead, second], user_ids: [api.acme.users.admin.id] },
    ]);
    expect(await places({ user_id: api.acme.users.owner.id, include_descendants: true, include_self: true })).toEqual([
      [
        [boss, 0],
        [lead, 1],
        [second, 1],
        [worker, 2],
      ],
      {
        employee_ids: [boss, lead, second, worker],
        user_ids: [api.acme.users.owner.id, api.acme.users.admin.id, api.acme.users.member.id],
      },
    ]);
    expect(await places({ employee_id: worker, include_descendants: true })).toEqual([
      [],
      { employee_ids: [], user_ids: [] },
    ]);
    const { body } = await act('get-subordinates', {
      employee_id: boss,
      include_descendants: true,
      limit: 1,
      offset: 2,
    });
    expect(body.data.employees).toEqual([expect.objectContaining({ id: worker, depth: 2 })]);
    expect(body.data.scope.employee_ids).toHaveLength(3);
    expect(body.meta.pagination).toEqual({ total: 3, limit: 1, offset: 2 });
  });

  it('ends where the tree bites its own tail', async () => {
    const first = await employ('first of a ring');
    const middle = await employ('middle of a ring', { manager: first });
    const last = await employ('last of a ring', { manager: middle });
    await api.services.system.query(SET_MANAGER, [first, last]);
    const { data } = (await act('get-subordinates', { employee_id: first, include_descendants: true })).body;
    expect(data.scope.employee_ids).toEqual([middle, last]);
  });

  it('wants exactly one of employee_id and user_id, known in this client', async () => {
    const mine = await employ('mine');
    const theirs = await employ('theirs', { clientId: api.rival.clientId });
    expectRefusal(await act('get-subordinates'), 400, 'BAD_REQUEST');
    expectRefusal(await act('get-subordinates', { employee_id: mine, user_id: 1 }), 400, 'VALIDATION_ERROR');
    expectRefusal(await act('get-subordinates', { employee_id: theirs }), 404, 'NOT_FOUND');
    expectRefusal(await act('get-subordinates', { user_id: api.rival.users.owner.id }), 404, 'NOT_FOUND');
  });
});

it.each([
  ['get-active-users', 'users:read', 'employees:read'],
  ['get-employees', 'employees:read', 'users:read'],
  ['get-user-memberships', 'users:read', 'employees:read'],
  ['get-subordinates', 'users:read', 'work_items:read'],
])('%s needs %s; %s does not do', async (action, needed, insufficient) => {
  expectRefusal(await act(action, {}, await api.acme.key([insufficient])), 403, 'SCOPE_REQUIRED');
  expect((await act(action, {}, await api.acme.key([needed]))).body.error?.code).not.toBe('SCOPE_REQUIRED');
});

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

  it('shows the whole record', async () => {
    const { auditor } = api.acme.users;
    const { body } = await act('get-active-users', { search: auditor.email });
    expect(body.data.users).toEqual([
      {
        id: auditor.id,
        user_id: auditor.id,
        client_id: api.acme.clientId,
        email: auditor.email,
        name: 'auditor',
        given_name: null,
        family_name: null,
        picture: null,
        email_verified: false,
        role: 'auditor',
        is_active: true,
        created_at: expect.stringMatching(/Z$/),
        updated_at: expect.stringMatching(/Z$/),
      },
    ]);
    expect((await act('get-active-users')).body.meta.pagination).toEqual({ total: 4, limit: 100, offset: 0 });
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

  it('gives 100 where no limit is given, 500 at most', async () => {
    const [many, few] = [await act('get-employees', { limit: 500 }), await act('get-employees')];
    expect([many.body.meta.pagination.limit, few.body.meta.pagination.limit]).toEqual([500, 100]);
  });

  it.each([{ limit: 501 }, { limit: 0 }, { offset: -1 }])('refuses %j', async (input) => {
    expectRefusal(await act('get-employees', input), 400, 'VALIDATION_ERROR');
  });

  it("counts as terminated from the last day on, by the client's calendar", async () => {
    // From 22:00 UTC on it is tomorrow in Johannesburg.
    const day = new Date(api.clock.now() + 86_400_000).toISOString().slice(0, 10);
    await employ('leaves at midnight', { department: 'Night', leftOn: day });
    const left = async () => (await act('get-employees', { department: 'Night' })).body.data.employees.length === 0;
    const advanceTo = (moment: string): void => api.clock.advance((Date.parse(moment) - api.clock.now()) / 1000);
    const eve = new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
    if (Date.parse(`${eve}T21:58:00Z`) > api.clock.now()) {
      advanceTo(`${eve}T21:58:00Z`);
      expect(await left()).toBe(false);
    }
    advanceTo(`${eve}T22:01:00Z`);
    expect(await left()).toBe(true);
  });
});

describe('a search among thousands of employees', () => {
  it('finds the rare and the common, within the other filters, in order and page by page, and counts to 1,000', async () => {
    const tenant = await api.tenant('many-employees');
    await api.services.system.query(INSERT_THOUSANDS, [tenant.clientId]);
    const apiKey = await tenant.key();
    const find = async (search: string, more: object = {}): Promise<unknown> => {
      const { data, meta } = (await act('get-employees', { search, limit: 2, ...more }, apiKey)).body;
      return [data.employees.map((row: { employee_number: string }) => row.employee_number), meta.pagination.total];
    };
    expect(await find('mokoena')).toEqual([['N-1', 'N-2'], 1_000]);
    expect(await find('MOKOENA n-', { offset: 2_500 })).toEqual([['N-2504', 'N-2505'], 1_000]);
    expect(await find('rare2900')).toEqual([['N-2900'], 1]);
    expect(await find('mokoena rare290')).toEqual([['N-290', 'N-2900'], 11]);
    expect(await find('rare290', { offset: 10 })).toEqual([['N-2909'], 11]);
    expect(await find('rare2900', { department: 'YARD' })).toEqual([['N-2900'], 1]);
    expect(await find('rare2901', { department: 'yard' })).toEqual([[], 0]);
    expect(await find('mokoena', { is_active: false })).toEqual([['N-700', 'N-1400'], 4]);
    expect(await find('rare2', { is_active: false })).toEqual([['N-2100', 'N-2800'], 2]);
    expect(await find('nobody')).toEqual([[], 0]);
    expect(await find('%')).toEqual([[], 0]);
    await employ('Rare2900', { clientId: api.rival.clientId });
    expect(await find('rare2900')).toEqual([['N-2900'], 1]);
  });
});

const INSERT_THOUSANDS = statement(`
  insert into employees (client_id, employee_number, first_name, last_name, department, is_active)
  select $1, 'N-' || n, 'Rare' || n, 'Mokoena', case when n % 100 = 0 then 'Yard' else 'Field' end, n % 700 > 0
  from generate_series(1, 3000) n`);

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
    const page = await act('get-user-memberships', { user_id: owner.id, limit: 1, offset: 1 });
    expect(page.body.data.memberships).toEqual([body.data.memberships[1]]);
    expect(page.body.meta.pagination).toEqual({ total: 2, limit: 1, offset: 1 });
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

  it('goes down eight levels, and counts in who is inactive or has left, marked as such', async () => {
    const line = [await employ('level 0')];
    for (let level = 1; level <= 8; level += 1) {
      const more = level === 4 ? { isActive: false } : level === 5 ? { leftOn: '2020-01-31' } : {};
      line.push(await employ(`level ${String(level)}`, { manager: line.at(-1)!, ...more }));
    }
    const { body } = await act('get-subordinates', { employee_id: line[0], include_descendants: true });
    const { employees, scope } = body.data;
    expect(employees.map(({ id, depth }: { id: number; depth: number }) => [id, depth])).toEqual(
      line.slice(1).map((id, above) => [id, above + 1]),
    );
    expect(employees[3]).toMatchObject({ is_active: false, terminated_on: null });
    expect(employees[4]).toMatchObject({ is_active: true, terminated_on: '2020-01-31' });
    expect(scope.employee_ids).toEqual(line.slice(1));
    expect(body.meta.pagination).toEqual({ total: 8, limit: 1_000, offset: 0 });
  });

  it('ends where the tree bites its own tail', async () => {
    const first = await employ('first of a ring');
    const middle = await employ('middle of a ring', { manager: first });
    const last = await employ('last of a ring', { manager: middle });
    await api.services.system.query(SET_MANAGER, [first, last]);
    const { data } = (await act('get-subordinates', { employee_id: first, include_descendants: true })).body;
    expect(data.scope.employee_ids).toEqual([middle, last]);
    const own = await employ('own manager');
    await api.services.system.query(SET_MANAGER, [own, own]);
    expect(
      (await act('get-subordinates', { employee_id: own, include_self: true })).body.data.scope.employee_ids,
    ).toEqual([own]);
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
  ['get-subordinates', 'employees:read', 'timesheets:read'],
])('%s needs %s; %s does not do', async (action, needed, insufficient) => {
  expectRefusal(await act(action, {}, await api.acme.key([insufficient])), 403, 'SCOPE_REQUIRED');
  expect((await act(action, {}, await api.acme.key([needed]))).body.error?.code).not.toBe('SCOPE_REQUIRED');
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { statement } from '../../platform/db/statement.ts';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';

let api: ApiFixture;
let key: string;
let user: number;
let employee: number;

beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
  key = await api.acme.key();
  user = api.acme.users.member.id;
  const [row] = await api.services.system.query<{ id: number }>(
    statement(`
      insert into employees (client_id, user_id, employee_number, first_name, last_name)
      values ($1, $2, 'E1', 'Thandi', 'Nkosi') returning id`),
    [api.acme.clientId, user],
  );
  employee = row?.id ?? 0;
  await fill();
});
afterAll(() => api.close());

/** The client is in Johannesburg, UTC+2: its day begins at 22:00 UTC of the day before. */
const today = new Date(Date.now() + 7_200_000).toISOString().slice(0, 10);
const dayFrom = (days: number): string => new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10);

async function fill(): Promise<void> {
  const owner = api.acme.users.owner.id;
  const items: Record<string, unknown>[] = [
    { title: 'today as a date', due_date: today, assigned_to: user },
    { title: 'first moment of today', due_date: `${dayFrom(-1)}T22:00:00.001Z`, assigned_to: user },
    { title: 'last moment of today', due_date: `${today}T21:59:59Z`, assigned_to: user, item_type: 'job' },
    { title: 'first moment of tomorrow', due_date: `${today}T22:00:00.001Z`, assigned_to: user },
    { title: 'tomorrow as a date', due_date: dayFrom(1), assigned_to: user },
    { title: 'yesterday as a date', due_date: dayFrom(-1), assigned_to: user },
    { title: 'last moment of yesterday', due_date: `${dayFrom(-1)}T21:59:59Z`, assigned_to: user },
    { title: 'as one of several', due_date: today, assigned_to: owner, assigned_users: [owner, user] },
    { title: 'overdue as one of several', due_date: dayFrom(-9), assigned_to: owner, assigned_users: [owner, user] },
    { title: 'done', due_date: today, assigned_to: user, status: 'done' },
    { title: 'cancelled long ago', due_date: dayFrom(-30), assigned_to: user, status: 'cancelled' },
    { title: "somebody else's", due_date: today, assigned_to: owner },
    { title: 'undated', assigned_to: user },
  ];
  for (const item of items) {
    const answer = await api.act(key, { action: 'create-work-item', item_type: 'task', ...item });
    expect(answer.body).toMatchObject({ success: true });
  }
}

async function tasks(action: string, input: Record<string, unknown> = {}): Promise<string[]> {
  const { body } = await api.act(key, { action, employee_id: employee, ...input });
  expect(body).toMatchObject({ success: true });
  return body.data.tasks.map(
    (task: { title: string; is_overdue: boolean }) => `${task.is_overdue ? '! ' : ''}${task.title}`,
  );
}

const DUE = ['first moment of today', 'today as a date', 'as one of several', 'last moment of today'];
const OVERDUE = ['! overdue as one of several', '! yesterday as a date', '! last moment of yesterday'];

describe('get-employee-due-tasks', () => {
  it("lists what is due on the client's day, earliest first, as primary assignee and as one of several", async () => {
    expect(await tasks('get-employee-due-tasks')).toEqual(DUE);
    const { body } = await api.act(key, { action: 'get-employee-due-tasks', user_id: user, limit: 1, offset: 1 });
    expect(body.data.tasks).toMatchObject([{ title: 'today as a date' }]);
    expect(body.meta.pagination).toEqual({ total: 4, limit: 1, offset: 1 });
  });

  it('adds what is overdue on demand, and keeps to one kind of work item', async () => {
    expect(await tasks('get-employee-due-tasks', { include_overdue: true })).toEqual([...OVERDUE, ...DUE]);
    expect(await tasks('get-employee-due-tasks', { item_type: 'job' })).toEqual(['last moment of today']);
  });
});

describe('get-employee-overdue-tasks', () => {
  it('lists what was due before today and is still open', async () => {
    expect(await tasks('get-employee-overdue-tasks')).toEqual(OVERDUE);
    expect(await tasks('get-employee-overdue-tasks', { item_type: 'job' })).toEqual([]);
  });
});

describe.each(['get-employee-due-tasks', 'get-employee-overdue-tasks'])('%s', (action) => {
  it('is empty for an employee who is no user, and for a user without work', async () => {
    const [row] = await api.services.system.query<{ id: number }>(
      statement(`
        insert into employees (client_id, employee_number, first_name, last_name)
        values ($1, $2, 'No', 'User') returning id`),
      [api.acme.clientId, action],
    );
    expect(await tasks(action, { employee_id: row?.id })).toEqual([]);
    const { body } = await api.act(key, { action, user_id: api.acme.users.auditor.id });
    expect(body.data.tasks).toEqual([]);
  });

  it('wants one employee, known in this client, and one of two scopes', async () => {
    expectRefusal(await api.act(key, { action }), 400, 'BAD_REQUEST');
    expectRefusal(await api.act(key, { action, employee_id: employee, user_id: user }), 400, 'VALIDATION_ERROR');
    expectRefusal(await api.act(key, { action, user_id: api.rival.users.owner.id }), 404, 'NOT_FOUND');
    const rival = await api.rival.key();
    expectRefusal(await api.act(rival, { action, employee_id: employee }), 404, 'NOT_FOUND');
    for (const scope of ['work_items:read', 'employees:read']) {
      const answer = await api.act(await api.acme.key([scope]), { action, employee_id: employee });
      expect(answer.status).toBe(200);
    }
    expectRefusal(await api.act(await api.acme.key(['users:read']), { action, user_id: user }), 403, 'SCOPE_REQUIRED');
  });
});

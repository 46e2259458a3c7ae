import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CLOSURE_STATUSES } from '../../domain/contracts/work-items.ts';
import { listDueTasks } from '../../domain/work-items/due.service.ts';
import type { DueWindow } from '../../domain/work-items/due.service.ts';
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
    ...CLOSURE_STATUSES.map((status) => ({ title: status, due_date: dayFrom(-30), assigned_to: user, status })),
    { title: 'deleted', due_date: dayFrom(-30), assigned_to: user },
    { title: "somebody else's", due_date: today, assigned_to: owner },
    { title: 'undated', assigned_to: user },
  ];
  for (const item of items) {
    const answer = await api.act(key, { action: 'create-work-item', item_type: 'task', ...item });
    expect(answer.body).toMatchObject({ success: true });
    const { work_item_id } = answer.body.data;
    if (item['title'] === 'deleted') await api.act(key, { action: 'delete-work-item', work_item_id });
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

describe('the day of the client', () => {
  const dayIn = (timezone: string, at: number): string =>
    new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format(at);

  it('is that of its own time zone', async () => {
    const found = async (timezone: string): Promise<string[]> => {
      const tenant = await api.tenant(timezone.toLowerCase().replace('/', '-'));
      const zoned = statement('update clients set timezone = $2 where id = $1');
      await api.services.system.query(zoned, [tenant.clientId, timezone]);
      const own = await tenant.key();
      const user_id = tenant.users.owner.id;
      // The two are 25 hours apart: it is never the same day in both.
      for (const zone of ['Pacific/Kiritimati', 'Pacific/Niue']) {
        const item = { item_type: 'task', title: zone, due_date: dayIn(zone, Date.now()), assigned_to: user_id };
        await api.act(own, { action: 'create-work-item', ...item });
      }
      const { body } = await api.act(own, { action: 'get-employee-due-tasks', user_id });
      return body.data.tasks.map(({ title }: { title: string }) => title);
    };
    expect(await found('Pacific/Kiritimati')).toEqual(['Pacific/Kiritimati']);
    expect(await found('Pacific/Niue')).toEqual(['Pacific/Niue']);
  });

  it.each([
    ['UTC', '2026-12-05T12:00:00Z'],
    ['Africa/Johannesburg', '2026-12-05T22:30:00Z'],
    ['Asia/Kolkata', '2026-12-05T18:15:00Z'],
    ['Pacific/Kiritimati', '2026-12-05T09:30:00Z'],
    ['Pacific/Niue', '2026-12-05T10:30:00Z'],
    // Days of 23 and of 25 hours, and one with a change of half an hour.
    ['America/New_York', '2027-03-14T12:00:00Z'],
    ['America/New_York', '2027-11-07T04:30:00Z'],
    ['Australia/Lord_Howe', '2027-04-03T16:00:00Z'],
  ])('in %s at %s: every half-hour of five days is due, overdue or neither', async (timezone, at) => {
    const now = Date.parse(at);
    const today = dayIn(timezone, now);
    const { clientId, users } = await api.tenant(`${timezone}-${at}`.toLowerCase().replaceAll(/[^a-z0-9-]/g, '-'));
    const userId = users.owner.id;
    const first = Math.floor(now / 3_600_000) * 3_600_000 - 60 * 3_600_000;
    const moments = Array.from({ length: 241 }, (_, index) => first + index * 1_800_000);
    await api.services.system.query(
      statement(`
        insert into work_items (work_item_id, client_id, item_number, item_type, title, status, priority, assigned_to,
          due_date, created_by_type, created_by_id)
        select gen_random_uuid(), $1, 'TASK-' || n, 'task', 'Due', 'open', 'low', $2, to_timestamp(at / 1000), 'user', '1'
        from unnest($3::float8[]) with ordinality as dates (at, n)`),
      [clientId, userId, moments],
    );
    // A date alone is kept as midnight UTC and means that day anywhere.
    const dayOf = (due: number): string =>
      due % 86_400_000 === 0 ? new Date(due).toISOString().slice(0, 10) : dayIn(timezone, due);
    const asked = (window: DueWindow): Promise<string[]> =>
      api.services.tenants.transaction(clientId, async (tx) => {
        const input = { user_id: userId, limit: 500, offset: 0 };
        const { tasks } = await listDueTasks(tx, window, { userId, input, workday: { now, timezone } });
        return tasks.map(({ due_date, is_overdue }) => `${String(due_date)} ${is_overdue ? 'late' : ''}`);
      });
    const wanted = (isWanted: (day: string) => boolean): string[] =>
      moments
        .filter((due) => isWanted(dayOf(due)))
        .map((due) => `${new Date(due).toISOString()} ${dayOf(due) < today ? 'late' : ''}`);
    expect(await asked('due')).toEqual(wanted((day) => day === today));
    expect(await asked('overdue')).toEqual(wanted((day) => day < today));
    expect(await asked('due_or_overdue')).toEqual(wanted((day) => day <= today));
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

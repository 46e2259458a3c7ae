import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { statement } from '../../platform/db/statement.ts';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture, ApiTenant } from './support.ts';

const CLOCK = '/api/v1/time-attendance/clock';
const ACTIONS = ['clock_in', 'clock_out', 'break_start', 'break_end'];

let api: ApiFixture;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
});
afterAll(() => api.close());

/** A client of its own, whose people have not clocked in yet. */
let tenants = 0;
const fresh = (): Promise<ApiTenant> => {
  tenants += 1;
  return api.tenant(`clockers-${String(tenants)}`, { tier: 'enterprise' });
};
const clock = async (tenant: ApiTenant, action: string, more: Record<string, unknown> = {}, role?: 'member') =>
  api
    .http()
    .post(CLOCK)
    .set('Authorization', `Bearer ${await tenant.token(role ?? 'owner')}`)
    .send({ action, ...more });
const ago = (minutes: number): string => new Date(api.clock.now() - minutes * 60_000).toISOString();
const INSERT_EMPLOYEE = statement(`
  insert into employees (client_id, user_id, employee_number, first_name, last_name) values ($1, $2, $3, 'Thandi', 'Nkosi')
  returning id`);
const employ = async (tenant: ApiTenant, userId: number | null, number = 'E1'): Promise<number> => {
  const [row] = await api.services.system.query<{ id: number }>(INSERT_EMPLOYEE, [tenant.clientId, userId, number]);
  return row!.id;
};

describe('POST /time-attendance/clock', () => {
  it('answers with the log, and reports it', async () => {
    const tenant = await fresh();
    const employee_id = await employ(tenant, tenant.users.owner.id);
    const answer = await clock(tenant, 'clock_in', { location: { lat: -25.47, lng: 30.97 }, notes: 'North gate' });
    expect(answer.status).toBe(201);
    const { data } = answer.body;
    expect(data).toEqual({ log_id: expect.any(Number), action: 'clock_in', timestamp: expect.any(String) });
    expect(Math.abs(Date.parse(data.timestamp) - api.clock.now())).toBeLessThan(60_000);
    const log = {
      ...data,
      client_id: tenant.clientId,
      user_id: tenant.users.owner.id,
      employee_id,
      location: { lat: -25.47, lng: 30.97 },
      notes: 'North gate',
      work_item_id: null,
      created_at: expect.any(String),
    };
    const rows = (query: string) => api.services.system.query(statement(query), [tenant.clientId]);
    expect(await rows('select name, data from events where client_id = $1')).toEqual([
      { name: 'attendance.clock_in', data: { log } },
    ]);
    expect(
      await rows(
        `select action, actor_id, subject_id from audit_entries where client_id = $1 and subject_type = 'attendance_log'`,
      ),
    ).toEqual([
      { action: 'attendance.clock_in', actor_id: String(tenant.users.owner.id), subject_id: String(data.log_id) },
    ]);
  });

  it('takes a day with a break, and lets nothing impossible between', async () => {
    const tenant = await fresh();
    const day: [possible: string[], move: string][] = [
      [['clock_in'], 'clock_in'],
      [['break_start', 'clock_out'], 'break_start'],
      [['break_end', 'clock_out'], 'break_end'],
      [['break_start', 'clock_out'], 'clock_out'],
      [['clock_in'], 'clock_in'],
    ];
    for (const [possible, move] of day) {
      for (const action of ACTIONS.filter((name) => !possible.includes(name))) {
        expectRefusal(await clock(tenant, action), 409, 'CONFLICT');
      }
      expect((await clock(tenant, move)).status).toBe(201);
    }
    const told = statement('select name from events where client_id = $1 order by id');
    expect(await api.services.system.query(told, [tenant.clientId])).toEqual(
      day.map(([, move]) => ({ name: `attendance.${move}` })),
    );
  });

  it('of two at once takes one', async () => {
    const tenant = await fresh();
    for (const action of ['clock_in', 'break_start', 'break_end', 'clock_out']) {
      const answers = await Promise.all([clock(tenant, action), clock(tenant, action), clock(tenant, action)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    }
  });

  it('keeps people apart: each has its own state', async () => {
    const tenant = await fresh();
    expect((await clock(tenant, 'clock_in')).status).toBe(201);
    expect((await clock(tenant, 'clock_in', {}, 'member')).status).toBe(201);
  });

  it('takes a moment of the last 24 hours that is not before the last log', async () => {
    const tenant = await fresh();
    expectRefusal(await clock(tenant, 'clock_in', { timestamp: ago(-1) }), 400, 'VALIDATION_ERROR');
    expectRefusal(await clock(tenant, 'clock_in', { timestamp: ago(24 * 60 + 1) }), 400, 'VALIDATION_ERROR');
    expectRefusal(await clock(tenant, 'clock_in', { timestamp: 'today' }), 400, 'VALIDATION_ERROR');
    const timestamp = ago(120);
    expect((await clock(tenant, 'clock_in', { timestamp })).body.data.timestamp).toBe(timestamp);
    expectRefusal(await clock(tenant, 'clock_out', { timestamp: ago(121) }), 400, 'VALIDATION_ERROR');
    const local = new Date(Date.parse(ago(60)) + 2 * 3_600_000).toISOString().replace('Z', '+02:00');
    expect((await clock(tenant, 'clock_out', { timestamp: local })).status).toBe(201);
  });

  it('a session that was forgotten for more than 24 hours does not keep anyone from clocking in', async () => {
    const tenant = await fresh();
    await clock(tenant, 'clock_in', { timestamp: ago(23 * 60) });
    expectRefusal(await clock(tenant, 'clock_in'), 409, 'CONFLICT');
    api.clock.advance(2 * 3_600);
    expect((await clock(tenant, 'clock_in')).status).toBe(201);
  });

  it('names the work item by UUID or integer; an unknown one is refused', async () => {
    const tenant = await fresh();
    const key = await tenant.key();
    const { id, work_item_id } = (await api.act(key, { action: 'create-work-item', item_type: 'job', title: 'Pump' }))
      .body.data;
    expect((await clock(tenant, 'clock_in', { work_item_id: String(id) })).status).toBe(201);
    expect((await clock(tenant, 'clock_out', { work_item_id })).status).toBe(201);
    const logs = (await api.act(key, { action: 'get-attendance-logs' })).body.data.attendance_logs;
    expect(logs.map((log: { work_item_id: string }) => log.work_item_id)).toEqual([work_item_id, work_item_id]);
    const theirs = await clock(await fresh(), 'clock_in', { work_item_id });
    expectRefusal(theirs, 400, 'VALIDATION_ERROR');
    expect(theirs.body.error.details).toMatchObject([{ field: 'work_item_id' }]);
  });

  it('is done once for one Idempotency-Key', async () => {
    const tenant = await fresh();
    const bearer = `Bearer ${await tenant.token()}`;
    const send = () =>
      api.http().post(CLOCK).set('Authorization', bearer).set('Idempotency-Key', 'in').send({ action: 'clock_in' });
    const [first, second] = [await send(), await send()];
    expect(second.body.data).toEqual(first.body.data);
  });

  it.each([[undefined], [{}], [{ action: 7 }]])('the body %j is BAD_REQUEST', async (body) => {
    const request = api
      .http()
      .post(CLOCK)
      .set('Authorization', `Bearer ${await api.acme.token()}`);
    expectRefusal(await (body === undefined ? request : request.send(body)), 400, 'BAD_REQUEST');
  });

  it.each([
    { action: 'sleep' },
    { action: 'clock_in', location: { lat: 91, lng: 0 } },
    { action: 'clock_in', user_id: 1 },
    { action: 'clock_in', timestamp: '2026-11-21' },
  ])('the body %j is VALIDATION_ERROR', async (body) => {
    const request = api
      .http()
      .post(CLOCK)
      .set('Authorization', `Bearer ${await api.acme.token()}`);
    expectRefusal(await request.send(body), 400, 'VALIDATION_ERROR');
  });

  it('needs the token of a person who may write', async () => {
    expectRefusal(await api.http().post(CLOCK).send({ action: 'clock_in' }), 401, 'UNAUTHORIZED');
    const auditor = `Bearer ${await api.acme.token('auditor')}`;
    const answer = await api.http().post(CLOCK).set('Authorization', auditor).send({ action: 'clock_in' });
    expectRefusal(answer, 403, 'SCOPE_REQUIRED');
  });
});

describe('get-attendance-logs', () => {
  let tenant: ApiTenant;
  let key: string;
  let employee: number;
  beforeAll(async () => {
    tenant = await fresh();
    key = await tenant.key();
    employee = await employ(tenant, tenant.users.member.id);
    await clock(tenant, 'clock_in', { timestamp: ago(300) });
    await clock(tenant, 'clock_in', { timestamp: ago(200) }, 'member');
    await clock(tenant, 'clock_out', { timestamp: ago(100) }, 'member');
  });
  const get = (input: Record<string, unknown> = {}, apiKey = key) =>
    api.act(apiKey, { action: 'get-attendance-logs', ...input });
  const moves = async (input: Record<string, unknown>) =>
    (await get(input)).body.data.attendance_logs.map(
      (log: { user_id: number; action: string }) =>
        `${log.user_id === tenant.users.member.id ? 'member' : 'owner'} ${log.action}`,
    );

  it('gives newest first, of all or of one person', async () => {
    expect(await moves({})).toEqual(['member clock_out', 'member clock_in', 'owner clock_in']);
    expect(await moves({ user_id: tenant.users.owner.id })).toEqual(['owner clock_in']);
    expect(await moves({ employee_id: employee })).toEqual(['member clock_out', 'member clock_in']);
    const page = await get({ limit: 1, offset: 1 });
    expect(page.body.meta.pagination).toEqual({ total: 3, limit: 1, offset: 1 });
    expect(page.body.data.attendance_logs).toHaveLength(1);
  });

  it('an employee without a user has no logs, even when others clock in', async () => {
    const answer = await get({ employee_id: await employ(tenant, null, 'E2') });
    expect(answer.body.data.attendance_logs).toEqual([]);
  });

  it("takes days of the client's time zone, both inclusive, to the ends of what is taken", async () => {
    const dayOf = (minutes: number) => new Date(Date.parse(ago(minutes)) + 2 * 3_600_000).toISOString().slice(0, 10);
    const all = await moves({});
    const [first, last] = [dayOf(300), dayOf(100)];
    expect(await moves({ date_from: first, date_to: last })).toEqual(all);
    expect(await moves({ date_from: '1900-01-01', date_to: '2200-12-31' })).toEqual(all);
    expect(await moves({ date_from: '2200-12-31' })).toEqual([]);
    expect(await moves({ date_to: '2020-01-01' })).toEqual([]);
  });

  it.each([
    [{ user_id: 1, employee_id: 1 }, 'user_id'],
    [{ user_id: 2_000_000_000 }, 'user_id'],
    [{ employee_id: 2_000_000_000 }, 'employee_id'],
    [{ date_from: '2026-11-31' }, 'date_from'],
    [{ date_from: '2026-11-21', date_to: '2026-11-20' }, 'date_to'],
    [{ limit: 501 }, 'limit'],
  ])('refuses %j', async (input, field) => {
    const answer = await get(input);
    expectRefusal(answer, 400, 'VALIDATION_ERROR');
    expect(answer.body.error.details).toMatchObject([{ field }]);
  });

  it("needs its scope, and another client's people are unknown", async () => {
    expectRefusal(await get({}, await tenant.key(['timesheets:read'])), 403, 'SCOPE_REQUIRED');
    const theirs = await api.rival.key(['attendance:read']);
    expect((await get({}, theirs)).body.data.attendance_logs).toEqual([]);
    expectRefusal(await get({ user_id: tenant.users.owner.id }, theirs), 400, 'VALIDATION_ERROR');
    expectRefusal(await get({ employee_id: employee }, theirs), 400, 'VALIDATION_ERROR');
  });
});

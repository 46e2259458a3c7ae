import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Temporal } from 'temporal-polyfill';
import { statement } from '../../platform/db/statement.ts';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture, ApiTenant } from './support.ts';

let api: ApiFixture;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
});
afterAll(() => api.close());

const run = (text: string, values: unknown[]) => api.services.system.query(statement(text), values);

let tenants = 0;
async function clientIn(timezone: string): Promise<{ tenant: ApiTenant; key: string }> {
  tenants += 1;
  const tenant = await api.tenant(`sheets-${String(tenants)}`, { tier: 'enterprise' });
  await run('update clients set timezone = $2 where id = $1', [tenant.clientId, timezone]);
  return { tenant, key: await tenant.key() };
}

const get = async (key: string, input: Record<string, unknown> = {}) =>
  api.act(key, { action: 'get-timesheets', ...input });

/** Moves the API's clock to a moment and clocks in or out there. */
async function clockAt(tenant: ApiTenant, action: string, moment: number): Promise<void> {
  api.clock.advance((moment - api.clock.now()) / 1000);
  const token = await tenant.token();
  const answer = await api
    .http()
    .post('/api/v1/time-attendance/clock')
    .set('Authorization', `Bearer ${token}`)
    .send({ action });
  expect({ action, status: answer.status, body: answer.body }).toMatchObject({ status: 201 });
}

/** The same without the endpoint, for moments of long ago. */
async function logged(tenant: ApiTenant, userId: number, moves: readonly [string, string][]): Promise<void> {
  let session = 0;
  for (const [action, text] of moves) {
    const at = Temporal.ZonedDateTime.from(text).epochMilliseconds;
    if (action === 'clock_in') session = at;
    const moment = new Date(at);
    await run(
      `insert into attendance_logs (client_id, user_id, action, "timestamp", session_started_at) values ($1, $2, $3, $4, $5)`,
      [tenant.clientId, userId, action, moment, new Date(session)],
    );
    await run(
      `insert into attendance_states as s values ($1, $2, $3, $4, $5, $4) on conflict (client_id, user_id) do update
        set last_action = $3, last_at = $4, session_started_at = $5, first_at = least(s.first_at, $4)`,
      [tenant.clientId, userId, action, moment, new Date(session)],
    );
  }
}

describe('get-timesheets', () => {
  it('pairs what was clocked into minutes per day, up to now while somebody is in', async () => {
    const { tenant, key } = await clientIn('Africa/Johannesburg');
    const [employee] = await run(
      `insert into employees (client_id, user_id, employee_number, first_name, last_name)
       values ($1, $2, 'E7', 'Thandi', 'Nkosi') returning id`,
      [tenant.clientId, tenant.users.owner.id],
    );
    const today = Temporal.Instant.fromEpochMilliseconds(api.clock.now())
      .toZonedDateTimeISO('Africa/Johannesburg')
      .toPlainDate()
      .add({ days: 1 });
    const at = (time: string) =>
      Temporal.ZonedDateTime.from(`${today.toString()}T${time}[Africa/Johannesburg]`).epochMilliseconds;
    await clockAt(tenant, 'clock_in', at('08:00'));
    await clockAt(tenant, 'break_start', at('12:00'));
    await clockAt(tenant, 'break_end', at('12:30'));
    api.clock.advance((at('13:00') - api.clock.now()) / 1000);
    const answer = await get(key, { date_from: today.toString() });
    expect(answer.status).toBe(200);
    const worked = { minutes_worked: 270, break_minutes: 30, is_open: true, missing_clock_out: false };
    expect(answer.body.data.timesheets).toMatchObject([
      {
        user_id: tenant.users.owner.id,
        employee_number: 'E7',
        name: 'Thandi Nkosi',
        date_from: today.toString(),
        date_to: today.toString(),
        timezone: 'Africa/Johannesburg',
        ...worked,
        periods: [{ period_start: today.toString(), period_end: today.toString(), sessions: 1, ...worked }],
      },
    ]);
    expect(answer.body.meta.pagination).toEqual({ total: 1, limit: 50, offset: 0 });
    const ofEmployee = await get(key, { date_from: today.toString(), employee_id: employee?.['id'] });
    expect(ofEmployee.body.data).toEqual(answer.body.data);
  });

  it.each([
    ['Europe/Berlin', '2026-03-28', '2026-03-29', 300],
    ['Europe/Berlin', '2026-10-24', '2026-10-25', 420],
    ['America/New_York', '2026-03-07', '2026-03-08', 300],
    ['America/New_York', '2026-10-31', '2026-11-01', 420],
  ])(
    'in %s splits the night to %s, %s at midnight and counts the hours that passed',
    async (zone, evening, morning, rest) => {
      const { tenant, key } = await clientIn(zone);
      const { id } = tenant.users.owner;
      await logged(tenant, id, [
        ['clock_in', `${evening}T22:00[${zone}]`],
        ['clock_out', `${morning}T06:00[${zone}]`],
      ]);
      const periods = async (input: Record<string, unknown>) =>
        (await get(key, input)).body.data.timesheets.flatMap((sheet: { periods: Record<string, unknown>[] }) =>
          sheet.periods.map(({ period_start, minutes_worked }) => [period_start, minutes_worked]),
        );
      const nights = [
        [evening, 120],
        [morning, rest],
      ];
      expect(await periods({ date_from: evening, date_to: morning })).toEqual(nights);
      // A session that began before the span, or ends after it, is cut.
      expect(await periods({ date_from: morning, date_to: morning })).toEqual(nights.slice(1));
      expect(await periods({ date_from: evening, date_to: evening })).toEqual(nights.slice(0, 1));
      expect(await periods({ date_from: evening, date_to: morning, group_by: 'week' })).toEqual(
        // All four mornings are Sundays.
        [[evening, 120 + rest]],
      );
    },
  );

  it('flags a forgotten clock-out and counts only what is known of it', async () => {
    const zone = 'Africa/Johannesburg';
    const { tenant, key } = await clientIn(zone);
    await logged(tenant, tenant.users.owner.id, [
      ['clock_in', `2026-06-01T08:00[${zone}]`],
      ['break_start', `2026-06-01T10:00[${zone}]`],
      ['clock_in', `2026-06-03T08:00[${zone}]`],
      ['clock_out', `2026-06-03T09:00[${zone}]`],
    ]);
    const { timesheets } = (await get(key, { date_from: '2026-06-01', date_to: '2026-06-07' })).body.data;
    expect(timesheets[0]).toMatchObject({ minutes_worked: 180, missing_clock_out: true, is_open: false });
    expect(timesheets[0].periods).toMatchObject([
      { period_start: '2026-06-01', minutes_worked: 120, missing_clock_out: true },
      { period_start: '2026-06-03', minutes_worked: 60, missing_clock_out: false },
    ]);
  });

  it('has a sheet for each person, by user id, in pages; and of one person alone', async () => {
    const zone = 'Africa/Johannesburg';
    const { tenant, key } = await clientIn(zone);
    const ids = Object.values(tenant.users).map(({ id }) => id);
    for (const id of ids) {
      await logged(tenant, id, [
        ['clock_in', `2026-05-04T08:00[${zone}]`],
        ['clock_out', `2026-05-04T09:00[${zone}]`],
      ]);
    }
    const span = { date_from: '2026-05-01', date_to: '2026-05-31' };
    const page = await get(key, { ...span, limit: 2, offset: 1 });
    const sorted = ids.toSorted((a, b) => a - b);
    expect(page.body.data.timesheets.map(({ user_id }: { user_id: number }) => user_id)).toEqual(sorted.slice(1, 3));
    expect(page.body.meta.pagination).toEqual({ total: 4, limit: 2, offset: 1 });
    const one = await get(key, { ...span, user_id: ids[2] });
    expect(one.body.data.timesheets).toMatchObject([
      { user_id: ids[2], minutes_worked: 60, name: 'member', employee_id: null },
    ]);
    expect((await get(key, { date_from: '2026-04-01', date_to: '2026-04-30' })).body.data.timesheets).toEqual([]);
  });

  it.each([
    [{ user_id: 1, employee_id: 1 }, 'user_id'],
    [{ employee_id: 2_000_000_000 }, 'employee_id'],
    [{ date_from: '2026-01-01', date_to: '2026-04-03' }, 'date_from'],
    [{ date_from: '2026-02-01', date_to: '2026-01-01' }, 'date_to'],
    [{ date_from: '9999-12-31' }, 'date_from'],
    [{ date_to: '2026-02-30' }, 'date_to'],
    [{ group_by: 'month' }, 'group_by'],
    [{ limit: 101 }, 'limit'],
  ])('refuses %j', async (input, field) => {
    const answer = await get(await api.acme.key(), input);
    expectRefusal(answer, 400, 'VALIDATION_ERROR');
    expect(answer.body.error.details).toMatchObject([{ field }]);
  });

  it.each([{ date_from: '2026-01-01', date_to: '2026-04-02' }, { date_to: '2200-12-31' }, { date_to: '1900-01-01' }])(
    'takes %j',
    async (input) => {
      expect((await get(await api.acme.key(), input)).status).toBe(200);
    },
  );

  it("needs its scope, and shows nothing of another client's people", async () => {
    const { tenant, key } = await clientIn('Africa/Johannesburg');
    const { id } = tenant.users.owner;
    await logged(tenant, id, [['clock_in', '2026-05-04T08:00[Africa/Johannesburg]']]);
    expectRefusal(await get(await tenant.key(['attendance:read'])), 403, 'SCOPE_REQUIRED');
    const theirs = await api.rival.key(['timesheets:read']);
    const span = { date_from: '2026-05-01', date_to: '2026-05-31' };
    expect((await get(key, span)).body.data.timesheets).toHaveLength(1);
    expect((await get(theirs, span)).body.data.timesheets).toEqual([]);
    expectRefusal(await get(theirs, { user_id: id }), 400, 'VALIDATION_ERROR');
  });
});

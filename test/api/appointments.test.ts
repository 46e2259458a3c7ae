import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { statement } from '../../platform/db/statement.ts';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';

let api: ApiFixture;
let key: string;
let contact: number;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
  [key, contact] = [await api.acme.key(), await api.acme.contact()];
});
afterAll(() => api.close());

async function newItem(): Promise<{ id: number; work_item_id: string }> {
  return (await api.act(key, { action: 'create-work-item', item_type: 'job', title: 'Pump' })).body.data;
}
const START = '2026-12-01T09:00:00+02:00';
const create = (input: Record<string, unknown>, apiKey = key) =>
  api.act(apiKey, { action: 'create-appointment', title: 'Inspect the pump', scheduled_start: START, ...input });
const list = (input: Record<string, unknown>, apiKey = key) =>
  api.act(apiKey, { action: 'list-appointments', ...input });
const EVENTS = statement(
  `select data from events where client_id = $1 and name = 'appointment.created' order by id desc limit 1`,
);
const newestEvent = async () =>
  (await api.services.system.query<{ data: Record<string, unknown> }>(EVENTS, [api.acme.clientId]))[0]?.data;

describe('create-appointment', () => {
  it('takes every parameter; the event holds the appointment and its work item', async () => {
    const item = await newItem();
    const input = {
      scheduled_end: '2026-12-01T10:00:00+02:00',
      work_item_id: item.work_item_id,
      contact_id: contact,
      assigned_to: api.acme.users.member.id,
      location_name: 'North gate',
      notes: 'Bring a ladder',
    };
    const answer = await create(input);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({
      ...input,
      id: expect.any(Number),
      title: 'Inspect the pump',
      scheduled_start: '2026-12-01T07:00:00.000Z',
      scheduled_end: '2026-12-01T08:00:00.000Z',
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(await newestEvent()).toMatchObject({ appointment: answer.body.data, work_item: { id: item.id } });
    const activity = await api.services.system.query(
      statement(`select action, details from audit_entries where subject_id = $1 and action like '%appointment%'`),
      [item.work_item_id],
    );
    expect(activity).toMatchObject([
      { action: 'work_item.appointment_created', details: { appointment_id: answer.body.data.id } },
    ]);
  });

  it('needs no more than a title and a start, and an end may be the start', async () => {
    const answer = await create({ scheduled_end: START });
    expect(answer.body.data).toMatchObject({ work_item_id: null, contact_id: null, assigned_to: null, notes: null });
    expect(Object.keys((await newestEvent()) ?? {})).toEqual(['appointment']);
  });

  it('needs appointments:write or work_items:write', async () => {
    for (const scope of ['appointments:write', 'work_items:write']) {
      expect((await create({}, await api.acme.key([scope]))).status).toBe(200);
    }
    expectRefusal(await create({}, await api.acme.key(['appointments:read'])), 403, 'SCOPE_REQUIRED');
  });

  it.each([
    [{ title: undefined }, 'BAD_REQUEST', 'title'],
    [{ scheduled_start: undefined }, 'BAD_REQUEST', 'scheduled_start'],
    [{ scheduled_start: 'soon' }, 'VALIDATION_ERROR', 'scheduled_start'],
    [{ scheduled_end: '2026-12-01T06:59:59Z' }, 'VALIDATION_ERROR', 'scheduled_end'],
    [{ contact_id: 999_999 }, 'VALIDATION_ERROR', 'contact_id'],
    [{ assigned_to: 999_999 }, 'VALIDATION_ERROR', 'assigned_to'],
    [{ work_item_id: randomUUID() }, 'VALIDATION_ERROR', 'work_item_id'],
    [{ location: 'x' }, 'VALIDATION_ERROR', 'location'],
  ])('refuses %j', async (input, code, field) => {
    const answer = await create(input);
    expectRefusal(answer, 400, code);
    expect(answer.body.error.details[0].field).toBe(field);
  });

  it('knows no record of another client, and names all that are unknown', async () => {
    const { work_item_id } = await newItem();
    const answer = await create(
      { work_item_id, contact_id: contact, assigned_to: api.acme.users.owner.id },
      await api.rival.key(),
    );
    expectRefusal(answer, 400, 'VALIDATION_ERROR');
    expect(answer.body.error.details.map(({ field }: { field: string }) => field)).toEqual([
      'work_item_id',
      'assigned_to',
      'contact_id',
    ]);
  });
});

describe('list-appointments', () => {
  const titles = (answer: Response): string[] =>
    answer.body.data.appointments.map(({ title }: { title: string }) => title);

  it('lists them in the order of time, narrowed by item, user and span', async () => {
    const item = await newItem();
    const { admin, auditor } = api.acme.users;
    const { work_item_id } = item;
    await create({ title: 'C', scheduled_start: '2027-01-03', work_item_id, assigned_to: admin.id });
    await create({ title: 'A', scheduled_start: '2027-01-01', work_item_id, assigned_to: auditor.id });
    await create({ title: 'B', scheduled_start: '2027-01-02', assigned_to: admin.id });
    expect(titles(await list({ work_item_id }))).toEqual(['A', 'C']);
    expect(titles(await list({ work_item_id: String(item.id) }))).toEqual(['A', 'C']);
    expect(titles(await list({ assigned_to: admin.id }))).toEqual(['B', 'C']);
    expect(titles(await list({ from: '2027-01-02' }))).toEqual(['B', 'C']);
    expect(titles(await list({ from: '2027-01-01', to: '2027-01-02' }))).toEqual(['A', 'B']);
    expect(titles(await list({ work_item_id, assigned_to: admin.id, from: '2027-01-01', to: '2028-01-01' }))).toEqual([
      'C',
    ]);
    const window = await list({ from: '2027-01-01', limit: 1, offset: 1 });
    expect(titles(window)).toEqual(['B']);
    expect(window.body.meta.pagination).toEqual({ total: 3, limit: 1, offset: 1 });
  });

  it('needs appointments:read, shows nothing of another client, and 404 for an unknown item', async () => {
    expect((await list({}, await api.acme.key(['appointments:read']))).status).toBe(200);
    expectRefusal(await list({}, await api.acme.key(['work_items:read'])), 403, 'SCOPE_REQUIRED');
    expect(titles(await list({}, await api.rival.key()))).toEqual([]);
    expectRefusal(await list({ work_item_id: randomUUID() }), 404, 'NOT_FOUND');
    expectRefusal(await list({ from: 'x' }), 400, 'VALIDATION_ERROR');
    expectRefusal(await list({ limit: 501 }), 400, 'VALIDATION_ERROR');
  });

  it('finds what overlaps a span: what began before it, not what ends as it begins or begins as it ends', async () => {
    const assigned_to = api.acme.users.auditor.id;
    const at = (time: string): string => `2028-03-06T${time}:00Z`;
    const make = (title: string, start: string, end?: string) =>
      create({ title, assigned_to, scheduled_start: start, ...(end === undefined ? {} : { scheduled_end: end }) });
    await make('ends as it begins', at('08:00'), at('09:00'));
    await make('goes on into it', at('08:00'), at('09:01'));
    await make('goes on all through it', '2028-03-01', '2028-04-01');
    await make('a point where it begins', at('09:00'));
    await make('within', at('09:30'), at('09:45'));
    await make('begins as it ends', at('10:00'), at('11:00'));
    const found = await list({ assigned_to, from: at('09:00'), to: at('10:00') });
    expect(titles(found)).toEqual(['goes on all through it', 'goes on into it', 'a point where it begins', 'within']);
    expect(found.body.meta.pagination.total).toBe(4);
    expect(titles(await list({ assigned_to, from: '2028-03-31T23:59:00Z' }))).toEqual(['goes on all through it']);
  });

  it.each([
    // Clocks go back on 2026-11-01: a day of 25 hours; and forward on 2026-03-08: one of 23.
    ['America/New_York', '2026-11-01', '2026-11-01T04:00:00Z', '2026-11-02T05:00:00Z'],
    ['America/New_York', '2026-03-08', '2026-03-08T05:00:00Z', '2026-03-09T04:00:00Z'],
    ['Africa/Johannesburg', '2026-03-08', '2026-03-07T22:00:00Z', '2026-03-08T22:00:00Z'],
  ])("takes a date alone for the whole day of the client's time zone: %s %s", async (zone, day, begins, ends) => {
    const tenant = await api.tenant(`zone-${randomUUID().slice(0, 8)}`, { tier: 'enterprise' });
    const setZone = statement('update clients set timezone = $2 where id = $1');
    await api.services.system.query(setZone, [tenant.clientId, zone]);
    const its = await tenant.key();
    const before = (moment: string): string => new Date(Date.parse(moment) - 60_000).toISOString();
    await create({ title: 'the minute before', scheduled_start: before(begins) }, its);
    await create({ title: 'first', scheduled_start: begins }, its);
    await create({ title: 'last', scheduled_start: before(ends) }, its);
    await create({ title: 'the next day', scheduled_start: ends }, its);
    expect(titles(await list({ from: day, to: day }, its))).toEqual(['first', 'last']);
    expect(titles(await list({ from: day }, its))).toEqual(['first', 'last', 'the next day']);
    expect(titles(await list({ to: day }, its))).toEqual(['the minute before', 'first', 'last']);
  });

  it('has its REST route, and so has making one', async () => {
    const Authorization = `Bearer ${await api.acme.token('member')}`;
    const made = await api
      .http()
      .post('/api/v1/appointments')
      .set({ Authorization })
      .send({ title: 'By hand', scheduled_start: '2029-01-01T08:00:00Z' });
    expect(made.status).toBe(201);
    const found = await api.http().get('/api/v1/appointments?from=2029-01-01&to=2029-01-01').set({ Authorization });
    expect(found.body.data).toEqual([made.body.data]);
  });
});

describe('update-appointment and cancel-appointment', () => {
  const update = (input: Record<string, unknown>, apiKey = key) =>
    api.act(apiKey, { action: 'update-appointment', ...input });
  const cancel = (appointment_id: number, apiKey = key) =>
    api.act(apiKey, { action: 'cancel-appointment', appointment_id });
  const made = async (input: Record<string, unknown> = {}): Promise<{ id: number; scheduled_start: string }> =>
    (await create(input)).body.data;
  const AUDIT = statement(
    `select subject_type, subject_id, action, details from audit_entries where subject_id = any($1) order by id`,
  );
  const auditOf = (...ids: readonly (string | number)[]) => api.services.system.query(AUDIT, [ids.map(String)]);
  const appointmentEvents = async (): Promise<unknown[]> => {
    const names = statement(
      `select name from events where client_id = $1 and name like 'appointment.%' and name <> $2`,
    );
    return api.services.system.query(names, [api.acme.clientId, 'appointment.created']);
  };

  it('changes what is given, moves it with its length by its start alone, and notes it on both work items', async () => {
    const [one, other] = [await newItem(), await newItem()];
    const { id } = await made({
      scheduled_end: '2026-12-01T10:30:00+02:00',
      work_item_id: one.work_item_id,
      notes: 'x',
    });
    const moved = await update({ appointment_id: id, scheduled_start: '2026-12-02T09:00:00+02:00' });
    expect(moved.body.data).toMatchObject({
      scheduled_start: '2026-12-02T07:00:00.000Z',
      scheduled_end: '2026-12-02T08:30:00.000Z',
      notes: 'x',
    });
    const all = {
      title: 'Fit the pump',
      scheduled_end: null,
      work_item_id: other.work_item_id,
      contact_id: contact,
      assigned_to: api.acme.users.member.id,
      location_name: 'South gate',
      notes: null,
    };
    const changed = await update({ appointment_id: id, ...all, work_item_id: String(other.id) });
    expect(changed.body.data).toMatchObject({ ...all, scheduled_start: '2026-12-02T07:00:00.000Z' });
    const left = await update({ appointment_id: id, work_item_id: null, assigned_to: null, contact_id: null });
    expect(left.body.data).toMatchObject({ work_item_id: null, assigned_to: null, contact_id: null });
    const noted = await auditOf(one.work_item_id, other.work_item_id);
    const relinked = { from: one.work_item_id, to: other.work_item_id };
    expect(noted.filter(({ action }) => action === 'work_item.appointment_updated')).toMatchObject([
      {
        subject_id: one.work_item_id,
        details: { appointment_id: id, changes: { scheduled_start: expect.anything() } },
      },
      { subject_id: one.work_item_id, details: { changes: { work_item_id: relinked } } },
      { subject_id: other.work_item_id, details: { changes: { work_item_id: relinked } } },
      { subject_id: other.work_item_id, details: { changes: { work_item_id: { to: null } } } },
    ]);
    expect(await appointmentEvents()).toEqual([]);
  });

  it('leave no trace of what changes nothing', async () => {
    const { id, scheduled_start } = await made();
    expect((await update({ appointment_id: id, scheduled_start, title: 'Inspect the pump' })).status).toBe(200);
    const noted = await auditOf(id);
    expect(noted.filter(({ subject_type }) => subject_type === 'appointment')).toMatchObject([
      { action: 'appointment.created' },
    ]);
  });

  it.each([
    [{}, 'BAD_REQUEST', 'body'],
    [{ scheduled_end: '2026-12-01T06:59:59Z' }, 'VALIDATION_ERROR', 'scheduled_end'],
    [{ assigned_to: 999_999 }, 'VALIDATION_ERROR', 'assigned_to'],
    [{ contact_id: 999_999 }, 'VALIDATION_ERROR', 'contact_id'],
    [{ work_item_id: randomUUID() }, 'VALIDATION_ERROR', 'work_item_id'],
    [{ title: null }, 'BAD_REQUEST', 'title'],
  ])('refuse the change %j', async (input, code, field) => {
    const answer = await update({ appointment_id: (await made()).id, ...input });
    expectRefusal(answer, 400, code);
    expect(answer.body.error.details[0].field).toBe(field);
  });

  it('takes it off the list, once for all repetitions, and keeps the trail', async () => {
    const item = await newItem();
    const { id } = await made({ work_item_id: item.work_item_id });
    const first = await cancel(id);
    expect(first.body.data).toEqual({ id, cancelled: true, cancelled_at: expect.any(String) });
    expect((await cancel(id)).body.data).toEqual(first.body.data);
    expect((await list({ work_item_id: item.work_item_id })).body.data.appointments).toEqual([]);
    expectRefusal(await update({ appointment_id: id, title: 'x' }), 404, 'NOT_FOUND');
    const noted = await auditOf(id, item.work_item_id);
    expect(noted.filter(({ action }) => String(action).endsWith('cancelled'))).toMatchObject([
      { subject_type: 'appointment', action: 'appointment.cancelled' },
      { subject_type: 'work_item', action: 'work_item.appointment_cancelled', details: { appointment_id: id } },
    ]);
    expect(await appointmentEvents()).toEqual([]);
  });

  it("are 404 for another client's, one that never was, and one of a deleted work item", async () => {
    const item = await newItem();
    const { id } = await made({ work_item_id: item.work_item_id });
    const rival = await api.rival.key();
    expectRefusal(await update({ appointment_id: id, title: 'x' }, rival), 404, 'NOT_FOUND');
    expectRefusal(await cancel(id, rival), 404, 'NOT_FOUND');
    expectRefusal(await cancel(999_999_999), 404, 'NOT_FOUND');
    await api.act(key, { action: 'delete-work-item', work_item_id: item.work_item_id });
    expectRefusal(await update({ appointment_id: id, title: 'x' }), 404, 'NOT_FOUND');
    expectRefusal(await cancel(id), 404, 'NOT_FOUND');
  });

  it('need appointments:write or work_items:write, and have their REST routes', async () => {
    const { id } = await made();
    const reader = await api.acme.key(['appointments:read', 'work_items:read']);
    expectRefusal(await update({ appointment_id: id, title: 'x' }, reader), 403, 'SCOPE_REQUIRED');
    expectRefusal(await cancel(id, reader), 403, 'SCOPE_REQUIRED');
    const writer = await api.acme.key(['appointments:write']);
    expect((await update({ appointment_id: id, title: 'By key' }, writer)).status).toBe(200);
    const Authorization = `Bearer ${await api.acme.token('member')}`;
    const path = `/api/v1/appointments/${String(id)}`;
    const changed = await api.http().patch(path).set({ Authorization }).send({ title: 'By hand' });
    expect(changed.body.data).toMatchObject({ id, title: 'By hand' });
    expect((await api.http().delete(path).set({ Authorization })).body.data).toMatchObject({ id, cancelled: true });
  });
});

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
    expect(titles(await list({ from: '2027-01-01', to: '2027-01-03' }))).toEqual(['A', 'B']);
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
});

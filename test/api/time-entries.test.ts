import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Role } from '../../domain/contracts/caller.ts';
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

async function newItem(): Promise<string> {
  const answer = await api.act(key, { action: 'create-work-item', item_type: 'job', title: 'Pump' });
  return answer.body.data.work_item_id as string;
}
const log = (input: Record<string, unknown>, apiKey = key) =>
  api.act(apiKey, { action: 'create-time-entry', ...input });
const list = (input: Record<string, unknown>, apiKey = key) =>
  api.act(apiKey, { action: 'get-work-item-time-entries', ...input });

describe('create-time-entry', () => {
  it('notes a span of time, in UTC and minutes, and says so in the activity of the item', async () => {
    const work_item_id = await newItem();
    const { member } = api.acme.users;
    const answer = await log({
      work_item_id,
      user_id: member.id,
      started_at: '2026-11-20T08:00:00+02:00',
      ended_at: '2026-11-20T09:30:20+02:00',
      description: 'Replaced the seals',
      is_billable: true,
    });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({
      id: expect.any(Number),
      work_item_id,
      user_id: member.id,
      user_name: 'member',
      started_at: '2026-11-20T06:00:00.000Z',
      ended_at: '2026-11-20T07:30:20.000Z',
      duration_minutes: 90,
      description: 'Replaced the seals',
      is_billable: true,
      created_by: { type: 'api_key', id: expect.any(String), name: expect.any(String) },
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const activity = await api.services.system.query(
      statement(`select action, details from audit_entries where subject_id = $1 and action like '%time%'`),
      [work_item_id],
    );
    expect(activity).toMatchObject([
      { action: 'work_item.time_logged', details: { user_id: member.id, duration_minutes: 90 } },
    ]);
  });

  it("takes a duration alone: up to now, by the key's owner", async () => {
    const work_item_id = await newItem();
    const { data } = (await log({ work_item_id, duration_minutes: 45 })).body;
    expect(data).toMatchObject({ user_id: api.acme.users.owner.id, duration_minutes: 45, is_billable: false });
    expect(Date.parse(data.ended_at as string) - Date.parse(data.started_at as string)).toBe(45 * 60_000);
    expect(Math.abs(Date.parse(data.ended_at as string) - Date.now())).toBeLessThan(10_000);
    const begun = await log({ work_item_id, duration_minutes: 45, started_at: '2026-11-20' });
    expect(begun.body.data.ended_at).toBe('2026-11-20T00:45:00.000Z');
  });

  it.each([
    [{}, 'BAD_REQUEST', 'duration_minutes'],
    [{ ended_at: '2026-11-20T08:00:00Z' }, 'BAD_REQUEST', 'started_at'],
    [{ started_at: '2026-11-20T08:00:00Z' }, 'BAD_REQUEST', 'duration_minutes'],
    [{ duration_minutes: 5, started_at: '2026-11-20', ended_at: '2026-11-21' }, 'VALIDATION_ERROR', 'duration_minutes'],
    [{ duration_minutes: 0 }, 'VALIDATION_ERROR', 'duration_minutes'],
    [{ duration_minutes: 10_081 }, 'VALIDATION_ERROR', 'duration_minutes'],
    [{ duration_minutes: 1.5 }, 'BAD_REQUEST', 'duration_minutes'],
    [{ started_at: '2026-11-20T08:00:00Z', ended_at: '2026-11-20T07:00:00Z' }, 'VALIDATION_ERROR', 'ended_at'],
    [{ started_at: '2026-11-01', ended_at: '2026-11-20' }, 'VALIDATION_ERROR', 'ended_at'],
    [{ duration_minutes: 5, started_at: 'yesterday' }, 'VALIDATION_ERROR', 'started_at'],
    [{ duration_minutes: 5, user_id: 999_999 }, 'VALIDATION_ERROR', 'user_id'],
    [{ duration_minutes: 5, minutes: 5 }, 'VALIDATION_ERROR', 'minutes'],
  ])('refuses %j', async (input, code, field) => {
    const answer = await log({ work_item_id: await newItem(), ...input });
    expectRefusal(answer, 400, code);
    expect(answer.body.error.details[0].field).toBe(field);
  });

  it('knows no user and no item of another client, and needs work_items:write', async () => {
    const work_item_id = await newItem();
    const stranger = await log({ work_item_id, duration_minutes: 5, user_id: api.rival.users.owner.id });
    expectRefusal(stranger, 400, 'VALIDATION_ERROR');
    expectRefusal(await log({ work_item_id, duration_minutes: 5 }, await api.rival.key()), 404, 'NOT_FOUND');
    expectRefusal(await log({ work_item_id: randomUUID(), duration_minutes: 5 }), 404, 'NOT_FOUND');
    const readOnly = await api.acme.key(['work_items:read']);
    expectRefusal(await log({ work_item_id, duration_minutes: 5 }, readOnly), 403, 'SCOPE_REQUIRED');
  });
});

describe('get-work-item-time-entries', () => {
  it('lists them newest first and adds up all of them, whatever the window', async () => {
    const work_item_id = await newItem();
    for (const duration_minutes of [10, 20, 30])
      await log({ work_item_id, duration_minutes, is_billable: duration_minutes > 10 });
    const answer = await list({ work_item_id, limit: 2 });
    expect(answer.body.data).toMatchObject({
      time_entries: [{ duration_minutes: 30 }, { duration_minutes: 20 }],
      total_minutes: 60,
      billable_minutes: 50,
    });
    expect(answer.body.meta.pagination).toEqual({ total: 3, limit: 2, offset: 0 });
    expect((await list({ work_item_id: await newItem() })).body.data).toEqual({
      time_entries: [],
      total_minutes: 0,
      billable_minutes: 0,
    });
  });

  it('needs work_items:read, and is 404 for another client', async () => {
    const work_item_id = await newItem();
    expect((await list({ work_item_id }, await api.acme.key(['work_items:read']))).status).toBe(200);
    expectRefusal(await list({ work_item_id }, await api.acme.key(['work_items:write'])), 403, 'SCOPE_REQUIRED');
    expectRefusal(await list({ work_item_id }, await api.rival.key()), 404, 'NOT_FOUND');
  });
});

describe('whose time it is', () => {
  async function send(role: Role, method: 'post' | 'patch' | 'delete', path: string, body: object = {}) {
    const http = api.http();
    const Authorization = `Bearer ${await api.acme.token(role)}`;
    return http[method](path).set({ Authorization }).send(body);
  }
  async function keyOfMember(): Promise<string> {
    const permissions = { 'work_items:read': true, 'work_items:write': true };
    const input = { key_name: 'of the member', environment: 'testing', permissions };
    return (await send('member', 'post', '/api/v1/integrations/api-keys', input)).body.api_key as string;
  }

  it('says who wrote an entry: the user, or the key by its name', async () => {
    const work_item_id = await newItem();
    const { member } = api.acme.users;
    const path = `/api/v1/work-items/${work_item_id}/time-entries`;
    const own = await send('member', 'post', path, { duration_minutes: 10 });
    expect(own.status).toBe(201);
    const by = { type: 'user', id: String(member.id), name: 'member' };
    expect(own.body.data).toMatchObject({ user_id: member.id, created_by: by });
    await log({ work_item_id, duration_minutes: 20, user_id: member.id });
    const shown = await api
      .http()
      .get(path)
      .set('Authorization', `Bearer ${await api.acme.token()}`);
    expect(shown.body.data.time_entries).toMatchObject([
      { user_id: member.id, created_by: { type: 'api_key', name: 'key 1' } },
      { user_id: member.id, created_by: by },
    ]);
  });

  it('lets a member, and a key of one, book and correct its own only; owners and admins that of anybody', async () => {
    const work_item_id = await newItem();
    const { owner, member } = api.acme.users;
    const path = `/api/v1/work-items/${work_item_id}/time-entries`;
    const others = { duration_minutes: 5, user_id: owner.id };
    const ofMember = await keyOfMember();
    expectRefusal(await send('member', 'post', path, others), 403, 'FORBIDDEN');
    expectRefusal(await log({ work_item_id, ...others }, ofMember), 403, 'FORBIDDEN');
    expect((await log({ work_item_id, duration_minutes: 5 }, ofMember)).body.data.user_id).toBe(member.id);
    const ofOwner = (await send('admin', 'post', path, others)).body.data.id as number;
    const one = `/api/v1/time-entries/${String(ofOwner)}`;
    expectRefusal(await send('member', 'patch', one, { duration_minutes: 6 }), 403, 'FORBIDDEN');
    expectRefusal(await send('member', 'delete', one), 403, 'FORBIDDEN');
    const byKey = { time_entry_id: ofOwner, duration_minutes: 6 };
    expectRefusal(await api.act(ofMember, { action: 'update-time-entry', ...byKey }), 403, 'FORBIDDEN');
    // What an owner booked for a member is the member's own time; it can not give it to another.
    const booked = (await log({ work_item_id, duration_minutes: 5, user_id: member.id })).body.data.id as number;
    const its = `/api/v1/time-entries/${String(booked)}`;
    expect((await send('member', 'patch', its, { duration_minutes: 6 })).status).toBe(200);
    expectRefusal(await send('member', 'patch', its, { user_id: owner.id }), 403, 'FORBIDDEN');
    expect((await send('admin', 'patch', its, { user_id: owner.id })).body.data.user_name).toBe('owner');
    expect((await send('admin', 'delete', its)).status).toBe(200);
  });

  it('refuses a start more than 24 hours ahead, not one of the same day', async () => {
    const work_item_id = await newItem();
    const ahead = (hours: number): string => new Date(api.clock.now() + hours * 3_600_000).toISOString();
    const late = await log({ work_item_id, duration_minutes: 5, started_at: ahead(24.1) });
    expectRefusal(late, 400, 'VALIDATION_ERROR');
    expect(late.body.error.details[0].field).toBe('started_at');
    expectRefusal(await log({ work_item_id, started_at: ahead(24.1), ended_at: ahead(25) }), 400, 'VALIDATION_ERROR');
    const taken = await log({ work_item_id, duration_minutes: 5, started_at: ahead(23.9) });
    expect(taken.status).toBe(200);
    const input = { time_entry_id: taken.body.data.id as number, started_at: ahead(24.1) };
    expectRefusal(await api.act(key, { action: 'update-time-entry', ...input }), 400, 'VALIDATION_ERROR');
  });
});

describe('update-time-entry and delete-time-entry', () => {
  const update = (input: Record<string, unknown>, apiKey = key) =>
    api.act(apiKey, { action: 'update-time-entry', ...input });
  const remove = (time_entry_id: number, apiKey = key) =>
    api.act(apiKey, { action: 'delete-time-entry', time_entry_id });
  const activityOf = (work_item_id: string) =>
    api.services.system.query(
      statement(`select action, details from audit_entries where subject_id = $1 and action like '%time%' order by id`),
      [work_item_id],
    );
  async function logged(): Promise<{ id: number; work_item_id: string }> {
    const span = { started_at: '2026-11-20T08:00:00Z', ended_at: '2026-11-20T09:30:20Z', description: 'Seals' };
    return (await log({ work_item_id: await newItem(), ...span })).body.data;
  }

  it.each([
    [{ started_at: '2026-11-19T08:00:00Z' }, '2026-11-19T08:00:00.000Z', '2026-11-19T09:30:20.000Z', 90],
    [{ ended_at: '2026-11-20T10:00:00Z' }, '2026-11-20T08:00:00.000Z', '2026-11-20T10:00:00.000Z', 120],
    [{ duration_minutes: 30 }, '2026-11-20T08:00:00.000Z', '2026-11-20T08:30:00.000Z', 30],
    [
      { started_at: '2026-11-20T07:00:00Z', ended_at: '2026-11-20T08:00:00Z' },
      '2026-11-20T07:00:00.000Z',
      '2026-11-20T08:00:00.000Z',
      60,
    ],
  ])('corrects the time by %j, and notes it', async (input, started_at, ended_at, duration_minutes) => {
    const { id, work_item_id } = await logged();
    const answer = await update({ time_entry_id: id, ...input });
    expect(answer.body.data).toMatchObject({ id, started_at, ended_at, duration_minutes, description: 'Seals' });
    const [, noted] = await activityOf(work_item_id);
    expect(noted).toMatchObject({ action: 'work_item.time_changed', details: { time_entry_id: id } });
    expect((await list({ work_item_id })).body.data).toMatchObject({
      time_entries: [answer.body.data],
      total_minutes: duration_minutes,
    });
  });

  it('changes text and billing, and leaves no trace of what changes nothing', async () => {
    const { id, work_item_id } = await logged();
    const answer = await update({ time_entry_id: id, description: null, is_billable: true });
    expect(answer.body.data).toMatchObject({ description: null, is_billable: true, duration_minutes: 90 });
    expect((await update({ time_entry_id: id, is_billable: true })).body.data).toEqual(answer.body.data);
    expect(await activityOf(work_item_id)).toMatchObject([
      { action: 'work_item.time_logged' },
      {
        action: 'work_item.time_changed',
        details: { changes: { description: { from: 'Seals', to: null }, is_billable: { from: false, to: true } } },
      },
    ]);
  });

  it.each([
    [{}, 'BAD_REQUEST', 'body'],
    [{ ended_at: '2026-11-20T09:00:00Z', duration_minutes: 5 }, 'VALIDATION_ERROR', 'duration_minutes'],
    [{ ended_at: '2026-11-20T08:00:00Z' }, 'VALIDATION_ERROR', 'ended_at'],
    [{ started_at: '2026-11-01', ended_at: '2026-11-20' }, 'VALIDATION_ERROR', 'ended_at'],
    [{ user_id: 999_999 }, 'VALIDATION_ERROR', 'user_id'],
  ])('refuse the correction %j', async (input, code, field) => {
    const answer = await update({ time_entry_id: (await logged()).id, ...input });
    expectRefusal(answer, 400, code);
    expect(answer.body.error.details[0].field).toBe(field);
  });

  it('takes an entry out of list and sums, once for all repetitions, and keeps the trail', async () => {
    const { id, work_item_id } = await logged();
    const first = await remove(id);
    expect(first.body.data).toEqual({ id, deleted: true, deleted_at: expect.any(String) });
    expect((await remove(id)).body.data).toEqual(first.body.data);
    const { body } = await list({ work_item_id });
    expect(body.data).toEqual({ time_entries: [], total_minutes: 0, billable_minutes: 0 });
    expect(body.meta.pagination.total).toBe(0);
    expectRefusal(await update({ time_entry_id: id, is_billable: true }), 404, 'NOT_FOUND');
    expect(await activityOf(work_item_id)).toMatchObject([
      { action: 'work_item.time_logged' },
      { action: 'work_item.time_deleted', details: { time_entry_id: id, duration_minutes: 90 } },
    ]);
  });

  it("are 404 for another client's and for one of a deleted work item, and need work_items:write", async () => {
    const { id, work_item_id } = await logged();
    const rival = await api.rival.key();
    const reader = await api.acme.key(['work_items:read']);
    expectRefusal(await update({ time_entry_id: id, is_billable: true }, rival), 404, 'NOT_FOUND');
    expectRefusal(await remove(id, rival), 404, 'NOT_FOUND');
    expectRefusal(await update({ time_entry_id: id, is_billable: true }, reader), 403, 'SCOPE_REQUIRED');
    expectRefusal(await remove(id, reader), 403, 'SCOPE_REQUIRED');
    await api.act(key, { action: 'delete-work-item', work_item_id });
    expectRefusal(await update({ time_entry_id: id, is_billable: true }), 404, 'NOT_FOUND');
    expectRefusal(await remove(id), 404, 'NOT_FOUND');
  });
});

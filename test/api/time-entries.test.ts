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
      created_at: expect.any(String),
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

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { UpdateWorkItem } from '../../domain/contracts/work-items.ts';
import { statement } from '../../platform/db/statement.ts';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';
import { actor, auditOf, createTeam, eventsOf } from './work-items-support.ts';

let api: ApiFixture;
let we: ReturnType<typeof actor>;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
  we = actor(api, await api.acme.key());
});
afterAll(() => api.close());

const update = (work_item_id: string, input: Record<string, unknown>) =>
  we.done('update-work-item', { work_item_id, ...input });
const refused = (work_item_id: string, input: Record<string, unknown>) =>
  we.act('update-work-item', { work_item_id, ...input });
const get = (work_item_id: string) => we.done('get-work-item', { work_item_id });

async function everyField(): Promise<Record<string, unknown>> {
  const { owner, member } = api.acme.users;
  return {
    title: 'Replace the pump',
    description: 'At the north gate',
    item_subtype: 'repair',
    module_context: 'field-service',
    status: 'in_progress',
    priority: 'critical',
    contact_id: await api.acme.contact(),
    contact_name: 'Kruger',
    contact_email: 'office@kruger.example',
    contact_phone: '+27 13 555 0101',
    location_id: 7,
    location_name: 'North gate',
    location_address: '1 Farm Road',
    location_coordinates: { lat: -25.47, lng: 30.97 },
    contact_person_id: 9,
    contact_person: 'Sipho',
    reporter_id: member.id,
    reporter_name: 'Thandi',
    reporter_email: 'thandi@kruger.example',
    reporter_phone: '+27 13 555 0102',
    assigned_to: owner.id,
    assigned_team: await createTeam(api, api.acme.clientId),
    assigned_users: [owner.id, member.id],
    assigned_contractors: [await api.acme.contact('Pump Supplies')],
    scheduled_start: '2026-12-01T06:00:00.000Z',
    scheduled_end: '2026-12-01T10:00:00.000Z',
    start_date: '2026-12-01T00:00:00.000Z',
    due_date: '2026-12-05T00:00:00.000Z',
    estimated_hours: 2.55,
    tags: ['pump', 'ünïcode'],
    custom_fields: { nested: { list: [1, 'a', null] } },
    notes: 'Bring a crane',
  };
}

describe('update-work-item', () => {
  it('sets every parameter, reads all of it back, and says in its traces what it changed', async () => {
    const item = await we.item();
    const input = await everyField();
    const { work_item_id: _id, ...parameters } = UpdateWorkItem.shape;
    expect(Object.keys(input).sort()).toEqual(Object.keys(parameters).sort());
    const answer = await update(item.work_item_id, input);
    const read = await get(item.work_item_id);
    expect(read).toMatchObject(input);
    expect(read).toMatchObject(answer);
    expect(Date.parse(answer.updated_at)).toBeGreaterThan(Date.parse(item.updated_at));
    const { assigned_users, assigned_contractors: _, ...view } = answer;
    const [, updated, moved, assigned, ...more] = await eventsOf(api, item.id);
    expect(more).toEqual([]);
    expect(updated).toMatchObject({ name: 'job.updated', data: { work_item: view } });
    expect(Object.keys(updated!.data.changes!).sort()).toEqual(Object.keys(input).sort());
    expect(updated!.data.changes!['title']).toEqual({ from: 'Service the pump', to: 'Replace the pump' });
    expect(moved).toMatchObject({
      name: 'job.status_changed',
      data: { work_item: view, changes: { status: { from: 'open', to: 'in_progress' } } },
    });
    expect(assigned).toMatchObject({
      name: 'work_item.assigned',
      data: { work_item: view, changes: { assigned_users: { from: [], to: assigned_users } } },
    });
    const [, log, status] = await auditOf(api, item.work_item_id);
    const { status: __, ...others } = updated!.data.changes!;
    expect(log).toEqual({ action: 'work_item.updated', details: { changes: others } });
    expect(status).toEqual({
      action: 'work_item.status_changed',
      details: { changes: { status: { from: 'open', to: 'in_progress' } } },
    });
  });

  it('empties with null whatever may be empty, and lists with []', async () => {
    const { title, status, priority, tags, custom_fields, assigned_users, assigned_contractors, ...rest } =
      await everyField();
    const item = await we.item();
    const kept = { title, status, priority };
    await update(item.work_item_id, { ...rest, ...kept, tags, custom_fields, assigned_users, assigned_contractors });
    const nulls = Object.fromEntries(Object.keys(rest).map((field) => [field, null]));
    const empty = { tags: [], custom_fields: {}, assigned_users: [], assigned_contractors: [] };
    await update(item.work_item_id, { ...nulls, ...empty });
    expect(await get(item.work_item_id)).toMatchObject({ ...kept, ...nulls, ...empty });
    for (const field of ['title', 'status', 'priority', 'tags', 'custom_fields', 'assigned_users']) {
      const answer = await refused(item.work_item_id, { [field]: null });
      expectRefusal(answer, 400, 'BAD_REQUEST');
      expect(answer.body.error.details).toEqual([expect.objectContaining({ field })]);
    }
  });

  it('leaves no trace where nothing changes, however the same value is written', async () => {
    const item = await we.item({
      custom_fields: { b: 1, a: { d: 1.5, c: [2] } },
      due_date: '2026-12-05',
      scheduled_start: '2026-12-01T08:00:00+02:00',
      estimated_hours: 1.25,
      assigned_users: [api.acme.users.member.id],
    });
    const answer = await update(item.work_item_id, {
      title: item.title,
      custom_fields: { a: { c: [2], d: 1.5 }, b: 1 },
      due_date: '2026-12-05T00:00:00Z',
      scheduled_start: '2026-12-01T06:00:00',
      estimated_hours: 1.2501,
      assigned_users: [api.acme.users.member.id],
      status: 'open',
    });
    expect(answer).toMatchObject(item);
    expect((await eventsOf(api, item.id)).map((event) => event.name)).toEqual(['job.created', 'work_item.assigned']);
    expect(await auditOf(api, item.work_item_id)).toHaveLength(1);
  });

  it('takes a status from any to any, ends with a terminal one and opens again with another', async () => {
    const { work_item_id, id } = await we.item({ item_type: 'ticket' });
    const done = await update(work_item_id, { status: 'resolved' });
    expect(done).toMatchObject({ completed_at: done.updated_at, closed_at: done.updated_at });
    const closed = await update(work_item_id, { status: 'closed' });
    expect(closed).toMatchObject({ completed_at: done.completed_at, closed_at: done.closed_at });
    expect(await update(work_item_id, { status: 'open' })).toMatchObject({ completed_at: null, closed_at: null });
    expect((await update(work_item_id, { status: 'cancelled' })).closed_at).toEqual(expect.any(String));
    const names = (await eventsOf(api, id)).map((event) => event.name.split('.')[1]);
    expect(names).toEqual([
      'created',
      ...['updated', 'status_changed', 'completed'],
      ...['updated', 'status_changed'],
      ...['updated', 'status_changed'],
      ...['updated', 'status_changed'],
    ]);
  });

  it('replaces assignees: all by assigned_users, the primary one by assigned_to', async () => {
    const { owner, admin, member, auditor } = api.acme.users;
    const { work_item_id, id } = await we.item({ assigned_users: [owner.id, admin.id] });
    const people = async () => {
      const { assigned_to, assigned_users } = await get(work_item_id);
      return { assigned_to, assigned_users };
    };
    await update(work_item_id, { assigned_to: member.id });
    expect(await people()).toEqual({ assigned_to: member.id, assigned_users: [admin.id, member.id] });
    await update(work_item_id, { assigned_users: [auditor.id, member.id] });
    expect(await people()).toEqual({ assigned_to: member.id, assigned_users: [member.id, auditor.id] });
    await update(work_item_id, { assigned_users: [owner.id] });
    expect(await people()).toEqual({ assigned_to: owner.id, assigned_users: [owner.id] });
    await update(work_item_id, { assigned_users: [admin.id], assigned_to: member.id });
    expect(await people()).toEqual({ assigned_to: member.id, assigned_users: [admin.id, member.id] });
    await update(work_item_id, { assigned_to: null });
    expect(await people()).toEqual({ assigned_to: null, assigned_users: [admin.id] });
    const assigned = (await eventsOf(api, id)).filter((event) => event.name === 'work_item.assigned');
    // Not of the last one: nobody joined.
    expect(assigned).toHaveLength(5);
  });

  it('keeps each assignee, contractor and tag once', async () => {
    const { owner } = api.acme.users;
    const contact = await api.acme.contact();
    const twice = {
      assigned_users: [owner.id, owner.id],
      assigned_contractors: [contact, contact],
      tags: ['b', 'a', 'b'],
    };
    const once = { assigned_users: [owner.id], assigned_contractors: [contact], tags: ['b', 'a'] };
    const made = await we.item(twice);
    expect(await get(made.work_item_id)).toMatchObject(once);
    const other = await we.item();
    expect(await update(other.work_item_id, twice)).toMatchObject(once);
    expect(await get(other.work_item_id)).toMatchObject(once);
  });

  it('reads by the integer id too', async () => {
    const item = await we.item();
    expect(await update(String(item.id), { title: 'By number' })).toMatchObject({ work_item_id: item.work_item_id });
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["another type's status", { status: 'planning' }, 'status'],
    ['an unknown status', { status: 'paused' }, 'status'],
    ['an unknown priority', { priority: 'mild' }, 'priority'],
    ['an unknown user', { assigned_to: 999_999 }, 'assigned_to'],
    ['an unknown user among all', { assigned_users: [999_999] }, 'assigned_users[0]'],
    ['an unknown reporter', { reporter_id: 999_999 }, 'reporter_id'],
    ['an unknown contact', { contact_id: 999_999 }, 'contact_id'],
    ['an unknown contractor', { assigned_contractors: [999_999] }, 'assigned_contractors[0]'],
    ['an unknown team', { assigned_team: randomUUID() }, 'assigned_team'],
    ['an end before the start that it has', { scheduled_end: '2026-01-01' }, 'scheduled_end'],
    ['a start after the end that it has', { scheduled_start: '2026-03-01' }, 'scheduled_end'],
    ['a day that is none', { due_date: '2026-02-30' }, 'due_date'],
    ['too large custom_fields', { custom_fields: { a: 'x'.repeat(17_000) } }, 'custom_fields'],
    ['another item type', { item_type: 'task' }, 'item_type'],
    ['an empty title', { title: '' }, 'title'],
  ])('refuses %s and names the field', async (_what, input, field) => {
    const item = await we.item({ scheduled_start: '2026-02-01', scheduled_end: '2026-02-02' });
    const answer = await refused(item.work_item_id, input);
    expectRefusal(answer, 400, 'VALIDATION_ERROR');
    expect(answer.body.error.details).toEqual([expect.objectContaining({ field })]);
    expect(await get(item.work_item_id)).toMatchObject(item);
  });

  it('refuses an update of nothing, and a wrong type', async () => {
    const { work_item_id } = await we.item();
    expectRefusal(await refused(work_item_id, {}), 400, 'BAD_REQUEST');
    expectRefusal(await refused(work_item_id, { title: 7 }), 400, 'BAD_REQUEST');
  });

  it('takes back what stands there already, though it could not be chosen now', async () => {
    const { member } = api.acme.users;
    const assigned_team = await createTeam(api, api.acme.clientId);
    const item = await we.item({ assigned_to: member.id, assigned_team });
    await api.services.system.query(statement('update users set is_active = false where id = $1'), [member.id]);
    await api.services.system.query(statement('update teams set is_active = false where team_id = $1'), [
      assigned_team,
    ]);
    try {
      const same = { assigned_to: member.id, assigned_users: [member.id], assigned_team };
      expect(await update(item.work_item_id, { ...same, title: 'Sent back' })).toMatchObject({ title: 'Sent back' });
      const other = await we.item();
      expectRefusal(await refused(other.work_item_id, { assigned_to: member.id }), 400, 'VALIDATION_ERROR');
      expectRefusal(await refused(other.work_item_id, { assigned_team }), 400, 'VALIDATION_ERROR');
    } finally {
      await api.services.system.query(statement('update users set is_active = true where id = $1'), [member.id]);
    }
  });

  it("takes another client's records for unknown, and its items for absent", async () => {
    const { work_item_id } = await we.item();
    const answer = await refused(work_item_id, {
      assigned_to: api.rival.users.owner.id,
      reporter_id: api.rival.users.owner.id,
      contact_id: await api.rival.contact(),
      assigned_team: await createTeam(api, api.rival.clientId),
    });
    expectRefusal(answer, 400, 'VALIDATION_ERROR');
    expect(answer.body.error.details).toHaveLength(4);
    const rival = actor(api, await api.rival.key());
    expectRefusal(await rival.act('update-work-item', { work_item_id, title: 'Mine' }), 404, 'NOT_FOUND');
  });

  it('needs work_items:write', async () => {
    const { work_item_id } = await we.item();
    const reader = actor(api, await api.acme.key(['work_items:read']));
    for (const action of [
      'update-work-item',
      'close-work-item',
      'create-managed-task',
      'add-work-item-to-managed-task',
    ])
      expectRefusal(await reader.act(action, { work_item_id, title: 'x' }), 403, 'SCOPE_REQUIRED');
  });

  it('loses no field of updates at the same moment', async () => {
    const { work_item_id, id } = await we.item();
    const inputs = [
      { title: 'New' },
      { notes: 'n' },
      { tags: ['t'] },
      { priority: 'high' },
      { status: 'on_hold' },
      { due_date: '2026-12-31' },
      { custom_fields: { a: 1 } },
      { location_name: 'Gate' },
    ];
    await Promise.all(inputs.map((input) => update(work_item_id, input)));
    const all = Object.assign({}, ...inputs) as Record<string, unknown>;
    expect(await get(work_item_id)).toMatchObject({ ...all, due_date: '2026-12-31T00:00:00.000Z' });
    expect((await eventsOf(api, id)).filter((event) => event.name === 'job.updated')).toHaveLength(inputs.length);
  });

  it('of as many assignments at the same moment leaves one whole one', async () => {
    const { owner, admin, member } = api.acme.users;
    const { work_item_id } = await we.item();
    await Promise.all([owner, admin, member].map(({ id }) => update(work_item_id, { assigned_users: [id] })));
    const { assigned_to, assigned_users } = await get(work_item_id);
    expect(assigned_users).toEqual([assigned_to]);
  });
});

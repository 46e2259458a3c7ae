import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { CreateWorkItem } from '../../domain/contracts/work-items.ts';
import { createWorkItem } from '../../domain/work-items/index.ts';
import { statement } from '../../platform/db/statement.ts';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';
import { createTeam, everyCreateField, withoutPeople } from './work-items-support.ts';

let api: ApiFixture;
let key: string;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
  key = await api.acme.key();
});
afterAll(() => api.close());

const create = (input: Record<string, unknown>, apiKey = key) =>
  api.act(apiKey, { action: 'create-work-item', item_type: 'job', title: 'Service the pump', ...input });
const team = (clientId: number) => createTeam(api, clientId);
const get = (work_item_id: string, apiKey = key) => api.act(apiKey, { action: 'get-work-item', work_item_id });
const list = (input: Record<string, unknown>, apiKey = key) => api.act(apiKey, { action: 'list-work-items', ...input });

describe('create-work-item', () => {
  it('numbers on beyond a million', async () => {
    await create({ item_type: 'ticket' });
    const superuser = new pg.Client({ connectionString: api.database.superuserUrl });
    await superuser.connect();
    await superuser.query(`select setval('item_numbers.client_${String(api.acme.clientId)}_ticket', 999998)`);
    await superuser.end();
    const numbers = [];
    for (let count = 0; count < 3; count += 1)
      numbers.push((await create({ item_type: 'ticket' })).body.data.item_number);
    expect(numbers).toEqual(['TICKET-999999', 'TICKET-1000000', 'TICKET-1000001']);
  });

  it.each(['2200-12-31T23:59:59-05:00', '1900-01-01T00:00:00+02:00'])(
    'refuses %s: in UTC it lies outside of what is taken',
    async (due_date) => {
      const answer = await create({ due_date });
      expectRefusal(answer, 400, 'VALIDATION_ERROR');
      expect(answer.body.error.details).toEqual([
        { field: 'due_date', issue: 'must be between 1900-01-01 and 2200-12-31' },
      ]);
    },
  );

  it('takes every parameter, and get-work-item reads all of it back', async () => {
    const project = (await create({ item_type: 'project', title: 'Irrigation' })).body.data;
    const parent = (await create({ title: 'Parent' })).body.data;
    const related = { parent_id: parent.work_item_id, project_id: project.work_item_id };
    const { input, shown } = await everyCreateField(api, related);
    const parameters = Object.keys(CreateWorkItem.shape).sort();
    expect(Object.keys(input).sort()).toEqual(parameters);
    const created = await create(input);
    expect(created.status).toBe(200);
    const { data } = (await get(created.body.data.work_item_id)).body;
    expect(data).toMatchObject(shown);
    expect(data).toMatchObject(created.body.data);
    const rows = statement(`
      select array(select user_id from work_item_assignees where work_item_id = $1 order by 1) as assigned_users,
        array(select contact_id from work_item_contractors where work_item_id = $1) as assigned_contractors,
        array(select w.work_item_id::text from work_item_relationships r join work_items w on w.id = r.related_id
          where r.work_item_id = $1 and relationship_type = 'child_of' order by w.id) as parents`);
    expect(await api.services.system.query(rows, [data.id])).toEqual([
      {
        assigned_users: shown['assigned_users'],
        assigned_contractors: input['assigned_contractors'],
        parents: [project.work_item_id, parent.work_item_id],
      },
    ]);
  });

  it.each([
    ['job', 'open', 'service-operations'],
    ['task', 'open', null],
    ['ticket', 'open', null],
    ['project', 'planning', null],
    ['milestone', 'pending', null],
  ])('defaults a %s to status %s and module %s', async (item_type, status, module_context) => {
    const { data } = (await create({ item_type })).body;
    expect(data).toMatchObject({ item_type, status, module_context, priority: 'medium', tags: [], custom_fields: {} });
    expect(data.item_number).toMatch(new RegExp(`^${item_type.toUpperCase()}-`));
  });

  it('makes the first of assigned_users the assignee, and closes an item created as done', async () => {
    const { data } = (await create({ assigned_users: [api.acme.users.member.id], status: 'done' })).body;
    expect(data.assigned_to).toBe(api.acme.users.member.id);
    expect(data.completed_at).toEqual(expect.any(String));
  });

  it('gives ascending numbers to creates at the same time', async () => {
    const twenty = async (): Promise<number[]> => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => create({ item_type: 'ticket' })));
      expect(answers.map(({ body }) => body.error)).toEqual(answers.map(() => undefined));
      return answers.map(({ body }) => Number(body.data.item_number.replace('TICKET-', '')));
    };
    const [first, second] = [await twenty(), await twenty()];
    expect(new Set([...first, ...second]).size).toBe(40);
    expect(Math.min(...second)).toBeGreaterThan(Math.max(...first));
  });

  it('does not wait for a create that has not ended', async () => {
    await create({ item_type: 'milestone' });
    const input = CreateWorkItem.parse({ item_type: 'milestone', title: 'Slow' });
    const { tenants } = api.services;
    const slow = await tenants.transaction(api.acme.clientId, async (tx) => {
      const item = await createWorkItem(tx, api.acme.caller, input);
      const quick = await create({ item_type: 'milestone' });
      expect(quick.body.data.item_number > item.item_number).toBe(true);
      return item;
    });
    expect((await get(slow.work_item_id)).status).toBe(200);
  });

  it('answers who works on it, as get-work-item does', async () => {
    const { member, owner } = api.acme.users;
    const [first, second] = [await api.acme.contact('First'), await api.acme.contact('Second')];
    const input = {
      assigned_to: member.id,
      assigned_users: [owner.id, member.id],
      assigned_contractors: [second, first],
    };
    const { data } = (await create(input)).body;
    const people = {
      assigned_users: [owner.id, member.id].sort((a, b) => a - b),
      assigned_contractors: [first, second],
    };
    expect(data).toMatchObject(people);
    expect((await get(data.work_item_id)).body.data).toMatchObject(data);
    expect((await create({})).body.data).toMatchObject({ assigned_users: [], assigned_contractors: [] });
  });

  it('tells of its assignees', async () => {
    const users = [api.acme.users.member.id, api.acme.users.owner.id];
    const { data } = (await create({ assigned_users: users })).body;
    const work_item = withoutPeople(data);
    const events = statement('select name, data from events where work_item_id = $1 order by id');
    expect(await api.services.system.query(events, [data.id])).toEqual([
      { name: 'job.created', data: { work_item } },
      { name: 'work_item.assigned', data: { work_item, changes: { assigned_users: { from: [], to: users } } } },
    ]);
  });

  it('writes its event and its audit entry with it', async () => {
    const { data } = (await create({ item_type: 'milestone' })).body;
    const events = statement('select name, data from events where work_item_id = $1');
    expect(await api.services.system.query(events, [data.id])).toEqual([
      { name: 'milestone.created', data: { work_item: withoutPeople(data) } },
    ]);
    const audits = statement('select actor_type, action from audit_entries where subject_id = $1');
    expect(await api.services.system.query(audits, [data.work_item_id])).toEqual([
      { actor_type: 'api_key', action: 'work_item.created' },
    ]);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['an unknown status', { status: 'paused' }, 'status'],
    ["another type's status", { status: 'planning' }, 'status'],
    ['the update-only priority', { priority: 'critical' }, 'priority'],
    ['an update-only parameter', { item_subtype: 'repair' }, 'item_subtype'],
    ['another update-only parameter', { reporter_name: 'Thandi' }, 'reporter_name'],
    ['an end before the start', { scheduled_start: '2026-01-02', scheduled_end: '2026-01-01' }, 'scheduled_end'],
    ['a day that is none', { due_date: '2026-02-30' }, 'due_date'],
    ['an unknown user', { assigned_to: 999_999 }, 'assigned_to'],
    ['an unknown contact', { contact_id: 999_999 }, 'contact_id'],
    ['an unknown contractor', { assigned_contractors: [999_999] }, 'assigned_contractors[0]'],
    ['an unknown team', { assigned_team: randomUUID() }, 'assigned_team'],
    ['an unknown parent', { parent_id: randomUUID() }, 'parent_id'],
    ['too large custom_fields', { custom_fields: { a: 'x'.repeat(17_000) } }, 'custom_fields'],
    ['an id beyond 32 bits', { contact_id: 3_000_000_000 }, 'contact_id'],
    ['a location beyond 32 bits', { location_id: 3_000_000_000 }, 'location_id'],
    ['a NUL character, which PostgreSQL cannot store', { title: 'a\u0000b' }, 'title'],
    ['a NUL character in a tag', { tags: ['a\u0000b'] }, 'tags[0]'],
    ['a NUL character in custom_fields', { custom_fields: { a: { b: 'x\u0000' } } }, 'custom_fields.a.b'],
    ['half a surrogate pair in custom_fields', { custom_fields: { a: '\ud800' } }, 'custom_fields.a'],
    ['a NUL character in a key of custom_fields', { custom_fields: { 'a\u0000': 1 } }, 'custom_fields'],
  ])('refuses %s and names the field', async (_what, input, field) => {
    const answer = await create(input);
    expectRefusal(answer, 400, 'VALIDATION_ERROR');
    expect(answer.body.error.details).toEqual([expect.objectContaining({ field })]);
  });

  it("takes another client's user, contact and item for unknown", async () => {
    const foreignKey = await api.rival.key();
    const foreign = (await create({ item_type: 'project' }, foreignKey)).body.data;
    const answer = await create({
      assigned_to: api.rival.users.owner.id,
      contact_id: await api.rival.contact(),
      assigned_team: await team(api.rival.clientId),
      project_id: foreign.work_item_id,
    });
    expectRefusal(answer, 400, 'VALIDATION_ERROR');
    expect(answer.body.error.details).toHaveLength(4);
  });
});

describe('get-work-item', () => {
  it("answers 404, not 403, for another client's item, and does not show it", async () => {
    const { data } = (await create({ title: 'Secret of acme' })).body;
    const answer = await get(data.work_item_id, await api.tenant('prying').then((tenant) => tenant.key()));
    expectRefusal(answer, 404, 'NOT_FOUND');
    expect(answer.text).not.toContain('Secret of acme');
    expectRefusal(await get(randomUUID()), 404, 'NOT_FOUND');
    expectRefusal(await get('999999999'), 404, 'NOT_FOUND');
    expectRefusal(await get('x7'), 400, 'VALIDATION_ERROR');
  });

  it('finds it by its UUID, its integer id and its number, however that is written', async () => {
    const { data } = (await create({ item_type: 'task' })).body;
    const digits = String(Number(data.item_number.slice(5)));
    const refs = [data.work_item_id, data.work_item_id.toUpperCase(), String(data.id), data.item_number];
    for (const ref of [...refs, `task-${digits}`, `TASK-${digits}`, `TASK-000${digits.padStart(6, '0')}`]) {
      expect({ ref, id: (await get(ref)).body.data?.id }).toEqual({ ref, id: data.id });
    }
    for (const ref of [`JOB-9${String(data.item_number).slice(5)}`, 'TASK-0', `TASK-${'9'.repeat(15)}`, 'INV-000001'])
      expectRefusal(await get(ref), 404, 'NOT_FOUND');
    expectRefusal(await get(data.item_number, await api.rival.key()), 404, 'NOT_FOUND');
    for (const ref of ['TASK', 'TASK-', 'CONSTRUCTOR-1', `TASK-${'9'.repeat(16)}`, `TASK-${digits}x`])
      expectRefusal(await get(ref), 400, 'VALIDATION_ERROR');
    const rest = await api
      .http()
      .patch(`/api/v1/work-items/${String(data.item_number)}`)
      .set('Authorization', `Bearer ${await api.acme.token()}`)
      .send({ title: 'By its number' });
    expect(rest.body.data).toMatchObject({ id: data.id, title: 'By its number' });
    expect((await api.act(key, { action: 'delete-work-item', work_item_id: data.item_number })).status).toBe(200);
    expectRefusal(await get(data.item_number), 404, 'NOT_FOUND');
  });

  it('does not find a deleted item', async () => {
    const { data } = (await create({})).body;
    await api.services.system.query(statement('update work_items set deleted_at = now() where id = $1'), [data.id]);
    expectRefusal(await get(data.work_item_id), 404, 'NOT_FOUND');
  });
});

describe('list-work-items', () => {
  it('filters, pages newest first, and says the window', async () => {
    const tenant = await api.tenant('lister');
    const own = await tenant.key();
    for (const title of ['1', '2', '3']) await create({ title }, own);
    await create({ item_type: 'task', title: '4', status: 'on_hold' }, own);
    const titles = async (input: Record<string, unknown>) => {
      const { body } = await list(input, own);
      return [body.data.work_items.map((item: { title: string }) => item.title), body.meta.pagination];
    };
    expect(await titles({})).toEqual([['4', '3', '2', '1'], { total: 4, limit: 50, offset: 0 }]);
    expect(await titles({ item_type: 'job', limit: 2, offset: 1 })).toEqual([
      ['2', '1'],
      { total: 3, limit: 2, offset: 1 },
    ]);
    expect(await titles({ status: 'on_hold' })).toEqual([['4'], { total: 1, limit: 50, offset: 0 }]);
    expect(await titles({ status: 'resolved' })).toEqual([[], { total: 0, limit: 50, offset: 0 }]);
    expect(await titles({ offset: 100 })).toEqual([[], { total: 4, limit: 50, offset: 100 }]);
  });

  it.each([{ limit: 0 }, { limit: 501 }, { offset: -1 }, { item_type: 'x' }, { status: 'opne' }])(
    'refuses %j',
    async (input) => {
      expectRefusal(await list(input), 400, 'VALIDATION_ERROR');
    },
  );
});

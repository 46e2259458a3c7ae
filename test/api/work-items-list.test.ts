import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { foldWorkItems } from '../../domain/work-items/index.ts';
import { statement } from '../../platform/db/statement.ts';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';

let api: ApiFixture;
let key: string;
let tenants = 0;

beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
});
afterAll(() => api.close());

/** A client of its own for each test, so that a list holds what the test made. */
beforeEach(async () => {
  tenants += 1;
  const tenant = await api.tenant(`list-${String(tenants)}`, { tier: 'enterprise' });
  key = await tenant.key();
  user = tenant.users.owner.id;
  other = tenant.users.member.id;
  clientId = tenant.clientId;
  newContact = (name) => tenant.contact(name);
  ownerToken = () => tenant.token();
});
let user: number;
let other: number;
let clientId: number;
let newContact: (name?: string) => Promise<number>;
let ownerToken: () => Promise<string>;

async function create(
  input: Record<string, unknown> = {},
): Promise<{ id: number; work_item_id: string; item_number: string }> {
  const answer = await api.act(key, { action: 'create-work-item', item_type: 'job', title: 'Work', ...input });
  expect(answer.body).toMatchObject({ success: true });
  return answer.body.data;
}

async function list(
  input: Record<string, unknown> = {},
): Promise<{ titles: string[]; pagination: Record<string, unknown> }> {
  const { body } = await api.act(key, { action: 'list-work-items', ...input });
  expect(body).toMatchObject({ success: true });
  return {
    titles: body.data.work_items.map((item: { title: string }) => item.title),
    pagination: body.meta.pagination,
  };
}
const titles = async (input: Record<string, unknown>): Promise<string[]> => (await list(input)).titles;

describe('filters', () => {
  it('item_type, status, priority and is_open, alone and together, with exact totals', async () => {
    await create({ title: 'a', priority: 'urgent' });
    await create({ title: 'b', item_type: 'task', status: 'done' });
    await create({ title: 'c', item_type: 'task', priority: 'urgent' });
    expect(await list({ item_type: 'task' })).toMatchObject({ titles: ['c', 'b'], pagination: { total: 2 } });
    expect(await list({ priority: 'urgent' })).toMatchObject({ titles: ['c', 'a'], pagination: { total: 2 } });
    expect(await list({ is_open: true })).toMatchObject({ titles: ['c', 'a'], pagination: { total: 2 } });
    expect(await list({ is_open: false })).toMatchObject({ titles: ['b'], pagination: { total: 1 } });
    expect(await list({ item_type: 'task', priority: 'urgent', status: 'open', is_open: true })).toMatchObject({
      titles: ['c'],
      pagination: { total: 1, limit: 50, offset: 0 },
    });
  });

  it('assigned_to finds primary and further assignees', async () => {
    await create({ title: 'primary', assigned_to: user });
    await create({ title: 'one of several', assigned_to: other, assigned_users: [other, user] });
    await create({ title: 'not', assigned_to: other });
    expect(await list({ assigned_to: user })).toMatchObject({
      titles: ['one of several', 'primary'],
      pagination: { total: 2 },
    });
  });

  it('contact, contractor, team, parent, project, tags and module', async () => {
    const [contact, contractor] = [await newContact(), await newContact('Pump Supplies')];
    const team = randomUUID();
    await api.services.system.query(statement('insert into teams (team_id, client_id, name) values ($1, $2, $3)'), [
      team,
      clientId,
      'Pumps',
    ]);
    const project = await create({ title: 'project', item_type: 'project' });
    const parent = await create({ title: 'parent' });
    await create({ title: 'contact', contact_id: contact });
    await create({ title: 'contractor', assigned_contractors: [contractor] });
    await create({ title: 'team', assigned_team: team });
    await create({ title: 'child', parent_id: parent.work_item_id, project_id: project.work_item_id });
    await create({ title: 'tags', tags: ['Red', "o'clock", 'x y', 'back\\slash'] });
    await create({ title: 'module', module_context: 'field-service' });
    expect(await titles({ contact_id: contact })).toEqual(['contact']);
    expect(await titles({ contractor_id: contractor })).toEqual(['contractor']);
    expect(await titles({ assigned_team: team })).toEqual(['team']);
    expect(await titles({ parent_id: parent.work_item_id })).toEqual(['child']);
    expect(await titles({ project_id: project.work_item_id, parent_id: parent.work_item_id })).toEqual(['child']);
    expect(await titles({ parent_id: randomUUID() })).toEqual([]);
    expect(await titles({ tags: ['Red', "o'clock", 'back\\slash'] })).toEqual(['tags']);
    expect(await titles({ tags: ['Red', 'blue'] })).toEqual([]);
    expect(await titles({ module_context: 'field-service' })).toEqual(['module']);
    expect(await list({ tags: ['x y'], item_type: 'job', priority: 'medium', is_open: true })).toMatchObject({
      titles: ['tags'],
      pagination: { total: 1 },
    });
  });

  it('spans of time, in which a day alone is whole', async () => {
    await create({ title: 'early', due_date: '2026-12-01', scheduled_start: '2026-11-30T08:00:00Z' });
    await create({ title: 'late', due_date: '2026-12-05T23:30:00Z', scheduled_start: '2026-12-04T08:00:00Z' });
    await create({ title: 'undated' });
    expect(await titles({ due_to: '2026-12-05' })).toEqual(['late', 'early']);
    expect(await titles({ due_from: '2026-12-02', due_to: '2026-12-05' })).toEqual(['late']);
    expect(await titles({ due_to: '2026-12-05T23:00:00Z' })).toEqual(['early']);
    expect(await titles({ scheduled_from: '2026-12-01', scheduled_to: '2026-12-31' })).toEqual(['late']);
    const today = new Date().toISOString().slice(0, 10);
    expect(await titles({ created_from: today, created_to: today })).toEqual(['undated', 'late', 'early']);
    expect(await titles({ created_from: '2199-01-01' })).toEqual([]);
    expect(await titles({ updated_since: today })).toHaveLength(3);
  });

  it('shows no deleted item, and none of another client', async () => {
    const gone = await create({ title: 'gone', assigned_to: user, tags: ['x'] });
    await create({ title: 'kept', assigned_to: user, tags: ['x'] });
    await api.act(key, { action: 'delete-work-item', work_item_id: gone.work_item_id });
    for (const filter of [{}, { search: 'gone kept' }, { tags: ['x'] }, { assigned_to: user }, { item_type: 'job' }]) {
      const { titles: shown } = await list(filter);
      expect(shown).not.toContain('gone');
    }
    expect((await list({})).pagination).toMatchObject({ total: 1 });
    expect((await list({ assigned_to: user })).pagination).toMatchObject({ total: 1 });
    const rival = await api.rival.key();
    for (const filter of [{ search: 'kept' }, { tags: ['x'] }, { assigned_to: user }, {}]) {
      const { body } = await api.act(rival, { action: 'list-work-items', ...filter });
      expect(body).toMatchObject({ data: { work_items: [] }, meta: { pagination: { total: 0 } } });
    }
  });

  it.each([{ sort: 'colour' }, { priority: 'highest' }, { due_from: 'tomorrow' }, { tags: 'x' }, { search: '' }])(
    'refuses %j',
    async (input) => {
      const answer = await api.act(key, { action: 'list-work-items', ...input });
      expect(answer.status).toBe(400);
    },
  );

  it('needs the scope', async () => {
    const without = await api.acme.key(['contacts:read']);
    expectRefusal(await api.act(without, { action: 'list-work-items' }), 403, 'SCOPE_REQUIRED');
  });
});

describe('sort', () => {
  it('orders by each field, both ways, with the id as tie-break', async () => {
    await create({ title: 'b', priority: 'low', due_date: '2026-12-03' });
    await create({ title: 'A', priority: 'urgent', due_date: '2026-12-01' });
    await create({ title: 'c', priority: 'medium', due_date: '2026-12-02' });
    await create({ title: 'd', priority: 'medium' });
    expect(await titles({})).toEqual(['d', 'c', 'A', 'b']);
    expect(await titles({ sort_order: 'asc' })).toEqual(['b', 'A', 'c', 'd']);
    expect(await titles({ sort: 'title', sort_order: 'asc' })).toEqual(['A', 'b', 'c', 'd']);
    expect(await titles({ sort: 'priority' })).toEqual(['A', 'd', 'c', 'b']);
    expect(await titles({ sort: 'due_date', sort_order: 'asc' })).toEqual(['A', 'c', 'b', 'd']);
    expect(await titles({ sort: 'updated_at' })).toEqual(['d', 'c', 'A', 'b']);
    expect(await titles({ sort: 'title', sort_order: 'asc', limit: 2, offset: 1 })).toEqual(['b', 'c']);
  });
});

describe('search', () => {
  it('finds words of title, description and contact name, stems, and item numbers', async () => {
    const item = await create({
      title: 'Replace the pumps at the north-gate',
      description: "It's hydraulic; see O'Neil",
      contact_name: 'Kruger Farms',
    });
    for (const search of [
      'pump',
      'PUMPS',
      'replacing pump',
      'the pump',
      'hydraulic',
      "o'neil",
      'kruger farm',
      'north-gate',
      'north gate',
      item.item_number,
      item.item_number.toLowerCase(),
      item.item_number.replace(/^JOB-0+/, ''),
    ]) {
      expect({ search, found: (await list({ search })).pagination['total'] }).toEqual({ search, found: 1 });
    }
    expect(await titles({ search: 'pump boiler' })).toEqual([]);
    expect(await titles({ search: '%%% !!!' })).toEqual([]);
    expect(await titles({ search: 'pump', tags: ['none'] })).toEqual([]);
  });

  it('tries beginnings of words, then similar ones and parts, when nothing matches literally', async () => {
    await create({ title: 'Hydraulic compressor' });
    expect(await titles({ search: 'compr' })).toEqual(['Hydraulic compressor']);
    await foldWorkItems(api.services.system);
    expect(await titles({ search: 'hydralic' })).toEqual(['Hydraulic compressor']);
    expect(await titles({ search: 'draul' })).toEqual(['Hydraulic compressor']);
    expect(await titles({ search: 'elephant' })).toEqual([]);
  });

  it('takes any text for words, whatever it means to PostgreSQL', async () => {
    await create({ title: `It's "quoted" & (grouped) | not! :* \\ back <-> x` });
    for (const search of [
      "'",
      '"quoted"',
      '& | ! ( )',
      ':*',
      '\\',
      "x' | 'y",
      '<->',
      '%',
      '_',
      "'; drop table users",
      '“ ”',
      '\u0301',
      '\ufdfa\u200d🛠️',
    ]) {
      const answer = await api.act(key, { action: 'list-work-items', search });
      expect({ search, status: answer.status }).toEqual({ search, status: 200 });
    }
    expect(await titles({ search: '"quoted" (grouped)' })).toHaveLength(1);
  });

  it('follows an item that changes', async () => {
    const item = await create({ title: 'Old words' });
    await api.act(key, { action: 'update-work-item', work_item_id: item.work_item_id, title: 'Zeppelin repair' });
    expect(await titles({ search: 'old' })).toEqual([]);
    expect(await titles({ search: 'zeppelin' })).toHaveLength(1);
    expect(await titles({ search: 'zepelin' })).toHaveLength(1);
  });
});

describe('totals', () => {
  it('stay exact under creates, updates and deletes at the same time', async () => {
    const made = await Promise.all(Array.from({ length: 24 }, (_, n) => create({ priority: n % 2 ? 'low' : 'high' })));
    await Promise.all(
      made.map(({ work_item_id }, n) =>
        n % 3 === 0
          ? api.act(key, { action: 'delete-work-item', work_item_id })
          : api.act(key, { action: 'update-work-item', work_item_id, status: n % 3 === 1 ? 'done' : 'on_hold' }),
      ),
    );
    const total = async (input: object): Promise<unknown> => (await list({ ...input })).pagination['total'];
    expect(await total({})).toBe(16);
    expect(await total({ status: 'done' })).toBe(8);
    expect(await total({ is_open: true })).toBe(8);
    expect(await total({ priority: 'high' })).toBe((await titles({ priority: 'high' })).length);
    const before = await Promise.all([
      total({}),
      total({ status: 'done' }),
      total({ item_type: 'job', is_open: true }),
    ]);
    await foldWorkItems(api.services.system);
    expect(
      await Promise.all([total({}), total({ status: 'done' }), total({ item_type: 'job', is_open: true })]),
    ).toEqual(before);
    await api.act(key, { action: 'delete-work-item', work_item_id: made[1]?.work_item_id });
    expect(await total({})).toBe(15);
  });
});

describe('the search functions of the database', () => {
  it("find nothing of another tenant's, whatever they are asked, and nothing for nobody", async () => {
    await create({ title: 'Secret zeppelin', tags: ['hidden'] });
    const app = new pg.Client({ connectionString: api.database.appUrl });
    await app.connect();
    const find = `select matches, ids from find_work_items($1, $2, 100)`;
    await app.query('begin');
    expect((await app.query(find, ['zeppelin', []])).rows).toEqual([{ matches: 0, ids: null }]);
    await app.query(`select set_config('app.client_id', $1, true)`, [String(api.rival.clientId)]);
    for (const [search, facets] of [
      ['zeppelin', []],
      [null, ['#hidden']],
      [null, [`' | '${String(clientId)}#hidden`]],
    ]) {
      expect((await app.query(find, [search, facets])).rows).toEqual([{ matches: 0, ids: null }]);
    }
    expect((await app.query(`select similar_work_item_words('zeppelin') as words`)).rows).toEqual([{ words: [] }]);
    await app.query('commit');
    await app.end();
  });
});

it('is reached over REST with the same filters', async () => {
  await create({ title: 'Over REST', tags: ['a', 'b'] });
  const answer = await api
    .http()
    .get('/api/v1/work-items?tags=a,b&search=rest&is_open=true&sort=title&sort_order=asc')
    .set('Authorization', `Bearer ${await ownerToken()}`);
  expect(answer.body).toMatchObject({
    success: true,
    data: [{ title: 'Over REST' }],
    meta: { pagination: { total: 1 } },
  });
});

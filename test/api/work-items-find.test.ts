import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import pg from 'pg';
import { startApi } from './support.ts';
import type { ApiFixture, ApiTenant } from './support.ts';
import { actor, createTeam } from './work-items-support.ts';

let api: ApiFixture;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
});
afterAll(() => api.close());

type Actor = ReturnType<typeof actor>;

async function client(slug: string): Promise<{ tenant: ApiTenant; we: Actor }> {
  const tenant = await api.tenant(slug, { tier: 'enterprise' });
  return { tenant, we: actor(api, await tenant.key()) };
}

interface Listed {
  id: number;
  work_item_id: string;
  title: string;
}

async function list(we: Actor, input: object): Promise<{ items: Listed[]; titles: string[]; pagination: unknown }> {
  const { body } = await we.act('list-work-items', { ...input });
  expect(body).toMatchObject({ success: true });
  const items = body.data.work_items as Listed[];
  return { items, titles: items.map(({ title }) => title), pagination: body.meta.pagination };
}

describe('lists of more than 10,000 items', () => {
  it('count a search no further than 10,000, and say so', async () => {
    const { tenant, we } = await client('list-large');
    const owner = new pg.Client({ connectionString: api.database.superuserUrl });
    await owner.connect();
    await owner.query(
      `insert into work_items (work_item_id, client_id, item_number, item_type, title, status, priority, created_by_type, created_by_id)
       select gen_random_uuid(), $1, 'TASK-' || i, 'task', 'Mass item', 'open', 'low', 'user', '1' from generate_series(1, 10050) i`,
      [tenant.clientId],
    );
    await owner.end();
    expect((await list(we, { search: 'mass', limit: 1 })).pagination).toEqual({
      total: 10_000,
      limit: 1,
      offset: 0,
      total_is_exact: false,
    });
    expect((await list(we, { item_type: 'task', limit: 1 })).pagination).toEqual({
      total: 10_050,
      limit: 1,
      offset: 0,
    });
    expect(await list(we, { search: 'mass', created_from: '2020-01-01', limit: 2, offset: 10_040 })).toMatchObject({
      titles: ['Mass item', 'Mass item'],
    });
    // Several filters that many items match are counted to 1,000, and none is walked for in vain.
    const many = { search: 'mass', created_from: '2020-01-01', priority: 'low' };
    expect(await list(we, { ...many, limit: 1 })).toMatchObject({
      titles: ['Mass item'],
      pagination: { total: 1_000, total_is_exact: false },
    });
    expect(await list(we, { ...many, limit: 2, offset: 1_500, sort: 'title' })).toMatchObject({
      titles: ['Mass item', 'Mass item'],
      pagination: { total: 1_502, total_is_exact: false },
    });
    expect(await list(we, { ...many, priority: 'critical' })).toMatchObject({ titles: [], pagination: { total: 0 } });
    expect(await list(we, { ...many, is_open: false })).toMatchObject({ titles: [], pagination: { total: 0 } });
    expect(await list(we, { ...many, limit: 2, offset: 10_049, sort: 'due_date' })).toMatchObject({
      titles: ['Mass item'],
      pagination: { total: 10_000, total_is_exact: false },
    });
  });
});

describe('search in texts of any script', () => {
  it('finds words with their accents and without them, in any case, however they are coded', async () => {
    const { we } = await client('scripts');
    const titles = {
      german: 'Kärcher bei Müller, Gartenstraße 5',
      french: 'Crème brûlée d’Amélie'.normalize('NFD'),
      polish: 'Magazyn Łódź',
      greek: 'Επισκευή αντλίας στην Αθήνα',
      russian: 'Ремонт насоса, ёлка',
      vietnamese: 'Sửa máy bơm Đà Nẵng',
      japanese: '東京の水道、漏水',
      quoted: 'Valve “north–gate”, see O’Neil\u00a0Brothers',
      plain: 'Muller & Sons',
    };
    for (const title of Object.values(titles)) await we.item({ title });
    for (const [search, ...wanted] of [
      ['Gartenstraße', titles.german],
      ['gartenstrasse', titles.german],
      ['KÄRCHER', titles.german],
      ['karcher', titles.german],
      ['Ka\u0308rcher', titles.german],
      ['muller', titles.plain, titles.german],
      ['Müller', titles.plain, titles.german],
      ['crème brûlée', titles.french],
      ['creme brulee', titles.french],
      ['AMÉLIE', titles.french],
      ['łódź', titles.polish],
      ['lodz', titles.polish],
      ['ΑΘΉΝΑ', titles.greek],
      ['αθηνα', titles.greek],
      ['насоса', titles.russian],
      ['елка', titles.russian],
      ['Đà Nẵng', titles.vietnamese],
      ['may bom da nang', titles.vietnamese],
      ['東京の水道', titles.japanese],
      ['漏水', titles.japanese],
      ["o'neil brothers", titles.quoted],
      ['o’neil', titles.quoted],
      ['north gate', titles.quoted],
      ['“gate”', titles.quoted],
    ] as const) {
      expect({ search, found: (await list(we, { search })).titles }).toEqual({ search, found: wanted });
    }
  });

  it('takes texts with "words" of any length, and finds the others beside them', async () => {
    const { we } = await client('long-words');
    const lengths = [2_000, 2_001, 2_040, 2_044, 2_045, 2_046, 2_047, 19_000];
    for (const length of lengths) {
      const item = await we.item({
        title: `Certificate ${String(length)}`,
        description: `${'a'.repeat(length)} harbour`,
      });
      expect((await list(we, { search: `certificate ${String(length)} harbour` })).items).toMatchObject([
        { id: item.id },
      ]);
      await we.done('update-work-item', { work_item_id: item.work_item_id, description: 'ä'.repeat(length / 2) });
    }
    expect((await list(we, { search: 'certificate' })).titles).toHaveLength(lengths.length);
  });
});

/** What the lists are held against: the items as they were made, filtered and sorted by hand. */
interface Known extends Listed {
  item_type: string;
  status: string;
  priority: string;
  assigned_users: number[];
  assigned_contractors: number[];
  assigned_team: string | null;
  contact_id: number | null;
  module_context: string | null;
  tags: string[];
  due_date: string | null;
  scheduled_start: string | null;
  created_at: string;
  updated_at: string;
  parents: string[];
}

const RANKS = ['low', 'medium', 'high', 'urgent', 'critical'];
const isEnded = ({ status }: Known): boolean =>
  ['completed', 'closed', 'done', 'resolved', 'cancelled', 'canceled'].includes(status);
const from = (field: 'due_date' | 'scheduled_start' | 'created_at' | 'updated_at') => (item: Known, text: string) =>
  item[field] !== null && Date.parse(item[field]) >= Date.parse(text);
const to = (field: 'due_date' | 'scheduled_start' | 'created_at') => (item: Known, text: string) =>
  item[field] !== null &&
  (text.length === 10 ? item[field].slice(0, 10) <= text : Date.parse(item[field]) <= Date.parse(text));

const MATCHES: Readonly<Record<string, (item: Known, value: never) => boolean>> = {
  item_type: (item, type: string) => item.item_type === type,
  status: (item, status: string) => item.status === status,
  is_open: (item, open: boolean) => isEnded(item) !== open,
  priority: (item, priority: string) => item.priority === priority,
  assigned_to: (item, user: number) => item.assigned_users.includes(user),
  assigned_team: (item, team: string) => item.assigned_team === team,
  contact_id: (item, contact: number) => item.contact_id === contact,
  contractor_id: (item, contact: number) => item.assigned_contractors.includes(contact),
  parent_id: (item, parent: string) => item.parents.includes(parent),
  project_id: (item, parent: string) => item.parents.includes(parent),
  tags: (item, tags: string[]) => tags.every((tag) => item.tags.includes(tag)),
  module_context: (item, module: string) => item.module_context === module,
  search: (item, words: string) => words.split(' ').every((word) => item.title.split(' ').includes(word)),
  created_from: from('created_at'),
  created_to: to('created_at'),
  updated_since: from('updated_at'),
  due_from: from('due_date'),
  due_to: to('due_date'),
  scheduled_from: from('scheduled_start'),
  scheduled_to: to('scheduled_start'),
};

/** A place in the order, ascending; nothing comes after everything. */
const PLACE: Readonly<Record<string, (item: Known) => string>> = {
  created_at: () => '',
  updated_at: (item) => item.updated_at,
  due_date: (item) => item.due_date ?? '~',
  priority: (item) => String(RANKS.indexOf(item.priority)),
  title: (item) => item.title.toLowerCase(),
};

function wantedOf(items: readonly Known[], { sort = 'created_at', sort_order, ...filters }: Record<string, unknown>) {
  const place = PLACE[sort as string]!;
  const order = (a: Known, b: Known): number => (place(a) < place(b) ? -1 : place(a) > place(b) ? 1 : a.id - b.id);
  const turned = sort_order === 'asc' ? 1 : -1;
  return items
    .filter((item) => Object.entries(filters).every(([name, value]) => MATCHES[name]?.(item, value as never)))
    .sort((a, b) => turned * order(a, b));
}

describe('any filters together, in any order and window', () => {
  const day = (n: number): string => `2027-03-${String(n).padStart(2, '0')}`;

  async function fill({ tenant, we }: { tenant: ApiTenant; we: Actor }) {
    const users = [tenant.users.owner.id, tenant.users.admin.id, tenant.users.member.id];
    const contacts = [await tenant.contact(), await tenant.contact('Pump Supplies')];
    const teams = [await createTeam(api, tenant.clientId), await createTeam(api, tenant.clientId)];
    const parents: string[] = [];
    for (const item_type of ['project', 'project', 'job'])
      parents.push((await we.item({ item_type, title: 'Parent' })).work_item_id as string);
    const related = new Map<string, string[]>();
    for (let n = 0; n < 60; n += 1) {
      const project_id = n % 3 === 0 ? parents[n % 2] : undefined;
      const parent_id = n % 7 === 0 ? parents[2] : undefined;
      const made = await we.item({
        item_type: ['job', 'task', 'ticket'][n % 3],
        title: ['pump', 'Pump gate', 'valve gate', 'pump valve'][n % 4],
        priority: RANKS[n % 4],
        status: ['open', 'in_progress', 'done', 'cancelled', 'scheduled'][n % 5],
        ...(n % 4 === 0 ? {} : { assigned_users: [users[n % 3], users[((n + n / 10) % 3) | 0]] }),
        ...(n % 6 === 0 ? {} : { contact_id: contacts[n % 2] }),
        ...(n % 5 === 0 ? { assigned_contractors: [contacts[(n / 5) % 2]] } : {}),
        ...(n % 3 === 1 ? { assigned_team: teams[n % 2] } : {}),
        ...(n % 4 === 2 ? { module_context: 'field-service' } : {}),
        ...(n % 5 === 3 ? {} : { due_date: n % 2 === 0 ? day((n % 9) + 1) : `${day((n % 9) + 1)}T15:00:00Z` }),
        ...(n % 2 === 0 ? { scheduled_start: `${day((n % 8) + 1)}T08:00:00Z` } : {}),
        tags: ['a', 'b', 'c'].filter((_, index) => (n >> index) % 2 === 0),
        ...(project_id === undefined ? {} : { project_id }),
        ...(parent_id === undefined ? {} : { parent_id }),
      });
      related.set(
        made.work_item_id,
        [project_id, parent_id].flatMap((parent) => parent ?? []),
      );
      if (n % 8 === 5) await we.done('update-work-item', { work_item_id: made.work_item_id, priority: 'critical' });
      if (n % 10 === 9) await we.done('delete-work-item', { work_item_id: made.work_item_id });
    }
    const { items } = await list(we, { limit: 500 });
    const known: Known[] = [];
    for (const { work_item_id } of items) {
      const item = await we.done('get-work-item', { work_item_id });
      known.push({ ...item, parents: related.get(work_item_id) ?? [] });
    }
    const moments = known.map(({ updated_at }) => updated_at);
    return { known, users, contacts, teams, parents, moments };
  }

  it('show what matches them all, and count it', async () => {
    const { tenant, we } = await client('combinations');
    const { known, users, contacts, teams, parents, moments } = await fill({ tenant, we });
    const days = fc.constantFrom(
      ...[1, 3, 5, 8].flatMap((n) => [day(n), `${day(n)}T15:00:00Z`, `${day(n)}T02:00:00+09:00`]),
    );
    const moment = fc.constantFrom(...moments, new Date().toISOString().slice(0, 10));
    const values = {
      item_type: fc.constantFrom('job', 'task', 'ticket', 'project'),
      status: fc.constantFrom('open', 'in_progress', 'done', 'on_hold'),
      is_open: fc.boolean(),
      priority: fc.constantFrom(...RANKS),
      assigned_to: fc.constantFrom(...users),
      assigned_team: fc.constantFrom(...teams),
      contact_id: fc.constantFrom(...contacts),
      contractor_id: fc.constantFrom(...contacts),
      parent_id: fc.constantFrom(...parents),
      project_id: fc.constantFrom(...parents),
      tags: fc.subarray(['a', 'b', 'c'], { minLength: 1 }),
      module_context: fc.constantFrom('field-service', 'service-operations'),
      search: fc.constantFrom('valve', 'gate', 'valve gate'),
      created_from: moment,
      created_to: moment,
      updated_since: moment,
      due_from: days,
      due_to: days,
      scheduled_from: days,
      scheduled_to: days,
    };
    const names = fc.oneof(
      { weight: 3, arbitrary: fc.shuffledSubarray(Object.keys(MATCHES), { maxLength: 4 }) },
      // What people ask for most: indexes of their own have these in the order of the due dates.
      { weight: 1, arbitrary: fc.constant(['assigned_to', 'is_open']) },
      { weight: 1, arbitrary: fc.constant(['is_open', 'due_from', 'due_to']) },
    );
    const input = fc.tuple(
      names,
      fc.record(values),
      fc.record({ sort: fc.constantFrom(...Object.keys(PLACE)), sort_order: fc.constantFrom('asc', 'desc') }),
      fc.record({ limit: fc.constantFrom(3, 500), offset: fc.constantFrom(0, 2) }),
    );
    await fc.assert(
      fc.asyncProperty(input, async ([chosen, all, order, { limit, offset }]) => {
        const filters = Object.fromEntries(chosen.map((name) => [name, all[name as keyof typeof all]]));
        const wanted = wantedOf(known, { ...filters, ...order });
        const { items, pagination } = await list(we, { ...filters, ...order, limit, offset });
        const ids = wanted.slice(offset, offset + limit).map(({ id }) => id);
        expect({ filters, ids: items.map(({ id }) => id), pagination }).toEqual({
          filters,
          ids,
          pagination: { total: wanted.length, limit, offset },
        });
      }),
      { numRuns: 150 },
    );
  });
});

import pg from 'pg';

export interface SeededData {
  /** The client that has nearly everything. */
  clientId: number;
  userIds: number[];
  contactIds: number[];
  teamIds: string[];
  /** The employee at the top of the reporting tree. */
  headId: number;
}

export interface SeedSizes {
  /** The first one gets nearly everything. */
  clientIds: readonly number[];
  /** Work items of the one large client, and of each of the others. */
  items: number;
  itemsElsewhere: number;
  employees: number;
}

const USERS = 500;
const CONTACTS = 5_000;
const TEAMS = 20;
/** Reports of each manager: eight levels hold 100,000 employees. */
const REPORTS = 5;

/**
 * Fills the database as its owner with INSERT … SELECT: through the API it would take an hour. Indexes are made after the
 * rows, as a bulk load does; what the worker keeps up to date is filled at once.
 */
export async function seedData(ownerUrl: string, sizes: SeedSizes): Promise<SeededData> {
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    await owner.query(`set maintenance_work_mem = '512MB'; set work_mem = '64MB'; set synchronous_commit = off`);
    const [clientId = 0, ...others] = sizes.clientIds;
    const userIds = await idsOf(owner, INSERT_USERS, [clientId, USERS]);
    const contactIds = await idsOf(owner, INSERT_CONTACTS, [clientId, CONTACTS]);
    const teamIds = await insertTeams(owner, clientId, userIds);
    const headId = await insertEmployees(owner, clientId, userIds, sizes.employees);
    const rebuild = await dropIndexes(owner);
    await owner.query('alter table work_items disable trigger user');
    await owner.query(INSERT_ITEMS, [clientId, sizes.items, userIds, contactIds, teamIds]);
    for (const other of others)
      await owner.query(INSERT_ITEMS, [other, sizes.itemsElsewhere, userIds, contactIds, teamIds]);
    await owner.query(INSERT_ASSIGNEES);
    await owner.query(INSERT_CHILDREN, [clientId]);
    await owner.query('alter table work_items enable trigger user');
    for (const sql of rebuild) await owner.query(sql);
    await owner.query(FILL_COUNTS);
    await owner.query(FILL_WORDS);
    await owner.query(MARK);
    // Pages that are known to be visible to all let an index answer alone; autovacuum would do this within a minute.
    for (const table of TABLES) await owner.query(`vacuum (analyze) ${table}`);
    return { clientId, userIds, contactIds, teamIds, headId };
  } finally {
    await owner.end();
  }
}

const TABLES = [
  'work_items',
  'work_item_assignees',
  'work_item_relationships',
  'work_item_counts',
  'work_item_words',
  'employees',
];

const INSERT_USERS = `
  insert into users (client_id, email, name, password_hash)
  select $1, 'user' || i || '-' || $1::int || '@data.example', 'User ' || i, 'x' from generate_series(1, $2::int) i returning id`;
const INSERT_CONTACTS = `
  insert into contacts (client_id, name) select $1, 'Contact ' || i from generate_series(1, $2::int) i returning id`;

/** Random, but the same in each run. Most things are common, some are rare; due dates spread over two years. */
const INSERT_ITEMS = `
  with words as (
    select string_to_array('Replace Repair Inspect Install Service Clean Calibrate Paint Deliver Collect Measure Survey', ' ') as verb,
      string_to_array('pump valve gate boiler transformer compressor conveyor generator filter pipeline roof window lift meter router antenna turbine fence tank cable', ' ') as object,
      string_to_array('north south east west central harbour airport mill quarry depot clinic school farm tower market', ' ') as place,
      string_to_array('hydraulic pneumatic electric leaking noisy corroded intermittent urgent scheduled warranty customer technician parts ordered access permit required weekend night safety', ' ') as detail
  ), random as (
    select i, hashint4(i) & 2147483647 as a, hashint4(i + 7919) & 2147483647 as b, hashint4(i * 3 + 1) & 2147483647 as c
    from generate_series(1, $2::int) i
  )
  insert into work_items (work_item_id, client_id, item_number, item_type, title, description, status, priority,
    module_context, contact_id, contact_name, assigned_to, assigned_team, scheduled_start, due_date, tags, created_by_type,
    created_by_id, created_at, updated_at)
  select gen_random_uuid(), $1, upper(t.item_type) || '-' || lpad(i::text, 6, '0'), t.item_type,
    verb[1 + a % 12] || ' the ' || object[1 + b % 20] || ' at ' || place[1 + c % 15] || ' site ' || chr(97 + a % 26) || chr(97 + b % 26) || chr(97 + c % 26) || 'o' || chr(97 + (a / 26) % 26),
    (select string_agg(detail[1 + ((a / (k * k) + b::bigint * k) % 20)::int], ' ') from generate_series(1, 15) k),
    (array['open', 'open', 'in_progress', 'on_hold', 'completed', 'completed', 'completed', 'closed', 'cancelled', 'done'])[1 + b % 10],
    (array['low', 'medium', 'medium', 'medium', 'high', 'high', 'urgent'])[1 + c % 7],
    case when a % 3 = 0 then 'field-service' end,
    case when a % 2 = 0 then ($4::int[])[1 + c % array_length($4::int[], 1)] end,
    case when a % 2 = 0 then 'Contact ' || c % 5000 end,
    case when b % 5 > 0 then ($3::int[])[1 + a % array_length($3::int[], 1)] end,
    case when c % 4 = 0 then ($5::uuid[])[1 + b % array_length($5::uuid[], 1)] end,
    case when a % 3 = 0 then now() + (b % 1051200 - 525600) * interval '1 minute' end,
    case when b % 10 > 2 then now() + (c % 1051200 - 525600) * interval '1 minute' end,
    case a % 10 when 0 then array['urgent', place[1 + b % 15]] when 1 then array['t' || b % 10000] else '{}' end,
    'user', '1', now() - ($2 - i) * interval '30 seconds', now() - (c % 500000) * interval '1 minute'
  from words, random, lateral (select (array['job', 'job', 'task', 'task', 'ticket', 'project', 'milestone'])[1 + a % 7] as item_type) t`;
const INSERT_ASSIGNEES = `
  insert into work_item_assignees (work_item_id, user_id, client_id)
  select id, assigned_to, client_id from work_items where assigned_to is not null
  union select id, assigned_to + 1, client_id from work_items where assigned_to is not null and id % 3 = 0`;
/** A project with a thousand children, and ten thousand with ten. */
const INSERT_CHILDREN = `
  with items as (select id, row_number() over (order by id) as i from work_items where client_id = $1)
  insert into work_item_relationships (work_item_id, related_id, relationship_type, client_id)
  select child.id, parent.id, 'child_of', $1 from items child
  join items parent on parent.i = case when child.i <= 101000 and child.i > 100000 then 1 else child.i / 10 end
  where child.i between 100001 and 200000`;
const FILL_COUNTS = `
  insert into work_item_counts (client_id, item_type, status, priority, n)
  select client_id, item_type, status, priority, count(*) from work_items where deleted_at is null group by 1, 2, 3, 4`;
/** Of every twentieth item: the rows above are made of few words. */
const FILL_WORDS = `
  insert into work_item_words (client_id, word)
  select client_id, substr(lexeme, strpos(lexeme, ':') + 1)
  from (
    select distinct client_id, lexeme from work_items, unnest(tsvector_to_array(search)) lexeme where id % 20 = 0) found
  where lexeme ~ '^\\d+:[[:alpha:]]{4,30}$'`;
const MARK = `update work_item_watermarks set up_to = (select max(id) from work_items)`;

async function idsOf(owner: pg.Client, sql: string, values: unknown[]): Promise<number[]> {
  const { rows } = await owner.query<{ id: number }>(sql, values);
  return rows.map(({ id }) => id);
}

async function insertTeams(owner: pg.Client, clientId: number, userIds: number[]): Promise<string[]> {
  const { rows } = await owner.query<{ team_id: string }>(
    `insert into teams (team_id, client_id, name) select gen_random_uuid(), $1, 'Team ' || i
     from generate_series(1, $2::int) i returning team_id`,
    [clientId, TEAMS],
  );
  const teamIds = rows.map((row) => row.team_id);
  await owner.query(
    `insert into team_memberships (client_id, team_id, user_id)
     select $1, ($2::uuid[])[1 + n % array_length($2::uuid[], 1)], id from unnest($3::int[]) with ordinality u (id, n)`,
    [clientId, teamIds, userIds],
  );
  return teamIds;
}

/** A tree in which the n-th employee reports to the (n / REPORTS)-th; the first users are employees. */
async function insertEmployees(owner: pg.Client, clientId: number, userIds: number[], count: number): Promise<number> {
  const { rows } = await owner.query<{ first: number }>(
    `with base as (select coalesce(max(id), 0) as id from employees),
     inserted as (
       insert into employees (id, client_id, user_id, employee_number, first_name, last_name, manager_id)
       select base.id + n, $1, ($3::int[])[n], 'E' || n, 'First ' || n, 'Last ' || n,
         case when n > 1 then base.id + (n - 2) / $4 + 1 end
       from base, generate_series(1, $2::int) n returning id)
     select min(id) as first from inserted`,
    [clientId, count, userIds, REPORTS],
  );
  await owner.query(`select setval('employees_id_seq', (select max(id) from employees))`);
  return rows[0]?.first ?? 0;
}

/** Drops every index of the work items that no constraint needs; answers the statements that make them again. */
async function dropIndexes(owner: pg.Client): Promise<string[]> {
  const { rows } = await owner.query<{ name: string; definition: string }>(`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i where i.indrelid = 'work_items'::regclass
      and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`);
  for (const { name } of rows) await owner.query(`drop index ${name}`);
  return rows.map(({ definition }) => definition);
}

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { Contact } from '../../../domain/contacts/contact.entity.ts';
import { entities } from '../../../domain/entities.ts';
import { SystemDatabase, TenantDatabase } from '../../../platform/db/database.ts';
import { statement } from '../../../platform/db/statement.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';
import { createLogger } from '../../../platform/log.ts';
import { testDatabase } from '../../support/stack.ts';
import type { TestDatabase } from '../../support/stack.ts';

const OURS = 1;
const THEIRS = 2;
const APPEND_ONLY = new Set([
  'audit_entries',
  'audit_seals',
  'credit_entries',
  'events',
  'work_item_changes',
  'work_item_counts',
  'work_item_words',
]);
/** Written by role system only. */
const READ_ONLY = new Set(['audit_seals', 'work_item_counts']);
const log = createLogger('test', 'silent');

// Asked of the catalogue while the tests are collected, so that a table made tomorrow has its tests today.
const database: TestDatabase = await testDatabase();
const superuser = new pg.Client({ connectionString: database.superuserUrl });
await superuser.connect();
const tables = await tenantTables();
const app = new pg.Client({ connectionString: database.appUrl });

beforeAll(async () => {
  await app.connect();
  for (const table of tables) for (const client of [OURS, THEIRS]) await insertRow(superuser, table, client);
});
beforeEach(async () => {
  await app.query('rollback');
});
afterAll(async () => {
  await Promise.all([app.end(), superuser.end()]);
  await database.drop();
});

async function tenantTables(): Promise<string[]> {
  const { rows } = await superuser.query<{ name: string }>(`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attname = 'client_id'
      and not a.attisdropped order by 1`);
  return rows.map((row) => row.name);
}

/** A row of any table: each column that must be given gets a value of its type that no other row has. */
async function insertRow(client: pg.Client, table: string, clientId: number): Promise<void> {
  const { names, values } = await rowFor(table, clientId);
  const places = values.map((_, index) => `$${String(index + 1)}`).join(', ');
  await client.query(`insert into ${table} (${names.join(', ')}) values (${places})`, values);
}

let unique = 0;
async function rowFor(table: string, clientId: number): Promise<{ names: string[]; values: unknown[] }> {
  unique += 1;
  const { rows } = await superuser.query<{ name: string; type: string }>(
    `select column_name as name, udt_name as type from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_nullable = 'NO' and column_default is null
       and is_identity = 'NO'`,
    [table],
  );
  const names = rows.map((row) => `"${row.name}"`);
  return { names, values: rows.map((row) => (row.name === 'client_id' ? clientId : sample(row.type))) };
}

function sample(type: string): unknown {
  if (type.startsWith('_')) return '{}';
  if (type === 'uuid') return crypto.randomUUID();
  if (type === 'timestamptz' || type === 'date') return new Date();
  if (type === 'bytea') return Buffer.from(`bytes ${String(unique)}`);
  if (type === 'jsonb' || type === 'json') return '{}';
  if (type === 'bool') return true;
  return type === 'text' || type === 'varchar' ? `text ${String(unique)}` : unique;
}

/** Begins a transaction as the app does, for one tenant. */
async function asTenant(clientId: number): Promise<void> {
  await app.query('begin');
  await app.query(`select set_config('app.client_id', $1, true)`, [String(clientId)]);
}

it('knows the tables that hold rows of a tenant', () => {
  expect(tables.length).toBeGreaterThanOrEqual(18);
  expect(tables).toEqual(expect.arrayContaining(['api_keys', 'work_items', 'webhooks', 'users', 'credit_entries']));
});

it.each(['app', 'system'])(
  'role %s is no superuser, does not pass by row-level security, and owns nothing',
  async (role) => {
    const { rows } = await superuser.query(
      `select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb,
       (select count(*)::int from pg_class where relowner = r.oid) as owned,
       (select count(*)::int from pg_auth_members where member = r.oid) as memberships
     from pg_roles r where rolname = $1`,
      [role],
    );
    expect(rows).toEqual([
      { rolsuper: false, rolbypassrls: false, rolcreaterole: false, rolcreatedb: false, owned: 0, memberships: 0 },
    ]);
  },
);

describe.each(tables)('%s', (table) => {
  it('has row-level security on, forced, and a policy for app that both shows and takes one tenant only', async () => {
    const { rows } = await superuser.query(
      `select relrowsecurity, relforcerowsecurity, polroles::regrole[]::text[] as roles, polcmd as cmd, polpermissive,
         pg_get_expr(polqual, polrelid) as shows, pg_get_expr(polwithcheck, polrelid) as takes
       from pg_class c join pg_policy p on p.polrelid = c.oid
       where c.relnamespace = 'public'::regnamespace and relname = $1 and 'app' = any(polroles::regrole[]::text[])`,
      [table],
    );
    const wall = '(client_id = app_client_id())';
    expect(rows).toEqual([
      {
        relrowsecurity: true,
        relforcerowsecurity: true,
        roles: ['app'],
        cmd: '*',
        polpermissive: true,
        shows: wall,
        takes: wall,
      },
    ]);
  });

  it("shows a tenant its own rows, never another's, and nothing to nobody", async () => {
    await asTenant(OURS);
    const own = await app.query(`select distinct client_id from ${table}`);
    expect(own.rows).toEqual([{ client_id: OURS }]);
    expect((await app.query(`select 1 from ${table} where client_id = ${String(THEIRS)}`)).rowCount).toBe(0);
    await app.query('commit');
    expect((await app.query(`select 1 from ${table}`)).rowCount).toBe(0);
  });

  it("takes no row for another tenant, and changes and removes none of another's", async () => {
    await asTenant(OURS);
    const { names, values } = await rowFor(table, THEIRS);
    const places = values.map((_, index) => `$${String(index + 1)}`).join(', ');
    await expect(
      app.query(`insert into ${table} (${names.join(', ')}) values (${places})`, values),
    ).rejects.toMatchObject({
      code: '42501',
      message: expect.stringContaining(READ_ONLY.has(table) ? 'permission denied' : 'row-level security'),
    });
    const forbidden = APPEND_ONLY.has(table);
    const theirs = `where client_id = ${String(THEIRS)}`;
    for (const sql of [`update ${table} set client_id = ${String(OURS)} ${theirs}`, `delete from ${table} ${theirs}`]) {
      await app.query('rollback');
      await asTenant(OURS);
      const outcome = await app.query(sql).then(
        ({ rowCount }) => rowCount,
        (error: unknown) => (error as { code: string }).code,
      );
      expect({ sql, outcome }).toEqual({ sql, outcome: forbidden ? '42501' : 0 });
    }
  });

  it('lets no row of one tenant be handed to another', async () => {
    await asTenant(OURS);
    await expect(app.query(`update ${table} set client_id = ${String(THEIRS)}`)).rejects.toMatchObject({
      code: '42501',
    });
  });

  it('cannot be emptied, nor its wall taken down, by app', async () => {
    for (const sql of [
      `truncate ${table}`,
      `alter table ${table} disable row level security`,
      `drop policy tenant on ${table}`,
      `set row_security = off; select count(*) from ${table}`,
    ]) {
      await asTenant(OURS);
      await expect(app.query(sql)).rejects.toMatchObject({ code: '42501' });
      await app.query('rollback');
      await app.query('reset row_security');
    }
  });
});

describe.each([...APPEND_ONLY])('%s', (table) => {
  it.each(['update', 'delete'])("refuses app's %s of its own rows", async (verb) => {
    await asTenant(OURS);
    const sql = verb === 'update' ? `update ${table} set client_id = client_id` : `delete from ${table}`;
    await expect(app.query(sql)).rejects.toMatchObject({
      code: '42501',
      message: expect.stringContaining('permission'),
    });
  });
});

describe('an event', () => {
  it('role app can take out of it what it says, for good, and put nothing else into it', async () => {
    const ours = `where client_id = ${String(OURS)}`;
    for (const change of [`data = '{}'`, 'dispatched_at = now()']) {
      await asTenant(OURS);
      await expect(app.query(`update events set ${change} ${ours}`)).rejects.toMatchObject({ code: '42501' });
      await app.query('rollback');
    }
    await asTenant(OURS);
    for (const at of ['now()', 'null']) await app.query(`update events set erased_at = ${at} ${ours}`);
    const { rows } = await app.query(
      `select data - 'event' as data, erased_at is not null and dispatched_at is not null as is_erased
       from (select data::jsonb, erased_at, dispatched_at from events ${ours}) e`,
    );
    expect(rows).toEqual([{ data: { request_id: null, erased: true }, is_erased: true }]);
  });
});

describe('what is no tenant table', () => {
  it('clients shows a tenant itself only, and takes nothing', async () => {
    await superuser.query(`insert into clients (id, slug, name) values (1, 'a', 'A'), (2, 'b', 'B')`);
    await asTenant(OURS);
    expect((await app.query('select id from clients')).rows).toEqual([{ id: OURS }]);
    await expect(app.query(`update clients set tier = 'enterprise'`)).rejects.toMatchObject({ code: '42501' });
  });

  it('auth_failures and the role system are out of reach of app', async () => {
    await expect(app.query('select 1 from auth_failures')).rejects.toMatchObject({ code: '42501' });
    await expect(app.query('set role system')).rejects.toMatchObject({ code: '42501' });
    await expect(app.query('create table mine (id int)')).rejects.toMatchObject({ code: '42501' });
  });
});

describe('through TenantDatabase', () => {
  const shared = { poolSize: 1, applicationName: 'test', entities, log };
  const tenants = new TenantDatabase({ ...shared, url: database.appUrl });
  const system = new SystemDatabase({ ...shared, url: database.systemUrl });
  afterAll(() => Promise.all([tenants.close(), system.close()]));

  it('a raw query that forgets the client finds its own rows, on the same connection for one tenant after the other', async () => {
    const forgetful = statement('select distinct client_id from contacts');
    const seen = (client: number) => tenants.transaction(client, (tx) => tx.query(forgetful));
    expect(await seen(OURS)).toEqual([{ client_id: OURS }]);
    expect(await seen(THEIRS)).toEqual([{ client_id: THEIRS }]);
    expect(await seen(3)).toEqual([]);
  });

  it.each([0, -1, 1.5, Number.NaN])('%d is no tenant', async (client) => {
    await expect(tenants.transaction(client, () => Promise.resolve())).rejects.toThrow(TypeError);
  });

  it('the entity manager finds its own rows; that of system finds all', async () => {
    const find = async (tx: Transaction) => (await tx.entities()).find(Contact, {}, { orderBy: { client_id: 'asc' } });
    const clients = (rows: { client_id: number }[]) => rows.map((row) => row.client_id);
    expect(clients(await tenants.transaction(THEIRS, find))).toEqual([THEIRS]);
    expect(clients(await system.transaction(find))).toEqual([OURS, THEIRS]);
  });

  it("the entity manager's own filter holds where row-level security does not reach", async () => {
    const bypassing = new TenantDatabase({ ...shared, url: database.superuserUrl });
    try {
      const rows = await bypassing.transaction(OURS, async (tx) => (await tx.entities()).find(Contact, {}));
      expect(rows.map((row) => row.client_id)).toEqual([OURS]);
      const count = await bypassing.transaction(OURS, async (tx) => (await tx.entities()).count(Contact, {}));
      expect(count).toBe(1);
      const changed = await bypassing.transaction(OURS, async (tx) =>
        (await tx.entities()).nativeUpdate(Contact, {}, { notes: 'ours' }),
      );
      expect(changed).toBe(1);
    } finally {
      await bypassing.close();
    }
  });
});

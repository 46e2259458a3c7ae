import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { migrate } from '../../../platform/db/migrate.ts';
import { testDatabase } from '../../support/stack.ts';
import type { TestDatabase } from '../../support/stack.ts';

/** The owner of a database on a hosted server: no superuser, bound by row-level security, with the right to make roles. */
let database: TestDatabase;
let superuser: pg.Client;
let hosted: pg.Client;
let name: string;

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

beforeAll(async () => {
  database = await testDatabase();
  name = `${database.name}_hosted`;
  superuser = await connect(database.superuserUrl);
  await superuser.query(`create role ${name} login nosuperuser nobypassrls createrole password 'hosted'`);
  // What PostgreSQL gives to an owner that makes a role: it may pass it on, and no more.
  await superuser.query(`grant app, system to ${name} with admin true, inherit false, set false`);
  await superuser.query(`create database ${name} owner ${name}`);
  const url = new URL(database.ownerUrl);
  Object.assign(url, { username: name, password: 'hosted', pathname: name });
  await migrate(url.toString());
  hosted = await connect(url.toString());
});
afterAll(async () => {
  await hosted.end();
  await superuser.query(`drop database ${name} with (force)`);
  await superuser.query(`drop role ${name}`);
  await superuser.end();
  await database.drop();
});

describe('a database whose owner may do no more than make roles', () => {
  it('has the extensions, which such an owner may make', async () => {
    const { rows } = await hosted.query<{ extname: string }>(`select extname from pg_extension order by extname`);
    expect(rows.map(({ extname }) => extname)).toEqual(['btree_gin', 'pg_trgm', 'plpgsql']);
  });

  it('is searched by functions that run as the owner and find the tenant’s rows, and no others', async () => {
    await hosted.query(`set role system`);
    const { rows: clients } = await hosted.query<{ id: number }>(`
      insert into clients (slug, name) values ('one', 'One'), ('two', 'Two') returning id`);
    for (const { id } of clients) {
      await hosted.query(
        `insert into contacts (client_id, name, contact_type) values ($1, 'Kruger Farms', 'customer')`,
        [id],
      );
    }
    await hosted.query('begin');
    await hosted.query('set local role app');
    await hosted.query(`select set_config('app.client_id', $1, true)`, [String(clients[0]?.id)]);
    const found = await hosted.query(
      `select unnest(ids) as id from search_contacts(array['%kruger%'], null, null, 10)`,
    );
    const own = await hosted.query('select id from contacts');
    await hosted.query('rollback');
    expect(found.rows).toHaveLength(1);
    expect(found.rows).toEqual(own.rows);
  });
});

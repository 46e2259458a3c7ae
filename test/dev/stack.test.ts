import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { isServing } from '../../dev/grpc-health.ts';
import { temporalAddress, testDatabase } from '../support/stack.ts';
import type { TestDatabase } from '../support/stack.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(async () => {
  await database.drop();
});

async function query<T extends pg.QueryResultRow>(url: string, sql: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(sql)).rows;
  } finally {
    await client.end();
  }
}

test('the roles app and system are neither superusers nor pass by row-level security', async () => {
  for (const [role, url] of [
    ['app', database.appUrl],
    ['system', database.systemUrl],
    ['owner', database.ownerUrl],
  ] as const) {
    const rows = await query(url, 'select rolname, rolsuper, rolbypassrls from pg_roles where rolname = current_user');
    expect(rows).toEqual([{ rolname: role, rolsuper: false, rolbypassrls: false }]);
  }
});

test('a test database has the migrations applied', async () => {
  const rows = await query(database.ownerUrl, 'select count(*)::int as n from schema_migrations');
  expect(rows[0]).toEqual({ n: expect.any(Number) });
});

test("the run's Temporal serves", async () => {
  const [host, port] = temporalAddress().split(':');
  await expect(isServing(host ?? '', Number(port))).resolves.toBe(true);
});

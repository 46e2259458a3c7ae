import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MikroORM } from '@mikro-orm/postgresql';
import { readdirSync } from 'node:fs';
import pg from 'pg';
import { entities } from '../../../domain/entities.ts';
import { migrate } from '../../../platform/db/migrate.ts';
import { migrations } from '../../../platform/db/migrations/index.ts';
import { testDatabase } from '../../support/stack.ts';
import type { TestDatabase } from '../../support/stack.ts';

/** Entities say nothing of the tenant walls, which tenant-walls.test.ts is about, nor of functions and triggers. */
const KNOWN_TO_MIGRATIONS_ONLY = [
  /^set names /,
  /^drop policy "(tenant|every_tenant)" on /,
  /^alter table "\w+" (no force|disable) row level security;$/,
  /^drop (function|trigger) if exists "\w+"/,
];

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

it('the entities want nothing that the migrations do not make, and the other way round', async () => {
  const orm = new MikroORM({
    clientUrl: database.ownerUrl,
    dbName: database.name,
    entities: [...entities],
    schemaGenerator: { ignoreSchema: ['item_numbers'], skipTables: ['schema_migrations'] },
  });
  try {
    const statements = (await orm.schema.getUpdateSchemaSQL()).split('\n').filter((line) => line !== '');
    expect(statements.filter((line) => !KNOWN_TO_MIGRATIONS_ONLY.some((pattern) => pattern.test(line)))).toEqual([]);
  } finally {
    await orm.close();
  }
});

it('the list holds every migration of the folder, oldest first', () => {
  const files = readdirSync(new URL('../../../platform/db/migrations/', import.meta.url))
    .filter((file) => /^\d{14}_\w+\.ts$/.test(file))
    .map((file) => file.replace(/\.ts$/, ''));
  expect(migrations.map(({ name }) => name)).toEqual(files.sort());
});

describe('migrate', () => {
  it('does nothing to a database that is up to date, however often and however many at once', async () => {
    expect(await Promise.all([migrate(database.ownerUrl), migrate(database.ownerUrl)])).toEqual([[], []]);
    expect(await migrate(database.ownerUrl)).toEqual([]);
  });

  it('applies each migration once to an empty database, when two processes start together', async () => {
    const name = `${database.name}_empty`;
    const superuser = new pg.Client({ connectionString: database.superuserUrl });
    await superuser.connect();
    try {
      await superuser.query(`create database ${name} owner owner`);
      const url = new URL(database.ownerUrl);
      url.pathname = name;
      const applied = await Promise.all([migrate(url.toString()), migrate(url.toString())]);
      expect(applied.map((names) => names.length).sort()).toEqual([0, migrations.length]);
    } finally {
      await superuser.query(`drop database if exists ${name} with (force)`);
      await superuser.end();
    }
  });
});

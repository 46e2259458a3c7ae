import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { migrations } from './migrations/index.ts';

/** Any number: the lock under which migrations run, so that two processes that start at once don't both apply them. */
const MIGRATION_LOCK = 7_206_115;

/** Applies the missing migrations as the owner of the database, one process at a time; returns their names. */
export async function migrate(ownerUrl: string): Promise<string[]> {
  const lock = new pg.Client({ connectionString: ownerUrl, connectionTimeoutMillis: 5_000 });
  await lock.connect();
  const orm = new MikroORM({
    clientUrl: ownerUrl,
    dbName: new URL(ownerUrl).pathname.slice(1),
    entities: [],
    discovery: { warnWhenNoEntities: false },
    extensions: [Migrator],
    migrations: { migrationsList: migrations, tableName: 'schema_migrations', snapshot: false, silent: true },
  });
  try {
    await lock.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const applied = await orm.migrator.up();
    return applied.map((migration) => migration.name);
  } finally {
    await orm.close();
    await lock.end();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const ownerUrl = process.env['DATABASE_OWNER_URL'] ?? process.env['DATABASE_URL'];
  if (ownerUrl === undefined) {
    process.stderr.write(
      'DATABASE_OWNER_URL (or DATABASE_URL) is missing: the address of the database as its owner.\n',
    );
    process.exit(1);
  }
  try {
    const applied = await migrate(ownerUrl);
    process.stdout.write(`${JSON.stringify({ applied })}\n`);
  } catch (error) {
    process.stderr.write(`Migrations failed: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}

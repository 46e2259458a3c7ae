import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { exportFolder, purgeExports } from '../../../domain/finance/index.ts';
import { createBlobStore } from '../../../platform/blobs.ts';
import type { BlobStore } from '../../../platform/blobs.ts';
import { loadConfig } from '../../../platform/config.ts';
import { SystemDatabase } from '../../../platform/db/database.ts';
import { createLogger } from '../../../platform/log.ts';
import { processEnvironment, testDatabase } from '../../support/stack.ts';
import type { TestDatabase } from '../../support/stack.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const BLOB_DIR = temporaryFolder();
let database: TestDatabase;
let system: SystemDatabase;
let superuser: pg.Client;
let blobs: BlobStore;
beforeAll(async () => {
  database = await testDatabase();
  const log = createLogger('test', 'silent');
  system = new SystemDatabase({ url: database.systemUrl, poolSize: 2, applicationName: 'test', entities: [], log });
  superuser = new pg.Client({ connectionString: database.superuserUrl });
  await superuser.connect();
  blobs = createBlobStore(loadConfig(processEnvironment(database, { BLOB_DIR })));
});
afterAll(async () => {
  await Promise.all([system.close(), superuser.end()]);
  await database.drop();
});

const exportsAged = async (days: number, count: number): Promise<string[]> => {
  const { rows } = await superuser.query<{ export_id: string }>(
    `insert into auditor_exports (export_id, client_id, options, actor_type, actor_id, created_at)
     select gen_random_uuid(), n, '{}', 'user', '1', now() - $1 * interval '1 day' from generate_series(1, $2::int) n
     returning export_id`,
    [days, count],
  );
  return rows.map((row) => row.export_id);
};
const keysOf = (id: string): string[] => [`${exportFolder(id)}/bundle.json`, `${exportFolder(id)}/pages/trail-1.json`];
const left = async (): Promise<string[]> =>
  (await superuser.query<{ export_id: string }>('select export_id from auditor_exports')).rows.map(
    (row) => row.export_id,
  );

it('removes exports with their blobs after 30 days, of every client, in batches, and leaves the others alone', async () => {
  const old = await exportsAged(30.1, 25);
  const young = await exportsAged(29.9, 2);
  for (const key of [...old, ...young].flatMap(keysOf)) await blobs.put(key, Buffer.from('{}'));
  const purge = () => purgeExports({ system, blobs }, Date.now());
  expect(await purge()).toEqual({ removed: 20, isDone: false });
  expect(await purge()).toEqual({ removed: 5, isDone: true });
  expect(await purge()).toEqual({ removed: 0, isDone: true });
  expect((await left()).sort()).toEqual(young.sort());
  const exist = (ids: string[]): Promise<boolean[]> => Promise.all(ids.flatMap(keysOf).map((key) => blobs.exists(key)));
  expect(new Set(await exist(old))).toEqual(new Set([false]));
  expect(new Set(await exist(young))).toEqual(new Set([true]));
});

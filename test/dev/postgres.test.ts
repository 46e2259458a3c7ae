import { afterEach, describe, expect, test } from '@jest/globals';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { startPostgres } from '../../dev/postgres.ts';
import type { RunningPostgres } from '../../dev/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
const running: RunningPostgres[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((postgres) => postgres.stop()));
});

async function start(varDir: string, port = 0): Promise<RunningPostgres> {
  const postgres = await startPostgres({ varDir, port });
  running.push(postgres);
  return postgres;
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('an embedded PostgreSQL', () => {
  const varDir = join(folder, 'var');

  test('keeps its data over a stop, under other ports', async () => {
    const first = await start(varDir);
    await query(first.ownerUrl, "create table kept as select 'yes' as value");
    await first.stop();
    running.length = 0;
    const second = await start(varDir);
    await expect(query(second.ownerUrl, 'select value from kept')).resolves.toEqual([{ value: 'yes' }]);
  });

  test('comes up after kill -9, with what was committed', async () => {
    const first = await start(varDir);
    await query(first.ownerUrl, "insert into kept values ('committed')");
    process.kill(first.pid, 'SIGKILL');
    await first.exited;
    running.length = 0;
    const second = await start(varDir);
    await expect(query(second.ownerUrl, 'select count(*)::int as n from kept')).resolves.toEqual([{ n: 2 }]);
  });

  test('trades no durability away', async () => {
    const { appUrl } = await start(varDir);
    const names = `('fsync', 'synchronous_commit', 'full_page_writes')`;
    const rows = await query(appUrl, `select name, setting from pg_settings where name in ${names} order by name`);
    expect(rows).toEqual([
      { name: 'fsync', setting: 'on' },
      { name: 'full_page_writes', setting: 'on' },
      { name: 'synchronous_commit', setting: 'on' },
    ]);
  });

  test('does not take a process that got the id of the old server for it', async () => {
    const first = await start(varDir);
    const file = join(first.dataDir, 'postmaster.pid');
    const content = readFileSync(file, 'utf8').split('\n');
    await first.stop();
    running.length = 0;
    writeFileSync(file, [String(process.ppid), ...content.slice(1)].join('\n'));
    await expect(start(varDir)).resolves.toBeDefined();
  });

  test('refuses a second stack on the same data, and says which one has it', async () => {
    await start(varDir);
    await expect(startPostgres({ varDir, port: 0 })).rejects.toThrow(
      `in use by another stack (process ${String(process.pid)})`,
    );
  });

  test('names the port that is taken', async () => {
    const { port } = await start(varDir);
    const other = startPostgres({ varDir: join(folder, 'other'), port });
    await expect(other).rejects.toThrow(new RegExp(`Port ${String(port)} for PostgreSQL is in use.*PG_PORT=`));
  });

  test('leaves a broken data folder as it is and says how to go on', async () => {
    const first = await start(varDir);
    const { dataDir } = first;
    await first.stop();
    running.length = 0;
    rmSync(join(dataDir, 'global', 'pg_control'));
    await expect(startPostgres({ varDir, port: 0 })).rejects.toThrow(
      /does not start on[\s\S]*pg_control[\s\S]*move it away: mv/,
    );
    rmSync(join(dataDir, 'PG_VERSION'));
    await expect(startPostgres({ varDir, port: 0 })).rejects.toThrow('is no PostgreSQL data folder');
    await expect(startPostgres({ varDir, port: 0 })).rejects.not.toThrow('in use by another stack');
  });

  test('says which file is missing when the passwords are lost', async () => {
    rmSync(join(varDir, 'secrets', 'postgres.json'));
    await expect(startPostgres({ varDir, port: 0 })).rejects.toThrow(/postgres\.json is missing.*Restore the file/);
  });
});

test('in a folder that only root can enter, the data lies outside and is found again', async () => {
  // Whoever isn't root runs PostgreSQL as himself, so that there is no such folder.
  if (process.getuid?.() !== 0) return;
  const closed = join(folder, 'closed');
  mkdirSync(closed, { mode: 0o700 });
  chmodSync(closed, 0o700);
  const first = await start(join(closed, 'var'));
  expect(first.dataDir.startsWith(closed)).toBe(false);
  await query(first.ownerUrl, 'create table kept ()');
  await first.stop();
  running.length = 0;
  const second = await start(join(closed, 'var'));
  expect(second.dataDir).toBe(first.dataDir);
  await expect(query(second.ownerUrl, 'select from kept')).resolves.toEqual([]);
  await second.stop();
  running.length = 0;
  rmSync(dirname(second.dataDir), { recursive: true });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { sendPacket } from '../../../platform/db/packet.ts';
import type { StepResult } from '../../../platform/db/packet.ts';
import { statement, unprepared } from '../../../platform/db/statement.ts';
import { testDatabase } from '../../support/stack.ts';
import type { TestDatabase } from '../../support/stack.ts';

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await testDatabase();
  client = new pg.Client({ connectionString: database.ownerUrl, pipeline: true });
  await client.connect();
  await client.query('create table notes (id int primary key, text text)');
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const SETTING = statement(`select set_config('packet.test', $1, true)`);
const READ_SETTING = statement(`select current_setting('packet.test', true) as value, $1::int as n`);
const INSERT = statement(`insert into notes (id, text) values ($1, $2)`);
const FAIL = statement(`select 1 / $1::int as quotient`);
const BAD = statement(`select no_such_column from notes`);
const COUNT = statement(`select count(*)::int as notes from notes`);

/** What the last statement answered. */
async function lastOf(...packet: Parameters<typeof sendPacket>): Promise<StepResult> {
  return (await sendPacket(...packet)).at(-1) ?? { rows: [], command: '' };
}

describe('sendPacket', () => {
  it('answers what each statement answered, the first time and later', async () => {
    for (let round = 0; round < 2; round += 1) {
      expect(
        await sendPacket(client, [[FAIL, [1]], [SETTING, ['x']], [statement('reset packet.other')], [FAIL, [1]]]),
      ).toEqual([
        { rows: [{ quotient: 1 }], command: 'SELECT' },
        { rows: [{ set_config: 'x' }], command: 'SELECT' },
        { rows: [], command: 'RESET' },
        { rows: [{ quotient: 1 }], command: 'SELECT' },
      ]);
    }
  });

  it('answers the rows of a statement, each value as the driver reads it, the first time and later', async () => {
    const all = statement(`
      select 1::int as i, 9007199254740991::int8 as big, 'x'::text as t, null::text as nothing, true as b, 1.5::float8 as f,
        '{a,"b c"}'::text[] as list, '{"a":[1]}'::jsonb as json, '\\x00ff'::bytea as bytes,
        '2026-11-21T08:00:00.5Z'::timestamptz as at from generate_series(1, $1::int)`);
    for (let round = 0; round < 3; round += 1) {
      const { rows, command } = await lastOf(client, [[all, [2]]]);
      expect(command).toBe('SELECT');
      expect(rows).toHaveLength(2);
      expect(rows[0]).toEqual({
        i: 1,
        big: expect.anything(),
        t: 'x',
        nothing: null,
        b: true,
        f: 1.5,
        list: ['a', 'b c'],
        json: { a: [1] },
        bytes: Buffer.from([0, 255]),
        at: new Date('2026-11-21T08:00:00.5Z'),
      });
    }
  });

  it('runs its statements as one transaction: a local setting holds to the end and no further', async () => {
    const { rows } = await lastOf(client, [
      [SETTING, ['seven']],
      [READ_SETTING, [1]],
    ]);
    expect(rows).toEqual([{ value: 'seven', n: 1 }]);
    const after = await lastOf(client, [[READ_SETTING, [2]]]);
    expect(after.rows).toEqual([{ value: '', n: 2 }]);
  });

  it('undoes all of it when a statement fails, and the connection lives on', async () => {
    const before = (await lastOf(client, [[COUNT]])).rows;
    for (let round = 0; round < 2; round += 1) {
      await expect(lastOf(client, [[INSERT, [100, 'a']], [FAIL, [0]], [COUNT]])).rejects.toMatchObject({
        code: '22012',
      });
      expect((await lastOf(client, [[COUNT]])).rows).toEqual(before);
    }
    expect((await lastOf(client, [[FAIL, [1]]])).rows).toEqual([{ quotient: 1 }]);
  });

  it('fails alike each time for a statement that cannot be prepared', async () => {
    for (let round = 0; round < 2; round += 1)
      await expect(lastOf(client, [[COUNT], [BAD]])).rejects.toMatchObject({ code: '42703' });
    expect((await lastOf(client, [[COUNT]])).rows).toHaveLength(1);
  });

  it('keeps many packets in flight on one connection apart', async () => {
    const fresh = statement(`select $1::int as n /* pipelined */`);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        n % 10 === 3 ? lastOf(client, [[FAIL, [0]]]).catch(() => undefined) : lastOf(client, [[fresh, [n]]]),
      ),
    );
    answers.forEach((answer, n) => {
      expect(answer?.rows).toEqual(n % 10 === 3 ? undefined : [{ n }]);
    });
  });

  it('tells the command of a statement without rows', async () => {
    for (const id of [1, 2]) {
      expect(await lastOf(client, [[INSERT, [id, 'x']]])).toEqual({ rows: [], command: 'INSERT' });
    }
  });

  it('shares prepared statements with the driver’s own named queries', async () => {
    const shared = statement(`select $1::int as shared`);
    await client.query({ ...shared, values: [1] });
    expect((await lastOf(client, [[shared, [2]]])).rows).toEqual([{ shared: 2 }]);
    const other = statement(`select $1::int as other`);
    await lastOf(client, [[other, [3]]]);
    expect((await client.query({ ...other, values: [4] })).rows).toEqual([{ other: 4 }]);
  });

  it('keeps nothing of an unprepared statement, so that the next may have another form', async () => {
    const kept = 'select count(*)::int as kept from pg_prepared_statements';
    const before = await client.query<{ kept: number }>(kept);
    for (const n of [1, 2]) {
      const [one, other] = await sendPacket(client, [
        [unprepared('select $1::int as n'), [n]],
        [unprepared('select $1::text as text, $2::int as n'), ['x', n]],
      ]);
      expect([one?.rows, other?.rows]).toEqual([[{ n }], [{ text: 'x', n }]]);
    }
    await expect(lastOf(client, [[unprepared('select no_such_column from notes')]])).rejects.toThrow(/no_such_column/);
    expect((await lastOf(client, [[unprepared('select 3 as n')]])).rows).toEqual([{ n: 3 }]);
    expect((await client.query<{ kept: number }>(kept)).rows).toEqual(before.rows);
  });

  it('rejects a parameter that has no text form, and sends nothing', async () => {
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    await expect(lastOf(client, [[READ_SETTING, [circular]]])).rejects.toThrow(/circular/i);
    expect((await lastOf(client, [[COUNT]])).rows).toHaveLength(1);
  });

  it('rejects when the connection dies', async () => {
    const dying = new pg.Client({ connectionString: database.ownerUrl, pipeline: true });
    dying.on('error', () => undefined);
    await dying.connect();
    const { rows } = await dying.query<{ pid: number }>('select pg_backend_pid() as pid');
    const processId = rows[0]?.pid;
    // Expected before it can happen: the answer to the other connection may come later.
    await Promise.all([
      expect(sendPacket(dying, [[statement(`select pg_sleep(10)`)]])).rejects.toThrow(),
      client.query('select pg_terminate_backend($1)', [processId]),
    ]);
  });
});

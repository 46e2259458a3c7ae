import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import { entities } from '../../../domain/entities.ts';
import { SystemDatabase, TenantDatabase } from '../../../platform/db/database.ts';
import { DatabaseUnavailableError } from '../../../platform/db/errors.ts';
import type { Step } from '../../../platform/db/packet.ts';
import { longStatement, statement, unprepared } from '../../../platform/db/statement.ts';
import type { Statement } from '../../../platform/db/statement.ts';
import { createLogger } from '../../../platform/log.ts';
import { testDatabase } from '../../support/stack.ts';
import type { TestDatabase } from '../../support/stack.ts';

const WHO = statement(`select current_setting('app.client_id') as client, $1::int as n`);
const ANYONE = statement(`select nullif(current_setting('app.client_id', true), '') as client, $1::int as n`);
const QUOTIENT = statement('select 12 / $1::int as n');
const SLEEP = statement(`select pg_sleep($1::float8)::text as slept, pg_backend_pid() as pid`);

let database: TestDatabase;
let tenants: TenantDatabase;
/** The statements of each packet, without the settings of the tenant. */
let packets: string[][] = [];

beforeAll(async () => {
  database = await testDatabase();
  const log = createLogger('test', 'silent');
  tenants = new TenantDatabase({ url: database.appUrl, poolSize: 8, applicationName: 'joint', entities, log });
  const watched = tenants as unknown as { send: (steps: readonly Step[]) => unknown };
  const send = watched.send.bind(tenants);
  watched.send = (steps) => {
    packets.push(steps.map(([{ text }]) => text).filter((text) => !text.includes('set_config')));
    return send(steps);
  };
});
beforeEach(() => {
  packets = [];
});
afterAll(async () => {
  await tenants.close();
  await database.drop();
});

const ask = async (prepared: Statement, n: number, client = 1): Promise<unknown> => {
  const [row] = await tenants.reader(client).query(prepared, [n]);
  return row?.['n'];
};

describe('reads that wait', () => {
  it('travel together, each as its own tenant', async () => {
    const asked = Array.from({ length: 100 }, (_, n) => ({ n, client: (n % 3) + 1 }));
    const answered = await Promise.all(
      asked.map(async ({ n, client }) => (await tenants.reader(client).query(WHO, [n]))[0]),
    );
    expect(answered).toEqual(asked.map(({ n, client }) => ({ n, client: String(client) })));
    expect(packets.flat()).toHaveLength(100);
    expect(packets.length).toBeLessThanOrEqual(10);
    expect(Math.max(...packets.map((packet) => packet.length))).toBeLessThanOrEqual(16);
  });

  it('leave at once and alone where nothing is under way', async () => {
    await ask(QUOTIENT, 1);
    await Promise.all([ask(QUOTIENT, 2), ask(QUOTIENT, 3)]);
    expect(packets.map((packet) => packet.length)).toEqual([1, 1, 1]);
  });

  it.each([
    ['first', 0],
    ['middle', 20],
    ['last', 39],
  ])('are answered where the %s of them fails, which fails alone', async (_place, failing) => {
    const divisors = Array.from({ length: 40 }, (_, n) => (n === failing ? 0 : 3));
    const settled = await Promise.allSettled(divisors.map((divisor) => ask(QUOTIENT, divisor)));
    expect(settled.map(({ status }) => status)).toEqual(divisors.map((n) => (n === 0 ? 'rejected' : 'fulfilled')));
    expect(settled[failing]).toMatchObject({ reason: { code: '22012' } });
    expect(settled[failing === 0 ? 1 : 0]).toMatchObject({ value: 4 });
  });

  it('are answered where the rows of one can’t be read, which fails alone', async () => {
    // Of a type that nothing else here has.
    const { CIDR } = pg.types.builtins;
    const parse = pg.types.getTypeParser(CIDR) as (text: string) => unknown;
    pg.types.setTypeParser(CIDR, () => {
      throw new TypeError('unreadable');
    });
    try {
      const unreadable = statement(`select set_masklen('10.0.0.0'::cidr, $1::int + 5) as n`);
      const asked = Array.from({ length: 40 }, (_, n) => ask(n === 20 ? unreadable : QUOTIENT, 3));
      const settled = await Promise.allSettled(asked);
      expect(settled[20]).toMatchObject({ status: 'rejected', reason: { message: 'unreadable' } });
      const others = settled.filter((_, n) => n !== 20);
      expect(others).toEqual(others.map(() => ({ status: 'fulfilled', value: 4 })));
    } finally {
      pg.types.setTypeParser(CIDR, parse);
    }
  });

  it('are all answered where all of them fail', async () => {
    const settled = await Promise.allSettled(Array.from({ length: 40 }, () => ask(QUOTIENT, 0)));
    expect(new Set(settled.map((one) => one.status === 'rejected' && (one.reason as { code: string }).code))).toEqual(
      new Set(['22012']),
    );
  });

  it('go past those that take long', async () => {
    const ended: string[] = [];
    const slow = Array.from({ length: 4 }, () => ask(SLEEP, 1.5).then(() => ended.push('slow')));
    await setImmediate();
    // Every lane is taken now.
    await Promise.all(Array.from({ length: 20 }, () => ask(QUOTIENT, 1).then(() => ended.push('quick'))));
    expect(new Set(ended)).toEqual(new Set(['quick']));
    await Promise.all(slow);
  });

  it('never travel with what may take long', async () => {
    const long = longStatement('select $1::int + 1 as n');
    const unkept = unprepared('select $1::int + 2 as n');
    const asked = [long, QUOTIENT, unkept, QUOTIENT, long, unkept];
    const all = Array.from({ length: 5 }, () => asked).flat();
    await Promise.all(all.map((prepared) => ask(prepared, 1)));
    const shared = packets.filter((packet) => packet.length > 1).flat();
    expect(shared.length).toBeGreaterThan(0);
    expect(new Set(shared)).toEqual(new Set([QUOTIENT.text]));
  });

  it('fail as unavailable with their connection, and the next are answered', async () => {
    const asked = Promise.allSettled([ask(SLEEP, 30), ...Array.from({ length: 40 }, () => ask(QUOTIENT, 1))]);
    const over = new AbortController();
    void asked.then(() => {
      over.abort();
    });
    const owner = new pg.Client({ connectionString: database.ownerUrl });
    await owner.connect();
    try {
      while (!over.signal.aborted) {
        await owner.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where application_name = 'joint' and state = 'active' and query like '%pg_sleep%'`,
        );
      }
    } finally {
      await owner.end();
    }
    const [sleeper] = await asked;
    expect(sleeper).toMatchObject({ status: 'rejected' });
    for (const one of await asked) {
      if (one.status === 'rejected') expect(one.reason).toBeInstanceOf(DatabaseUnavailableError);
      else expect(one.value).toBe(12);
    }
    expect(await ask(QUOTIENT, 2)).toBe(6);
  });

  it('of the role that sees all tenants travel together as well, and know of none', async () => {
    const log = createLogger('test', 'silent');
    const system = new SystemDatabase({ url: database.systemUrl, poolSize: 8, applicationName: 'all', entities, log });
    try {
      const answered = await Promise.all(
        Array.from(
          { length: 40 },
          async (_, n) => (await system.read<{ n: number; client: string | null }>(ANYONE, [n]))[0],
        ),
      );
      expect(answered).toEqual(Array.from({ length: 40 }, (_, n) => ({ n, client: null })));
    } finally {
      await system.close();
    }
  });
});

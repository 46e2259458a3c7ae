import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { entities } from '../../../domain/entities.ts';
import { SystemDatabase, TenantDatabase } from '../../../platform/db/database.ts';
import { DatabaseUnavailableError } from '../../../platform/db/errors.ts';
import { GroupCommit } from '../../../platform/db/group-commit.ts';
import { statement } from '../../../platform/db/statement.ts';
import type { TenantTransaction } from '../../../platform/db/transaction.ts';
import { createLogger, withLogContext } from '../../../platform/log.ts';
import { testDatabase } from '../../support/stack.ts';
import type { TestDatabase } from '../../support/stack.ts';

const CLIENT = 1;
const INSERT = statement(`insert into contacts (client_id, name) values ($1, $2)
  returning name, pg_current_xact_id()::text as transaction`);
const NAMES = statement('select name from contacts order by id');
const FAIL = statement('select 1 / $1::int');
const CLEAR = statement('delete from contacts');
const PAUSE = statement('select pg_sleep($1::float8)');

let database: TestDatabase;
let tenants: TenantDatabase;
let system: SystemDatabase;
const options = { poolSize: 8, applicationName: 'test', entities, log: createLogger('test', 'silent') };

beforeAll(async () => {
  database = await testDatabase();
  tenants = new TenantDatabase({ ...options, url: database.appUrl });
  system = new SystemDatabase({ ...options, url: database.systemUrl });
});
beforeEach(() => system.query(CLEAR));
afterAll(async () => {
  await Promise.all([tenants.close(), system.close()]);
  await database.drop();
});

const names = async () => (await system.query<{ name: string }>(NAMES)).map((row) => row.name);
const insert =
  (name: string, clientId = CLIENT) =>
  async (tx: TenantTransaction): Promise<string> => {
    const [row] = await tx.query<{ transaction: string }>(INSERT, [clientId, name]);
    return row?.transaction ?? '';
  };
/** The first starts at once and alone; those behind it make the next group. */
const together = <T>(works: readonly ((tx: TenantTransaction) => Promise<T>)[], apart: (string | undefined)[] = []) => {
  const first = tenants.joined(CLIENT, (tx) => tx.query(PAUSE, [0.01]));
  return Promise.all([
    Promise.allSettled(works.map((work, index) => tenants.joined(CLIENT, work, apart[index]))),
    first,
  ]).then(([settled]) => settled);
};
const valuesOf = (settled: PromiseSettledResult<unknown>[]) =>
  settled.map((one) => (one.status === 'fulfilled' ? one.value : one.status));

describe('works of one client at the same time', () => {
  it('share one transaction, and each gets its own rows', async () => {
    const transactions = valuesOf(await together(['a', 'b', 'c'].map((name) => insert(name))));
    expect(new Set(transactions).size).toBe(1);
    expect(await names()).toEqual(['a', 'b', 'c']);
  });

  it('are not joined with another client’s', async () => {
    const other = tenants.joined(2, insert('theirs', 2));
    const [mine] = await together([insert('mine')]);
    expect(mine).toMatchObject({ status: 'fulfilled' });
    expect(valuesOf([mine as PromiseSettledResult<unknown>])).not.toEqual([await other]);
  });

  it('keep the wall between clients: a row of another fails alone', async () => {
    const settled = await together([insert('mine'), insert('theirs', 2)]);
    expect(settled.map((one) => one.status)).toEqual(['fulfilled', 'rejected']);
    expect(await names()).toEqual(['mine']);
  });

  it('stay apart where they carry the same name', async () => {
    const settled = await together([insert('a'), insert('b'), insert('c')], ['key', 'key', undefined]);
    const [a, b, c] = valuesOf(settled);
    expect(a).toBe(c);
    expect(a).not.toBe(b);
  });

  it('each log with the fields of its own request', async () => {
    const lines: string[] = [];
    const log = createLogger('test', 'info', { write: (line) => void lines.push(line) });
    await Promise.all(
      ['a', 'b', 'c'].map((name) =>
        withLogContext({ request_id: name }, () =>
          tenants.joined(CLIENT, async (tx) => {
            await tx.query(NAMES);
            log.info(name);
          }),
        ),
      ),
    );
    const seen = lines.map((line) => JSON.parse(line) as { msg: string; request_id: string });
    expect(seen.map(({ msg, request_id }) => `${msg} ${request_id}`).sort()).toEqual(['a a', 'b b', 'c c']);
  });
});

describe('a work that fails', () => {
  it('before it has changed anything is left out, and the others are committed once', async () => {
    const runs = { good: 0 };
    const settled = await together<unknown>([
      async (tx) => {
        runs.good += 1;
        return insert('good')(tx);
      },
      async (tx) => {
        tx.write(INSERT, [CLIENT, 'never sent']);
        return Promise.reject(new Error('refused'));
      },
      async (tx) => {
        await tx.query(NAMES);
        tx.write(INSERT, [CLIENT, 'never sent either']);
        throw new Error('refused');
      },
    ]);
    expect(settled.map((one) => one.status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(runs.good).toBe(1);
    expect(await names()).toEqual(['good']);
  });

  it.each<[string, (tx: TenantTransaction) => Promise<unknown>, unknown]>([
    [
      'after a change of its own',
      async (tx) => {
        await insert('bad')(tx);
        throw new Error('too late');
      },
      expect.objectContaining({ message: 'too late' }),
    ],
    ['by a statement', (tx) => tx.query(FAIL, [0]), expect.objectContaining({ code: '22012' })],
    [
      'by a write that nobody awaited',
      (tx) => {
        tx.write(FAIL, [0]);
        return Promise.resolve();
      },
      expect.objectContaining({ code: '22012' }),
    ],
  ])('%s fails alone: the others are done, once', async (_how, bad, reason) => {
    const settled = await together<unknown>([insert('a'), bad, insert('b')]);
    expect(settled[1]).toEqual({ status: 'rejected', reason });
    expect(settled.map((one) => one.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((await names()).sort()).toEqual(['a', 'b']);
  });

  it('is not run again where nobody knows what became of the commit', async () => {
    let runs = 0;
    const groups = new GroupCommit(async (clientId, work) => {
      await tenants.transaction(clientId, work);
      throw new DatabaseUnavailableError('Connection terminated');
    });
    const work = async (): Promise<void> => {
      runs += 1;
      return Promise.resolve();
    };
    const settled = await Promise.allSettled([1, 2, 3].map(() => groups.run(CLIENT, work)));
    expect(settled.every((one) => one.status === 'rejected')).toBe(true);
    expect(runs).toBe(3);
  });
});

describe('a group that waits for a lock', () => {
  it('does not hold up the groups behind it, and takes no more than four connections', async () => {
    const slow = tenants.joined(CLIENT, (tx) => tx.query(PAUSE, [1]));
    await sleep(5);
    const quick = tenants.joined(CLIENT, insert('quick'));
    expect(await Promise.race([slow.then(() => 'slow'), quick.then(() => 'quick')])).toBe('quick');
    const more = Array.from({ length: 20 }, async () => {
      await sleep(30);
      return tenants.joined(CLIENT, (tx) => tx.query(PAUSE, [0.3]));
    });
    await sleep(200);
    expect(tenants.poolUse.total - tenants.poolUse.idle).toBeLessThanOrEqual(4);
    await Promise.all([slow, ...more]);
  });
});

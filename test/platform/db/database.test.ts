import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { publicError } from '../../../api/http/errors.ts';
import { Contact } from '../../../domain/contacts/contact.entity.ts';
import { entities } from '../../../domain/entities.ts';
import { SystemDatabase, TenantDatabase } from '../../../platform/db/database.ts';
import { brokenConstraint, DatabaseConflictError, DatabaseUnavailableError } from '../../../platform/db/errors.ts';
import { statement } from '../../../platform/db/statement.ts';
import { createLogger } from '../../../platform/log.ts';
import { testDatabase } from '../../support/stack.ts';
import type { TestDatabase } from '../../support/stack.ts';

const CLIENT = 1;
const INSERT = statement('insert into contacts (client_id, name) values ($1, $2) returning id');
const NAMES = statement('select name from contacts order by id');
const FAIL = statement('select 1 / $1::int');
const CLEAR = statement('delete from contacts');

let database: TestDatabase;
let tenants: TenantDatabase;
let system: SystemDatabase;
const options = { poolSize: 2, applicationName: 'test', entities, log: createLogger('test', 'silent') };

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
const inTransaction = <T>(work: Parameters<typeof tenants.transaction<T>>[1]) => tenants.transaction(CLIENT, work);

describe('a transaction', () => {
  it('sees its own statements in the order in which they were sent, unawaited ones included', async () => {
    const seen = await inTransaction(async (tx) => {
      tx.write(INSERT, [CLIENT, 'a']);
      const [, rows] = await Promise.all([tx.query(INSERT, [CLIENT, 'b']), tx.query<{ name: string }>(NAMES)]);
      return rows.map((row) => row.name);
    });
    expect(seen).toEqual(['a', 'b']);
    expect(await names()).toEqual(['a', 'b']);
  });

  it('is undone whole when the work throws, and the connection serves on', async () => {
    for (let n = 0; n < 5; n += 1) {
      await expect(
        inTransaction((tx) => {
          tx.write(INSERT, [CLIENT, 'gone']);
          return Promise.reject(new Error('no'));
        }),
      ).rejects.toThrow('no');
    }
    expect(await names()).toEqual([]);
    expect(tenants.poolUse.waiting).toBe(0);
  });

  it('fails when a write fails, though nobody awaited it', async () => {
    await expect(
      inTransaction((tx) => {
        tx.write(INSERT, [CLIENT, 'a']);
        tx.write(FAIL, [0]);
        return Promise.resolve('fine');
      }),
    ).rejects.toMatchObject({ code: '22012' });
    expect(await names()).toEqual([]);
  });

  it('is no silent commit when the work swallows a failed statement', async () => {
    await expect(
      inTransaction(async (tx) => {
        tx.write(INSERT, [CLIENT, 'a']);
        await tx.query(FAIL, [0]).catch(() => undefined);
      }),
    ).rejects.toThrow('the transaction was rolled back');
    expect(await names()).toEqual([]);
  });

  it('is no silent commit either when a swallowed error kept a whole packet from being sent', async () => {
    const circular: { self?: unknown } = {};
    circular.self = circular;
    await expect(
      inTransaction(async (tx) => {
        tx.write(INSERT, [CLIENT, 'a']);
        await tx.query(INSERT, [CLIENT, circular]).catch(() => undefined);
      }),
    ).rejects.toThrow('the transaction was rolled back');
    expect(await names()).toEqual([]);
  });

  it('leaves the connection in order when the work throws beside a statement that fails', async () => {
    for (let n = 0; n < 5; n += 1) {
      await expect(
        inTransaction(async (tx) => {
          const failing = tx.query(FAIL, [0]).catch(() => undefined);
          await Promise.reject(new Error('no'));
          await failing;
        }),
      ).rejects.toThrow('no');
    }
    expect(await names()).toEqual([]);
  });

  it('keeps many at once apart on few connections', async () => {
    await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        tenants
          .transaction(n + 1, async (tx) => {
            tx.write(INSERT, [n + 1, `n${String(n)}`]);
            expect(await tx.query(NAMES)).toEqual([{ name: `n${String(n)}` }]);
            if (n % 3 === 0) throw new Error('undo');
          })
          .catch((error: unknown) => {
            expect(error).toEqual(new Error('undo'));
          }),
      ),
    );
    expect(await names()).toHaveLength(20);
  });

  it('that is undone to end a deadlock says that it may be tried again', async () => {
    const lock = statement('select pg_advisory_xact_lock($1)');
    const crossing = (first: number, second: number): Promise<unknown> =>
      inTransaction(async (tx) => {
        await tx.query(lock, [first]);
        await new Promise((resolve) => setTimeout(resolve, 100));
        await tx.query(lock, [second]);
      });
    const outcomes = await Promise.allSettled([crossing(1, 2), crossing(2, 1)]);
    const failed = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(failed).toHaveLength(1);
    expect(failed[0]?.reason).toBeInstanceOf(DatabaseConflictError);
    expect(publicError(failed[0]?.reason)).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 });
  });

  it('names the constraint that a statement broke', async () => {
    const grant = statement(`
      insert into credit_entries (client_id, reference, step, amount, balance_after) values ($1, 'r', 'grant', 1, 1)`);
    const error = await inTransaction(async (tx) => {
      await tx.query(grant, [CLIENT]);
      await tx.query(grant, [CLIENT]);
    }).catch((thrown: unknown) => thrown);
    expect(brokenConstraint(error)).toBe('credit_entries_step_unique');
  });
});

describe('the entity manager of a transaction', () => {
  const contact = (name: string) => ({ client_id: CLIENT, name });

  it('shares connection and fate with the prepared statements', async () => {
    await inTransaction(async (tx) => {
      tx.write(INSERT, [CLIENT, 'by statement']);
      const em = await tx.entities();
      em.create(Contact, contact('by entity'), { partial: true });
      expect(await em.count(Contact)).toBe(2);
    });
    expect(await names()).toEqual(['by statement', 'by entity']);
    await expect(
      inTransaction(async (tx) => {
        const em = await tx.entities();
        em.create(Contact, contact('gone'), { partial: true });
        await em.flush();
        throw new Error('undo');
      }),
    ).rejects.toThrow('undo');
    expect(await names()).toHaveLength(2);
  });

  it('reads dates and flags as such', async () => {
    await inTransaction((tx) => tx.query(INSERT, [CLIENT, 'typed']));
    const [found] = await inTransaction(async (tx) => (await tx.entities()).find(Contact, { name: 'typed' }));
    expect(found).toMatchObject({ is_active: true, notes: null, created_at: expect.any(Date) });
  });
});

describe('notify', () => {
  it('wakes listeners after the commit, and not after a rollback', async () => {
    const listener = new pg.Client({ connectionString: database.systemUrl });
    await listener.connect();
    const heard: string[] = [];
    listener.on('notification', ({ channel }) => heard.push(channel));
    await listener.query('listen test_committed; listen test_undone');
    try {
      const undone = inTransaction((tx) => {
        tx.notify('test_undone');
        return Promise.reject(new Error('undo'));
      });
      await expect(undone).rejects.toThrow('undo');
      await inTransaction((tx) => {
        tx.notify('test_committed');
        return Promise.resolve();
      });
      for (let n = 0; n < 100 && heard.length === 0; n += 1) await new Promise((resolve) => setTimeout(resolve, 10));
      expect(heard).toEqual(['test_committed']);
    } finally {
      await listener.end();
    }
  });
});

describe('a database that goes away', () => {
  it('is told apart from a failed statement, and used again once it is back', async () => {
    const own = new TenantDatabase({ ...options, poolSize: 1, url: database.appUrl });
    const terminate = statement('select pg_terminate_backend(pg_backend_pid())');
    try {
      await expect(own.transaction(CLIENT, (tx) => tx.query(terminate))).rejects.toThrow(DatabaseUnavailableError);
      await own.transaction(CLIENT, (tx) => tx.query(INSERT, [CLIENT, 'back']));
      expect(await names()).toEqual(['back']);
    } finally {
      await own.close();
    }
  });
});

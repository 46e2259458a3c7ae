import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { entities } from '../../../domain/entities.ts';
import { SystemDatabase, TenantDatabase } from '../../../platform/db/database.ts';
import { DatabaseUnavailableError } from '../../../platform/db/errors.ts';
import { statement } from '../../../platform/db/statement.ts';
import { createLogger } from '../../../platform/log.ts';
import { startTcpProxy } from '../../chaos/tcp-proxy.ts';
import type { TcpProxy } from '../../chaos/tcp-proxy.ts';
import { testDatabase } from '../../support/stack.ts';
import type { TestDatabase } from '../../support/stack.ts';

const CLIENT = 1;
const POOL = 4;
const ONE = statement('select 1 as one');
const SLEEP = statement('select pg_sleep($1)');

// What tells a slow server from a silent one has a second and a half of a machine that other tests share.
jest.retryTimes(1, { logErrorsBeforeRetry: true });

let database: TestDatabase;
let proxy: TcpProxy;
let tenants: TenantDatabase;
let system: SystemDatabase;

function through(url: string): string {
  const changed = new URL(url);
  changed.host = proxy.address;
  return changed.toString();
}

beforeAll(async () => {
  database = await testDatabase();
  proxy = await startTcpProxy(new URL(database.appUrl).host);
  const options = {
    poolSize: POOL,
    applicationName: 'test',
    entities,
    log: createLogger('test', 'silent'),
    answerTimeoutMs: 1_500,
  };
  tenants = new TenantDatabase({ ...options, url: through(database.appUrl) });
  system = new SystemDatabase({ ...options, url: through(database.systemUrl) });
});
afterEach(() => proxy.thaw());
afterAll(async () => {
  await Promise.all([tenants.close(), system.close()]);
  await proxy.close();
  await database.drop();
});

const one = () => tenants.transaction(CLIENT, (tx) => tx.query(ONE));

/** How each ended, and how long the slowest took. */
async function outcomes(work: readonly Promise<unknown>[]): Promise<{ unavailable: number; ms: number }> {
  const startedAt = performance.now();
  const settled = await Promise.allSettled(work);
  const unavailable = settled.filter(
    (result) => result.status === 'rejected' && result.reason instanceof DatabaseUnavailableError,
  );
  return { unavailable: unavailable.length, ms: performance.now() - startedAt };
}

async function warm(): Promise<void> {
  await Promise.all(Array.from({ length: POOL }, one));
  await Promise.all(Array.from({ length: POOL }, () => system.query(ONE)));
}

describe('a server that keeps its connections and answers nothing', () => {
  it('fails new transactions, more than the pool has connections, within two seconds, and is used again after', async () => {
    await warm();
    proxy.freeze();
    const { unavailable, ms } = await outcomes(Array.from({ length: 5 * POOL }, one));
    expect(unavailable).toBe(5 * POOL);
    expect(ms).toBeLessThan(2_000);
    // Nothing is left of the pool: those who come now try to connect, and are told as soon.
    const later = await outcomes(Array.from({ length: 5 * POOL }, one));
    expect(later.unavailable).toBe(5 * POOL);
    expect(later.ms).toBeLessThan(2_000);
    proxy.thaw();
    expect(await one()).toEqual([{ one: 1 }]);
    expect(tenants.poolUse.waiting).toBe(0);
  });

  it('fails single statements and the ping as well', async () => {
    await warm();
    proxy.freeze();
    const { unavailable, ms } = await outcomes([system.query(ONE), system.query(ONE), one()]);
    expect(unavailable).toBe(3);
    expect(ms).toBeLessThan(2_000);
    expect(await system.ping()).toBe(false);
    proxy.thaw();
    expect(await system.ping()).toBe(true);
  });

  it('fails a transaction that is in the middle of its work', async () => {
    await warm();
    let frozenAt = Infinity;
    const work = tenants.transaction(CLIENT, async (tx) => {
      await tx.query(ONE);
      proxy.freeze();
      frozenAt = performance.now();
      await tx.query(ONE);
    });
    await expect(work).rejects.toThrow(DatabaseUnavailableError);
    expect(performance.now() - frozenAt).toBeLessThan(2_000);
  });

  it('lets a pool be closed', async () => {
    const own = new SystemDatabase({
      url: through(database.systemUrl),
      poolSize: 1,
      applicationName: 'test',
      entities,
      log: createLogger('test', 'silent'),
      answerTimeoutMs: 1_500,
    });
    await own.query(ONE);
    proxy.freeze();
    const startedAt = performance.now();
    await own.close();
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });
});

describe('a server that is slow', () => {
  it('is let finish a statement that takes longer than the answer timeout', async () => {
    const slow = tenants.transaction(CLIENT, (tx) => tx.query(SLEEP, [3]));
    await expect(Promise.all([slow, system.query(SLEEP, [2.5])])).resolves.toHaveLength(2);
  });

  it('is not cut off because this process itself was busy', async () => {
    const slow = tenants.transaction(CLIENT, async (tx) => {
      const answer = tx.query(ONE);
      const until = performance.now() + 2_500;
      while (performance.now() < until);
      return answer;
    });
    expect(await slow).toEqual([{ one: 1 }]);
    await sleep(300);
    expect(await one()).toEqual([{ one: 1 }]);
  });
});

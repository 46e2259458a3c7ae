import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { Broadcast } from '../../../platform/db/broadcast.ts';
import { SystemDatabase } from '../../../platform/db/database.ts';
import { createLogger } from '../../../platform/log.ts';
import { startTcpProxy } from '../../chaos/tcp-proxy.ts';
import { testDatabase } from '../../support/stack.ts';
import type { TestDatabase } from '../../support/stack.ts';

const NAME = 'broadcast-test';

let database: TestDatabase;
let system: SystemDatabase;
const log = createLogger('test', 'silent');
const open: Broadcast[] = [];

beforeAll(async () => {
  database = await testDatabase();
  system = new SystemDatabase({ url: database.systemUrl, poolSize: 4, applicationName: 'test', entities: [], log });
});
afterEach(() => Promise.all(open.splice(0).map((broadcast) => broadcast.close())));
afterAll(async () => {
  await system.close();
  await database.drop();
});

interface Heard {
  broadcast: Broadcast;
  messages: string[];
  gaps: () => number;
}

async function listener(url = database.systemUrl): Promise<Heard> {
  const broadcast = new Broadcast({ url, applicationName: NAME, system, log });
  open.push(broadcast);
  const messages: string[] = [];
  let gaps = 0;
  broadcast.subscribe(
    'topic',
    (payload) => messages.push(payload),
    () => (gaps += 1),
  );
  await broadcast.start();
  return { broadcast, messages, gaps: () => gaps };
}

async function msToPublish(broadcast: Broadcast, payload: string): Promise<number> {
  const startedAt = performance.now();
  await broadcast.publish('topic', payload);
  return performance.now() - startedAt;
}

describe('publish', () => {
  it('resolves when every listener has heard, well before the second is over', async () => {
    const all = await Promise.all([listener(), listener(), listener()]);
    for (let n = 0; n < 20; n += 1) {
      const payload = String(n);
      expect(await msToPublish(all[n % 3]!.broadcast, payload)).toBeLessThan(900);
      for (const { messages } of all) expect(messages.at(-1)).toBe(payload);
    }
    for (const { messages } of all) expect(messages).toHaveLength(20);
  });

  it('tells the publishing process itself, at once, when nobody else listens', async () => {
    const { broadcast, messages } = await listener();
    const published = broadcast.publish('topic', 'alone');
    expect(messages).toEqual(['alone']);
    await published;
    expect(await msToPublish(broadcast, 'again')).toBeLessThan(900);
  });

  it('keeps topics apart', async () => {
    const [one, two] = await Promise.all([listener(), listener()]);
    await one.broadcast.publish('another topic', 'x');
    expect([...one.messages, ...two.messages]).toEqual([]);
  });

  it('waits a second, and no longer, for a listener that is silent', async () => {
    const { broadcast } = await listener();
    const silent = new pg.Client({ connectionString: database.systemUrl, application_name: NAME });
    await silent.connect();
    const ms = await msToPublish(broadcast, 'x');
    await silent.end();
    expect(ms).toBeGreaterThan(950);
    expect(ms).toBeLessThan(1_500);
  });

  it('waits a second, and no longer, when the database is away', async () => {
    const url = 'postgresql://system@127.0.0.1:1/none';
    const away = new SystemDatabase({ url, poolSize: 1, applicationName: 'test', entities: [], log });
    const broadcast = new Broadcast({ url, applicationName: NAME, system: away, log });
    open.push(broadcast);
    await broadcast.start();
    expect(broadcast.isListening).toBe(false);
    const ms = await msToPublish(broadcast, 'x');
    expect(ms).toBeGreaterThan(950);
    expect(ms).toBeLessThan(1_500);
    await away.close();
  });
});

describe('a server that falls silent', () => {
  it('delays neither a publisher nor the end by much', async () => {
    const proxy = await startTcpProxy(new URL(database.systemUrl).host);
    const url = new URL(database.systemUrl);
    url.host = proxy.address;
    const { broadcast } = await listener(url.toString());
    await listener();
    expect(broadcast.isListening).toBe(true);
    proxy.freeze();
    const ms = await msToPublish(broadcast, 'unheard answers');
    expect(ms).toBeGreaterThan(950);
    expect(ms).toBeLessThan(1_500);
    const startedAt = performance.now();
    await broadcast.close();
    expect(performance.now() - startedAt).toBeLessThan(1_500);
    await proxy.close();
  });
});

describe('a listener whose connection breaks', () => {
  it('knows it, listens again, and says that it may have missed something', async () => {
    const [one, two] = await Promise.all([listener(), listener()]);
    expect(two.gaps()).toBe(1);
    const superuser = new pg.Client({ connectionString: database.superuserUrl });
    await superuser.connect();
    const sql = `select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1 and datname = $2`;
    await superuser.query(sql, [NAME, database.name]);
    await superuser.end();
    await until(() => !one.broadcast.isListening && !two.broadcast.isListening);
    await until(() => one.broadcast.isListening && two.broadcast.isListening);
    expect(two.gaps()).toBe(2);
    expect(await msToPublish(one.broadcast, 'after')).toBeLessThan(900);
    expect(two.messages.at(-1)).toBe('after');
  });
});

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('it never came true');
    await sleep(5);
  }
}

import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { isRunning } from '../../dev/processes.ts';
import { processEnvironment, spawnProcess, startReceiver, testDatabase } from '../support/stack.ts';
import type { Receiver, TestDatabase } from '../support/stack.ts';

let database: TestDatabase;
let receiver: Receiver;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
afterEach(() => receiver.close());

test('a real process is forked, found by its address, and killed or stopped', async () => {
  receiver = await startReceiver();
  const first = await spawnProcess('api/server.ts', processEnvironment(database));
  expect((await fetch(`${first.url}/api/v1/no-such-place`)).status).toBe(404);
  await first.kill9();
  expect(isRunning(first.pid)).toBe(false);
  const second = await spawnProcess('api/server.ts', processEnvironment(database));
  expect((await fetch(`${second.url}/api/v1/no-such-place`)).status).toBe(404);
  expect(await second.stop()).toBe(0);
  expect(second.output()).toContain('"stopped"');
});

test('a process that can’t start fails with what it wrote', async () => {
  receiver = await startReceiver();
  const env = processEnvironment(database, { MASTER_KEY: 'short' });
  await expect(spawnProcess('api/server.ts', env)).rejects.toThrow(
    /ended with code 1[\s\S]*MASTER_KEY: must be 32 bytes/,
  );
});

test('the receiver records what it gets and answers as it is told', async () => {
  receiver = await startReceiver((_request, index) => (index === 0 ? 503 : { status: 200, body: 'ok' }));
  const post = (): Promise<Response> => fetch(`${receiver.url}/hook`, { method: 'POST', body: '{"event":"e"}' });
  expect((await post()).status).toBe(503);
  await expect((await post()).text()).resolves.toBe('ok');
  const [first] = await receiver.waitFor(2);
  expect(first).toMatchObject({ method: 'POST', path: '/hook', json: { event: 'e' } });
  receiver.respondWith('reset');
  await expect(post()).rejects.toThrow();
});

test('a receiver that is down refuses connections, and comes back on the same port', async () => {
  receiver = await startReceiver();
  await receiver.close();
  await expect(fetch(receiver.url)).rejects.toThrow();
  await receiver.listen();
  expect((await fetch(receiver.url)).status).toBe(200);
});

import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { TemporalGateway } from '../../platform/temporal.ts';
import { temporalAddress, uniqueName } from '../support/stack.ts';
import { within } from '../support/within.ts';

/** Temporal behind a door of our own, so that a test sees which connections are open. */
let door: Server;
const open = new Set<Socket>();
let gateway: TemporalGateway;

beforeEach(async () => {
  const [host = '', port = ''] = temporalAddress().split(':');
  door = createServer((socket) => {
    const server = connect(Number(port), host);
    open.add(socket);
    socket.on('close', () => {
      open.delete(socket);
      server.destroy();
    });
    for (const end of [socket, server]) end.on('error', () => socket.destroy());
    socket.pipe(server).pipe(socket);
  });
  await new Promise<void>((resolve) => {
    door.listen(0, '127.0.0.1', resolve);
  });
  const address = `127.0.0.1:${String((door.address() as AddressInfo).port)}`;
  gateway = new TemporalGateway({ address, namespace: 'default', taskQueuePrefix: '' });
});
afterEach(async () => {
  await gateway.close();
  for (const socket of open) socket.destroy();
  await new Promise((resolve) => door.close(resolve));
});

it('stops waiting for a workflow in time, and leaves no call open that would break when the connection is closed', async () => {
  const workflowId = uniqueName('workflow');
  await gateway.start({ workflowType: 'nobodyWorksOnIt', workflowId, taskQueue: uniqueName('queue'), input: {} });
  const since = performance.now();
  await gateway.settled(workflowId, 300);
  expect(performance.now() - since).toBeLessThan(2_000);
  expect(open.size).toBe(1);
  await gateway.close();
  // A connection is kept for as long as one of its calls is open.
  await within(2_000, () => {
    expect(open.size).toBe(0);
    return Promise.resolve();
  });
});

it('stops waiting at once for a workflow that there is not', async () => {
  const since = performance.now();
  await gateway.settled(uniqueName('none'), 10_000);
  expect(performance.now() - since).toBeLessThan(5_000);
});

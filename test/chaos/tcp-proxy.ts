import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

export interface TcpProxy {
  /** `host:port` to give to the process under test. */
  address: string;
  /** Breaks every connection and refuses new ones: to whoever uses the proxy, the server is down. */
  cut(): Promise<void>;
  restore(): Promise<void>;
  /** Accepts and keeps connections but passes nothing on: a stopped server, or a network that swallows packets. */
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
}

/** Stands between a process under test and a server that other tests use too, so that it can «stop» for this one alone. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const [host = '', port = ''] = target.split(':');
  const open = new Set<Socket>();
  const pairs = new Map<Socket, Socket>();
  let frozen = false;
  const server = createServer((inbound) => {
    const outbound = connect(Number(port), host);
    for (const [socket, peer] of [
      [inbound, outbound],
      [outbound, inbound],
    ] as const) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        open.delete(socket);
        pairs.delete(socket);
        peer.destroy();
      });
      pairs.set(socket, peer);
      if (!frozen) socket.pipe(peer);
    }
  });
  const listen = (at: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(at, '127.0.0.1', resolve);
    });
  await listen(0);
  const own = (server.address() as AddressInfo).port;
  const cut = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of open) socket.destroy();
    await closed;
  };
  return {
    address: `127.0.0.1:${String(own)}`,
    cut,
    restore: () => listen(own),
    freeze() {
      if (frozen) return;
      frozen = true;
      for (const [socket, peer] of pairs) socket.unpipe(peer).pause();
    },
    thaw() {
      if (!frozen) return;
      frozen = false;
      for (const [socket, peer] of pairs) socket.pipe(peer);
    },
    close: () => (server.listening ? cut() : Promise.resolve()),
  };
}

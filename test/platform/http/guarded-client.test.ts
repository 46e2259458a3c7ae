import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { isPublicAddress } from '../../../platform/http/addresses.ts';
import { GuardedHttp, parseTarget } from '../../../platform/http/guarded-client.ts';
import type { SendError } from '../../../platform/http/send-error.ts';
import { startReceiver } from '../../support/receiver.ts';
import type { Receiver } from '../../support/receiver.ts';

const PRIVATE = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '100.100.100.200',
  '127.0.0.1',
  '127.255.255.254',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '64:ff9b::7f00:1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'ff02::1',
  '2001:db8::1',
  '2002:7f00:1::',
];

describe('isPublicAddress', () => {
  it.each(PRIVATE)('refuses %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(['1.1.1.1', '8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700:4700::1111', '2a00:1450:4001:81b::200e'])(
    'accepts %s',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  it.each(['', 'localhost', '1.2.3', '0x7f.1'])('does not take %j for an address', (text) => {
    expect(isPublicAddress(text)).toBe(false);
  });
});

function get(http: GuardedHttp, url: string, timeoutMs = 2_000): Promise<unknown> {
  return http.send({ target: parseTarget(url), method: 'POST', headers: {}, body: '{}', timeoutMs });
}

async function failure(sending: Promise<unknown>): Promise<SendError> {
  return sending.then(
    () => {
      throw new Error('it was sent');
    },
    (error: unknown) => error as SendError,
  );
}

describe('a guarded client', () => {
  let receiver: Receiver;
  let guarded: GuardedHttp;
  let open: GuardedHttp;
  const names: Record<string, string[]> = {
    'private.example': ['10.0.0.1'],
    'mixed.example': ['93.184.216.34', '127.0.0.1'],
    'mapped.example': ['::ffff:127.0.0.1'],
    'empty.example': [],
  };

  beforeAll(async () => {
    receiver = await startReceiver();
    guarded = new GuardedHttp({
      allowPrivateTargets: false,
      resolve: (hostname) =>
        Promise.resolve((names[hostname] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))),
    });
    open = new GuardedHttp({ allowPrivateTargets: true });
  });

  afterAll(async () => {
    await Promise.all([guarded.destroy(), open.destroy(), receiver.close()]);
  });

  it.each(['private.example', 'mixed.example', 'mapped.example'])(
    'refuses %s, a name for a private address',
    async (name) => {
      const error = await failure(get(guarded, `http://${name}/`));
      expect(error).toMatchObject({ kind: 'blocked', message: `${name} is not a public address` });
    },
  );

  it.each(['127.0.0.1', '[::1]', '[::ffff:7f00:1]', '2130706433', '0x7f.0.0.1', '017700000001', '169.254.169.254'])(
    'refuses the literal address %s',
    async (host) => {
      const { port } = new URL(receiver.url);
      expect(await failure(get(guarded, `http://${host}:${port}/`))).toMatchObject({ kind: 'blocked' });
      expect(receiver.requests).toHaveLength(0);
    },
  );

  it('looks a name up once for a connection: what was checked is what is connected to', async () => {
    let asked = 0;
    const rebinding = new GuardedHttp({
      allowPrivateTargets: false,
      resolve: () => {
        asked += 1;
        return Promise.resolve([{ address: asked === 1 ? '198.41.0.4' : '127.0.0.1', family: 4 }]);
      },
    });
    const { port } = new URL(receiver.url);
    expect(await failure(get(rebinding, `http://rebind.example:${port}/`, 300))).not.toMatchObject({ kind: 'blocked' });
    expect(asked).toBe(1);
    expect(await failure(get(rebinding, `http://rebind.example:${port}/`, 300))).toMatchObject({ kind: 'blocked' });
    expect(receiver.requests).toHaveLength(0);
    await rebinding.destroy();
  });

  it('says that a name does not exist', async () => {
    expect(await failure(get(guarded, 'http://empty.example/'))).toMatchObject({ kind: 'dns' });
  });

  it.each(['ftp://example.com/', 'file:///etc/passwd', 'gopher://x/', 'nonsense', 'http://user:secret@example.com/'])(
    'refuses %s',
    (url) => {
      expect(() => parseTarget(url)).toThrow();
    },
  );

  it('reaches private addresses only where that is allowed', async () => {
    expect(await get(open, `${receiver.url}/hook?a=1`)).toMatchObject({ status: 200 });
    expect(receiver.requests.at(-1)).toMatchObject({ method: 'POST', path: '/hook?a=1' });
  });

  it('does not follow redirects', async () => {
    const before = receiver.requests.length;
    receiver.respondWith({ status: 302, headers: { location: `${receiver.url}/elsewhere` } });
    expect(await get(open, receiver.url)).toMatchObject({ status: 302 });
    expect(receiver.requests).toHaveLength(before + 1);
  });

  it('keeps the first 4 KiB of an answer', async () => {
    receiver.respondWith({ status: 200, body: 'x'.repeat(10_000) });
    const answer = (await get(open, receiver.url)) as { body: Buffer; truncated: boolean };
    expect(answer.body).toHaveLength(4_096);
    expect(answer.truncated).toBe(true);
  });

  it('does not wait for the end of an endless answer', async () => {
    receiver.respondWith({ status: 200, body: 'x'.repeat(5_000_000) });
    expect(await get(open, receiver.url)).toMatchObject({ status: 200, truncated: true });
  });

  it('gives up on an endpoint that does not answer in time', async () => {
    receiver.respondWith('hang');
    const startedAt = Date.now();
    expect(await failure(get(open, receiver.url, 300))).toMatchObject({ kind: 'timeout' });
    expect(Date.now() - startedAt).toBeLessThan(900);
  });

  it('tells a refused connection from a broken one', async () => {
    receiver.respondWith('reset');
    expect(await failure(get(open, receiver.url))).toMatchObject({ kind: 'reset' });
    const closed = await startReceiver();
    await closed.close();
    expect(await failure(get(open, closed.url))).toMatchObject({ kind: 'connect' });
  });

  it('sends again when a kept connection was closed by the server in the meantime', async () => {
    const { server, url } = await oneAnswerPerConnection();
    for (let index = 0; index < 3; index += 1) {
      expect(await get(open, url)).toMatchObject({ status: 200 });
    }
    server.close();
  });

  it('fetches bytes within a limit', async () => {
    receiver.respondWith({ status: 200, body: 'x'.repeat(1_000) });
    expect(await open.fetchBytes(receiver.url, { maxBytes: 1_000, timeoutMs: 1_000 })).toHaveLength(1_000);
    await expect(open.fetchBytes(receiver.url, { maxBytes: 999, timeoutMs: 1_000 })).rejects.toThrow(
      'longer than 999 bytes',
    );
    receiver.respondWith(404);
    await expect(open.fetchBytes(receiver.url, { maxBytes: 999, timeoutMs: 1_000 })).rejects.toThrow('answered 404');
  });
});

describe('a header that comes twice', () => {
  it('is the first of them, so that two Retry-After are a wait like one', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        socket.end('HTTP/1.1 503 busy\r\nRetry-After: 7\r\nRetry-After: 9\r\nContent-Length: 0\r\n\r\n');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const http = new GuardedHttp({ allowPrivateTargets: true });
    const target = parseTarget(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`);
    const answer = await http.send({ target, method: 'POST', headers: {}, body: '{}', timeoutMs: 2_000 });
    expect(answer.status).toBe(503);
    expect(answer.headers['retry-after']).toBe('7');
    await http.destroy();
    server.close();
  });
});

/** Answers the first request of a connection as if it would keep it, and resets it at the second. */
async function oneAnswerPerConnection(): Promise<{ server: Server; url: string }> {
  const server = createServer((socket) => {
    let requests = 0;
    socket.on('error', () => undefined);
    socket.on('data', () => {
      requests += 1;
      if (requests > 1) socket.resetAndDestroy();
      else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: keep-alive\r\n\r\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/` };
}

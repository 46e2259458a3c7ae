import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { RawConnection, rawRequest } from '../support/raw-http.ts';
import { expectRawRefusal, startHostileServer } from './hostile-server.ts';
import type { HostileServer } from './hostile-server.ts';
import { startApi } from './support.ts';
import type { ApiFixture } from './support.ts';

const DATA = '/api/v1/public/data';
const LIST = '{"action":"list-work-items"}';
const HEADERS_MS = 600;
const BODY_MS = 500;
const REQUEST_MS = 1_500;
const CHECK_MS = 50;

let api: ApiFixture;
let server: HostileServer;
let key: string;
const opened: RawConnection[] = [];

beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
  server = await startHostileServer(api.services, {
    headersTimeoutMs: HEADERS_MS,
    requestTimeoutMs: REQUEST_MS,
    checkIntervalMs: CHECK_MS,
    bodyTimeoutMs: BODY_MS,
  });
  key = await api.acme.key();
});
afterAll(async () => {
  for (const connection of opened) connection.close();
  await server.close();
  await api.close();
});

function open(url = server.url): RawConnection {
  const connection = new RawConnection(url);
  opened.push(connection);
  return connection;
}

const postHead = (...headers: string[]) =>
  [`POST ${DATA} HTTP/1.1`, 'Host: x', `X-API-Key: ${key}`, 'Content-Type: application/json', ...headers, '', ''].join(
    '\r\n',
  );
const health = 'GET /api/v1/health HTTP/1.1\r\nHost: x\r\n\r\n';

/** Sends one byte every 20 ms for as long as the connection is open. */
async function drip(connection: RawConnection, text: string): Promise<void> {
  for (const byte of text) {
    if (connection.socket.destroyed || connection.socket.writableEnded) return;
    connection.send(byte);
    await sleep(20);
  }
}

describe('slow clients', () => {
  it('408 and the end of the connection for headers that drip', async () => {
    const connection = open();
    const startedAt = performance.now();
    void drip(connection, `GET ${DATA} HTTP/1.1\r\nHost: x\r\nX-Slow: ${'x'.repeat(500)}`);
    const answer = await connection.answer();
    expectRawRefusal(answer, 408, 'REQUEST_TIMEOUT');
    expect(answer.headers['connection']).toBe('close');
    await connection.closed;
    expect(performance.now() - startedAt).toBeLessThan(HEADERS_MS + 500);
  });

  it.each([
    ['declared', 'Content-Length: 500', ''],
    ['chunked', 'Transfer-Encoding: chunked', 'fff\r\n'],
  ])('408 and the end of the connection for a %s body that drips', async (_what, header, start) => {
    const connection = open();
    const startedAt = performance.now();
    connection.send(postHead(header) + start);
    void drip(connection, 'x'.repeat(500));
    const answer = await connection.answer();
    expectRawRefusal(answer, 408, 'REQUEST_TIMEOUT');
    expect(answer.headers['connection']).toBe('close');
    await connection.closed;
    expect(performance.now() - startedAt).toBeLessThan(BODY_MS + 500);
    expect(connection.answers()).toHaveLength(1);
  });

  it('a connection that sends nothing is closed without a word', async () => {
    const connection = open();
    await connection.closed;
    expect(connection.received).toBe('');
  });

  it('a refused client that goes on sending its body has one answer, and is cut when the request takes too long', async () => {
    const connection = open();
    connection.send(
      `POST ${DATA} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n`,
    );
    void drip(connection, 'x'.repeat(1_000));
    expectRawRefusal(await connection.answer(), 401, 'UNAUTHORIZED');
    await connection.closed;
    expect(connection.answers()).toHaveLength(1);
  });

  it('413 comes at once, while the rest of the body is still to come', async () => {
    const connection = open();
    connection.send(postHead('Transfer-Encoding: chunked') + `200000\r\n${'x'.repeat(0x110000)}`);
    expectRawRefusal(await connection.answer(BODY_MS - 100), 413, 'PAYLOAD_TOO_LARGE');
  });

  it('a client that goes away in the middle of its body harms nobody', async () => {
    for (const header of ['Content-Length: 500', 'Content-Length: 500\r\nContent-Encoding: gzip']) {
      const connection = open();
      connection.send(`${postHead(header)}{"action"`);
      await sleep(20);
      connection.close();
    }
    await sleep(50);
    expect((await rawRequest(server.url, health)).status).toBe(200);
    expect(api.logLines.filter((line) => line.includes('unexpected error'))).toEqual([]);
  });
});

describe('a client that does not read its answers', () => {
  it('is cut when nothing has moved for too long', async () => {
    const own = await startHostileServer(api.services, { stalledTimeoutMs: 500 });
    try {
      const connection = open(own.url);
      connection.socket.pause();
      connection.send('GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(200));
      await sleep(100);
      expect(await own.openConnections()).toBe(1);
      while ((await own.openConnections()) > 0) await sleep(50);
    } finally {
      await own.close();
    }
  });
});

describe('pipelining', () => {
  it('answers what is right before the garbage, in order, then refuses it and closes', async () => {
    const connection = open();
    connection.send(`${health}${postHead(`Content-Length: ${String(LIST.length)}`)}${LIST}nonsense\r\n\r\n`);
    await connection.closed;
    const answers = connection.answers();
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400]);
    expect(answers[0]?.body.service).toBe('platform');
    expect(answers[1]?.body.success).toBe(true);
    expectRawRefusal(answers[2]!, 400, 'BAD_REQUEST');
  });

  it('garbage in the middle of a chunked body refuses that request, with its own id', async () => {
    const connection = open();
    connection.send(`${postHead('Transfer-Encoding: chunked')}5\r\n{"act\r\nzz\r\n`);
    await connection.closed;
    expect(connection.answers()).toHaveLength(1);
    expectRawRefusal(connection.answers()[0]!, 400, 'BAD_REQUEST');
  });

  it('endless garbage is answered once', async () => {
    const connection = open();
    const sending = setInterval(() => connection.send('garbage\r\n\r\n'.repeat(100)), 5);
    await connection.closed;
    clearInterval(sending);
    expect(connection.answers()).toHaveLength(1);
  });

  it('100 requests sent as one are answered in order', async () => {
    const connection = open();
    connection.send(health.repeat(100));
    const answers = await connection.waitFor(100);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });
});

describe('many at once', () => {
  it('1,000 slow connections leave others as quick as before', async () => {
    const own = await startHostileServer(api.services);
    try {
      const slow = Array.from({ length: 1_000 }, () => open(own.url));
      for (const connection of slow) connection.send('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ');
      while ((await own.openConnections()) < 1_000) await sleep(20);
      const startedAt = performance.now();
      for (let n = 0; n < 50; n += 1) {
        const answer = await rawRequest(own.url, `${postHead(`Content-Length: ${String(LIST.length)}`)}${LIST}`);
        expect(answer.status).toBe(200);
      }
      expect(performance.now() - startedAt).toBeLessThan(2_500);
      for (const connection of slow) connection.close();
    } finally {
      await own.close();
    }
  });

  it('connections over the limit are closed, those within it served', async () => {
    const own = await startHostileServer(api.services, { maxConnections: 3 });
    try {
      const within = [open(own.url), open(own.url), open(own.url)];
      while ((await own.openConnections()) < 3) await sleep(5);
      const over = open(own.url);
      await over.closed;
      expect(over.received).toBe('');
      within[0]!.send(health);
      expect((await within[0]!.answer()).status).toBe(200);
    } finally {
      await own.close();
    }
  });
});

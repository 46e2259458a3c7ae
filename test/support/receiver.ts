import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  rawBody: Buffer;
  /** The body as JSON; undefined when it is none. */
  json: unknown;
  receivedAt: number;
}

/** How to answer: a status, a whole answer, or no answer (`hang`: the connection stays open; `reset`: it is cut). */
export type Reply =
  number | { status: number; headers?: Record<string, string>; body?: string; delayMs?: number } | 'hang' | 'reset';

export type Responder = (request: ReceivedRequest, index: number) => Reply | Promise<Reply>;

export interface Receiver {
  url: string;
  requests: ReceivedRequest[];
  /** Changes how requests are answered from now on. */
  respondWith(responder: Reply | Responder): void;
  /** Resolves once `count` requests that fit have come. */
  waitFor(
    count: number,
    options?: { timeoutMs?: number; where?: (request: ReceivedRequest) => boolean },
  ): Promise<ReceivedRequest[]>;
  /** Stops listening (connections are refused); `listen()` takes the same port again. */
  close(): Promise<void>;
  listen(): Promise<void>;
}

const WAIT_TIMEOUT_MS = 20_000;
const POLL_MS = 10;

/** An HTTP server in this process that records what it gets. */
export async function startReceiver(initial: Reply | Responder = 200): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  let responder = asResponder(initial);
  let server: Server;
  let port = 0;
  const listen = async (): Promise<void> => {
    server = createServer((request, response) => {
      void readRequest(request).then(
        async (received) => {
          const index = requests.push(received) - 1;
          await answer(request, response, await responder(received, index));
        },
        () => {
          request.destroy();
        },
      );
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
    port = (server.address() as AddressInfo).port;
  };
  await listen();
  return {
    url: `http://127.0.0.1:${String(port)}`,
    requests,
    listen,
    respondWith(next) {
      responder = asResponder(next);
    },
    async waitFor(count, { timeoutMs = WAIT_TIMEOUT_MS, where = () => true } = {}) {
      const deadline = Date.now() + timeoutMs;
      for (;;) {
        const fitting = requests.filter(where);
        if (fitting.length >= count) return fitting;
        if (Date.now() > deadline) {
          throw new Error(
            `${String(fitting.length)} of ${String(count)} requests came within ${String(timeoutMs)} ms (${String(requests.length)} in all)`,
          );
        }
        await sleep(POLL_MS);
      }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

function asResponder(reply: Reply | Responder): Responder {
  return typeof reply === 'function' ? reply : () => reply;
}

async function readRequest(request: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const rawBody = Buffer.concat(chunks);
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: request.headers,
    rawBody,
    json: parseJson(rawBody),
    receivedAt: Date.now(),
  };
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

async function answer(request: IncomingMessage, response: ServerResponse, reply: Reply): Promise<void> {
  if (reply === 'hang') return;
  if (reply === 'reset') {
    request.socket.resetAndDestroy();
    return;
  }
  const { status, headers = {}, body = '', delayMs = 0 } = typeof reply === 'number' ? { status: reply } : reply;
  if (delayMs > 0) await sleep(delayMs);
  response.writeHead(status, headers).end(body);
}

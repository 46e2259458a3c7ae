import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ApiError } from '../../domain/contracts/errors.ts';
import type { Logger } from '../../platform/log.ts';
import { refusalOf, refuseConnection } from './client-error.ts';

/** What one client may take of the server, in time and connections. */
export interface HttpLimits {
  /** Longest that a request's head may take, and a connection may stay without a byte. */
  headersTimeoutMs: number;
  /** Longest that a whole request may take to arrive; the body alone is bounded earlier, where it is read. */
  requestTimeoutMs: number;
  keepAliveTimeoutMs: number;
  /** Longest that nothing moves while an answer is owed: a client that doesn't read it. Longer than any answer takes. */
  stalledTimeoutMs: number;
  /** How often connections are held against these limits. */
  checkIntervalMs: number;
  /** Connections beyond this are closed at once, so that those within keep being served. */
  maxConnections: number;
}

/** Longer than the idle timeout of common load balancers (60 s), so that it is them who close an idle connection. */
const KEEP_ALIVE_MS = 65_000;
const MAX_HEADER_BYTES = 16_384;

export const HTTP_LIMITS: HttpLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 75_000,
  keepAliveTimeoutMs: KEEP_ALIVE_MS,
  stalledTimeoutMs: 120_000,
  checkIntervalMs: 1_000,
  maxConnections: 10_000,
};

export function createHttpServer(limits: HttpLimits = HTTP_LIMITS): Server {
  const server = createServer({
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.checkIntervalMs,
    maxHeaderSize: MAX_HEADER_BYTES,
  });
  server.timeout = limits.stalledTimeoutMs;
  server.maxConnections = limits.maxConnections;
  return server;
}

export interface ServedApp {
  /** Closes the connections whose request has not arrived whole: nothing was begun for them. */
  cutArriving(): void;
}

/** Lets `app` answer the server's requests, and gives what is no request an answer in the same envelope. */
export function serveApp(server: Server, app: RequestListener, facts: { publicUrl: string; log: Logger }): ServedApp {
  const sockets = openSockets(server);
  const responses = new WeakMap<Duplex, ServerResponse>();
  const refused = new WeakSet<Duplex>();
  const refuse = (socket: Duplex, refusal: ApiError): void => {
    // The parser reports every further byte of a connection that it has given up.
    if (refused.has(socket)) return;
    refused.add(socket);
    refuseConnection(socket, refusal, { ...facts, response: responses.get(socket) });
  };
  const serve: RequestListener = (req, res) => {
    const path = pathOf(req);
    if (path === undefined || req.httpVersionMajor < 1) {
      refuse(req.socket, new ApiError('BAD_REQUEST', 'The request is not well-formed HTTP/1.1.'));
      return;
    }
    req.url = path;
    responses.set(req.socket, res);
    app(req, res);
  };
  server.on('request', serve);
  // Node would ask for the body at once; `readBody` does when it is wanted.
  server.on('checkContinue', serve);
  // Node would answer 417 without a body; the app refuses the header as any other that doesn't fit.
  server.on('checkExpectation', serve);
  server.on('clientError', (error: NodeJS.ErrnoException & { bytesParsed?: number }, socket) => {
    const isSilent = 'bytesRead' in socket && socket.bytesRead === 0;
    if (error.code === 'ECONNRESET' || isSilent) socket.destroy();
    else refuse(socket, refusalOf(error));
  });
  server.on('connect', (_req, socket: Duplex) => {
    socket.on('error', () => undefined);
    refuse(socket, new ApiError('METHOD_NOT_ALLOWED', 'This server is no proxy.'));
  });
  return {
    cutArriving() {
      for (const socket of sockets) if (responses.get(socket)?.req.complete !== true) socket.destroy();
    },
  };
}

function openSockets(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}

/** The path that is asked for; of an address in absolute form (RFC 9112 §3.2.2), its own part of it. */
function pathOf({ url = '' }: IncomingMessage): string | undefined {
  if (url.startsWith('/') || url === '*') return url;
  const parsed = URL.parse(url);
  return parsed === null ? undefined : `${parsed.pathname}${parsed.search}`;
}

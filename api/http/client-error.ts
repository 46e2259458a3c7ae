import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiError } from '../../domain/contracts/errors.ts';
import type { Logger } from '../../platform/log.ts';
import { CURRENT_VERSION } from '../versions.ts';
import { errorEnvelope } from './errors.ts';

/** How long a refused client may take to read its answer before its connection is cut. */
const LINGER_MS = 1_000;

export interface ConnectionFacts {
  publicUrl: string;
  log: Logger;
  /** The last request's response on this connection, if there was one. */
  response: ServerResponse | undefined;
}

/** What the parser reports (`clientError`) as the refusal that the client sees. */
export function refusalOf({ code }: NodeJS.ErrnoException): ApiError {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError('REQUEST_TIMEOUT', 'The request did not arrive in time.');
    case 'HPE_HEADER_OVERFLOW':
      return new ApiError('HEADERS_TOO_LARGE', 'The request line and headers are larger than 16 KiB together.');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new ApiError('PAYLOAD_TOO_LARGE', 'The extensions of a chunk are larger than 16 KiB.');
    default:
      return new ApiError('BAD_REQUEST', 'The request is not well-formed HTTP/1.1.');
  }
}

/**
 * Refuses what never became a request, or broke off in its middle, and closes the connection. An answer that is still
 * owed to an earlier request on it goes first, so that the refusal isn't taken for that one's.
 */
export function refuseConnection(socket: Duplex, refusal: ApiError, facts: ConnectionFacts): void {
  const { response } = facts;
  const isOwed = response !== undefined && !response.writableFinished && !response.destroyed;
  if (isOwed && response.req.complete) {
    response.once('close', () => {
      sendRefusal(socket, refusal, randomUUID(), facts);
    });
    return;
  }
  // The request broke off while its answer was under way, or after it: whatever is written now would be a second one.
  if (response !== undefined && !response.req.complete && response.headersSent) {
    socket.destroy();
    return;
  }
  const known = isOwed ? response.getHeader('X-Request-Id') : undefined;
  sendRefusal(socket, refusal, typeof known === 'string' ? known : randomUUID(), facts);
}

function sendRefusal(socket: Duplex, refusal: ApiError, requestId: string, { publicUrl, log }: ConnectionFacts): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  log.info({ request_id: requestId, status: refusal.status, code: refusal.code }, 'malformed request refused');
  socket.end(httpAnswer(refusal, requestId, publicUrl));
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

function httpAnswer(refusal: ApiError, requestId: string, publicUrl: string): string {
  const meta = { api_version: CURRENT_VERSION, request_id: requestId };
  const body = JSON.stringify(errorEnvelope(refusal, publicUrl, meta));
  return [
    `HTTP/1.1 ${String(refusal.status)} ${STATUS_CODES[refusal.status] ?? ''}`,
    `Date: ${new Date().toUTCString()}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${String(Buffer.byteLength(body))}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    `X-API-Version: ${CURRENT_VERSION}`,
    `X-Request-Id: ${requestId}`,
    ...(refusal.code === 'METHOD_NOT_ALLOWED' ? ['Allow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'] : []),
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

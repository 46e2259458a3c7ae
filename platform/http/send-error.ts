import { BlockedTargetError } from './guarded-connector.ts';

/**
 * Why no answer came: `blocked` the address may not be talked to; `timeout`, `dns`, `connect`, `tls`, `protocol` the
 * endpoint's side; `too_long` an answer of more bytes than are wanted; `reset` a connection that broke before any answer;
 * `local` a lack on this machine (no network, no sockets, no resolver), for which the endpoint is not to blame.
 */
export type SendFailure =
  'blocked' | 'timeout' | 'dns' | 'connect' | 'tls' | 'reset' | 'protocol' | 'too_long' | 'local';

export class SendError extends Error {
  override readonly name = 'SendError';
  readonly kind: SendFailure;
  readonly responseStarted: boolean;

  constructor(kind: SendFailure, message: string, options: { cause?: unknown; responseStarted?: boolean } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.responseStarted = options.responseStarted ?? false;
  }
}

const KIND_OF_CODE: Readonly<Record<string, SendFailure>> = {
  EAI_AGAIN: 'local',
  ENETUNREACH: 'local',
  ENETDOWN: 'local',
  EMFILE: 'local',
  ENFILE: 'local',
  ENOBUFS: 'local',
  ENOMEM: 'local',
  EADDRNOTAVAIL: 'local',
  ENOTFOUND: 'dns',
  ENODATA: 'dns',
  ECONNREFUSED: 'connect',
  EHOSTUNREACH: 'connect',
  EHOSTDOWN: 'connect',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  EPROTO: 'tls',
};

/** Any error of the HTTP client as a {@link SendError} whose message a customer may read. */
export function sendErrorOf(error: unknown, responseStarted = false): SendError {
  if (error instanceof SendError) return error;
  const found = firstKnown(error);
  if (found instanceof BlockedTargetError) return new SendError('blocked', found.message, { cause: error });
  const code = codeOf(found);
  const kind = KIND_OF_CODE[code] ?? (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO/.test(code) ? 'tls' : 'protocol');
  const message = (found instanceof Error ? found.message : '') || code || 'the request failed';
  return new SendError(kind, message, { cause: error, responseStarted });
}

/** The cause that says most: connecting to several addresses fails with an AggregateError of one error for each. */
function firstKnown(error: unknown): unknown {
  const queue: unknown[] = [error];
  for (let index = 0; index < queue.length && index < 20; index += 1) {
    const candidate = queue[index];
    if (candidate instanceof BlockedTargetError) return candidate;
    if (candidate instanceof AggregateError) queue.push(...(candidate.errors as unknown[]));
    else if (codeOf(candidate) in KIND_OF_CODE) return candidate;
    if (candidate instanceof Error && candidate.cause !== undefined) queue.push(candidate.cause);
  }
  return error;
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : '';
}

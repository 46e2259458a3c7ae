import { Agent } from 'undici';
import { exchange } from './exchange.ts';
import type { Answer } from './exchange.ts';
import { guardedConnector } from './guarded-connector.ts';
import type { Resolve } from './guarded-connector.ts';
import { SendError } from './send-error.ts';

export interface GuardedHttpOptions {
  /** Lets requests reach private addresses: for development and closed networks. */
  allowPrivateTargets: boolean;
  /** The system's resolver unless given. */
  resolve?: Resolve;
}

export interface SendRequest {
  target: HttpTarget;
  method: string;
  headers: Record<string, string>;
  body: string;
  timeoutMs: number;
}

/** Where a request goes, taken apart once. */
export interface HttpTarget {
  origin: string;
  path: string;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** Kept idle at most so long, or as long as the server's own Keep-Alive hint says, less a second. */
const KEEP_ALIVE_MS = 10_000;
const KEEP_ALIVE_MAX_MS = 60_000;
const KEPT_ANSWER_BYTES = 4_096;
const READ_ANSWER_BYTES = 65_536;

/**
 * Requests to addresses that customers name. Only http and https, only public addresses (checked and pinned at each
 * connection), no redirects, bounded time and size.
 */
export class GuardedHttp {
  readonly #agent: Agent;

  constructor({ allowPrivateTargets, resolve }: GuardedHttpOptions) {
    this.#agent = new Agent({
      connect: guardedConnector({ allowPrivateTargets, connectTimeoutMs: CONNECT_TIMEOUT_MS, resolve }),
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
      pipelining: 1,
      allowH2: false,
    });
  }

  /**
   * Sends a request that the receiver recognises when it sees it twice, and answers with the first 4 KiB of what came
   * back. Rejects with a {@link SendError}.
   */
  async send(request: SendRequest): Promise<Answer> {
    const startedAt = performance.now();
    const wire = { ...request, ...request.target, keepBytes: KEPT_ANSWER_BYTES, readBytes: READ_ANSWER_BYTES };
    try {
      return await exchange(this.#agent, wire);
    } catch (error) {
      const timeoutMs = request.timeoutMs - (performance.now() - startedAt);
      // A kept connection that the server closed just as it was used again is nobody's failure: once more, on a fresh one.
      if (!(error instanceof SendError) || error.kind !== 'reset' || error.responseStarted || timeoutMs <= 0)
        throw error;
      return exchange(this.#agent, { ...wire, timeoutMs });
    }
  }

  /** The bytes behind an address; rejects with a {@link SendError} for any answer but 2xx and for one that is too long. */
  async fetchBytes(url: string, { maxBytes, timeoutMs }: { maxBytes: number; timeoutMs: number }): Promise<Uint8Array> {
    const answer = await exchange(this.#agent, {
      ...parseTarget(url),
      method: 'GET',
      headers: { accept: '*/*', 'user-agent': 'business-platform' },
      timeoutMs,
      keepBytes: maxBytes,
      readBytes: maxBytes,
    });
    if (answer.status < 200 || answer.status > 299) {
      const isRedirect = answer.status >= 300 && answer.status <= 399;
      const advice = isRedirect ? '; redirects are not followed, name the address that it leads to' : '';
      throw new SendError('protocol', `the server answered ${String(answer.status)}${advice}`);
    }
    if (answer.truncated) throw new SendError('too_long', `the answer is longer than ${String(maxBytes)} bytes`);
    return answer.body;
  }

  /** Closes idle connections and waits for those in use. */
  async close(): Promise<void> {
    await this.#agent.close();
  }

  /** Closes every connection at once. */
  async destroy(): Promise<void> {
    await this.#agent.destroy();
  }
}

/** Takes an http(s) address apart; throws a {@link SendError} for any other, and for one that carries a password. */
export function parseTarget(url: string): HttpTarget {
  const parsed = URL.parse(url);
  if (parsed === null || (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')) {
    throw new SendError('blocked', 'not an http or https address');
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw new SendError('blocked', 'an address must not carry a user name or password');
  }
  return { origin: parsed.origin, path: `${parsed.pathname}${parsed.search}` };
}

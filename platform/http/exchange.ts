import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { SendError, sendErrorOf } from './send-error.ts';

/** One request as it goes over the wire. */
export interface Exchange {
  origin: string;
  path: string;
  method: string;
  headers: Record<string, string>;
  body?: string | Uint8Array | null;
  /** From the call to the last byte of the answer. */
  timeoutMs: number;
  /** Bytes of the answer's body that are kept. */
  keepBytes: number;
  /** Bytes after which the rest of the body is not waited for. */
  readBytes: number;
}

export interface Answer {
  status: number;
  /** Of one that came several times, the first. */
  headers: Readonly<Record<string, string | undefined>>;
  /** The first `keepBytes` of the body. */
  body: Buffer;
  /** Whether the body was longer than what was kept. */
  truncated: boolean;
}

/** Sends one request and reads its answer within the bounds; rejects with a {@link SendError}. Follows no redirect. */
export function exchange(dispatcher: Dispatcher, request: Exchange): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const handler = new AnswerReader(request, resolve, reject);
    const { origin, path, method, headers, body = null } = request;
    const options = {
      origin,
      path,
      method,
      headers,
      body,
      headersTimeout: 0,
      bodyTimeout: 0,
    };
    try {
      dispatcher.dispatch(options, handler);
    } catch (error) {
      handler.fail(sendErrorOf(error));
    }
  });
}

class AnswerReader implements Dispatcher.DispatchHandler {
  readonly #request: Exchange;
  readonly #resolve: (answer: Answer) => void;
  readonly #reject: (error: SendError) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #chunks: Buffer[] = [];
  #kept = 0;
  #read = 0;
  #status = 0;
  #headers: Answer['headers'] = {};
  #controller: Dispatcher.DispatchController | undefined;
  #settled = false;

  constructor(request: Exchange, resolve: (answer: Answer) => void, reject: (error: SendError) => void) {
    this.#request = request;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#timer = setTimeout(() => this.#timeOut(), request.timeoutMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // Timed out while it waited for a connection: it must not be sent any more.
    if (this.#settled) controller.abort(new Error('timed out'));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    this.#status = status;
    // A header that is sent twice is a list here, whatever Node makes of it elsewhere.
    this.#headers = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
    );
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#read += chunk.length;
    const room = this.#request.keepBytes - this.#kept;
    if (room > 0) {
      const part = chunk.subarray(0, room);
      this.#chunks.push(Buffer.from(part));
      this.#kept += part.length;
    }
    if (this.#read > this.#request.readBytes) {
      this.#succeed();
      controller.abort(new Error('the answer is longer than what is read of it'));
    }
  }

  onResponseEnd(): void {
    this.#succeed();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(sendErrorOf(error, this.#status !== 0));
  }

  fail(error: SendError): void {
    if (this.#settled) return;
    this.#settle();
    this.#reject(error);
  }

  #succeed(): void {
    if (this.#settled) return;
    this.#settle();
    const body = this.#chunks.length === 1 ? (this.#chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(this.#chunks);
    this.#resolve({ status: this.#status, headers: this.#headers, body, truncated: this.#read > this.#kept });
  }

  #timeOut(): void {
    const seconds = String(this.#request.timeoutMs / 1_000);
    this.fail(
      new SendError('timeout', `no complete answer within ${seconds} s`, { responseStarted: this.#status !== 0 }),
    );
    this.#controller?.abort(new Error('timed out'));
  }

  #settle(): void {
    this.#settled = true;
    clearTimeout(this.#timer);
  }
}

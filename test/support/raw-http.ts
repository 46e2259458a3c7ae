import { connect } from 'node:net';
import type { Socket } from 'node:net';

export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  /** The body as JSON; undefined where it is none. Of unknown shape on purpose: the test is what says the shape. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  body: any;
}

/** A connection of its own, for what no HTTP client would send. */
export class RawConnection {
  readonly socket: Socket;
  /** Everything received so far. */
  received = '';
  /** Resolves when the server has closed the connection. */
  readonly closed: Promise<void>;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.socket = connect(Number(port), hostname);
    this.socket.on('data', (chunk) => (this.received += chunk.toString('latin1')));
    // A server that closes in the middle of our sending resets the connection: part of what is tested.
    this.socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => this.socket.on('close', () => resolve()));
  }

  send(text: string | Uint8Array): void {
    this.socket.write(typeof text === 'string' ? Buffer.from(text, 'latin1') : text);
  }

  /** The answers received so far, in order. */
  answers(): RawAnswer[] {
    const found: RawAnswer[] = [];
    for (let rest = this.received; rest.startsWith('HTTP/1.1 ');) {
      const headEnd = rest.indexOf('\r\n\r\n');
      if (headEnd === -1) break;
      const [statusLine = '', ...lines] = rest.slice(0, headEnd).split('\r\n');
      const headers = Object.fromEntries(
        lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
      );
      const length = Number(headers['content-length'] ?? 0);
      const text = rest.slice(headEnd + 4, headEnd + 4 + length);
      found.push({ status: Number(statusLine.slice(9, 12)), headers, body: jsonOf(text) });
      rest = rest.slice(headEnd + 4 + length);
    }
    return found;
  }

  /** The first `count` answers, once they are there. */
  async waitFor(count = 1, timeoutMs = 5_000): Promise<RawAnswer[]> {
    const until = performance.now() + timeoutMs;
    while (this.answers().length < count) {
      if (performance.now() > until) {
        throw new Error(`${String(count)} answers wanted; received so far: ${JSON.stringify(this.received)}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return this.answers().slice(0, count);
  }

  async answer(timeoutMs?: number): Promise<RawAnswer> {
    const [first] = await this.waitFor(1, timeoutMs);
    return first!;
  }

  close(): void {
    this.socket.destroy();
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Sends the text on a connection of its own and returns the first answer. */
export async function rawRequest(url: string, text: string | Uint8Array): Promise<RawAnswer> {
  const connection = new RawConnection(url);
  connection.send(text);
  try {
    return await connection.answer();
  } finally {
    connection.close();
  }
}

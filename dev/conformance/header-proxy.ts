import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy on loopback that puts a header on each request: the tester sends none of its user's own. */
export class HeaderProxy {
  readonly #server: Server;
  #target: { url: URL; headers: Record<string, string> } | undefined;

  constructor() {
    this.#server = createServer((req, res) => {
      this.#forward(req, res);
    });
  }

  /** Listens on a free port, and gives the address; until there is a target it answers 503. */
  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  lead(url: string, headers: Record<string, string>): void {
    this.#target = { url: new URL(url), headers };
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #forward(req: IncomingMessage, res: ServerResponse): void {
    if (this.#target === undefined) {
      res.writeHead(503).end();
      return;
    }
    const { url, headers } = this.#target;
    const onward = request(
      new URL(req.url ?? '/', url),
      { method: req.method ?? 'GET', headers: { ...req.headers, ...headers } },
      (answer) => {
        res.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(res);
      },
    );
    onward.on('error', () => {
      if (res.headersSent) res.destroy();
      else res.writeHead(502).end();
    });
    // The tester hangs up on streams that it has read enough of.
    res.on('close', () => onward.destroy());
    req.pipe(onward);
  }
}

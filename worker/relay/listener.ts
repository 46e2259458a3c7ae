import pg from 'pg';
import type { Logger } from '../../platform/log.ts';

const MIN_WAIT_MS = 250;
const MAX_WAIT_MS = 5_000;

/**
 * Listens on PostgreSQL channels over a connection of its own (not through a pooler), and connects again whenever that
 * breaks. What was missed meanwhile is found by the poll of whoever listens.
 */
export class Listener {
  readonly #url: string;
  readonly #channels: readonly string[];
  readonly #onNotify: (channel: string) => void;
  readonly #log: Logger;
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #waitMs = MIN_WAIT_MS;
  #isClosed = false;

  constructor(options: { url: string; channels: readonly string[]; onNotify: (channel: string) => void; log: Logger }) {
    this.#url = options.url;
    this.#channels = options.channels;
    this.#onNotify = options.onNotify;
    this.#log = options.log;
  }

  /** Resolves when the first attempt to connect has ended, well or not. */
  async start(): Promise<void> {
    await this.#connect();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#client?.end().catch(() => undefined);
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: 'relay-listener',
      connectionTimeoutMillis: 3_000,
      keepAlive: true,
    });
    this.#client = client;
    client.on('notification', ({ channel }) => this.#onNotify(channel));
    client.on('error', () => undefined);
    try {
      await client.connect();
      client.once('end', () => this.#again('ended'));
      for (const channel of this.#channels) await client.query(`listen ${channel}`);
      this.#waitMs = MIN_WAIT_MS;
      for (const channel of this.#channels) this.#onNotify(channel);
    } catch (error) {
      client.removeAllListeners('end');
      await client.end().catch(() => undefined);
      this.#again((error as Error).message);
    }
  }

  #again(reason: string): void {
    if (this.#isClosed) return;
    this.#log.warn({ err: reason }, 'not listening to PostgreSQL; polling');
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#connect(), this.#waitMs);
    this.#waitMs = Math.min(MAX_WAIT_MS, this.#waitMs * 2);
  }
}

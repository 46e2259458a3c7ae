import type { Socket } from 'node:net';
import pg from 'pg';
import type { Logger } from '../log.ts';

const MIN_WAIT_MS = 250;
const MAX_WAIT_MS = 5_000;
/** A server that is silent for so long is taken for gone. */
const ANSWER_MS = 3_000;
const GOODBYE_MS = 500;

// Both ends find out within half a minute that the other has vanished without a word.
const KEEPALIVE = 'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3';

export interface ListenerOptions {
  /** A session of its own: not through a pooler that shares sessions. */
  url: string;
  /** What pg_stat_activity shows for the connection once it listens. */
  applicationName: string;
  channels: readonly string[];
  onNotify: (channel: string, payload: string) => void;
  /** Listening again: what was notified meanwhile was missed. */
  onListening?: () => void;
  log: Logger;
}

/**
 * Listens on PostgreSQL channels over a connection of its own, and connects again whenever that breaks. What was missed
 * meanwhile is for whoever listens to make good.
 */
export class Listener {
  readonly #options: ListenerOptions;
  #client: pg.Client | undefined;
  #processId: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #waitMs = MIN_WAIT_MS;
  #isClosed = false;

  constructor(options: ListenerOptions) {
    this.#options = options;
  }

  /** The listening session's process id in PostgreSQL; undefined while nothing is heard. */
  get processId(): number | undefined {
    return this.#processId;
  }

  /** Resolves when the first attempt to connect has ended, well or not. */
  async start(): Promise<void> {
    await this.#connect();
  }

  async notify(channel: string, payload: string): Promise<void> {
    await this.#client?.query('select pg_notify($1, $2)', [channel, payload]);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#processId = undefined;
    clearTimeout(this.#timer);
    if (this.#client !== undefined) await leave(this.#client);
  }

  async #connect(): Promise<void> {
    const { url, applicationName, channels, onNotify, onListening } = this.#options;
    const client = new pg.Client({
      connectionString: url,
      application_name: `${applicationName}-starting`,
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    this.#client = client;
    client.on('notification', ({ channel, payload }) => onNotify(channel, payload ?? ''));
    client.on('error', () => undefined);
    try {
      await client.connect();
      client.once('end', () => this.#again('ended'));
      await client.query(KEEPALIVE);
      for (const channel of channels) await client.query(`listen ${client.escapeIdentifier(channel)}`);
      // Its name last: whoever counts the listeners by it counts those that hear.
      await client.query(`set application_name = ${client.escapeLiteral(applicationName)}`);
      this.#waitMs = MIN_WAIT_MS;
      if (this.#isClosed) return;
      this.#processId = (client as unknown as { processID: number }).processID;
      onListening?.();
    } catch (error) {
      client.removeAllListeners('end');
      await leave(client);
      this.#again((error as Error).message);
    }
  }

  #again(reason: string): void {
    this.#processId = undefined;
    if (this.#isClosed) return;
    this.#options.log.warn({ err: reason }, 'not listening to PostgreSQL; trying again');
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#connect(), this.#waitMs);
    this.#waitMs = Math.min(MAX_WAIT_MS, this.#waitMs * 2);
  }
}

/** Ends the session; one whose server doesn't answer is cut. */
async function leave(client: pg.Client): Promise<void> {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  const timer = setTimeout(() => stream.destroy(), GOODBYE_MS);
  await client.end().catch(() => undefined);
  clearTimeout(timer);
}

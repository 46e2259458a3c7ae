import type { Socket } from 'node:net';
import pg from 'pg';
import type { PoolClient } from 'pg';
import { sqlState } from './errors.ts';

/** A use of one connection, from the moment it was asked for until it is given back. */
export interface WatchedUse {
  readonly connection: PoolClient;
  since: number;
  /** The first statement's answer is here; for a use whose first statement may be slow, true from the start. */
  answered: boolean;
  bytes: number;
  bytesAt: number;
}

export interface AnswerWatchOptions {
  url: string;
  /** Longest that an opened transaction's `begin` may stay unanswered; silence after it is looked into a little earlier. */
  answerTimeoutMs: number;
  /** What the server itself allows a statement: silence beyond it is no slow statement. */
  statementTimeoutMs: number;
  /** Told of each time that connections were cut, and how many. */
  onCut: (connections: number) => void;
}

const SWEEP_MS = 100;
/** So late, the sweep tells of this process rather than of the server: answers may lie unread in the kernel. */
const LATE_SWEEP_MS = 3 * SWEEP_MS;
/** Share of the answer timeout spent on silence; the rest is for asking whether the server lives. */
const SILENT_SHARE = 0.6;
const PROBE_MS = 450;
const AFTER_STATEMENT_TIMEOUT_MS = 5_000;

/**
 * Finds connections that nobody answers any more: a server that accepts and keeps silent, a network that swallows
 * packets. TCP alone notices after a quarter of an hour. One coarse sweep looks at how many bytes each connection in use
 * has received, so that a statement costs nothing extra; a cut connection fails what waits for it as «terminated».
 */
export class AnswerWatch {
  readonly #options: AnswerWatchOptions;
  readonly #uses = new Set<WatchedUse>();
  readonly #open = new Set<PoolClient>();
  readonly #sweeper: NodeJS.Timeout;
  #sweptAt = performance.now();
  #probing = false;
  #aliveAt = -Infinity;

  constructor(options: AnswerWatchOptions, pool: pg.Pool) {
    this.#options = options;
    pool.on('connect', (connection) => this.#open.add(connection));
    pool.on('remove', (connection) => this.#open.delete(connection));
    this.#sweeper = setInterval(() => this.#sweep(performance.now()), SWEEP_MS).unref();
  }

  enter(connection: PoolClient, since: number, answered: boolean): WatchedUse {
    const use = { connection, since, answered, bytes: -1, bytesAt: since };
    this.#uses.add(use);
    return use;
  }

  leave(use: WatchedUse): void {
    this.#uses.delete(use);
  }

  close(): void {
    clearInterval(this.#sweeper);
  }

  #sweep(now: number): void {
    const lateMs = now - this.#sweptAt - SWEEP_MS;
    this.#sweptAt = now;
    if (this.#uses.size === 0) return;
    const { answerTimeoutMs, statementTimeoutMs } = this.#options;
    const dead: WatchedUse[] = [];
    let silent = false;
    for (const use of this.#uses) {
      if (lateMs > LATE_SWEEP_MS) use.since += lateMs;
      const { bytesRead } = socketOf(use.connection);
      if (bytesRead !== use.bytes || lateMs > LATE_SWEEP_MS) {
        use.bytes = bytesRead;
        use.bytesAt = now;
      }
      const silentMs = now - use.bytesAt;
      if (!use.answered && now - use.since >= answerTimeoutMs) dead.push(use);
      else if (silentMs >= statementTimeoutMs + AFTER_STATEMENT_TIMEOUT_MS) dead.push(use);
      else if (silentMs >= answerTimeoutMs * SILENT_SHARE) silent = true;
    }
    if (dead.length > 0) this.#cut(dead);
    if (silent && !this.#probing && now - this.#aliveAt >= answerTimeoutMs * SILENT_SHARE) void this.#lookInto();
  }

  /** Silence may be a slow statement: only when the server doesn't answer a newcomer either are its connections cut. */
  async #lookInto(): Promise<void> {
    this.#probing = true;
    try {
      const alive = await answersNewcomers(this.#options.url);
      const now = performance.now();
      if (alive) {
        this.#aliveAt = now;
        return;
      }
      const silentMs = this.#options.answerTimeoutMs * SILENT_SHARE;
      this.#cut([...this.#uses].filter((use) => now - use.bytesAt >= silentMs));
    } finally {
      this.#probing = false;
    }
  }

  /** Idle connections go too: what silenced those in use has most likely silenced them, and new ones cost little. */
  #cut(dead: readonly WatchedUse[]): void {
    if (dead.length === 0) return;
    const inUse = new Set([...this.#uses].map((use) => use.connection));
    const idle = [...this.#open].filter((connection) => !inUse.has(connection));
    const connections = [...dead.map((use) => use.connection), ...idle];
    for (const connection of connections) socketOf(connection).destroy();
    this.#options.onCut(connections.length);
  }
}

async function answersNewcomers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: PROBE_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch (error) {
    // «Too many connections» is an answer as well.
    return sqlState(error) !== undefined;
  } finally {
    client.end().catch(() => undefined);
  }
}

/** The driver keeps the socket where its types don't show it. */
function socketOf(connection: PoolClient): Socket {
  return (connection as unknown as { connection: { stream: Socket } }).connection.stream;
}

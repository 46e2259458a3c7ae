import type { EntityManager } from '@mikro-orm/postgresql';
import type { PoolClient, QueryResultRow } from 'pg';
import { translateDatabaseError } from './errors.ts';
import { sendPacket } from './packet.ts';
import { statement as prepare } from './statement.ts';
import type { Statement } from './statement.ts';

type Row = QueryResultRow;

/** What a transaction offers: prepared statements, and an entity manager that shares its connection and its fate. */
export interface Transaction {
  /** The rows of a prepared statement. Statements sent without awaiting the last one travel in one packet. */
  query<R extends Row = Row>(statement: Statement, values?: readonly unknown[]): Promise<R[]>;
  /**
   * Sends a statement whose answer nobody waits for: it travels with whatever comes next, the commit at the latest, and
   * its failure fails the transaction.
   */
  write(statement: Statement, values?: readonly unknown[]): void;
  /** Runs `work` behind a savepoint: when it throws, what it did is undone and the transaction lives on. */
  savepoint<T>(work: () => Promise<T>): Promise<T>;
  /** MikroORM's unit of work on this very transaction. Made on first use: hot paths don't pay for it. */
  entities(): Promise<EntityManager>;
  /** Wakes whoever listens on `channel`, once the transaction is committed. */
  notify(channel: string): void;
}

/** A transaction bound to one tenant: every row it can see or write belongs to `clientId`. */
export interface TenantTransaction extends Transaction {
  readonly clientId: number;
}

interface SavepointStatements {
  open: Statement;
  release: Statement;
  rollBack: Statement;
}

const savepoints: SavepointStatements[] = [];

function savepointAt(number: number): SavepointStatements {
  const name = `unit_${String(number)}`;
  return (savepoints[number] ??= {
    open: prepare(`savepoint ${name}`),
    release: prepare(`release savepoint ${name}`),
    rollBack: prepare(`rollback to savepoint ${name}`),
  });
}

type BindEntityManager = (connection: PoolClient) => Promise<EntityManager>;

export class PooledTransaction implements TenantTransaction {
  readonly clientId: number;
  readonly #connection: PoolClient;
  readonly #bindEntityManager: BindEntityManager;
  readonly #notified = new Set<string>();
  readonly #writes: Promise<unknown>[] = [];
  #em: Promise<EntityManager> | undefined;
  #savepoints = 0;

  constructor(clientId: number, connection: PoolClient, bindEntityManager: BindEntityManager) {
    this.clientId = clientId;
    this.#connection = connection;
    this.#bindEntityManager = bindEntityManager;
  }

  entities(): Promise<EntityManager> {
    this.#em ??= this.#bindEntityManager(this.#connection);
    return this.#em;
  }

  async query<R extends Row = Row>(statement: Statement, values: readonly unknown[] = []): Promise<R[]> {
    try {
      return (await sendPacket<R>(this.#connection, [[statement, values]])).rows;
    } catch (error) {
      throw translateDatabaseError(error);
    }
  }

  write(statement: Statement, values: readonly unknown[] = []): void {
    const sent = this.query(statement, values);
    // Awaited by settle(); until then its failure must not count as unhandled.
    sent.catch(() => undefined);
    this.#writes.push(sent);
  }

  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    const { open, release, rollBack } = savepointAt((this.#savepoints += 1));
    const opened = sendPacket(this.#connection, [[open]]);
    try {
      const [result] = await Promise.all([this.#settled(work), opened]);
      // Nobody waits for it: it travels with what comes next.
      this.write(release);
      return result;
    } catch (error) {
      await Promise.allSettled(this.#writes.splice(0));
      await sendPacket(this.#connection, [[rollBack]]);
      (await this.#em)?.clear();
      throw error;
    }
  }

  notify(channel: string): void {
    this.#notified.add(channel);
  }

  /** Channels to wake after the commit. */
  get notified(): ReadonlySet<string> {
    return this.#notified;
  }

  /** Writes what the entity manager still holds; called before the commit. */
  async flush(): Promise<void> {
    await (await this.#em)?.flush();
  }

  /** Resolves when every {@link write} has been answered. */
  async settle(): Promise<void> {
    await Promise.all(this.#writes.splice(0));
  }

  async #settled<T>(work: () => Promise<T>): Promise<T> {
    const value = await work();
    await this.flush();
    await this.settle();
    return value;
  }
}

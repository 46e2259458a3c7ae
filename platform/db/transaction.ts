import type { EntityManager } from '@mikro-orm/postgresql';
import type { PoolClient, QueryResultRow } from 'pg';
import { translateDatabaseError } from './errors.ts';
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
      const { name, text } = statement;
      const result = await this.#connection.query<R>({ name, text, values: values as unknown[] });
      return result.rows;
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
    this.#savepoints += 1;
    const name = `unit_${String(this.#savepoints)}`;
    const opened = this.#connection.query(`savepoint ${name}`);
    try {
      const [result] = await Promise.all([this.#settled(work), opened]);
      await this.#connection.query(`release savepoint ${name}`);
      return result;
    } catch (error) {
      await Promise.allSettled(this.#writes.splice(0));
      await this.#connection.query(`rollback to savepoint ${name}`);
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

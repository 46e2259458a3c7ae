import type { EntityManager } from '@mikro-orm/postgresql';
import type { PoolClient, QueryResultRow } from 'pg';
import { translateDatabaseError } from './errors.ts';
import { sendPacket } from './packet.ts';
import type { Step, StepResult } from './packet.ts';
import { statement as prepare } from './statement.ts';
import type { Statement } from './statement.ts';

type Row = QueryResultRow;

/** What a transaction offers: prepared statements, and an entity manager that shares its connection and its fate. */
export interface Transaction {
  /** The rows of a prepared statement. Statements asked for without awaiting the last one share one round trip. */
  query<R extends Row = Row>(statement: Statement, values?: readonly unknown[]): Promise<R[]>;
  /**
   * Sends a statement whose answer nobody waits for: it travels with whatever comes next, the commit at the latest, and
   * its failure fails the transaction.
   */
  write(statement: Statement, values?: readonly unknown[]): void;
  /** MikroORM's unit of work on this very transaction. Made on first use: hot paths don't pay for it. */
  entities(): Promise<EntityManager>;
  /** Wakes whoever listens on `channel`, once the transaction is committed. */
  notify(channel: string): void;
}

/** A transaction bound to one tenant: every row it can see or write belongs to `clientId`. */
export interface TenantTransaction extends Transaction {
  readonly clientId: number;
}

/** Binds an entity manager to a connection; before each of its statements it calls `before`. */
type BindEntityManager = (connection: PoolClient, before: () => void) => Promise<EntityManager>;

const COMMIT = prepare('commit');
const ROLLBACK = prepare('rollback');

/** A statement that is to be sent, and who waits for its answer. */
interface Waiting {
  resolve: (result: StepResult) => void;
  reject: (error: unknown) => void;
}

export class PooledTransaction implements TenantTransaction {
  readonly clientId: number;
  readonly #connection: PoolClient;
  readonly #bindEntityManager: BindEntityManager;
  readonly #notified = new Set<string>();
  #unsent: Step[] = [];
  #waiting: (Waiting | undefined)[] = [];
  #isScheduled = false;
  #failed: unknown;
  #em: Promise<EntityManager> | undefined;

  constructor(clientId: number, connection: PoolClient, bindEntityManager: BindEntityManager) {
    this.clientId = clientId;
    this.#connection = connection;
    this.#bindEntityManager = bindEntityManager;
  }

  entities(): Promise<EntityManager> {
    this.#em ??= this.#bindEntityManager(this.#connection, () => {
      this.#send();
    });
    return this.#em;
  }

  async query<R extends Row = Row>(statement: Statement, values: readonly unknown[] = []): Promise<R[]> {
    return (await this.#ask([statement, values])).rows as R[];
  }

  write(statement: Statement, values: readonly unknown[] = []): void {
    // Nobody waits for it. Its failure fails all that follows in its packet, and there is always something: the commit.
    this.#unsent.push([statement, values]);
    this.#waiting.push(undefined);
  }

  notify(channel: string): void {
    this.#notified.add(channel);
  }

  /** Channels to wake after the commit. */
  get notified(): ReadonlySet<string> {
    return this.#notified;
  }

  /** Commits, in one packet with the last writes. */
  async commit(): Promise<void> {
    await (await this.#em)?.flush();
    // Where the work swallowed the error of a statement, what it wrote is lost: say so.
    const isLost = this.#failed !== undefined || (await this.#ask([COMMIT])).command === 'ROLLBACK';
    if (isLost) {
      throw new Error('the transaction was rolled back: one of its statements had failed', { cause: this.#failed });
    }
  }

  /** Rolls back. Writes that weren't sent yet never will be. */
  async rollBack(): Promise<void> {
    if (this.#waiting.some((asker) => asker !== undefined)) this.#send();
    this.#unsent = [];
    this.#waiting = [];
    // Alone in its packet: behind a statement that fails it wouldn't be run.
    await sendPacket(this.#connection, [[ROLLBACK]]);
  }

  #ask(step: Step): Promise<StepResult> {
    return new Promise((resolve, reject) => {
      this.#unsent.push(step);
      this.#waiting.push({ resolve, reject });
      if (this.#isScheduled) return;
      this.#isScheduled = true;
      // After all that is asked for by then, so that it shares the packet.
      process.nextTick(() => {
        this.#isScheduled = false;
        this.#send();
      });
    });
  }

  #send(): void {
    if (this.#unsent.length === 0) return;
    const waiting = this.#waiting;
    const sent = sendPacket(this.#connection, this.#unsent);
    this.#unsent = [];
    this.#waiting = [];
    sent.then(
      (results) => {
        for (const [index, result] of results.entries()) waiting[index]?.resolve(result);
      },
      (error: unknown) => {
        const translated = translateDatabaseError(error);
        this.#failed ??= translated;
        for (const asker of waiting) asker?.reject(translated);
      },
    );
  }
}

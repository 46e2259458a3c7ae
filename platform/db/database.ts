import type { AnyEntity, EntityManager, EntitySchema, MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import type { PoolClient } from 'pg';
import type { Logger } from '../log.ts';
import { AnswerWatch } from './answer-watch.ts';
import type { WatchedUse } from './answer-watch.ts';
import { DatabaseUnavailableError, translateDatabaseError } from './errors.ts';
import { GroupCommit } from './group-commit.ts';
import { asTenant, JointReads } from './joint-reads.ts';
import type { PartialResults } from './joint-reads.ts';
import { Notifier } from './notifier.ts';
import { sendPacket, sendPacketUntilError } from './packet.ts';
import type { Step } from './packet.ts';
import { TenantReader } from './reader.ts';
import { statement } from './statement.ts';
import type { Statement } from './statement.ts';
import { PooledTransaction } from './transaction.ts';
import type { TenantTransaction, Transaction } from './transaction.ts';

// int8 as a number: no id or count of ours passes 2^53, and a string id would leak into the JSON as one.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export interface DatabaseOptions {
  url: string;
  poolSize: number;
  applicationName: string;
  entities: readonly EntitySchema<AnyEntity>[];
  log: Logger;
  /** Longest a statement may run. */
  statementTimeoutMs?: number;
  /**
   * Longest that a silent server is waited for: for processes that must answer themselves (the API). Statements that the
   * server does work on aren't cut by it.
   */
  answerTimeoutMs?: number;
}

const CONNECT_TIMEOUT_MS = 1_500;
const DEFAULT_STATEMENT_TIMEOUT_MS = 30_000;
const BEGIN = statement('begin');
const NOTIFY = statement(`select pg_notify($1, '')`);
const PING = statement('select 1');

/**
 * One role's connections to PostgreSQL. Transactions run prepared statements over pipelined connections, and lend
 * MikroORM's entity manager the same connection, so that both kinds of work commit or vanish together.
 */
class Database {
  protected readonly pool: pg.Pool;
  readonly #options: DatabaseOptions;
  #orm: MikroORM | undefined;
  readonly #log: Logger;
  readonly #notifier: Notifier;
  readonly #watch: AnswerWatch | undefined;

  constructor(options: DatabaseOptions) {
    this.#options = options;
    this.#log = options.log;
    const statementTimeoutMs = options.statementTimeoutMs ?? DEFAULT_STATEMENT_TIMEOUT_MS;
    this.pool = new pg.Pool({
      connectionString: options.url,
      max: options.poolSize,
      application_name: options.applicationName,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      idleTimeoutMillis: 60_000,
      statement_timeout: statementTimeoutMs,
      idle_in_transaction_session_timeout: 60_000,
      keepAlive: true,
      pipeline: true,
    });
    // A connection dropped by the server is an 'error' event; without a listener it would end the process.
    this.pool.on('error', (error) => {
      this.#log.warn({ err: error.message }, 'idle database connection lost');
    });
    this.pool.on('connect', (connection) => {
      connection.on('error', () => undefined);
    });
    this.#watch = this.#createWatch(options, statementTimeoutMs);
    this.#notifier = new Notifier((channel) => this.once([[NOTIFY, [channel]]]));
  }

  /** Connections in use, idle and waited for: what the pool metrics show. */
  get poolUse(): { total: number; idle: number; waiting: number } {
    return { total: this.pool.totalCount, idle: this.pool.idleCount, waiting: this.pool.waitingCount };
  }

  /** Answers whether the database answers. */
  async ping(): Promise<boolean> {
    try {
      await this.once([[PING]]);
      return true;
    } catch {
      return false;
    }
  }

  async close(): Promise<void> {
    this.#notifier.close();
    await this.pool.end();
    this.#watch?.close();
  }

  /** Statements outside a transaction block, one transaction of their own; answers the rows of the last. */
  protected async once<R extends pg.QueryResultRow>(steps: readonly Step[]): Promise<R[]> {
    const { results, error } = await this.send(steps);
    if (error !== undefined) throw error;
    return (results.at(-1)?.rows ?? []) as R[];
  }

  /** The same; answers what each statement answered, up to one that failed. */
  protected async send(steps: readonly Step[]): Promise<PartialResults> {
    const since = performance.now();
    let connection: PoolClient;
    try {
      connection = await this.#connect();
    } catch (error) {
      return { results: [], error: error as Error };
    }
    const use = this.#watch?.enter(connection, since, true);
    const { results, error } = await sendPacketUntilError(connection, steps);
    const failed = error === null ? undefined : translateDatabaseError(error);
    this.#release(connection, use, failed);
    return { results, ...(failed === undefined ? {} : { error: failed as Error }) };
  }

  protected async run<T>(clientId: number, work: (tx: PooledTransaction) => Promise<T>): Promise<T> {
    const since = performance.now();
    const connection = await this.#connect();
    const use = this.#watch?.enter(connection, since, false);
    const tx = new PooledTransaction(clientId, connection, (used, before) =>
      this.#entityManager(used, clientId, before),
    );
    // Sent at once and not awaited: with the first statement of `work` they share one round trip.
    const begun = sendPacket(connection, clientId === NO_TENANT ? [[BEGIN]] : [[BEGIN], asTenant(clientId)]);
    begun.then(
      () => {
        if (use !== undefined) use.answered = true;
      },
      () => undefined,
    );
    let failed: unknown;
    try {
      const result = await work(tx);
      const later = [...tx.notified].filter((channel) => !this.#notifier.claim(channel));
      for (const channel of tx.notified) if (!later.includes(channel)) tx.write(NOTIFY, [channel]);
      await Promise.all([tx.commit(), begun]);
      for (const channel of later) this.#notifier.wake(channel);
      return result;
    } catch (error) {
      failed = translateDatabaseError(error);
      await tx.rollBack().catch(() => undefined);
      throw failed;
    } finally {
      this.#release(connection, use, failed);
    }
  }

  #release(connection: PoolClient, use: WatchedUse | undefined, failed: unknown): void {
    if (use !== undefined) this.#watch?.leave(use);
    connection.release(failed instanceof DatabaseUnavailableError);
  }

  #createWatch({ url, answerTimeoutMs }: DatabaseOptions, statementTimeoutMs: number): AnswerWatch | undefined {
    if (answerTimeoutMs === undefined) return undefined;
    const onCut = (connections: number): void => {
      this.#log.warn({ connections }, 'the database is silent; connections cut');
    };
    return new AnswerWatch({ url, answerTimeoutMs, statementTimeoutMs, onCut }, this.pool);
  }

  async #connect(): Promise<PoolClient> {
    try {
      return await this.pool.connect();
    } catch (error) {
      throw translateDatabaseError(error);
    }
  }

  /** The ORM is loaded when it is first asked for: a process that gets by without it is 30 MB smaller. */
  async #entityManager(connection: PoolClient, clientId: number, before: () => void): Promise<EntityManager> {
    const { bindEntityManager, createOrm } = await import('./entity-manager.ts');
    this.#orm ??= createOrm(this.#options, this.pool);
    return bindEntityManager(this.#orm, { connection, before }, clientId === NO_TENANT ? undefined : clientId);
  }
}

const NO_TENANT = 0;

function assertClientId(clientId: number): void {
  if (!Number.isSafeInteger(clientId) || clientId <= 0) throw new TypeError(`not a client id: ${String(clientId)}`);
}

/** Role `app`: sees one tenant's rows at a time, held by row-level security and by MikroORM's default filter. */
export class TenantDatabase extends Database {
  readonly #groups = new GroupCommit((clientId, work) => this.transaction(clientId, work));
  readonly #reads = new JointReads((steps) => this.send(steps));

  /** Runs `work` in one transaction as the tenant `clientId`; commits when it resolves, rolls back when it throws. */
  async transaction<T>(clientId: number, work: (tx: TenantTransaction) => Promise<T>): Promise<T> {
    assertClientId(clientId);
    return this.run(clientId, work);
  }

  /**
   * The same for work that may share its transaction with others of the tenant that run at the same time (group commit):
   * work that only reads and inserts, through `tx` alone. No lock and no row read for a change keeps two of them apart,
   * and work may be run a second time where the first was undone. Works given the same `apart` never share one.
   */
  async joined<T>(clientId: number, work: (tx: TenantTransaction) => Promise<T>, apart?: string): Promise<T> {
    assertClientId(clientId);
    return this.#groups.run(clientId, work, apart);
  }

  /**
   * For work that only reads: each statement is a transaction of its own, tenant and all in one round trip. It sees what
   * a statement of a READ COMMITTED transaction would, and costs a third of one.
   */
  reader(clientId: number): TenantTransaction {
    assertClientId(clientId);
    return new TenantReader(clientId, (statement, values) => this.#reads.read(clientId, statement, values));
  }
}

/** Role `system`: pre-authentication look-ups, the relay and maintenance. Sees every tenant; name the client in each query. */
export class SystemDatabase extends Database {
  readonly #reads = new JointReads((steps) => this.send(steps));

  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.run(NO_TENANT, work);
  }

  /** One prepared statement outside a transaction block. */
  async query<R extends pg.QueryResultRow = pg.QueryResultRow>(
    prepared: Statement,
    values: readonly unknown[] = [],
  ): Promise<R[]> {
    return this.once<R>([[prepared, values]]);
  }

  /** The same for one that only reads, and quickly: it may share its way with other such reads ({@link JointReads}). */
  async read<R extends pg.QueryResultRow = pg.QueryResultRow>(
    prepared: Statement,
    values: readonly unknown[] = [],
  ): Promise<R[]> {
    return (await this.#reads.read(undefined, prepared, values)) as R[];
  }
}

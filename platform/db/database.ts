import { MikroORM } from '@mikro-orm/postgresql';
import type { AnyEntity, EntityManager, EntitySchema } from '@mikro-orm/postgresql';
import { PostgresDialect } from 'kysely';
import pg from 'pg';
import type { PoolClient } from 'pg';
import type { Logger } from '../log.ts';
import { bindEntityManager } from './entity-manager.ts';
import { DatabaseUnavailableError, translateDatabaseError } from './errors.ts';
import { Notifier } from './notifier.ts';
import { statement } from './statement.ts';
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
}

const CONNECT_TIMEOUT_MS = 1_500;
const DEFAULT_STATEMENT_TIMEOUT_MS = 30_000;
const SET_TENANT = statement(`select set_config('app.client_id', $1, true)`);

/**
 * One role's connections to PostgreSQL. Transactions run prepared statements over pipelined connections, and lend
 * MikroORM's entity manager the same connection, so that both kinds of work commit or vanish together.
 */
class Database {
  protected readonly pool: pg.Pool;
  readonly #orm: MikroORM;
  readonly #log: Logger;
  readonly #notifier: Notifier;

  constructor(options: DatabaseOptions) {
    this.#log = options.log;
    this.pool = new pg.Pool({
      connectionString: options.url,
      max: options.poolSize,
      application_name: options.applicationName,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      idleTimeoutMillis: 60_000,
      statement_timeout: options.statementTimeoutMs ?? DEFAULT_STATEMENT_TIMEOUT_MS,
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
    this.#notifier = new Notifier((channel) => this.pool.query(`notify ${channel}`));
    this.#orm = new MikroORM({
      entities: [...options.entities],
      dbName: new URL(options.url).pathname.slice(1),
      driverOptions: new PostgresDialect({ pool: this.pool }),
      connect: false,
      ensureDatabase: false,
      discovery: { warnWhenNoEntities: false },
      filters: { tenant: tenantFilter(options.entities) },
    } as never);
  }

  /** Connections in use, idle and waited for: what the pool metrics show. */
  get poolUse(): { total: number; idle: number; waiting: number } {
    return { total: this.pool.totalCount, idle: this.pool.idleCount, waiting: this.pool.waitingCount };
  }

  /** Answers whether the database answers. */
  async ping(): Promise<boolean> {
    try {
      await this.pool.query('select 1');
      return true;
    } catch {
      return false;
    }
  }

  async close(): Promise<void> {
    this.#notifier.close();
    await this.pool.end();
  }

  protected async run<T>(clientId: number, work: (tx: PooledTransaction) => Promise<T>): Promise<T> {
    const connection = await this.#connect();
    const tx = new PooledTransaction(clientId, connection, (used) => this.#entityManager(used, clientId));
    // Sent at once and not awaited: with the first statement of `work` they share one round trip.
    const begun = Promise.all([connection.query('begin'), ...this.#openingStatements(tx, clientId)]);
    begun.catch(() => undefined);
    let failed: unknown;
    try {
      const result = await work(tx);
      await tx.flush();
      // The commit follows the last writes in the same packet. Had one of them failed, PostgreSQL rolls back instead.
      const [committed] = await Promise.all([connection.query('commit'), begun, tx.settle()]);
      // A failed statement whose error the work swallowed leaves the same trace: say so rather than lose what was written.
      if (committed.command === 'ROLLBACK')
        throw new Error('the transaction was rolled back: one of its statements had failed');
      for (const channel of tx.notified) this.#notifier.wake(channel);
      return result;
    } catch (error) {
      failed = translateDatabaseError(error);
      await connection.query('rollback').catch(() => undefined);
      throw failed;
    } finally {
      connection.release(failed instanceof DatabaseUnavailableError);
    }
  }

  #openingStatements(tx: PooledTransaction, clientId: number): Promise<unknown>[] {
    return clientId === NO_TENANT ? [] : [tx.query(SET_TENANT, [String(clientId)])];
  }

  async #connect(): Promise<PoolClient> {
    try {
      return await this.pool.connect();
    } catch (error) {
      throw translateDatabaseError(error);
    }
  }

  #entityManager(connection: PoolClient, clientId: number): Promise<EntityManager> {
    return clientId === NO_TENANT
      ? bindEntityManager(this.#orm, connection)
      : bindEntityManager(this.#orm, connection, clientId);
  }
}

const NO_TENANT = 0;

/** On by default: what a tenant's entity manager finds is its own, even where row-level security doesn't reach. */
function tenantFilter(entities: readonly EntitySchema<AnyEntity>[]): object {
  return {
    entity: entities.filter(({ meta }) => 'client_id' in meta.properties).map(({ meta }) => meta.className),
    cond: ({ clientId }: { clientId: number | null }) => (clientId === null ? {} : { client_id: clientId }),
    default: true,
  };
}

/** Role `app`: sees one tenant's rows at a time, held by row-level security and by MikroORM's default filter. */
export class TenantDatabase extends Database {
  /** Runs `work` in one transaction as the tenant `clientId`; commits when it resolves, rolls back when it throws. */
  async transaction<T>(clientId: number, work: (tx: TenantTransaction) => Promise<T>): Promise<T> {
    if (!Number.isSafeInteger(clientId) || clientId <= 0) throw new TypeError(`not a client id: ${String(clientId)}`);
    return this.run(clientId, work);
  }
}

/** Role `system`: pre-authentication look-ups, the relay and maintenance. Sees every tenant; name the client in each query. */
export class SystemDatabase extends Database {
  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.run(NO_TENANT, work);
  }

  /** One statement outside a transaction block. */
  async query<R extends pg.QueryResultRow = pg.QueryResultRow>(
    { name, text }: { name: string; text: string },
    values: readonly unknown[] = [],
  ): Promise<R[]> {
    try {
      const result = await this.pool.query<R>({ name, text, values: values as unknown[] });
      return result.rows;
    } catch (error) {
      throw translateDatabaseError(error);
    }
  }
}

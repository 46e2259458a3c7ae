import type { EntityManager } from '@mikro-orm/postgresql';
import type { QueryResultRow } from 'pg';
import type { Statement } from './statement.ts';
import type { TenantTransaction } from './transaction.ts';

/** Runs one statement as the tenant. */
type Read = (statement: Statement, values: readonly unknown[]) => Promise<QueryResultRow[]>;

/** A tenant's transaction for work that only reads: it holds no connection between its statements. */
export class TenantReader implements TenantTransaction {
  readonly clientId: number;
  readonly #read: Read;

  constructor(clientId: number, read: Read) {
    this.clientId = clientId;
    this.#read = read;
  }

  async query<R extends QueryResultRow = QueryResultRow>(
    statement: Statement,
    values: readonly unknown[] = [],
  ): Promise<R[]> {
    return (await this.#read(statement, values)) as R[];
  }

  write(): void {
    throw new TypeError('work that only reads writes: declare the operation’s effects');
  }

  entities(): Promise<EntityManager> {
    return Promise.reject(new TypeError('an entity manager needs a transaction: use TenantDatabase.transaction'));
  }

  notify(): void {
    throw new TypeError('work that only reads notifies: declare the operation’s effects');
  }
}

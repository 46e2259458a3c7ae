import type { EntityManager } from '@mikro-orm/postgresql';
import type { QueryResultRow } from 'pg';
import type { Step } from './packet.ts';
import type { Statement } from './statement.ts';
import type { TenantTransaction } from './transaction.ts';

const READS = /^\s*select\b/i;

/** One work's part of a transaction that several works share. What it wrote is kept back until the work succeeds. */
export class JoinedTransaction implements TenantTransaction {
  readonly clientId: number;
  readonly #shared: TenantTransaction;
  readonly #channels = new Set<string>();
  #unsent: Step[] = [];
  #isMarked = false;

  constructor(shared: TenantTransaction) {
    this.clientId = shared.clientId;
    this.#shared = shared;
  }

  /** Whether the shared transaction is no longer fit for the others if this work fails: it has changed something, or broke it. */
  get isMarked(): boolean {
    return this.#isMarked;
  }

  async query<R extends QueryResultRow = QueryResultRow>(
    statement: Statement,
    values: readonly unknown[] = [],
  ): Promise<R[]> {
    this.#send();
    if (!READS.test(statement.text)) this.#isMarked = true;
    try {
      return await this.#shared.query<R>(statement, values);
    } catch (error) {
      this.#isMarked = true;
      throw error;
    }
  }

  write(statement: Statement, values: readonly unknown[] = []): void {
    this.#unsent.push([statement, values]);
  }

  entities(): Promise<EntityManager> {
    return Promise.reject(
      new TypeError('an entity manager needs a transaction of its own: use transaction, not joined'),
    );
  }

  notify(channel: string): void {
    this.#channels.add(channel);
  }

  /** Hands over what is still kept back: the work succeeded. */
  finish(): void {
    this.#send();
    for (const channel of this.#channels) this.#shared.notify(channel);
  }

  /** In the order in which the work asked for them: what it reads next may depend on what it wrote before. */
  #send(): void {
    if (this.#unsent.length === 0) return;
    this.#isMarked = true;
    for (const [statement, values] of this.#unsent) this.#shared.write(statement, values);
    this.#unsent = [];
  }
}

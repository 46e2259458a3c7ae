import type { SystemDatabase } from '../../platform/db/database.ts';
import { statement } from '../../platform/db/statement.ts';
import type { Logger } from '../../platform/log.ts';

const MINUTE_MS = 60_000;
const FLUSH_MS = 10_000;
/** Counts of past minutes that may wait for a database that takes no writes; beyond that they lose their minute. */
const MAX_WAITING = 50_000;

// One flusher at a time in all processes: their statements touch the same rows, in no common order.
const LOCK = statement(`select pg_advisory_xact_lock(hashtext('api_key_usage'))`);
const FLUSH = statement(`
  with used as (
    select * from unnest($1::int[], $2::int[], $3::timestamptz[], $4::int[], $5::timestamptz[])
      as u (api_key_id, client_id, minute, requests, last_used_at)),
  counted as (
    insert into api_key_usage (api_key_id, minute, client_id, requests)
    select api_key_id, minute, client_id, sum(requests) from used group by api_key_id, minute, client_id
    on conflict (api_key_id, minute) do update set requests = api_key_usage.requests + excluded.requests)
  update api_keys k set total_requests = k.total_requests + s.requests,
    last_used_at = greatest(k.last_used_at, s.last_used_at)
  from (select api_key_id, sum(requests) as requests, max(last_used_at) as last_used_at from used group by api_key_id) s
  where k.id = s.api_key_id`);

/** Requests with one key within one minute. */
interface Count {
  keyId: number;
  clientId: number;
  minute: number;
  requests: number;
  lastUsedAt: number;
}

/**
 * Counts requests per key in memory and writes them in one statement every 10 s, so that last_used_at and usage_stats
 * cost a request nothing (decisions §2). A flush that fails keeps its counts for the next.
 */
export class KeyUsage {
  readonly #system: SystemDatabase;
  readonly #log: Logger;
  readonly #timer: NodeJS.Timeout;
  #current = new Map<number, Count>();
  #minute = 0;
  #past: Count[] = [];
  #flushing: Promise<void> | undefined;

  constructor({ system, log }: { system: SystemDatabase; log: Logger }) {
    this.#system = system;
    this.#log = log;
    this.#timer = setInterval(() => void this.flush(), FLUSH_MS);
    this.#timer.unref();
  }

  /** Counts that wait to be written. */
  get size(): number {
    return this.#current.size + this.#past.length;
  }

  /** Counts one request that authenticated with the key. */
  note(keyId: number, clientId: number, now: number): void {
    const minute = now - (now % MINUTE_MS);
    if (minute !== this.#minute) this.#turnTo(minute);
    const count = this.#current.get(keyId);
    if (count === undefined) {
      this.#current.set(keyId, { keyId, clientId, minute, requests: 1, lastUsedAt: now });
      return;
    }
    count.requests += 1;
    count.lastUsedAt = now;
  }

  /** Writes what was counted so far; a failure is logged, and the counts are written with the next flush. */
  async flush(): Promise<void> {
    await this.#flushing;
    this.#flushing = this.#write();
    await this.#flushing;
    this.#flushing = undefined;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  #turnTo(minute: number): void {
    this.#past.push(...this.#current.values());
    this.#current = new Map();
    this.#minute = minute;
    if (this.#past.length > MAX_WAITING) this.#past = joined(this.#past);
  }

  async #write(): Promise<void> {
    this.#turnTo(this.#minute);
    const counts = this.#past;
    this.#past = [];
    try {
      if (counts.length > 0) await this.#save(counts);
    } catch (error) {
      this.#log.warn({ err: (error as Error).message }, 'the use of API keys could not be written; trying again');
    }
  }

  async #save(counts: Count[]): Promise<void> {
    const columns = [
      counts.map(({ keyId }) => keyId),
      counts.map(({ clientId }) => clientId),
      counts.map(({ minute }) => new Date(minute)),
      counts.map(({ requests }) => requests),
      counts.map(({ lastUsedAt }) => new Date(lastUsedAt)),
    ];
    try {
      await this.#system.transaction(async (tx) => {
        tx.write(LOCK);
        await tx.query(FLUSH, columns);
      });
    } catch (error) {
      this.#past.push(...counts);
      throw error;
    }
  }
}

/** One count for each key, under its latest minute. */
function joined(counts: readonly Count[]): Count[] {
  const byKey = new Map<number, Count>();
  for (const count of counts) {
    const known = byKey.get(count.keyId);
    if (known === undefined) byKey.set(count.keyId, count);
    else {
      known.requests += count.requests;
      known.minute = Math.max(known.minute, count.minute);
      known.lastUsedAt = Math.max(known.lastUsedAt, count.lastUsedAt);
    }
  }
  return [...byKey.values()];
}

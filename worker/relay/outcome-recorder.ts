import { applyToWebhook, recordFirstFailures, recordFirstSuccesses } from '../../domain/webhooks/index.ts';
import type { Decision, FirstSendFailure, FirstSendSuccess, SendOutcome } from '../../domain/webhooks/index.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';
import type { Logger } from '../../platform/log.ts';
import type { Held } from './held.ts';

const MAX_BATCH = 250;
const RETRY_MS = 200;

interface Entry {
  held: Held;
  outcome: SendOutcome | null;
  error: string;
  decision: Decision;
  now: number;
}

/**
 * Writes what first sends came to, in bulk: one statement is under way at a time, and what arrives meanwhile goes into
 * the next. While the database is away the outcomes are kept and tried again; a relay that dies with some of them has
 * its deliveries sent once more by another.
 */
export class OutcomeRecorder {
  readonly #db: SystemDatabase;
  readonly #log: Logger;
  readonly #onFailuresRecorded: () => void;
  readonly #waiting: Entry[] = [];
  #writing: Entry[] = [];
  #loop: Promise<void> | undefined;

  constructor(options: { db: SystemDatabase; log: Logger; onFailuresRecorded: () => void }) {
    this.#db = options.db;
    this.#log = options.log;
    this.#onFailuresRecorded = options.onFailuresRecorded;
  }

  add(entry: Entry): void {
    this.#waiting.push(entry);
    this.#loop ??= this.#run();
  }

  get size(): number {
    return this.#waiting.length + this.#writing.length;
  }

  /** Deliveries whose outcome is not written yet: their leases must last. */
  *leased(): Iterable<Held> {
    for (const { held } of this.#writing) yield held;
    for (const { held } of this.#waiting) yield held;
  }

  /** Resolves when everything is written. */
  async idle(): Promise<void> {
    while (this.#loop !== undefined) await this.#loop;
  }

  async #run(): Promise<void> {
    // Sends that end in the same turn of the event loop share a statement.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      this.#writing = this.#waiting.splice(0, MAX_BATCH);
      try {
        await this.#write(this.#writing);
      } catch (error) {
        this.#log.warn({ err: (error as Error).message, outcomes: this.size }, 'outcomes not recorded yet');
        this.#waiting.unshift(...this.#writing);
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
      this.#writing = [];
    }
    this.#loop = undefined;
  }

  async #write(entries: readonly Entry[]): Promise<void> {
    for (const { held, outcome, decision } of entries) {
      if (outcome === null) continue;
      const { clientId, name: eventName } = held.event;
      await applyToWebhook(this.#db, { clientId, webhookId: held.endpoint.webhookId, eventName }, outcome, decision);
    }
    const successes = entries.flatMap(asSuccess);
    const failures = entries.flatMap(asFailure);
    await Promise.all([
      successes.length > 0 && recordFirstSuccesses(this.#db, successes),
      failures.length > 0 && recordFirstFailures(this.#db, failures),
    ]);
    if (failures.length > 0) this.#onFailuresRecorded();
  }
}

function asSuccess({ held, outcome, decision }: Entry): FirstSendSuccess[] {
  if (outcome === null || decision.status !== 'success') return [];
  return [{ deliveryId: held.deliveryId, round: held.round, outcome }];
}

function asFailure({ held, outcome, error, decision, now }: Entry): FirstSendFailure[] {
  if (decision.status === 'success') return [];
  const { deliveryId, round, endpoint, event } = held;
  const { clientId, name: eventName } = event;
  const { webhookId, url } = endpoint;
  return [{ deliveryId, round, clientId, webhookId, eventName, url, outcome, error, decision, now }];
}

import { applyToWebhook, followUp, recordFirstFailures, recordFirstSuccesses } from '../../domain/webhooks/index.ts';
import type {
  Decision,
  FirstSendFailure,
  FirstSendSuccess,
  HealthRow,
  SendOutcome,
} from '../../domain/webhooks/index.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';
import type { Logger } from '../../platform/log.ts';
import type { Held } from './held.ts';

const MAX_BATCH = 250;
/**
 * Outcomes that wait to be written, from which on nothing more is sent: a relay that dies repeats no more than these and
 * what is in flight. So many keep the database and the endpoints both busy; more only made statements larger (measured).
 */
const MAX_UNRECORDED = 12;
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
  readonly #onRoom: () => void;
  readonly #onHealth: (rows: readonly HealthRow[]) => void;
  readonly #onRecorded: (recorded: readonly Held[]) => void;
  readonly #onEnded: (ended: readonly Held[]) => void;
  readonly #waiting: Entry[] = [];
  #writing: Entry[] = [];
  #loop: Promise<void> | undefined;

  /**
   * `onHealth` is told of endpoints whose state is news, `onRecorded` of deliveries whose outcome is written, `onEnded` of
   * those of them that are over.
   */
  constructor(options: {
    db: SystemDatabase;
    log: Logger;
    onFailuresRecorded: () => void;
    onRoom: () => void;
    onHealth: (rows: readonly HealthRow[]) => void;
    onRecorded: (recorded: readonly Held[]) => void;
    onEnded: (ended: readonly Held[]) => void;
  }) {
    this.#db = options.db;
    this.#log = options.log;
    this.#onFailuresRecorded = options.onFailuresRecorded;
    this.#onRoom = options.onRoom;
    this.#onHealth = options.onHealth;
    this.#onRecorded = options.onRecorded;
    this.#onEnded = options.onEnded;
  }

  add(entry: Entry): void {
    this.#waiting.push(entry);
    this.#loop ??= this.#run();
  }

  get size(): number {
    return this.#waiting.length + this.#writing.length;
  }

  /** Whether more may be sent; `onRoom` is called when it may be so again. */
  get hasRoom(): boolean {
    return this.size < MAX_UNRECORDED;
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
      if (this.hasRoom) this.#onRoom();
    }
    this.#loop = undefined;
  }

  async #write(entries: readonly Entry[]): Promise<void> {
    for (const { held, outcome, decision } of entries) {
      if (outcome === null) continue;
      const { clientId, name: eventName } = held.event;
      const { webhookId, revision } = held.endpoint;
      await applyToWebhook(this.#db, { clientId, webhookId, eventName, revision }, outcome, decision);
    }
    const successes = entries.flatMap(asSuccess);
    const failures = failuresOf(entries);
    // The successes first: only what failed after them counts for the breaker.
    const health = [
      ...(successes.length > 0 ? await recordFirstSuccesses(this.#db, successes) : []),
      ...(failures.length > 0 ? await recordFirstFailures(this.#db, failures) : []),
    ];
    this.#onRecorded(entries.map(({ held }) => held));
    if (failures.length > 0) this.#onFailuresRecorded();
    this.#onEnded(entries.flatMap(({ held, decision }) => (decision.status === 'retrying' ? [] : [held])));
    if (health.length === 0) return;
    this.#onHealth(health);
    await followUp(this.#db, health);
  }
}

function asSuccess({ held, outcome, decision }: Entry): FirstSendSuccess[] {
  if (outcome === null || decision.status !== 'success') return [];
  const { webhookId, revision } = held.endpoint;
  const { deliveryId, round, event } = held;
  const sentBy = { webhookId, revision: webhookId === null ? null : revision };
  return [{ deliveryId, eventId: event.eventId, round, ...sentBy, outcome }];
}

function failuresOf(entries: readonly Entry[]): FirstSendFailure[] {
  const healthy = new Set<number | null>();
  const failures: FirstSendFailure[] = [];
  // From the last one that ended back to the first.
  for (const { held, outcome, error, decision, now } of entries.toReversed()) {
    const { deliveryId, round, endpoint, event } = held;
    const { webhookId, url } = endpoint;
    if (decision.status === 'success') {
      healthy.add(webhookId);
      continue;
    }
    const { clientId, eventId, name: eventName } = event;
    const revision = webhookId === null ? null : endpoint.revision;
    const isInRow = !healthy.has(webhookId);
    const where = { deliveryId, eventId, round, clientId, webhookId, revision, isInRow, eventName, url };
    failures.unshift({ ...where, outcome, error, decision, now });
  }
  return failures;
}

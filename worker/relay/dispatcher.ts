import { claimEvents, markDispatched } from '../../domain/events/index.ts';
import type { ClaimedEvent } from '../../domain/events/index.ts';
import { insertDeliveries, LEASE_MS, matches } from '../../domain/webhooks/index.ts';
import type { InsertedDelivery, NewDelivery, WebhookEndpoint } from '../../domain/webhooks/index.ts';
import { startTriggeredRuns } from '../../domain/workflow-templates/index.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';
import { statement } from '../../platform/db/statement.ts';
import type { Lanes } from './lanes.ts';
import type { Subscriptions } from './subscriptions.ts';

/** Most events, and about as many deliveries, that one transaction turns over. */
const MAX_EVENTS = 100;
const MAX_DELIVERIES = 1_000;

// The relay's own bookkeeping needs no flush of its own: were it lost in a crash of PostgreSQL, the events would still be
// undispatched, and be dispatched again. Outcomes are flushed, and with them everything before.
const ASYNC_COMMIT = statement(`select set_config('synchronous_commit', 'off', true)`);

interface Match {
  event: ClaimedEvent;
  endpoint: WebhookEndpoint;
  leased: boolean;
}

/** Turns events into deliveries, each exactly once: the insert and the mark on the event are one transaction. */
export class Dispatcher {
  readonly #db: SystemDatabase;
  readonly #subscriptions: Subscriptions;
  readonly #lanes: Lanes;
  readonly #onRuns: () => void;
  #fanOut = 1;

  /** `onRuns` is called when runs of workflow templates wait for their start. */
  constructor(options: { db: SystemDatabase; subscriptions: Subscriptions; lanes: Lanes; onRuns: () => void }) {
    this.#db = options.db;
    this.#subscriptions = options.subscriptions;
    this.#lanes = options.lanes;
    this.#onRuns = options.onRuns;
  }

  /** Takes the oldest events, and starts to send what there is room for. Answers whether there may be more. */
  async dispatch(): Promise<boolean> {
    const limit = Math.max(1, Math.min(MAX_EVENTS, Math.floor(MAX_DELIVERIES / this.#fanOut)));
    const leaseEndsAt = performance.now() + LEASE_MS;
    let found: Match[] = [];
    try {
      const { claimed, inserted, isAwaited } = await this.#db.transaction(async (tx) => {
        tx.write(ASYNC_COMMIT);
        const events = await claimEvents(tx, limit);
        if (events.length === 0) return { claimed: 0, inserted: Promise.resolve([]), isAwaited: false };
        found = await this.#match(events);
        markDispatched(tx, events);
        const awaited = events.filter((event) => event.is_awaited);
        if (awaited.length > 0) await startTriggeredRuns(tx, awaited);
        // Not awaited: the statement and the commit travel together.
        const rows = found.length === 0 ? Promise.resolve([]) : insertDeliveries(tx, found.map(newDelivery));
        rows.catch(() => undefined);
        return { claimed: events.length, inserted: rows, isAwaited: awaited.length > 0 };
      });
      this.#send(found, await inserted, leaseEndsAt);
      if (isAwaited) this.#onRuns();
      if (claimed > 0) this.#fanOut = Math.max(1, (this.#fanOut + found.length / claimed) / 2);
      return claimed === limit;
    } catch (error) {
      for (const { leased, endpoint } of found) if (leased) this.#lanes.cancelReservation(endpoint.lane);
      throw error;
    }
  }

  async #match(events: readonly ClaimedEvent[]): Promise<Match[]> {
    const found: Match[] = [];
    for (const event of events) {
      const endpoints = await this.#subscriptions.of(event.client_id, event.revision);
      let data: Readonly<Record<string, unknown>> | undefined;
      const candidate = {
        name: event.name,
        data: () => (data ??= JSON.parse(event.data_text) as Record<string, unknown>),
      };
      for (const endpoint of endpoints) {
        if (event.occurred_at < endpoint.createdAt || !matches(endpoint, candidate)) continue;
        found.push({ event, endpoint, leased: this.#lanes.reserve(endpoint.lane) });
      }
    }
    return found;
  }

  #send(found: readonly Match[], inserted: readonly InsertedDelivery[], leaseEndsAt: number): void {
    const idOf = new Map(inserted.map((row) => [`${row.event_id}/${String(row.webhook_id)}`, row.id]));
    for (const { event, endpoint, leased } of found) {
      if (!leased) continue;
      const deliveryId = idOf.get(`${event.event_id}/${String(endpoint.webhookId)}`);
      if (deliveryId === undefined) {
        this.#lanes.cancelReservation(endpoint.lane);
        continue;
      }
      const { client_id: clientId, event_id: eventId, name, occurred_at: occurredAt, data_text: dataText } = event;
      const facts = { clientId, eventId, name, occurredAt, dataText };
      this.#lanes.add({ deliveryId, round: 1, sendNumber: 1, endpoint, event: facts, leaseEndsAt });
    }
  }
}

function newDelivery({ event, endpoint, leased }: Match): NewDelivery {
  return {
    clientId: event.client_id,
    webhookId: endpoint.webhookId,
    eventId: event.event_id,
    eventType: event.name,
    workItemId: event.work_item_id,
    lane: endpoint.lane,
    leased,
  };
}

import { claimEvents, markDispatched } from '../../domain/events/index.ts';
import type { ClaimedEvent } from '../../domain/events/index.ts';
import { insertDeliveries, isOrdered, laneOf, LEASE_MS, matches } from '../../domain/webhooks/index.ts';
import type { InsertedDelivery, NewDelivery, WebhookEndpoint } from '../../domain/webhooks/index.ts';
import { startTriggeredRuns } from '../../domain/workflow-templates/index.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';
import { statement } from '../../platform/db/statement.ts';
import type { Breakers } from './breakers.ts';
import type { Lane } from './lane.ts';
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
  isOrdered: boolean;
  lane: string;
  leased: boolean;
}

/** Turns events into deliveries, each exactly once: the insert and the mark on the event are one transaction. */
export class Dispatcher {
  readonly #db: SystemDatabase;
  readonly #subscriptions: Subscriptions;
  readonly #lanes: Lanes;
  readonly #breakers: Breakers;
  readonly #onRuns: () => void;
  readonly #onQueued: (lane: Lane) => void;
  #fanOut = 1;

  /** `onRuns` is called when runs of workflow templates wait for their start, `onQueued` when a lane has something to claim. */
  constructor(options: {
    db: SystemDatabase;
    subscriptions: Subscriptions;
    lanes: Lanes;
    breakers: Breakers;
    onRuns: () => void;
    onQueued: (lane: Lane) => void;
  }) {
    this.#db = options.db;
    this.#subscriptions = options.subscriptions;
    this.#lanes = options.lanes;
    this.#breakers = options.breakers;
    this.#onRuns = options.onRuns;
    this.#onQueued = options.onQueued;
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
      for (const { leased, lane } of found) if (leased) this.#lanes.cancelReservation(lane);
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
        found.push(this.#place(event, endpoint));
      }
    }
    return found;
  }

  /** Takes the delivery for this relay at once, unless its endpoint has a say in when it goes, or has no room. */
  #place(event: ClaimedEvent, endpoint: WebhookEndpoint): Match {
    const ordered = isOrdered(endpoint, event.work_item_id);
    const lane = this.#lanes.lane(laneOf(endpoint.webhookId, ordered));
    lane.isGoverned = ordered || endpoint.rateLimitPerSecond !== null || this.#breakers.isOpen(endpoint.webhookId);
    return { event, endpoint, isOrdered: ordered, lane: lane.key, leased: this.#lanes.reserve(lane.key) };
  }

  #send(found: readonly Match[], inserted: readonly InsertedDelivery[], leaseEndsAt: number): void {
    const idOf = new Map(inserted.map((row) => [`${row.event_id}/${String(row.webhook_id)}`, row.id]));
    const queued = new Set<string>();
    for (const { event, endpoint, lane, leased } of found) {
      if (!leased) {
        queued.add(lane);
        continue;
      }
      const deliveryId = idOf.get(`${event.event_id}/${String(endpoint.webhookId)}`);
      if (deliveryId === undefined) {
        this.#lanes.cancelReservation(lane);
        continue;
      }
      const { client_id: clientId, event_id: eventId, name, occurred_at: occurredAt, data_text: dataText } = event;
      const facts = { clientId, eventId, name, occurredAt, dataText };
      this.#lanes.add({ deliveryId, round: 1, sendNumber: 1, lane, endpoint, event: facts, leaseEndsAt });
    }
    for (const key of queued) {
      const lane = this.#lanes.lane(key);
      // Said again: a claim that began before the commit may have found nothing, and cleared it.
      lane.hasBacklog = true;
      this.#onQueued(lane);
    }
  }
}

function newDelivery({ event, endpoint, isOrdered: ordered, leased }: Match): NewDelivery {
  return {
    clientId: event.client_id,
    webhookId: endpoint.webhookId,
    eventId: event.event_id,
    eventType: event.name,
    workItemId: event.work_item_id,
    eventSeq: event.id,
    isOrdered: ordered,
    leased,
  };
}

import {
  claimDeliveries,
  deadLetter,
  endpointOfCallback,
  freeLanes,
  LEASE_MS,
  releaseLeases,
  VERIFICATION_EVENT,
} from '../../domain/webhooks/index.ts';
import type { ClaimedDelivery, Endpoint } from '../../domain/webhooks/index.ts';
import type { Vault } from '../../platform/crypto.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';
import { SendError } from '../../platform/http/send-error.ts';
import type { Logger } from '../../platform/log.ts';
import type { Lane } from './lane.ts';
import type { Lanes } from './lanes.ts';
import type { Subscriptions } from './subscriptions.ts';

const MAX_CLAIM = 64;
/** Statements that fetch backlogs at a time, so that a thousand lanes don't take every connection. */
const MAX_CLAIMS_AT_ONCE = 3;

/**
 * Fetches what waits in PostgreSQL, lane by lane, as each has room: deliveries that didn't fit when their event came,
 * those of a relay that died, and those that were queued without an event to match (callbacks, verifications).
 */
export class Backlog {
  readonly #db: SystemDatabase;
  readonly #vault: Vault;
  readonly #subscriptions: Subscriptions;
  readonly #lanes: Lanes;
  readonly #log: Logger;
  readonly #asking: Lane[] = [];
  #claims = 0;
  #isStopped = false;

  constructor(options: { db: SystemDatabase; vault: Vault; subscriptions: Subscriptions; lanes: Lanes; log: Logger }) {
    this.#db = options.db;
    this.#vault = options.vault;
    this.#subscriptions = options.subscriptions;
    this.#lanes = options.lanes;
    this.#log = options.log;
  }

  /** Looks for lanes with something to send. */
  async sweep(): Promise<void> {
    for (const key of await freeLanes(this.#db)) {
      const lane = this.#lanes.lane(key);
      lane.hasBacklog = true;
      this.ask(lane);
    }
  }

  /** Fetches more for a lane that has room. */
  ask(lane: Lane): void {
    if (this.#isStopped || lane.isClaiming || this.#lanes.room(lane) === 0) return;
    lane.isClaiming = true;
    this.#asking.push(lane);
    this.#pump();
  }

  stop(): void {
    this.#isStopped = true;
    for (const lane of this.#asking.splice(0)) lane.isClaiming = false;
  }

  #pump(): void {
    while (this.#claims < MAX_CLAIMS_AT_ONCE) {
      const lane = this.#asking.shift();
      if (lane === undefined) return;
      this.#claims += 1;
      void this.#claim(lane).finally(() => {
        this.#claims -= 1;
        lane.isClaiming = false;
        if (lane.wantsMore && !this.#isStopped) this.ask(lane);
        this.#pump();
      });
    }
  }

  async #claim(lane: Lane): Promise<void> {
    const count = this.#lanes.reserveForClaim(lane, MAX_CLAIM);
    if (count === 0) return;
    let open = count;
    try {
      const leaseEndsAt = performance.now() + LEASE_MS;
      // Cleared before the look: what is left behind meanwhile sets it again.
      lane.hasBacklog = false;
      const rows = await claimDeliveries(this.#db, lane.key, count);
      if (rows.length === count) lane.hasBacklog = true;
      const withheld: number[] = [];
      for (const row of rows) {
        const endpoint = await this.#endpointOf(row);
        if (endpoint === undefined) continue;
        if (endpoint === 'withheld' || this.#isStopped) {
          withheld.push(row.id);
          continue;
        }
        open -= 1;
        this.#lanes.add(heldOf(row, endpoint, leaseEndsAt));
      }
      if (withheld.length > 0) await releaseLeases(this.#db, withheld);
    } catch (error) {
      // What was leased comes free by itself; the next sweep finds it.
      this.#log.warn({ err: (error as Error).message, lane: lane.key }, 'backlog not fetched');
    } finally {
      if (open > 0) this.#lanes.cancelReservation(lane.key, open);
    }
  }

  /** Where a delivery goes; undefined when it can go nowhere (it then ends), `withheld` when it must wait. */
  async #endpointOf(row: ClaimedDelivery): Promise<Endpoint | 'withheld' | undefined> {
    const { client_id: clientId, id: deliveryId, round } = row;
    const end = async (reason: string): Promise<undefined> => {
      await deadLetter(this.#db, { clientId, deliveryId, round }, reason);
      return undefined;
    };
    if (row.webhook_id === null) {
      if (row.target === null) return end('the delivery has no target');
      try {
        return await endpointOfCallback(this.#db, this.#vault, clientId, row.target);
      } catch (error) {
        if (error instanceof SendError) return end(error.message);
        throw error;
      }
    }
    const webhooks = await this.#subscriptions.of(clientId, row.revision);
    const endpoint = webhooks.find((webhook) => webhook.webhookId === row.webhook_id);
    if (endpoint === undefined) return end('the webhook was deleted');
    const maySend = endpoint.isActive && (endpoint.isVerified || row.name === VERIFICATION_EVENT);
    return maySend ? endpoint : 'withheld';
  }
}

function heldOf(row: ClaimedDelivery, endpoint: Endpoint, leaseEndsAt: number): Parameters<Lanes['add']>[0] {
  const { client_id: clientId, event_id: eventId, name, occurred_at: occurredAt, data_text: dataText } = row;
  const event = { clientId, eventId, name, occurredAt, dataText };
  return { deliveryId: row.id, round: row.round, sendNumber: row.sends + 1, endpoint, event, leaseEndsAt };
}

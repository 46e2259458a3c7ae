import {
  claimAdmitted,
  claimDeliveries,
  deadLetter,
  endpointOfCallback,
  freeLanes,
  isOrderedLane,
  LEASE_MS,
  releaseLeases,
  VERIFICATION_EVENT,
  webhookIdOfLane,
} from '../../domain/webhooks/index.ts';
import type { ClaimedDelivery, Endpoint } from '../../domain/webhooks/index.ts';
import type { Vault } from '../../platform/crypto.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';
import { SendError } from '../../platform/http/send-error.ts';
import type { Logger } from '../../platform/log.ts';
import type { Breakers } from './breakers.ts';
import type { Held } from './held.ts';
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
  readonly #breakers: Breakers;
  readonly #leased: () => Iterable<Held>;
  readonly #log: Logger;
  readonly #asking: Lane[] = [];
  /** For each fetch under way, what was recorded since it began. */
  readonly #recordedDuring = new Set<Held[]>();
  #claims = 0;
  #isStopped = false;

  /** `leased`: what this relay holds, or has sent and not recorded yet. */
  constructor(options: {
    db: SystemDatabase;
    vault: Vault;
    subscriptions: Subscriptions;
    lanes: Lanes;
    breakers: Breakers;
    leased: () => Iterable<Held>;
    log: Logger;
  }) {
    this.#db = options.db;
    this.#vault = options.vault;
    this.#subscriptions = options.subscriptions;
    this.#lanes = options.lanes;
    this.#breakers = options.breakers;
    this.#leased = options.leased;
    this.#log = options.log;
  }

  /** Looks for lanes with something to send. */
  async sweep(): Promise<void> {
    for (const { lane: key, is_open: isOpen, is_governed: isGoverned } of await freeLanes(this.#db)) {
      const lane = this.#lanes.lane(key);
      const webhookId = webhookIdOfLane(key);
      // One that is open is in the answer because a probe is due.
      if (webhookId !== null && isOpen) this.#breakers.open(webhookId, 0);
      else if (webhookId !== null) this.#breakers.close(webhookId);
      lane.isGoverned = isGoverned || isOrderedLane(key);
      lane.hasBacklog = true;
      this.ask(lane);
    }
  }

  /** Fetches more for a lane that has room, and whose endpoint takes anything now. */
  ask(lane: Lane): void {
    if (this.#isStopped || lane.isClaiming || lane.isWaiting || this.#lanes.claimable(lane) === 0) return;
    const webhookId = webhookIdOfLane(lane.key);
    if (webhookId !== null && !this.#breakers.maySend(webhookId)) return;
    lane.isClaiming = true;
    this.#asking.push(lane);
    this.#pump();
  }

  /** Deliveries whose outcome is written: a fetch that began before may answer them all the same. */
  noteRecorded(recorded: readonly Held[]): void {
    for (const noted of this.#recordedDuring) noted.push(...recorded);
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
    const recorded: Held[] = [];
    this.#recordedDuring.add(recorded);
    try {
      const leaseEndsAt = performance.now() + LEASE_MS;
      // Cleared before the look: what is left behind meanwhile sets it again.
      lane.hasBacklog = false;
      const rows = unsent(await this.#fetch(lane, count), [this.#leased(), recorded], leaseEndsAt);
      const withheld: number[] = [];
      for (const row of rows) {
        const endpoint = await this.#endpointOf(row);
        if (endpoint === undefined) continue;
        if (endpoint === 'withheld' || this.#isStopped) {
          withheld.push(row.id);
          continue;
        }
        open -= 1;
        this.#lanes.add(heldOf(row, { endpoint, lane: lane.key, leaseEndsAt }));
      }
      if (withheld.length === 0) return;
      // Whoever makes its webhook active again wakes the lane.
      lane.hasBacklog = false;
      await releaseLeases(this.#db, withheld);
    } catch (error) {
      // What was leased comes free by itself; the next sweep finds it.
      this.#log.warn({ err: (error as Error).message, lane: lane.key }, 'backlog not fetched');
    } finally {
      this.#recordedDuring.delete(recorded);
      if (open > 0) this.#lanes.cancelReservation(lane.key, open);
    }
  }

  async #fetch(lane: Lane, count: number): Promise<ClaimedDelivery[]> {
    const note = (isMore: boolean): void => {
      if (isMore) lane.hasBacklog = true;
      else lane.isDraining = false;
    };
    if (!lane.isGoverned) {
      const rows = await claimDeliveries(this.#db, lane.key, count);
      note(rows.length === count);
      return rows;
    }
    const claim = await claimAdmitted(this.#db, lane.key, { wanted: count, afterItem: lane.afterItem });
    const { deliveries, waitMs, isGoverned, probeInMs, nextItem } = claim;
    lane.isGoverned = isGoverned;
    lane.afterItem = nextItem;
    const webhookId = webhookIdOfLane(lane.key);
    if (webhookId !== null && probeInMs !== null) this.#breakers.open(webhookId, probeInMs);
    else if (webhookId !== null) this.#breakers.close(webhookId);
    note(deliveries.length === count || waitMs !== null || probeInMs !== null);
    // An open breaker's time is the sweep's business.
    if (waitMs !== null && probeInMs === null) this.#askIn(lane, waitMs);
    return deliveries;
  }

  /** Not before: asking earlier finds no token. */
  #askIn(lane: Lane, waitMs: number): void {
    lane.isWaiting = true;
    setTimeout(() => {
      lane.isWaiting = false;
      this.ask(lane);
    }, waitMs).unref();
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

/**
 * Of what was claimed, what is to be sent. Leases run out while the database is away: what we hold is then ours anew, and
 * must not be sent a second time; nor what has been recorded while the claim's answer was on its way.
 */
function unsent(rows: readonly ClaimedDelivery[], ours: Iterable<Held>[], leaseEndsAt: number): ClaimedDelivery[] {
  if (rows.length === 0) return [];
  const rounds = new Map(rows.map(({ id, round }) => [id, round]));
  const own = new Set<number>();
  for (const held of ours.flatMap((some) => [...some])) {
    if (rounds.get(held.deliveryId) !== held.round) continue;
    held.leaseEndsAt = leaseEndsAt;
    own.add(held.deliveryId);
  }
  return rows.filter(({ id }) => !own.has(id));
}

function heldOf(row: ClaimedDelivery, place: Pick<Held, 'endpoint' | 'lane' | 'leaseEndsAt'>): Held {
  const { client_id: clientId, event_id: eventId, name, occurred_at: occurredAt, data_text: dataText } = row;
  const event = { clientId, eventId, name, occurredAt, dataText };
  return { deliveryId: row.id, round: row.round, sendNumber: row.sends + 1, event, ...place };
}

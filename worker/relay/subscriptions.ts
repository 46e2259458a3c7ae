import { LRUCache } from 'lru-cache';
import { endpointsOfClient } from '../../domain/webhooks/index.ts';
import type { WebhookEndpoint } from '../../domain/webhooks/index.ts';
import type { Vault } from '../../platform/crypto.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';
import type { Breakers } from './breakers.ts';

const MAX_CLIENTS = 2_000;
/** Also fetched anew after so long, so that a rotated MASTER_KEY or a row changed by hand is seen. */
const TTL_MS = 60_000;

interface Cached {
  revision: number;
  endpoints: Promise<readonly WebhookEndpoint[]>;
}

/**
 * Each client's webhooks, ready to send. A copy counts as long as its revision is the one that the claimed rows carry:
 * an event that was recorded after a webhook was made is never matched against a copy without it.
 */
export class Subscriptions {
  readonly #cache = new LRUCache<number, Cached>({ max: MAX_CLIENTS, ttl: TTL_MS });
  readonly #db: SystemDatabase;
  readonly #vault: Vault;
  readonly #breakers: Breakers;

  constructor(db: SystemDatabase, vault: Vault, breakers: Breakers) {
    this.#db = db;
    this.#vault = vault;
    this.#breakers = breakers;
  }

  /** The client's webhooks as of `revision` or later; null means that it has none. */
  async of(clientId: number, revision: number | null): Promise<readonly WebhookEndpoint[]> {
    if (revision === null) return [];
    const cached = this.#cache.get(clientId);
    if (cached !== undefined && cached.revision >= revision) return cached.endpoints;
    const endpoints = this.#load(clientId);
    const entry = { revision, endpoints };
    this.#cache.set(clientId, entry);
    try {
      return await endpoints;
    } catch (error) {
      if (this.#cache.peek(clientId) === entry) this.#cache.delete(clientId);
      throw error;
    }
  }

  /** A relay that has just started learns so of breakers that others have seen open, before it sends anything. */
  async #load(clientId: number): Promise<readonly WebhookEndpoint[]> {
    const endpoints = await endpointsOfClient(this.#db, this.#vault, clientId);
    for (const { webhookId, probeInMs } of endpoints) {
      if (probeInMs !== null) this.#breakers.open(webhookId, probeInMs);
    }
    return endpoints;
  }
}

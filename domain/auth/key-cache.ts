import { LRUCache } from 'lru-cache';
import type { Caller } from '../contracts/caller.ts';
import { API_KEY_CHANGED, addressCheck } from '../keys/index.ts';
import type { AddressCheck } from '../keys/index.ts';
import { CLIENT_COLUMNS, clientFactsOf } from '../tenancy/index.ts';
import type { ClientColumns } from '../tenancy/index.ts';
import type { Broadcast } from '../../platform/db/broadcast.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';
import { statement } from '../../platform/db/statement.ts';

/** The longest a changed key may still be taken for what it was by a process that could not be told. */
export const CACHE_MS = 1_000;
export const CACHE_ENTRIES = 20_000;

/** What authentication knows of a key, made ready once for all requests with it. */
export interface KnownKey {
  isActive: boolean;
  /** Epoch milliseconds from which this secret is refused: the key's expiry, or the end of a rotation's grace. */
  endsAt: number;
  isAllowed: AddressCheck;
  caller: Omit<Caller, 'address'>;
}

interface KeyRow extends ClientColumns, Record<string, unknown> {
  id: number;
  user_id: number;
  environment: string;
  scopes: string[];
  allowed_ips: string[];
  rate_limit_per_minute: number | null;
  ends_at: Date | null;
  is_active: boolean;
}

// A key dies with its owner: deactivating a user disables the keys that it owns (decisions §2).
const FIND = `
  select k.id, k.user_id, k.environment, k.scopes, k.allowed_ips, k.rate_limit_per_minute,
    k.is_active and u.is_active as is_active, ${CLIENT_COLUMNS}`;
const FROM = `from api_keys k join clients c on c.id = k.client_id join users u on u.id = k.user_id`;
const FIND_CURRENT = statement(`${FIND}, k.expires_at as ends_at ${FROM} where k.key_hash = $1`);
// The secret before the last rotation, while its grace lasts.
const FIND_PREVIOUS = statement(`
  ${FIND}, least(k.expires_at, k.previous_key_expires_at) as ends_at ${FROM} where k.previous_key_hash = $1`);

interface Entry {
  known: KnownKey;
  readAt: number;
}

/**
 * Keys by the digest of their secret, each held for at most a second and dropped at once when another process says that
 * it was changed. While nothing can be heard, nothing is held.
 */
export class KeyCache {
  readonly #system: SystemDatabase;
  readonly #broadcast: Pick<Broadcast, 'isListening'>;
  readonly #entries = new LRUCache<string, Entry>({ max: CACHE_ENTRIES });
  readonly #reading = new Map<string, Promise<KnownKey | undefined>>();
  /** Rises with every change heard: what was read before it must not be kept. */
  #changes = 0;

  constructor(system: SystemDatabase, broadcast: Pick<Broadcast, 'isListening' | 'subscribe'>) {
    this.#system = system;
    this.#broadcast = broadcast;
    broadcast.subscribe(
      API_KEY_CHANGED,
      (id) => this.#drop(Number(id)),
      () => this.#dropAll(),
    );
  }

  /** The key when it is held, without a promise in between. */
  held(digest: string): KnownKey | undefined {
    const entry = this.#entries.get(digest);
    if (entry === undefined || !this.#broadcast.isListening) return undefined;
    return performance.now() - entry.readAt < CACHE_MS ? entry.known : undefined;
  }

  /** The key from the database; requests that ask for the same one at the same time share a look-up. */
  find(digest: string): Promise<KnownKey | undefined> {
    if (!this.#broadcast.isListening) return this.#read(digest);
    let reading = this.#reading.get(digest);
    if (reading === undefined) {
      reading = this.#read(digest);
      this.#reading.set(digest, reading);
      const done = (): void => {
        if (this.#reading.get(digest) === reading) this.#reading.delete(digest);
      };
      reading.then(done, done);
    }
    return reading;
  }

  async #read(digest: string): Promise<KnownKey | undefined> {
    const changes = this.#changes;
    const readAt = performance.now();
    const hash = Buffer.from(digest, 'base64url');
    const [current] = await this.#system.query<KeyRow>(FIND_CURRENT, [hash]);
    const [row] = current === undefined ? await this.#system.query<KeyRow>(FIND_PREVIOUS, [hash]) : [current];
    if (row === undefined) return undefined;
    const known = knownKey(row);
    if (changes === this.#changes) this.#entries.set(digest, { known, readAt });
    return known;
  }

  #drop(keyId: number): void {
    this.#forgetReads();
    for (const [digest, { known }] of this.#entries.entries()) {
      if (known.caller.apiKey?.id === keyId) this.#entries.delete(digest);
    }
  }

  #dropAll(): void {
    this.#forgetReads();
    this.#entries.clear();
  }

  /** Look-ups under way may have read what has just been changed: nobody new joins them, and they are not kept. */
  #forgetReads(): void {
    this.#changes += 1;
    this.#reading.clear();
  }
}

function knownKey(row: KeyRow): KnownKey {
  return {
    isActive: row.is_active,
    endsAt: row.ends_at?.getTime() ?? Infinity,
    isAllowed: addressCheck(row.allowed_ips),
    caller: {
      clientId: row.c_id,
      client: clientFactsOf(row),
      actor: { type: 'api_key', id: String(row.id) },
      userId: row.user_id,
      role: null,
      scopes: new Set(row.scopes),
      apiKey: { id: row.id, environment: row.environment, rateLimitPerMinute: row.rate_limit_per_minute },
    },
  };
}

import { LRUCache } from 'lru-cache';
import type { Broadcast } from './broadcast.ts';

/** The longest a changed record may still be taken for what it was by a process that could not be told. */
export const CACHE_MS = 1_000;
export const CACHE_ENTRIES = 20_000;

export interface ToldCacheOptions<Value, Source> {
  broadcast: Pick<Broadcast, 'isListening' | 'subscribe'>;
  /** Looks a record up by what it is asked for; undefined for one that there is not, which is never held. */
  read: (source: Source) => Promise<Value | undefined>;
  /** The topics on which changes of records are broadcast, and whether a message is about this record. */
  concerns: Readonly<Record<string, (value: Value, message: string) => boolean>>;
}

interface Entry<Value> {
  value: Value;
  readAt: number;
}

/**
 * Records by key, each held for at most a second and dropped at once when another process says that it was changed.
 * While nothing can be heard, nothing is held.
 */
export class ToldCache<Value, Source = string> {
  readonly #options: ToldCacheOptions<Value, Source>;
  readonly #entries = new LRUCache<string, Entry<Value>>({ max: CACHE_ENTRIES });
  readonly #reading = new Map<string, Promise<Value | undefined>>();
  /** Rises with every change heard: what was read before it must not be kept. */
  #changes = 0;

  constructor(options: ToldCacheOptions<Value, Source>) {
    this.#options = options;
    for (const [topic, concerns] of Object.entries(options.concerns)) {
      options.broadcast.subscribe(
        topic,
        (message) => this.#drop((value) => concerns(value, message)),
        () => this.#dropAll(),
      );
    }
  }

  /** The record when it is held, without a promise in between. */
  held(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || !this.#options.broadcast.isListening) return undefined;
    return performance.now() - entry.readAt < CACHE_MS ? entry.value : undefined;
  }

  /** The record from where it is kept; requests that ask for the same one at the same time share a look-up. */
  find(key: string, source: Source): Promise<Value | undefined> {
    if (!this.#options.broadcast.isListening) return this.#read(key, source);
    let reading = this.#reading.get(key);
    if (reading === undefined) {
      reading = this.#read(key, source);
      this.#reading.set(key, reading);
      const done = (): void => {
        if (this.#reading.get(key) === reading) this.#reading.delete(key);
      };
      reading.then(done, done);
    }
    return reading;
  }

  async #read(key: string, source: Source): Promise<Value | undefined> {
    const changes = this.#changes;
    const readAt = performance.now();
    const value = await this.#options.read(source);
    if (value !== undefined && changes === this.#changes) this.#entries.set(key, { value, readAt });
    return value;
  }

  #drop(isChanged: (value: Value) => boolean): void {
    this.#forgetReads();
    for (const [key, { value }] of this.#entries.entries()) {
      if (isChanged(value)) this.#entries.delete(key);
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

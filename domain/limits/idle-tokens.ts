import type { LeaseStore, ReturnedTokens } from './lease-store.ts';
import type { StoreHealth } from './store-health.ts';
import type { SubjectWindow } from './subject-window.ts';

const IDLE_MS = 1_000;
const SWEEP_MS = 250;
const PER_STATEMENT = 1_000;

/** Gives back what subjects leave unused for a second, many in one statement. Its timer runs only while tokens are held. */
export class IdleTokens {
  readonly #store: LeaseStore;
  readonly #health: StoreHealth;
  readonly #watched = new Set<SubjectWindow>();
  #loose: ReturnedTokens[] = [];
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(store: LeaseStore, health: StoreHealth) {
    this.#store = store;
    this.#health = health;
  }

  /** Looks after the tokens of `window` until it holds none. */
  watch(window: SubjectWindow): void {
    this.#watched.add(window);
    this.#wake();
  }

  /** Tokens that came too late for anyone to use. */
  add(tokens: ReturnedTokens): void {
    this.#loose.push(tokens);
    this.#wake();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    for (const window of this.#watched) await window.asking;
    await this.#giveBack(Array.from(this.#watched), performance.now());
  }

  #wake(): void {
    if (this.#closed || this.#timer !== undefined) return;
    this.#timer = setInterval(() => {
      this.#sweep();
    }, SWEEP_MS);
    this.#timer.unref();
  }

  #sweep(): void {
    if (this.#health.down) return;
    const now = performance.now();
    const idle: SubjectWindow[] = [];
    for (const window of this.#watched) {
      if (window.asking !== undefined) continue;
      if (!window.holdsTokens(now)) this.#watched.delete(window);
      else if (window.idleMs(now) >= IDLE_MS) idle.push(window);
    }
    void this.#giveBack(idle, now);
    if (this.#watched.size > 0 || this.#loose.length > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #giveBack(windows: readonly SubjectWindow[], now: number): Promise<void> {
    const returned = this.#loose.splice(0);
    const returning = new Set<SubjectWindow>();
    for (const window of windows) {
      this.#watched.delete(window);
      const tokens = window.release(now);
      if (tokens === undefined) continue;
      returned.push(tokens);
      returning.add(window);
    }
    if (returned.length === 0) return;
    const done = this.#send(returned, now).finally(() => {
      for (const window of returning) window.returning = undefined;
    });
    for (const window of returning) window.returning = done;
    await done;
  }

  /** Never rejects. Tokens that could not be returned are lost until their window ends: too few are admitted, not too many. */
  async #send(returned: readonly ReturnedTokens[], now: number): Promise<void> {
    try {
      for (let start = 0; start < returned.length; start += PER_STATEMENT) {
        await this.#store.giveBack(returned.slice(start, start + PER_STATEMENT));
      }
    } catch (error) {
      this.#health.failed(error, now);
    }
  }
}

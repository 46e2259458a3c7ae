/** The least time between two NOTIFYs of one channel: in a burst one wakes the listener for many commits. */
const MIN_INTERVAL_MS = 5;

/**
 * Wakes listeners of commits: at once, and in a burst at most every 5 ms. A transaction whose turn it is carries the
 * NOTIFY itself; those in between are told of from a side connection, because a NOTIFY inside each transaction makes
 * commits wait for one another. A NOTIFY lost in a crash costs nothing: listeners poll too.
 */
export class Notifier {
  readonly #send: (channel: string) => Promise<unknown>;
  readonly #last = new Map<string, number>();
  readonly #scheduled = new Map<string, NodeJS.Timeout>();

  constructor(send: (channel: string) => Promise<unknown>) {
    this.#send = send;
  }

  /** Whether a transaction that is about to commit is to carry the NOTIFY; else `wake` is for it, once it is committed. */
  claim(channel: string): boolean {
    const now = performance.now();
    if (now < (this.#last.get(channel) ?? -Infinity) + MIN_INTERVAL_MS) return false;
    this.#last.set(channel, now);
    return true;
  }

  wake(channel: string): void {
    if (this.#scheduled.has(channel)) return;
    const wait = (this.#last.get(channel) ?? -Infinity) + MIN_INTERVAL_MS - performance.now();
    if (wait <= 0) this.#notify(channel);
    else
      this.#scheduled.set(
        channel,
        setTimeout(() => this.#notify(channel), wait),
      );
  }

  /** Forgets what is scheduled; the listeners' poll finds it. */
  close(): void {
    for (const timer of this.#scheduled.values()) clearTimeout(timer);
    this.#scheduled.clear();
  }

  #notify(channel: string): void {
    this.#scheduled.delete(channel);
    this.#last.set(channel, performance.now());
    this.#send(channel).catch(() => undefined);
  }
}

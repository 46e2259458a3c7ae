/** Wakes a loop that sleeps. A wake-up that comes while the loop is at work is kept for its next sleep. */
export class Signal {
  #isSet = false;
  #resolve: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;

  set(): void {
    this.#isSet = true;
    this.#resolve?.();
  }

  /** Sets the signal after a while, once for however many calls come until then. */
  setSoon(delayMs: number): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.set();
    }, delayMs);
  }

  /** Resolves when the signal is set, or after `timeoutMs`; clears it. */
  async wait(timeoutMs: number): Promise<void> {
    if (!this.#isSet) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.#resolve = resolve;
        timer = setTimeout(resolve, timeoutMs);
      });
      clearTimeout(timer);
      this.#resolve = undefined;
    }
    this.#isSet = false;
  }
}

import { setTimeout as sleep } from 'node:timers/promises';

/** Tries until it works; the last failure when the time is over. */
export async function within<T>(ms: number, attempt: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + ms;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(100);
    }
  }
}

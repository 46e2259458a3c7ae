/**
 * What this relay knows of open circuit breakers; their truth stands in the rows of the webhooks. A relay that knows of one
 * leaves its deliveries in PostgreSQL; it learns of one with the client's webhooks, or from a send that fails.
 */
export class Breakers {
  readonly #probeAt = new Map<number, number>();

  /** Its webhook's breaker is open, and may be probed in so long. */
  open(webhookId: number, probeInMs: number): void {
    this.#probeAt.set(webhookId, performance.now() + probeInMs);
  }

  close(webhookId: number): void {
    this.#probeAt.delete(webhookId);
  }

  isOpen(webhookId: number): boolean {
    return this.#probeAt.has(webhookId);
  }

  /** Whether asking for one of its deliveries makes sense: it is closed, or a probe is due. */
  maySend(webhookId: number): boolean {
    return performance.now() >= (this.#probeAt.get(webhookId) ?? 0);
  }
}

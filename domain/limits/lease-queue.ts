import type { Lease, LeaseRequest } from './lease-store.ts';

interface Pending {
  request: LeaseRequest;
  resolve: (lease: Lease) => void;
  reject: (error: unknown) => void;
}

type Send = (requests: readonly LeaseRequest[]) => Promise<Map<string, Lease>>;

const PER_STATEMENT = 64;
const IN_FLIGHT = 2;

/**
 * Joins leases that are asked for while others are under way into one statement: when the windows of hundreds of
 * subjects end together, they cost a few round trips. A lone lease is sent at once.
 */
export class LeaseQueue {
  readonly #send: Send;
  #pending: Pending[] = [];
  #inFlight = 0;

  constructor(send: Send) {
    this.#send = send;
  }

  lease(request: LeaseRequest): Promise<Lease> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ request, resolve, reject });
      this.#sendNext();
    });
  }

  #sendNext(): void {
    if (this.#inFlight >= IN_FLIGHT || this.#pending.length === 0) return;
    this.#inFlight += 1;
    void this.#run(this.#take()).finally(() => {
      this.#inFlight -= 1;
      this.#sendNext();
    });
  }

  /** Each subject once: one statement can't change a row twice. */
  #take(): Pending[] {
    const taken = new Map<string, Pending>();
    const rest: Pending[] = [];
    for (const pending of this.#pending) {
      const { subject } = pending.request;
      if (taken.size < PER_STATEMENT && !taken.has(subject)) taken.set(subject, pending);
      else rest.push(pending);
    }
    this.#pending = rest;
    return [...taken.values()];
  }

  async #run(batch: readonly Pending[]): Promise<void> {
    try {
      const leases = await this.#send(batch.map(({ request }) => request));
      for (const { request, resolve, reject } of batch) {
        const lease = leases.get(request.subject);
        if (lease === undefined) reject(new Error('the lease statement left a subject out'));
        else resolve(lease);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}

import type { Endpoint, OutgoingDelivery } from '../../domain/webhooks/index.ts';

/** A delivery that this relay has leased and is about to send, or is sending. */
export interface Held extends OutgoingDelivery {
  round: number;
  /** Whose share of this relay it takes. */
  lane: string;
  endpoint: Endpoint;
  /** On this process's monotonic clock: by then the lease must have been renewed. */
  leaseEndsAt: number;
}

import { ApiError } from '../../domain/contracts/errors.ts';
import type { RatePolicy } from '../../domain/limits/index.ts';
import type { Services } from '../services.ts';

/** Of a client, together. */
const MOST: RatePolicy = { perWindow: 60, burst: 60 };

/**
 * Counts a send that its caller makes happen at once, at an address of its choice: a test, or a challenge. Without a limit
 * of its own the platform would be a flood, or a scanner of ports, for whoever may make a webhook.
 */
export async function limitSends({ limiter }: Services, clientId: number): Promise<void> {
  const { verdict, retryAfterSeconds } = await limiter.admit(`webhook-sends:${String(clientId)}`, MOST);
  if (verdict === 'admitted') return;
  throw new ApiError(
    'RATE_LIMITED',
    `At most ${String(MOST.perWindow)} tests and verifications of webhooks are sent in a minute.`,
    { retryAfterSeconds },
  );
}

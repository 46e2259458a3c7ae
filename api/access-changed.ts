import { ACCESS_CHANGED } from '../domain/tenancy/index.ts';
import type { AccessChange } from '../domain/tenancy/index.ts';
import type { Services } from './services.ts';

/** Resolves when every process has dropped what it holds of a user, and of keys, tokens and applications that rest on it. */
export function userChanged({ broadcast }: Pick<Services, 'broadcast'>, id: number): Promise<void> {
  return broadcast.publish(ACCESS_CHANGED, `user:${String(id)}` satisfies AccessChange);
}

/** The same for a client: every caller carries its settings. */
export function clientChanged({ broadcast }: Pick<Services, 'broadcast'>, id: number): Promise<void> {
  return broadcast.publish(ACCESS_CHANGED, `client:${String(id)}` satisfies AccessChange);
}

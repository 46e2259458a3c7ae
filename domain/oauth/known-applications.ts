import type { Broadcast } from '../../platform/db/broadcast.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';
import { ToldCache } from '../../platform/db/told-cache.ts';
import { ACCESS_CHANGED, isAbout } from '../tenancy/index.ts';
import { findApplication } from './application.ts';
import type { OAuthApplication } from './application.ts';
import { OAUTH_CHANGED } from './changed.ts';
import type { OAuthChange } from './changed.ts';

/** Applications by their client id, held for at most a second and dropped when one is changed. */
export interface KnownApplications {
  find(oauthClientId: string): Promise<OAuthApplication | undefined>;
}

export function createKnownApplications(
  system: SystemDatabase,
  broadcast: Pick<Broadcast, 'isListening' | 'subscribe'>,
): KnownApplications {
  const cache = new ToldCache<OAuthApplication>({
    broadcast,
    read: (oauthClientId) => findApplication(system, oauthClientId),
    concerns: {
      [OAUTH_CHANGED]: ({ id }, change) => change === (`application:${String(id)}` satisfies OAuthChange),
      [ACCESS_CHANGED]: ({ clientId, vouchedForBy: userId }, change) => isAbout(change, { clientId, userId }),
    },
  });
  return {
    async find(oauthClientId) {
      return cache.held(oauthClientId) ?? cache.find(oauthClientId, oauthClientId);
    },
  };
}

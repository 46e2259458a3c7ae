import { OAUTH_CHANGED } from '../../domain/oauth/index.ts';
import type { OAuthChange } from '../../domain/oauth/index.ts';
import type { Services } from '../services.ts';

/** Resolves when every process has dropped what it holds of an application and its tokens. */
export function applicationChanged({ broadcast }: Pick<Services, 'broadcast'>, id: number): Promise<void> {
  const change: OAuthChange = `application:${String(id)}`;
  return broadcast.publish(OAUTH_CHANGED, change);
}

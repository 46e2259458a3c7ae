import { hash } from 'node:crypto';
import type { OAuthTokenCheck } from '../auth/index.ts';
import type { Caller } from '../contracts/caller.ts';
import { ApiError } from '../contracts/errors.ts';
import { ACCESS_CHANGED, clientFactsOf, isAbout } from '../tenancy/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Broadcast } from '../../platform/db/broadcast.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';
import { ToldCache } from '../../platform/db/told-cache.ts';
import { ExpiredTokenError, InvalidTokenError } from '../../platform/jwt.ts';
import type { JwtSigner } from '../../platform/jwt.ts';
import { readAccessToken } from './access-tokens.ts';
import type { AccessTokenRow } from './access-tokens.ts';
import { OAUTH_CHANGED } from './changed.ts';
import type { OAuthChange } from './changed.ts';

interface KnownToken {
  isLive: boolean;
  /** Epoch milliseconds. */
  expiresAt: number;
  /** The changes of OAuth records that are about this token. */
  restsOn: ReadonlySet<string>;
  /** Who vouches for the application's scopes. */
  vouchedForBy: number;
  caller: Omit<Caller, 'address'>;
}

export interface TokenCheckDeps {
  system: SystemDatabase;
  jwt: JwtSigner;
  clock: Clock;
  broadcast: Pick<Broadcast, 'isListening' | 'subscribe'>;
}

/**
 * Checks OAuth access tokens on the resource side (spec, "Endpoints / OAuth 2.0"): signature, type, audience and time,
 * then that the token is on record, not revoked, and that all it rests on still stands. What was found is held for at
 * most a second, so that a busy token costs neither a signature check nor a look-up each time.
 */
export function createTokenCheck({ system, jwt, clock, broadcast }: TokenCheckDeps): OAuthTokenCheck {
  const cache = new ToldCache<KnownToken, { token: string; issuer: string }>({
    broadcast,
    concerns: {
      [OAUTH_CHANGED]: ({ restsOn }, change) => restsOn.has(change),
      [ACCESS_CHANGED]: ({ caller, vouchedForBy: userId }, change) =>
        isAbout(change, caller) || isAbout(change, { ...caller, userId }),
    },
    read: async ({ token, issuer }) => {
      const row = await readAccessToken({ system, jwt, issuer, now: clock.now() }, token).catch(refuse);
      return row === undefined ? undefined : knownToken(row);
    },
  });
  return async (token, issuer, address) => {
    const digest = hash('sha256', `${issuer} ${token}`, 'base64url');
    const known = cache.held(digest) ?? (await cache.find(digest, { token, issuer }));
    if (known?.isLive !== true) throw new ApiError('UNAUTHORIZED', 'The access token is not valid.');
    if (known.expiresAt <= clock.now()) throw expired();
    return { ...known.caller, address };
  };
}

function refuse(error: unknown): never {
  if (error instanceof ExpiredTokenError) throw expired(error);
  if (error instanceof InvalidTokenError) {
    throw new ApiError('UNAUTHORIZED', 'The access token is not valid.', { cause: error });
  }
  throw error;
}

function expired(cause?: unknown): ApiError {
  return new ApiError('TOKEN_EXPIRED', 'The access token has expired; refresh it.', { cause });
}

function knownToken(row: AccessTokenRow): KnownToken {
  const restsOn: OAuthChange[] = [
    `jti:${row.jti}`,
    `chain:${row.chain_id}`,
    `application:${String(row.application_id)}`,
  ];
  return {
    isLive: row.is_live,
    expiresAt: row.expires_at.getTime(),
    restsOn: new Set<string>(restsOn),
    vouchedForBy: row.vouched_for_by,
    caller: {
      clientId: row.c_id,
      client: clientFactsOf(row),
      actor:
        row.user_id === null
          ? { type: 'oauth_application', id: String(row.application_id) }
          : { type: 'user', id: String(row.user_id) },
      userId: row.user_id,
      role: null,
      scopes: new Set(row.scopes),
      application: { id: row.application_id },
    },
  };
}

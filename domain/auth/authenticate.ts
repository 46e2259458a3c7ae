import { hash } from 'node:crypto';
import type { Caller, Role } from '../contracts/caller.ts';
import { ApiError } from '../contracts/errors.ts';
import { scopesOfRole } from '../contracts/scopes.ts';
import { API_KEY_PREFIX } from '../keys/index.ts';
import type { KeyUsage } from '../keys/index.ts';
import { ACCESS_CHANGED, CLIENT_COLUMNS, clientFactsOf, isAbout } from '../tenancy/index.ts';
import type { ClientColumns } from '../tenancy/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { isWellFormedToken } from '../../platform/crypto.ts';
import type { Broadcast } from '../../platform/db/broadcast.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';
import { statement } from '../../platform/db/statement.ts';
import { ToldCache } from '../../platform/db/told-cache.ts';
import type { JwtSigner } from '../../platform/jwt.ts';
import { verifyAccessToken } from './access-token.ts';
import { createKeyCache } from './key-cache.ts';
import type { KnownKey } from './key-cache.ts';

interface UserRow extends ClientColumns, Record<string, unknown> {
  id: number;
  role: Role;
  password_changed_at: Date | null;
}

const FIND_USER = statement(`
  select u.id, u.role, u.password_changed_at, ${CLIENT_COLUMNS} from users u join clients c on c.id = u.client_id
  where u.id = $1 and u.client_id = $2 and u.is_active`);

/** Turns what a caller presents into a {@link Caller}. */
export interface Authenticator {
  /** INVALID_API_KEY for a malformed one, UNAUTHORIZED for an unknown, inactive or expired one, IP_NOT_ALLOWED. */
  byApiKey(apiKey: string, address: string | null): Promise<Caller>;
  /** UNAUTHORIZED or TOKEN_EXPIRED. */
  byAccessToken(token: string, address: string | null): Promise<Caller>;
  /** The same, for an OAuth access token that `issuer` (this API's public address) has issued. */
  byOAuthToken: OAuthTokenCheck;
}

export type OAuthTokenCheck = (token: string, issuer: string, address: string | null) => Promise<Caller>;

export interface AuthenticatorDeps {
  system: SystemDatabase;
  jwt: JwtSigner;
  clock: Clock;
  broadcast: Pick<Broadcast, 'isListening' | 'subscribe'>;
  usage: Pick<KeyUsage, 'note'>;
  oauth: OAuthTokenCheck;
}

export function createAuthenticator(deps: AuthenticatorDeps): Authenticator {
  const keys = createKeyCache(deps.system, deps.broadcast);
  const users = new ToldCache<UserRow, { userId: number; clientId: number }>({
    broadcast: deps.broadcast,
    read: async ({ userId, clientId }) => (await deps.system.query<UserRow>(FIND_USER, [userId, clientId]))[0],
    concerns: { [ACCESS_CHANGED]: ({ c_id: clientId, id: userId }, change) => isAbout(change, { clientId, userId }) },
  });

  async function readKey(digest: string, apiKey: string): Promise<KnownKey | undefined> {
    if (!isWellFormedToken(apiKey, API_KEY_PREFIX)) {
      throw new ApiError(
        'INVALID_API_KEY',
        `The API key is malformed: a key begins with ${API_KEY_PREFIX} and ends in a checksum; was it copied whole?`,
      );
    }
    return keys.find(digest, digest);
  }

  async function findUser(userId: number, clientId: number): Promise<UserRow | undefined> {
    const cacheKey = `${String(clientId)}/${String(userId)}`;
    return users.held(cacheKey) ?? users.find(cacheKey, { userId, clientId });
  }

  return {
    async byApiKey(apiKey, address) {
      // By digest: equal digests are all that is ever compared, so no time tells of a secret's characters.
      const digest = hash('sha256', apiKey, 'base64url');
      const known = keys.held(digest) ?? (await readKey(digest, apiKey));
      const now = deps.clock.now();
      // The same answer for unknown, revoked and expired keys, so that callers cannot probe which exist.
      if (known?.isActive !== true || known.endsAt <= now) {
        throw new ApiError('UNAUTHORIZED', 'The API key is not valid.');
      }
      if (!known.isAllowed(address)) {
        throw new ApiError('IP_NOT_ALLOWED', 'This address is not on the allowlist of the API key.');
      }
      const caller: Caller = { ...known.caller, address };
      if (caller.apiKey !== undefined) deps.usage.note(caller.apiKey.id, caller.clientId, now);
      return caller;
    },
    async byAccessToken(token, address) {
      const claims = await verifyAccessToken(deps.jwt, token, deps.clock.now());
      const row = await findUser(claims.userId, claims.clientId);
      if (row === undefined) throw new ApiError('UNAUTHORIZED', 'The user of this token is no longer active.');
      if (isOlderThan(claims.issuedAt, row.password_changed_at)) {
        throw new ApiError('UNAUTHORIZED', 'The session of this token has ended; sign in again.');
      }
      return userCaller(row, address);
    },
    byOAuthToken: deps.oauth,
  };
}

/** `issuedAt` counts whole seconds: a token of the second of the change may be the new password's, and counts. */
function isOlderThan(issuedAt: number, passwordChangedAt: Date | null): boolean {
  return passwordChangedAt !== null && (issuedAt + 1) * 1000 <= passwordChangedAt.getTime();
}

function userCaller(row: UserRow, address: string | null): Caller {
  return {
    clientId: row.c_id,
    client: clientFactsOf(row),
    actor: { type: 'user', id: String(row.id) },
    userId: row.id,
    role: row.role,
    scopes: scopesOfRole(row.role),
    address,
  };
}

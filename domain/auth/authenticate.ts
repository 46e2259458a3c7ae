import { LRUCache } from 'lru-cache';
import type { Caller, Role } from '../contracts/caller.ts';
import { ApiError } from '../contracts/errors.ts';
import { scopesOfRole } from '../contracts/scopes.ts';
import { API_KEY_PREFIX, isAddressAllowed } from '../keys/index.ts';
import { CLIENT_COLUMNS, clientFactsOf } from '../tenancy/index.ts';
import type { ClientColumns } from '../tenancy/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { isWellFormedToken, sha256 } from '../../platform/crypto.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';
import { statement } from '../../platform/db/statement.ts';
import type { JwtSigner } from '../../platform/jwt.ts';
import { verifyAccessToken } from './access-token.ts';

/** The longest a deactivated key or user may still be taken for active by a process that holds it in memory. */
const CACHE_MS = 1_000;
const CACHE_ENTRIES = 20_000;

interface KeyRow extends ClientColumns, Record<string, unknown> {
  id: number;
  user_id: number;
  environment: string;
  scopes: string[];
  allowed_ips: string[];
  rate_limit_per_minute: number | null;
  expires_at: Date | null;
}

interface UserRow extends ClientColumns, Record<string, unknown> {
  id: number;
  role: Role;
}

// A key dies with its owner: deactivating a user disables the keys that it owns (decisions §2).
const FIND_KEY = statement(`
  select k.id, k.user_id, k.environment, k.scopes, k.allowed_ips, k.rate_limit_per_minute, k.expires_at, ${CLIENT_COLUMNS}
  from api_keys k join clients c on c.id = k.client_id join users u on u.id = k.user_id
  where k.key_hash = $1 and k.is_active and u.is_active`);
const FIND_USER = statement(`
  select u.id, u.role, ${CLIENT_COLUMNS} from users u join clients c on c.id = u.client_id
  where u.id = $1 and u.client_id = $2 and u.is_active`);

/** Turns what a caller presents into a {@link Caller}. */
export interface Authenticator {
  /** INVALID_API_KEY for a malformed one, UNAUTHORIZED for an unknown, inactive or expired one, IP_NOT_ALLOWED. */
  byApiKey(apiKey: string, address: string | null): Promise<Caller>;
  /** UNAUTHORIZED or TOKEN_EXPIRED. */
  byAccessToken(token: string, address: string | null): Promise<Caller>;
}

export function createAuthenticator(deps: { system: SystemDatabase; jwt: JwtSigner; clock: Clock }): Authenticator {
  const keys = new LRUCache<string, { row: KeyRow | undefined }>({ max: CACHE_ENTRIES, ttl: CACHE_MS });
  const users = new LRUCache<string, { row: UserRow | undefined }>({ max: CACHE_ENTRIES, ttl: CACHE_MS });

  async function findKey(apiKey: string): Promise<KeyRow | undefined> {
    const hash = sha256(apiKey);
    const cacheKey = hash.toString('base64');
    const cached = keys.get(cacheKey);
    if (cached !== undefined) return cached.row;
    const [row] = await deps.system.query<KeyRow>(FIND_KEY, [hash]);
    keys.set(cacheKey, { row });
    return row;
  }

  async function findUser(userId: number, clientId: number): Promise<UserRow | undefined> {
    const cacheKey = `${String(clientId)}/${String(userId)}`;
    const cached = users.get(cacheKey);
    if (cached !== undefined) return cached.row;
    const [row] = await deps.system.query<UserRow>(FIND_USER, [userId, clientId]);
    users.set(cacheKey, { row });
    return row;
  }

  return {
    async byApiKey(apiKey, address) {
      if (!isWellFormedToken(apiKey, API_KEY_PREFIX)) {
        throw new ApiError('INVALID_API_KEY', `The API key is malformed: a key begins with ${API_KEY_PREFIX}.`);
      }
      const row = await findKey(apiKey);
      // The same answer for unknown, revoked and expired keys, so that callers cannot probe which exist.
      if (row === undefined || (row.expires_at !== null && row.expires_at.getTime() <= deps.clock.now())) {
        throw new ApiError('UNAUTHORIZED', 'The API key is not valid.');
      }
      if (!isAddressAllowed(address, row.allowed_ips)) {
        throw new ApiError('IP_NOT_ALLOWED', 'This address is not on the allowlist of the API key.');
      }
      return keyCaller(row, address);
    },
    async byAccessToken(token, address) {
      const claims = await verifyAccessToken(deps.jwt, token, deps.clock.now());
      const row = await findUser(claims.userId, claims.clientId);
      if (row === undefined) throw new ApiError('UNAUTHORIZED', 'The user of this token is no longer active.');
      return userCaller(row, address);
    },
  };
}

function keyCaller(row: KeyRow, address: string | null): Caller {
  return {
    clientId: row.c_id,
    client: clientFactsOf(row),
    actor: { type: 'api_key', id: String(row.id) },
    userId: row.user_id,
    role: null,
    scopes: new Set(row.scopes),
    apiKey: { id: row.id, environment: row.environment, rateLimitPerMinute: row.rate_limit_per_minute },
    address,
  };
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

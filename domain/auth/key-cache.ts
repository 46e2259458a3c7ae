import type { Caller } from '../contracts/caller.ts';
import { API_KEY_CHANGED, addressCheck } from '../keys/index.ts';
import type { AddressCheck } from '../keys/index.ts';
import { CLIENT_COLUMNS, clientFactsOf } from '../tenancy/index.ts';
import type { ClientColumns } from '../tenancy/index.ts';
import type { Broadcast } from '../../platform/db/broadcast.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';
import { statement } from '../../platform/db/statement.ts';
import { ToldCache } from '../../platform/db/told-cache.ts';

/** What authentication knows of a key, made ready once for all requests with it. */
export interface KnownKey {
  isActive: boolean;
  /** Epoch milliseconds from which this secret is refused: the key's expiry, or the end of a rotation's grace. */
  endsAt: number;
  isAllowed: AddressCheck;
  caller: Omit<Caller, 'address'>;
}

interface KeyRow extends ClientColumns, Record<string, unknown> {
  id: number;
  user_id: number;
  environment: string;
  scopes: string[];
  allowed_ips: string[];
  rate_limit_per_minute: number | null;
  ends_at: Date | null;
  is_active: boolean;
}

// A key dies with its owner: deactivating a user disables the keys that it owns (decisions §2).
const FIND = `
  select k.id, k.user_id, k.environment, k.scopes, k.allowed_ips, k.rate_limit_per_minute,
    k.is_active and u.is_active as is_active, ${CLIENT_COLUMNS}`;
const FROM = `from api_keys k join clients c on c.id = k.client_id join users u on u.id = k.user_id`;
const FIND_CURRENT = statement(`${FIND}, k.expires_at as ends_at ${FROM} where k.key_hash = $1`);
// The secret before the last rotation, while its grace lasts.
const FIND_PREVIOUS = statement(`
  ${FIND}, least(k.expires_at, k.previous_key_expires_at) as ends_at ${FROM} where k.previous_key_hash = $1`);

/** Keys by the digest of their secret. */
export function createKeyCache(
  system: SystemDatabase,
  broadcast: Pick<Broadcast, 'isListening' | 'subscribe'>,
): ToldCache<KnownKey> {
  return new ToldCache({
    broadcast,
    topic: API_KEY_CHANGED,
    read: (digest) => readKey(system, digest),
    concerns: ({ caller }, id) => caller.apiKey?.id === Number(id),
  });
}

async function readKey(system: SystemDatabase, digest: string): Promise<KnownKey | undefined> {
  const hash = Buffer.from(digest, 'base64url');
  const [current] = await system.query<KeyRow>(FIND_CURRENT, [hash]);
  const [row] = current === undefined ? await system.query<KeyRow>(FIND_PREVIOUS, [hash]) : [current];
  return row === undefined ? undefined : knownKey(row);
}

function knownKey(row: KeyRow): KnownKey {
  return {
    isActive: row.is_active,
    endsAt: row.ends_at?.getTime() ?? Infinity,
    isAllowed: addressCheck(row.allowed_ips),
    caller: {
      clientId: row.c_id,
      client: clientFactsOf(row),
      actor: { type: 'api_key', id: String(row.id) },
      userId: row.user_id,
      role: null,
      scopes: new Set(row.scopes),
      apiKey: { id: row.id, environment: row.environment, rateLimitPerMinute: row.rate_limit_per_minute },
    },
  };
}

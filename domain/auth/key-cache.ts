import type { Caller, Role } from '../contracts/caller.ts';
import { scopesWithinRole } from '../contracts/scopes.ts';
import { API_KEY_CHANGED, addressCheck } from '../keys/index.ts';
import type { AddressCheck } from '../keys/index.ts';
import { ACCESS_CHANGED, CLIENT_COLUMNS, clientFactsOf, isAbout } from '../tenancy/index.ts';
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
  role: Role;
  environment: string;
  scopes: string[];
  allowed_ips: string[];
  rate_limit_per_minute: number | null;
  ends_at: Date | null;
  is_active: boolean;
}

// A key dies with its owner: deactivating a user disables the keys that it owns (decisions §2).
const FIND = `
  select k.id, k.user_id, u.role, k.environment, k.scopes, k.allowed_ips, k.rate_limit_per_minute,
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
    read: (digest) => readKey(system, digest),
    concerns: {
      [API_KEY_CHANGED]: ({ caller }, id) => caller.apiKey?.id === Number(id),
      [ACCESS_CHANGED]: ({ caller }, change) => isAbout(change, caller),
    },
  });
}

async function readKey(system: SystemDatabase, digest: string): Promise<KnownKey | undefined> {
  const hash = Buffer.from(digest, 'base64url');
  const [current] = await system.read<KeyRow>(FIND_CURRENT, [hash]);
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
      // Its owner may have had another role when it was made: a key never opens more than its owner may grant today.
      scopes: scopesWithinRole(row.scopes, row.role),
      apiKey: { id: row.id, environment: row.environment, rateLimitPerMinute: row.rate_limit_per_minute },
    },
  };
}

import type { Role } from '../contracts/caller.ts';
import { availableScopes } from '../contracts/scopes.ts';
import { rateLimitTier } from '../tenancy/index.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';
import { statement } from '../../platform/db/statement.ts';
import { isIdentityScope, vouchedScopes } from './scope.rules.ts';

export const OAUTH_CLIENT_ID_PREFIX = 'svc_oa_';

export type ClientType = 'confidential' | 'public';
export type GrantType = 'authorization_code' | 'refresh_token' | 'client_credentials';

/** What the protocol needs of an application that is in use. */
export interface OAuthApplication {
  id: number;
  /** The tenant that owns it: only its users may approve it. */
  clientId: number;
  oauthClientId: string;
  name: string;
  clientType: ClientType;
  redirectUris: readonly string[];
  /** What it may ask for today: its own scopes within its client's finance tier, and what its voucher may grant. */
  scopes: readonly string[];
  /** The user who made it or changed it last: its scopes are what that user may grant. */
  vouchedForBy: number;
  grantTypes: readonly GrantType[];
  /** What is meant by an authorization request without `scope`; empty: such a request is refused. */
  defaultScopes: readonly string[];
  logoUrl: string | null;
  secretHash: Buffer | null;
  /** Token requests that it may make, by the tier of its client. */
  rateLimit: { perWindow: number; burst: number };
}

interface ApplicationRow extends Record<string, unknown> {
  id: number;
  client_id: number;
  oauth_client_id: string;
  name: string;
  client_type: ClientType;
  redirect_uris: string[];
  scopes: string[];
  grant_types: GrantType[];
  default_scopes: string[];
  logo_url: string | null;
  secret_hash: Buffer | null;
  tier: string;
  finance_tier: string;
  vouched_for_by: number;
  voucher_role: Role | null;
}

/** Of the table under the alias a. */
export const VOUCHED_FOR_BY = 'coalesce(a.vouched_for_by_user_id, a.created_by_user_id)';

const FIND = statement(`
  select a.id, a.client_id, a.oauth_client_id, a.name, a.client_type, a.redirect_uris, a.scopes, a.grant_types,
    a.default_scopes, a.logo_url, a.secret_hash, c.tier, c.finance_tier,
    ${VOUCHED_FOR_BY} as vouched_for_by, v.role as voucher_role
  from oauth_applications a join clients c on c.id = a.client_id
    left join users v on v.id = ${VOUCHED_FOR_BY} and v.client_id = a.client_id
  where a.oauth_client_id = $1 and a.is_active and a.deleted_at is null`);

/** The application with this public client id; undefined for an unknown, inactive or deleted one. */
export async function findApplication(
  system: SystemDatabase,
  oauthClientId: string,
): Promise<OAuthApplication | undefined> {
  const [row] = await system.query<ApplicationRow>(FIND, [oauthClientId]);
  return row === undefined ? undefined : applicationOf(row);
}

function applicationOf(row: ApplicationRow): OAuthApplication {
  const held = (scopes: readonly string[]): string[] => scopesHeld(scopes, row.voucher_role, row.finance_tier);
  const { requests_per_minute: perWindow, burst_limit: burst } = rateLimitTier({ id: row.client_id, tier: row.tier });
  return {
    id: row.id,
    clientId: row.client_id,
    oauthClientId: row.oauth_client_id,
    name: row.name,
    clientType: row.client_type,
    redirectUris: row.redirect_uris,
    scopes: held(row.scopes),
    vouchedForBy: row.vouched_for_by,
    grantTypes: row.grant_types,
    defaultScopes: held(row.default_scopes),
    logoUrl: row.logo_url,
    secretHash: row.secret_hash,
    rateLimit: { perWindow, burst },
  };
}

/** What is left of an application's scopes in its client's finance tier, and with the role of who vouches for it. */
export function scopesHeld(scopes: readonly string[], voucher: Role | null, financeTier: string): string[] {
  return vouchedScopes(scopes, voucher).filter(withinTier(financeTier));
}

/** Whether a scope is still offered: a client's finance tier may have fallen since the grant. */
export function withinTier(financeTier: string): (scope: string) => boolean {
  const offered = availableScopes(financeTier);
  return (scope) => isIdentityScope(scope) || Object.hasOwn(offered, scope);
}

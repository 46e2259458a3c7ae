import { isRefreshToken } from '../auth/index.ts';
import type { Role } from '../contracts/caller.ts';
import { sha256 } from '../../platform/crypto.ts';
import { statement } from '../../platform/db/statement.ts';
import { ExpiredTokenError, InvalidTokenError } from '../../platform/jwt.ts';
import { readAccessToken } from './access-tokens.ts';
import { scopesHeld, VOUCHED_FOR_BY } from './application.ts';
import type { OAuthApplication } from './application.ts';
import type { GrantDeps } from './issue-tokens.ts';
import { effectiveScopes } from './scope.rules.ts';

/** RFC 7662 §2.2. */
export type Introspection =
  | { active: false }
  | {
      active: true;
      scope: string;
      client_id: string;
      sub: string;
      iss: string;
      exp: number;
      iat: number;
      token_type?: 'Bearer';
      aud?: string;
      jti?: string;
    };

const INACTIVE: Introspection = { active: false };

interface RefreshRow extends Record<string, unknown> {
  client_id: number;
  user_id: number;
  scopes: string[];
  expires_at: Date;
  created_at: Date;
  oauth_client_id: string;
  application_scopes: string[];
  finance_tier: string;
  voucher_role: Role | null;
  role: Role;
}

const FIND_REFRESH = statement(`
  select r.client_id, r.user_id, r.scopes, r.expires_at, r.created_at, a.oauth_client_id, a.scopes as application_scopes,
    c.finance_tier, v.role as voucher_role, u.role
  from refresh_tokens r
    join oauth_applications a on a.id = r.application_id and a.client_id = r.client_id
    join clients c on c.id = r.client_id
    left join users v on v.id = ${VOUCHED_FOR_BY} and v.client_id = a.client_id
    join users u on u.id = r.user_id and u.client_id = r.client_id
  where r.token_hash = $1 and r.used_at is null and r.revoked_at is null and r.expires_at > $2
    and a.is_active and a.deleted_at is null and u.is_active
    and (u.password_changed_at is null or coalesce(r.authenticated_at, r.created_at) >= u.password_changed_at)`);

/** What a token is worth now. Of another client's tokens an application learns nothing, not even that they exist. */
export async function introspectToken(
  deps: GrantDeps,
  application: OAuthApplication,
  token: string,
): Promise<Introspection> {
  return isRefreshToken(token)
    ? introspectRefreshToken(deps, application, token)
    : introspectAccessToken(deps, application, token);
}

async function introspectAccessToken(
  deps: GrantDeps,
  application: OAuthApplication,
  token: string,
): Promise<Introspection> {
  const row = await readAccessToken(deps, token).catch(nothing);
  if (row?.is_live !== true || row.client_id !== application.clientId) return INACTIVE;
  return {
    active: true,
    scope: row.scopes.join(' '),
    client_id: row.oauth_client_id,
    sub: row.user_id === null ? row.oauth_client_id : String(row.user_id),
    iss: deps.issuer,
    exp: seconds(row.expires_at),
    iat: seconds(row.created_at),
    token_type: 'Bearer',
    aud: deps.issuer,
    jti: row.jti,
  };
}

async function introspectRefreshToken(
  { system, issuer, now }: GrantDeps,
  application: OAuthApplication,
  token: string,
): Promise<Introspection> {
  const [row] = await system.query<RefreshRow>(FIND_REFRESH, [sha256(token), new Date(now)]);
  if (row === undefined || row.client_id !== application.clientId) return INACTIVE;
  const held = scopesHeld(row.application_scopes, row.voucher_role, row.finance_tier);
  return {
    active: true,
    scope: effectiveScopes(row.scopes, held, row.role).join(' '),
    client_id: row.oauth_client_id,
    sub: String(row.user_id),
    iss: issuer,
    exp: seconds(row.expires_at),
    iat: seconds(row.created_at),
  };
}

function nothing(error: unknown): undefined {
  if (error instanceof InvalidTokenError || error instanceof ExpiredTokenError) return undefined;
  throw error;
}

function seconds(moment: Date): number {
  return Math.floor(moment.getTime() / 1000);
}

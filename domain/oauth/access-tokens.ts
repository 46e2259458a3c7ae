import type { Role } from '../contracts/caller.ts';
import { CLIENT_COLUMNS } from '../tenancy/index.ts';
import type { ClientColumns } from '../tenancy/index.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';
import { statement } from '../../platform/db/statement.ts';
import type { JwtSigner } from '../../platform/jwt.ts';
import { scopesHeld, VOUCHED_FOR_BY } from './application.ts';
import { accessTokenKind } from './issue-tokens.ts';
import { effectiveScopes } from './scope.rules.ts';

/** What the database says today of an access token that was once issued. */
export interface AccessTokenRow extends ClientColumns, Record<string, unknown> {
  jti: string;
  client_id: number;
  application_id: number;
  oauth_client_id: string;
  user_id: number | null;
  chain_id: string;
  expires_at: Date;
  created_at: Date;
  /** Not revoked, its application in use, and its user active with the password that the chain began with. */
  is_live: boolean;
  /** The user who vouches for the application's scopes. */
  vouched_for_by: number;
  /** What it still opens. */
  scopes: string[];
}

interface ScopeFacts {
  application_scopes: string[];
  voucher_role: Role | null;
  role: Role | null;
}

const FIND = statement(`
  select t.jti, t.client_id, t.application_id, a.oauth_client_id, t.user_id, t.chain_id, t.scopes, t.expires_at, t.created_at,
    a.scopes as application_scopes, ${VOUCHED_FOR_BY} as vouched_for_by, v.role as voucher_role, u.role,
    t.revoked_at is null and a.is_active and a.deleted_at is null and (t.user_id is null or coalesce(u.is_active
      and (u.password_changed_at is null or t.authenticated_at >= u.password_changed_at), false)) as is_live,
    ${CLIENT_COLUMNS}
  from oauth_access_tokens t
    join oauth_applications a on a.id = t.application_id and a.client_id = t.client_id
    join clients c on c.id = t.client_id
    left join users v on v.id = ${VOUCHED_FOR_BY} and v.client_id = a.client_id
    left join users u on u.id = t.user_id and u.client_id = t.client_id
  where t.jti = $1`);

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The record of an access token of ours. Throws `ExpiredTokenError` or `InvalidTokenError` for a token whose signature,
 * type, issuer, audience or time doesn't fit; undefined for one that there is no record of.
 */
export async function readAccessToken(
  { system, jwt, issuer, now }: { system: SystemDatabase; jwt: JwtSigner; issuer: string; now: number },
  token: string,
): Promise<AccessTokenRow | undefined> {
  const { jti } = await jwt.verify(accessTokenKind(issuer), token, now);
  if (jti === undefined || !UUID.test(jti)) return undefined;
  const [row] = await system.query<AccessTokenRow & ScopeFacts>(FIND, [jti]);
  if (row === undefined) return undefined;
  const held = scopesHeld(row.application_scopes, row.voucher_role, row.c_finance_tier);
  return { ...row, scopes: effectiveScopes(row.scopes, held, row.role) };
}

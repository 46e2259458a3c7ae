import type { Caller } from '../contracts/caller.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';
import { statement } from '../../platform/db/statement.ts';
import { OAuthError } from './oauth-error.ts';

interface UserRow extends Record<string, unknown> {
  id: number;
  email: string;
  email_verified: boolean;
  name: string;
  given_name: string | null;
  family_name: string | null;
  picture: string | null;
}

export type UserInfo = Record<string, string | boolean>;

const FIND_USER = statement(`
  select id, email, email_verified, name, given_name, family_name, picture from users
  where id = $1 and client_id = $2 and is_active`);
const FIND_APPLICATION = statement(`select oauth_client_id from oauth_applications where id = $1 and client_id = $2`);

/** What an application may know of the user behind its token, or of itself (spec, "Endpoints / OAuth 2.0"). */
export async function userInfo(system: SystemDatabase, caller: Caller): Promise<UserInfo> {
  return caller.userId === null ? applicationInfo(system, caller) : personInfo(system, caller, caller.userId);
}

async function applicationInfo(system: SystemDatabase, caller: Caller): Promise<UserInfo> {
  type Row = { oauth_client_id: string } & Record<string, unknown>;
  const [row] = await system.query<Row>(FIND_APPLICATION, [caller.application?.id, caller.clientId]);
  if (row === undefined) throw new OAuthError('invalid_token', 'The application of this token is gone.');
  const { oauth_client_id: id } = row;
  return { sub: id, client_id: id, scope: [...caller.scopes].join(' ') };
}

async function personInfo(system: SystemDatabase, { scopes, clientId }: Caller, userId: number): Promise<UserInfo> {
  const has = (scope: string): boolean => scopes.has(scope);
  if (!has('openid') && !has('profile') && !has('email')) {
    throw new OAuthError('insufficient_scope', 'This needs one of the scopes openid, profile and email.');
  }
  const [user] = await system.query<UserRow>(FIND_USER, [userId, clientId]);
  if (user === undefined) throw new OAuthError('invalid_token', 'The user of this token is no longer active.');
  return known({
    ...(has('openid') ? { sub: String(user.id) } : {}),
    ...(has('email') || has('profile') ? { email: user.email, email_verified: user.email_verified } : {}),
    ...(has('profile')
      ? { name: user.name, given_name: user.given_name, family_name: user.family_name, picture: user.picture }
      : {}),
  });
}

/** What is not known is left out, not null (OpenID Connect Core §5.3.2). */
function known(claims: Record<string, string | boolean | null>): UserInfo {
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== null)) as UserInfo;
}

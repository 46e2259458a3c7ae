import type { Role } from '../contracts/caller.ts';
import { scopeIsWithinRole, scopesWithinRole } from '../contracts/scopes.ts';

/** Scopes that describe the user to the application (OpenID Connect Core §5.4); they open no data of the client. */
export const IDENTITY_SCOPES: Readonly<Record<string, string>> = {
  openid: 'Know who you are',
  profile: 'See your name, picture and e-mail address',
  email: 'See your e-mail address',
};

export function isIdentityScope(scope: string): boolean {
  return Object.hasOwn(IDENTITY_SCOPES, scope);
}

const SCOPE_LIST = /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/;

/** The scopes of a `scope` parameter, each once; undefined when it isn't written as RFC 6749 §3.3 has it. */
export function parseScopes(text: string): string[] | undefined {
  return SCOPE_LIST.test(text) ? [...new Set(text.split(' '))] : undefined;
}

/** What an application may have when who vouches for it has this role today. Without such a user: nothing of the client. */
export function vouchedScopes(scopes: readonly string[], voucher: Role | null): string[] {
  const left = voucher === null ? [] : scopesWithinRole(scopes, voucher);
  return [...new Set([...scopes.filter(isIdentityScope), ...left])];
}

/** What is left of granted scopes: those that the application still has and, with a user, that its role may still grant. */
export function effectiveScopes(
  granted: readonly string[],
  applicationScopes: readonly string[],
  role: Role | null,
): string[] {
  const held = new Set(applicationScopes);
  return granted.filter(
    (scope) => held.has(scope) && (role === null || isIdentityScope(scope) || scopeIsWithinRole(scope, role)),
  );
}

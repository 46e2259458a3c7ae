import { ApiError } from '../contracts/errors.ts';
import type { FieldIssue } from '../contracts/errors.ts';
import type { Caller } from '../contracts/caller.ts';
import { KNOWN_SCOPES, scopeIsWithinRole } from '../contracts/scopes.ts';
import { withinTier } from './application.ts';
import type { ClientType, GrantType } from './application.ts';
import { redirectUriProblem } from './redirect-uri.rules.ts';
import { isIdentityScope } from './scope.rules.ts';

/** What is decided together: none of these can be judged without the others. */
export interface ApplicationSettings {
  client_type: ClientType;
  redirect_uris: readonly string[];
  scopes: readonly string[];
  grant_types: readonly GrantType[];
  default_scopes: readonly string[];
}

/** Refuses settings that the protocol or the caller's rights don't allow. */
export function checkSettings(caller: Caller, settings: ApplicationSettings): void {
  const issues = [...redirectIssues(settings), ...grantIssues(settings), ...scopeIssues(settings)];
  if (issues.length > 0) throw ApiError.ofFields(issues);
  const offered = withinTier(caller.client.finance_tier);
  const beyondTier = settings.scopes.find((scope) => !offered(scope));
  if (beyondTier !== undefined) {
    throw ApiError.tierRestricted(
      `The scope ${beyondTier} needs a higher finance tier than ${caller.client.finance_tier}.`,
    );
  }
  const { role } = caller;
  const beyondRole = settings.scopes.find(
    (scope) => !isIdentityScope(scope) && (role === null || !scopeIsWithinRole(scope, role)),
  );
  if (beyondRole !== undefined) throw new ApiError('FORBIDDEN', `Your role may not grant the scope ${beyondRole}.`);
}

function redirectIssues({
  redirect_uris: uris,
  client_type: type,
  grant_types: grants,
}: ApplicationSettings): FieldIssue[] {
  if (uris.length === 0 && grants.includes('authorization_code')) {
    return [{ field: 'redirect_uris', issue: 'at least one is needed for the grant authorization_code' }];
  }
  return uris.flatMap((uri, index) => {
    const repeated = uris.indexOf(uri) !== index ? 'is there twice' : undefined;
    const issue = redirectUriProblem(uri, type) ?? repeated;
    return issue === undefined ? [] : [{ field: `redirect_uris[${String(index)}]`, issue }];
  });
}

function grantIssues({ client_type: type, grant_types: grants }: ApplicationSettings): FieldIssue[] {
  const field = 'grant_types';
  if (type === 'public' && grants.includes('client_credentials')) {
    return [{ field, issue: 'client_credentials is for confidential clients only: a public client has no secret' }];
  }
  if (grants.includes('refresh_token') && !grants.includes('authorization_code')) {
    return [{ field, issue: 'refresh_token needs authorization_code, which issues the first one' }];
  }
  return [];
}

function scopeIssues({ scopes, default_scopes: defaults }: ApplicationSettings): FieldIssue[] {
  const unknown = scopes.flatMap((scope, index) =>
    isIdentityScope(scope) || KNOWN_SCOPES.has(scope)
      ? []
      : [{ field: `scopes[${String(index)}]`, issue: 'is not a known scope' }],
  );
  const outside = defaults.flatMap((scope, index) =>
    scopes.includes(scope) ? [] : [{ field: `default_scopes[${String(index)}]`, issue: 'is not among scopes' }],
  );
  return [...unknown, ...outside];
}

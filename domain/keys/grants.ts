import type { Caller, Role } from '../contracts/caller.ts';
import { ApiError } from '../contracts/errors.ts';
import { availableScopes, KNOWN_SCOPES, scopeIsWithinRole } from '../contracts/scopes.ts';
import { rateLimitTier } from '../tenancy/index.ts';
import { allowlistProblem } from './ip-allowlist.ts';

/** Create rules 2 and 6, and what the caller's role may grant (spec, "Create rules"; decisions §2). */
export function checkScopes(caller: Caller, scopes: readonly string[]): void {
  const offered = availableScopes(caller.client.finance_tier);
  const unknown = scopes.filter((scope) => !KNOWN_SCOPES.has(scope));
  if (unknown.length > 0)
    throw ApiError.ofFields(unknown.map((scope) => ({ field: `permissions.${scope}`, issue: 'is not a known scope' })));
  const beyondTier = scopes.find((scope) => !(scope in offered));
  if (beyondTier !== undefined) {
    throw ApiError.tierRestricted(
      `The scope ${beyondTier} needs a higher finance tier than ${caller.client.finance_tier}.`,
    );
  }
  const beyondRole = scopeBeyond(caller.role, scopes);
  if (beyondRole !== undefined) throw new ApiError('FORBIDDEN', `Your role may not grant the scope ${beyondRole}.`);
}

/** A key's scopes stay within what its owner could grant, whoever changes them: its owner can have it revealed. */
export function checkOwnerScopes(owner: Role, scopes: readonly string[]): void {
  const beyond = scopeBeyond(owner, scopes);
  if (beyond === undefined) return;
  throw new ApiError('FORBIDDEN', `The owner of this key may not hold the scope ${beyond}: its role is ${owner}.`);
}

function scopeBeyond(role: Role | null, scopes: readonly string[]): string | undefined {
  return scopes.find((scope) => role === null || !scopeIsWithinRole(scope, role));
}

/** Create rule 4. */
export function checkEnvironment(caller: Caller, environment: 'production' | 'testing'): void {
  if (environment === 'testing' || caller.client.production_api_enabled) return;
  throw new ApiError('FORBIDDEN', 'Production API access is not enabled for this client; create a testing key.');
}

export function checkAllowlist(allowedIps: readonly string[]): void {
  const problems = allowedIps.flatMap((entry, index) => {
    const issue = allowlistProblem(entry);
    return issue === undefined ? [] : [{ field: `allowed_ips[${String(index)}]`, issue }];
  });
  if (problems.length > 0) throw ApiError.ofFields(problems);
}

/** Create rule 5. */
export function checkRateLimit(caller: Caller, perMinute: number | null): void {
  const ceiling = rateLimitTier(caller.client).requests_per_minute;
  if ((perMinute ?? 0) <= ceiling) return;
  throw ApiError.unprocessable(
    `rate_limit_per_minute must not exceed ${String(ceiling)}, the ceiling of the ${caller.client.tier} tier.`,
    [{ field: 'rate_limit_per_minute', issue: `must be at most ${String(ceiling)}` }],
  );
}

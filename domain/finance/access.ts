import type { Caller } from '../contracts/caller.ts';
import { ApiError } from '../contracts/errors.ts';
import { FINANCE_TYPES_BY_TIER } from '../contracts/event-names.ts';
import type { DocumentType } from '../contracts/finance.ts';
import { coversAny } from '../contracts/scopes.ts';

/**
 * Whether the caller may do this with documents of one type. The tier comes first: a scope for a type outside it can't be
 * had, so its lack would be the wrong thing to tell (decisions §4).
 */
export function checkAccess(caller: Caller, type: DocumentType, right: 'read' | 'write'): void {
  const tier = caller.client.finance_tier;
  if (!(FINANCE_TYPES_BY_TIER[tier] ?? []).includes(type)) {
    const words = `${type.replaceAll('_', ' ')}s`;
    throw ApiError.tierRestricted(`The finance tier ${tier} does not include ${words}.`);
  }
  const scope = `${type}s:${right}`;
  if (!coversAny(caller.scopes, [scope])) {
    throw new ApiError('SCOPE_REQUIRED', `This call needs the scope ${scope}.`);
  }
}

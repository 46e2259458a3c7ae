import { DOCUMENT_TYPES } from '../../../domain/contracts/finance.ts';
import type { DocumentType } from '../../../domain/contracts/finance.ts';

/**
 * The scopes of an operation that takes any of these types: one of them lets a caller in, and the service then asks for
 * that of the very type.
 */
export function financeScopes(right: 'read' | 'write', types: readonly DocumentType[] = DOCUMENT_TYPES): string[] {
  return types.map((type) => `${type}s:${right}`);
}

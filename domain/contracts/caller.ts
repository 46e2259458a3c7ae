import type { DocumentAiLimits } from './vision-requests.ts';

/** The tenant facts that rules read: tiers gate what may be used, the rest gives defaults. */
export interface ClientFacts {
  id: number;
  slug: string;
  name: string;
  tier: string;
  finance_tier: string;
  production_api_enabled: boolean;
  country: string;
  currency: string;
  timezone: string;
  document_ai: DocumentAiLimits;
}

export type Role = 'owner' | 'admin' | 'member' | 'auditor';

/** Who is acting, as the audit trail names them. */
export interface Actor {
  type: 'user' | 'api_key' | 'oauth_application' | 'system';
  id: string;
}

/**
 * An authenticated caller. The tenant comes from its key or token, never from the request. `role` is the user's own for
 * a bearer token of its own and null for a key or an OAuth token: those can do what their scopes say.
 */
export interface Caller {
  clientId: number;
  client: ClientFacts;
  actor: Actor;
  /** The user who signed in, or who owns the key. */
  userId: number | null;
  role: Role | null;
  scopes: ReadonlySet<string>;
  apiKey?: { id: number; environment: string; rateLimitPerMinute: number | null };
  /** The OAuth application that presents the token, for itself or for the user. */
  application?: { id: number };
  /** It calls the sandbox of Document AI: what it does there costs nothing and is seen there only. */
  isSandbox?: true;
  /** The address the request came from, for audit entries. */
  address: string | null;
}

/** Owner and admin see all keys and webhooks of their client; a member only what it created (decisions §1). */
export function canViewAllUsers(caller: Caller): boolean {
  return caller.role === 'owner' || caller.role === 'admin';
}

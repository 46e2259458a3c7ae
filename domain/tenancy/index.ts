import type { Caller, ClientFacts } from '../contracts/caller.ts';
import { ALL_SCOPES } from '../contracts/scopes.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { documentAiLimits } from './limits.ts';

export { ACCESS_CHANGED, isAbout } from './access-changed.ts';
export type { AccessChange } from './access-changed.ts';
export { getClient, updateClient } from './client.service.ts';
export { ensureClient, listClients, OPERATOR, setClient } from './manage-clients.service.ts';

/** Columns of `clients` (alias c) that make {@link ClientFacts}, for look-ups that join it. */
export const CLIENT_COLUMNS = `c.id as c_id, c.slug as c_slug, c.name as c_name, c.tier as c_tier,
  c.finance_tier as c_finance_tier, c.production_api_enabled as c_production_api_enabled, c.country as c_country,
  c.currency as c_currency, c.timezone as c_timezone,
  c.document_ai_requests_per_minute as c_document_ai_requests, c.document_ai_concurrent_jobs as c_document_ai_jobs`;

export interface ClientColumns {
  c_id: number;
  c_slug: string;
  c_name: string;
  c_tier: string;
  c_finance_tier: string;
  c_production_api_enabled: boolean;
  c_country: string;
  c_currency: string;
  c_timezone: string;
  c_document_ai_requests: number | null;
  c_document_ai_jobs: number | null;
}

export function clientFactsOf(row: ClientColumns): ClientFacts {
  return {
    id: row.c_id,
    slug: row.c_slug,
    name: row.c_name,
    tier: row.c_tier,
    finance_tier: row.c_finance_tier,
    production_api_enabled: row.c_production_api_enabled,
    country: row.c_country,
    currency: row.c_currency,
    timezone: row.c_timezone,
    document_ai: documentAiLimits({
      id: row.c_id,
      tier: row.c_tier,
      document_ai_requests_per_minute: row.c_document_ai_requests,
      document_ai_concurrent_jobs: row.c_document_ai_jobs,
    }),
  };
}

/** requests_per_minute / burst_limit / max_api_keys of each platform tier (decisions §2). */
export const PLATFORM_TIERS: Readonly<Record<string, RateLimitTier>> = {
  free: { slug: 'free', name: 'Free', requests_per_minute: 100, burst_limit: 20, max_api_keys: 3 },
  business: { slug: 'business', name: 'Business', requests_per_minute: 300, burst_limit: 60, max_api_keys: 20 },
  professional: {
    slug: 'professional',
    name: 'Professional',
    requests_per_minute: 1000,
    burst_limit: 200,
    max_api_keys: 100,
  },
  enterprise: {
    slug: 'enterprise',
    name: 'Enterprise',
    requests_per_minute: 5000,
    burst_limit: 1000,
    max_api_keys: 1000,
  },
};

export interface RateLimitTier {
  slug: string;
  name: string;
  requests_per_minute: number;
  burst_limit: number;
  max_api_keys: number;
}

/** The limits of a client's platform tier. */
export function rateLimitTier(client: Pick<ClientFacts, 'id' | 'tier'>): RateLimitTier {
  const tier = PLATFORM_TIERS[client.tier];
  if (tier === undefined) throw new Error(`client ${String(client.id)} has an unknown tier ${client.tier}`);
  return tier;
}

const OWN_CLIENT = statement(`select ${CLIENT_COLUMNS} from clients c where c.id = $1`);

/** The transaction's client. */
export async function clientOf(tx: TenantTransaction): Promise<ClientFacts> {
  const [row] = await tx.query<ClientColumns & Record<string, unknown>>(OWN_CLIENT, [tx.clientId]);
  if (row === undefined) throw new Error(`there is no client ${String(tx.clientId)}`);
  return clientFactsOf(row);
}

/** The platform itself, acting for the transaction's client; `what` (`recurring-job/7`) names the cause in the audit trail. */
export async function systemCaller(tx: TenantTransaction, what: string): Promise<Caller> {
  return {
    clientId: tx.clientId,
    client: await clientOf(tx),
    actor: { type: 'system', id: what },
    userId: null,
    role: null,
    scopes: new Set([ALL_SCOPES]),
    address: null,
  };
}

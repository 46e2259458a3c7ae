import { isoMoment } from '../contracts/common.ts';
import type { ClientView } from '../contracts/client.ts';
import { documentAiLimits } from './limits.ts';

/** The columns of a client as it sees itself. */
export const COLUMNS = `id, slug, name, tier, finance_tier, production_api_enabled, legal_name, address, tax_number,
  registration_number, phone, email, website, bank_details, country, currency, timezone,
  document_ai_retention_days, document_ai_requests_per_minute, document_ai_concurrent_jobs, created_at, updated_at`;

type Own = 'document_ai_requests_per_minute' | 'document_ai_concurrent_jobs';

export interface ClientRow
  extends Omit<ClientView, Own | 'created_at' | 'updated_at'>, Record<Own, number | null>, Record<string, unknown> {
  created_at: Date;
  updated_at: Date;
}

export function viewOf(row: ClientRow): ClientView {
  const limits = documentAiLimits(row);
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    tier: row.tier,
    finance_tier: row.finance_tier,
    production_api_enabled: row.production_api_enabled,
    legal_name: row.legal_name,
    address: row.address,
    tax_number: row.tax_number,
    registration_number: row.registration_number,
    phone: row.phone,
    email: row.email,
    website: row.website,
    bank_details: row.bank_details,
    country: row.country,
    currency: row.currency,
    timezone: row.timezone,
    document_ai_retention_days: row.document_ai_retention_days,
    document_ai_requests_per_minute: limits.requests_per_minute,
    document_ai_concurrent_jobs: limits.concurrent_jobs,
    created_at: isoMoment(row.created_at),
    updated_at: isoMoment(row.updated_at),
  };
}

import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/** A tenant (decisions §1). Every other row belongs to one. */
export const Client = defineEntity({
  name: 'Client',
  tableName: 'clients',
  properties: {
    id: column.id(),
    slug: p.text().unique('clients_slug_unique'),
    name: p.text(),
    tier: p.text().default('free'),
    finance_tier: p.text().default('none'),
    production_api_enabled: p.boolean().default(false),
    country: p.text().default('ZA'),
    currency: p.text().default('ZAR'),
    timezone: p.text().default('Africa/Johannesburg'),
    /** Who sells, as it stands on finance documents. */
    legal_name: p.text().nullable(),
    address: p.text().nullable(),
    tax_number: p.text().nullable(),
    registration_number: p.text().nullable(),
    phone: p.text().nullable(),
    email: p.text().nullable(),
    website: p.text().nullable(),
    bank_details: p.text().nullable(),
    /** Instead of the tier's; null: the tier's. */
    document_ai_requests_per_minute: p.integer().nullable(),
    document_ai_concurrent_jobs: p.integer().nullable(),
    /** Days after which documents and their results are erased. */
    document_ai_retention_days: p.integer().default(30),
    created_at: column.createdAt(),
    updated_at: column.updatedAt(),
  },
});

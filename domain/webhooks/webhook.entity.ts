import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/** A customer's endpoint that receives events (spec, "Outbound webhook"; decisions §7). */
export const Webhook = defineEntity({
  name: 'Webhook',
  tableName: 'webhooks',
  properties: {
    id: column.id(),
    client_id: column.clientId(),
    name: p.text(),
    description: p.text().nullable(),
    endpoint_url: p.text(),
    http_method: p.text().default('POST'),
    auth_type: p.text().default('hmac'),
    auth_credentials_ciphertext: p.blob().nullable().hidden(),
    custom_headers: p.json<Record<string, string>>().defaultRaw(`'{}'`),
    events: column.textArray(),
    item_type_filter: p.text().nullable(),
    item_subtype_filter: p.text().nullable(),
    status_filter: p.text().nullable(),
    retry_count: p.integer().default(5),
    retry_delay_seconds: p.integer().default(0),
    timeout_seconds: p.integer().default(30),
    is_active: p.boolean().default(true),
    // Was made with require_verification: a new address must echo a challenge again.
    requires_verification: p.boolean().default(false),
    verification_status: p.text().default('verified'),
    verified_at: column.moment().nullable(),
    last_triggered_at: column.moment().nullable(),
    last_success_at: column.moment().nullable(),
    last_failure_at: column.moment().nullable(),
    success_count: p.bigint('number').default(0),
    failure_count: p.bigint('number').default(0),
    payload_version: p.text().default('latest'),
    payload_template: p.json<Record<string, unknown>>().nullable(),
    current_key_version: p.integer().default(1),
    grace_period_ends_at: column.moment().nullable(),
    dlq_alert_enabled: p.boolean().default(false),
    dlq_alert_threshold: p.integer().default(10),
    dlq_alert_email: p.text().nullable(),
    rate_limit_per_second: p.integer().nullable(),
    filter: p.json<Record<string, unknown>>().nullable(),
    ordering: p.text().default('none'),
    ed25519_enabled: p.boolean().default(false),
    // The circuit breaker, shared by all relays: open since `breaker_opened_at`, one probe from `breaker_probe_at` on.
    failed_sends_in_row: p.integer().default(0),
    breaker_opened_at: column.moment().nullable(),
    breaker_probe_at: column.moment().nullable(),
    // The token bucket of `rate_limit_per_second`.
    rate_tokens: p.double().default(0),
    rate_refilled_at: column.moment().nullable(),
    // Dead letters since the last success: what switches a webhook off that fails for a day.
    failed_deliveries_in_row: p.integer().default(0),
    failing_since: column.moment().nullable(),
    disabled_at: column.moment().nullable(),
    disabled_reason: p.text().nullable(),
    dlq_alerted_at: column.moment().nullable(),
    // Its owner was told of trouble, and is to be told when a delivery succeeds again.
    recovery_mail_due: p.boolean().default(false),
    recovery_mail_to: column.textArray(),
    // Rises within a client whenever one of its webhooks is made or changed: what tells a relay that its copy is old.
    revision: p.integer().default(1),
    created_by_user_id: p.integer(),
    deleted_at: column.moment().nullable(),
    created_at: column.createdAt(),
    updated_at: column.updatedAt(),
  },
  indexes: [
    { name: 'webhooks_client_index', properties: ['client_id', 'id'], where: '"deleted_at" is null' },
    { name: 'webhooks_revision_index', properties: ['client_id', 'revision'] },
  ],
});

import { isoMoment } from '../contracts/common.ts';
import type { WebhookView } from '../contracts/webhooks.ts';
import { MASK } from './webhook.rules.ts';

/** Columns of `webhooks` that make a {@link WebhookView}; the ciphertext only says whether there is one. */
export const COLUMNS = `id, name, description, endpoint_url, http_method, auth_type,
  auth_credentials_ciphertext is not null as has_credentials, custom_headers, events, item_type_filter,
  item_subtype_filter, status_filter, filter, ordering, rate_limit_per_second, retry_count, retry_delay_seconds,
  timeout_seconds, is_active, disabled_at, disabled_reason, breaker_opened_at,
  requires_verification as require_verification, verification_status, verified_at, last_triggered_at, last_success_at,
  last_failure_at, success_count, failure_count, payload_version, payload_template, ed25519_enabled, current_key_version,
  grace_period_ends_at, dlq_alert_enabled, dlq_alert_threshold, dlq_alert_email, created_by_user_id, created_at, updated_at`;

/** The part of the signing secret that may be shown. */
export const SECRET_PREFIX_COLUMN = `(select k.secret_prefix from webhook_keys k
  where k.webhook_id = webhooks.id and k.key_version = webhooks.current_key_version) as secret_prefix`;

type Moments =
  | 'disabled_at'
  | 'verified_at'
  | 'last_triggered_at'
  | 'last_success_at'
  | 'last_failure_at'
  | 'grace_period_ends_at'
  | 'created_at'
  | 'updated_at';

export type WebhookRow = Omit<WebhookView, Moments | 'auth_credentials' | 'secret_key' | 'breaker'> & {
  has_credentials: boolean;
  secret_prefix: string | null;
  breaker_opened_at: Date | null;
  disabled_at: Date | null;
  verified_at: Date | null;
  last_triggered_at: Date | null;
  last_success_at: Date | null;
  last_failure_at: Date | null;
  grace_period_ends_at: Date | null;
  created_at: Date;
  updated_at: Date;
};

/** The row on the wire, with its secrets masked. */
export function viewOf({ has_credentials, secret_prefix, breaker_opened_at, ...row }: WebhookRow): WebhookView {
  return {
    ...row,
    auth_credentials: has_credentials ? MASK : null,
    breaker: { state: breaker_opened_at === null ? 'closed' : 'open', opened_at: isoMoment(breaker_opened_at) },
    disabled_at: isoMoment(row.disabled_at),
    verified_at: isoMoment(row.verified_at),
    last_triggered_at: isoMoment(row.last_triggered_at),
    last_success_at: isoMoment(row.last_success_at),
    last_failure_at: isoMoment(row.last_failure_at),
    grace_period_ends_at: isoMoment(row.grace_period_ends_at),
    created_at: isoMoment(row.created_at),
    updated_at: isoMoment(row.updated_at),
    secret_key: `${secret_prefix ?? ''}${MASK}`,
  };
}

import type { Caller } from '../contracts/caller.ts';
import { ApiError } from '../contracts/errors.ts';
import type { AuthType, UpdateWebhookInput, WebhookView } from '../contracts/webhooks.ts';
import { DELIVERIES_CHANNEL } from '../outbox/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { ensureEd25519 } from './keys.service.ts';
import { sendChallengeAnew } from './verification.service.ts';
import { changesRequests, checkSettings, SETTING_COLUMNS, settingChanges, settingValues } from './webhook-settings.ts';
import type { WebhookSettings } from './webhook-settings.ts';
import { credentialIssues } from './webhook.rules.ts';
import { COLUMNS, SECRET_PREFIX_COLUMN, viewOf } from './webhook.view.ts';
import type { WebhookRow } from './webhook.view.ts';
import { auditWebhook, lockWebhook, NEXT_REVISION, noteRevision, sealedCredentials } from './webhooks.service.ts';
import type { WebhookDeps } from './webhooks.service.ts';

const FIRST_SETTING = 8;
// $3, $4: new credentials, where they change. $5: is to be verified anew. $6: is given a fresh start. $7: is switched on.
const UPDATE = statement(`
  update webhooks set
    auth_credentials_ciphertext = case when $3::boolean then $4::bytea else auth_credentials_ciphertext end,
    verification_status = case when $5::boolean then 'pending' else verification_status end,
    verified_at = case when not $5 then verified_at end,
    failed_sends_in_row = case when $6::boolean then 0 else failed_sends_in_row end,
    breaker_opened_at = case when not $6 then breaker_opened_at end,
    breaker_probe_at = case when not $6 then breaker_probe_at end,
    failed_deliveries_in_row = case when $6 then 0 else failed_deliveries_in_row end,
    failing_since = case when not $6 then failing_since end,
    disabled_at = case when not $7::boolean then disabled_at end,
    disabled_reason = case when not $7 then disabled_reason end,
    ${SETTING_COLUMNS.map((column, index) => `${column} = $${String(FIRST_SETTING + index)}`).join(', ')},
    updated_at = now(), revision = ${NEXT_REVISION}
  where client_id = $1 and id = $2
  returning ${COLUMNS}, ${SECRET_PREFIX_COLUMN}`);
// Nothing holds up the end of what waits: neither breaker nor rate.
const DELETE = statement(`
  update webhooks set deleted_at = now(), updated_at = now(), revision = ${NEXT_REVISION}, failed_sends_in_row = 0,
    breaker_opened_at = null, breaker_probe_at = null, rate_limit_per_second = null
  where client_id = $1 and id = $2`);
const DEACTIVATE_KEYS = statement(`
  update webhook_keys set deactivated_at = now() where client_id = $1 and webhook_id = $2 and deactivated_at is null`);

/**
 * Changes the given fields of a webhook, by the rules that hold for a create. One that changes nothing leaves no trace. A
 * new address makes a webhook with require_verification prove itself again, and gets a fresh start with the circuit
 * breaker; so does `is_active: true`, which also takes back that we switched it off.
 */
export async function updateWebhook(
  tx: TenantTransaction,
  caller: Caller,
  webhookId: number,
  input: UpdateWebhookInput,
  deps: WebhookDeps,
): Promise<WebhookView> {
  if (Object.values(input).every((value) => value === undefined)) {
    throw ApiError.badRequest('body', 'must hold at least one field to change');
  }
  const before = await lockWebhook(tx, caller, webhookId);
  const { credentials, after } = checkedChange(caller, before, input, deps);
  const changes = {
    ...settingChanges(before, after),
    ...(credentials === undefined ? {} : { auth_credentials: 'changed' as const }),
  };
  const { isChallenged, isRevived, isRestart } = consequences(before, input, 'endpoint_url' in changes);
  if (Object.keys(changes).length === 0 && !isChallenged && !isRestart) return viewOf(before);
  if (isChallenged) await deps.admitChallenge?.();
  const [row] = await tx.query<WebhookRow>(UPDATE, [
    tx.clientId,
    webhookId,
    credentials !== undefined,
    sealedCredentials(credentials ?? null, deps.vault),
    isChallenged,
    isRevived,
    input.is_active === true,
    ...settingValues(after),
  ]);
  if (row === undefined) throw new Error('update of webhooks returned no row');
  if (changesRequests(Object.keys(changes))) noteRevision(tx, webhookId);
  if ('ed25519_enabled' in changes && after.ed25519_enabled) ensureEd25519(tx, webhookId, deps.vault);
  if (isChallenged) sendChallengeAnew(tx, webhookId);
  auditWebhook(tx, caller, webhookId, 'webhook.updated', { changes, ...(isRestart ? { restarted: true } : {}) });
  tx.notify(DELIVERIES_CHANNEL);
  return viewOf(row);
}

/** What follows from a change beyond the fields that it names. */
function consequences(
  before: WebhookRow,
  input: UpdateWebhookInput,
  hasNewAddress: boolean,
): { isChallenged: boolean; isRevived: boolean; isRestart: boolean } {
  const isTriedAgain = input.endpoint_url !== undefined && before.verification_status !== 'verified';
  const isRevived = hasNewAddress || input.is_active === true;
  return {
    isChallenged: before.require_verification && (hasNewAddress || isTriedAgain),
    isRevived,
    isRestart: isRevived && (before.breaker_opened_at !== null || before.disabled_at !== null),
  };
}

/** Takes a webhook out of use for good. Deliveries that wait or are being retried end when their turn comes. */
export async function deleteWebhook(tx: TenantTransaction, caller: Caller, webhookId: number): Promise<void> {
  const { name, endpoint_url } = await lockWebhook(tx, caller, webhookId);
  tx.write(DELETE, [tx.clientId, webhookId]);
  tx.write(DEACTIVATE_KEYS, [tx.clientId, webhookId]);
  auditWebhook(tx, caller, webhookId, 'webhook.deleted', { name, endpoint_url });
  tx.notify(DELIVERIES_CHANNEL);
}

/** The settings after a change, checked; `credentials`: new ones, null takes them away, undefined keeps what is stored. */
function checkedChange(
  caller: Caller,
  before: WebhookRow,
  input: UpdateWebhookInput,
  deps: WebhookDeps,
): { credentials: string | null | undefined; after: WebhookSettings } {
  const { auth_credentials: givenCredentials, ...rest } = input;
  const given = Object.fromEntries(
    Object.entries(rest).filter(([, value]) => value !== undefined),
  ) as Partial<WebhookSettings>;
  const merged: WebhookSettings = { ...before, ...given };
  const { auth_type: authType, custom_headers: customHeaders } = merged;
  const credentials = credentialsAfter(before, authType, givenCredentials);
  const areKept = credentials === undefined && before.has_credentials;
  const issues = areKept ? [] : credentialIssues(authType, credentials ?? null);
  checkSettings(caller, { given, authType, customHeaders }, { ...deps, credentials: issues });
  return { credentials, after: { ...merged, events: [...new Set(merged.events)] } };
}

/** Stored credentials go with the type that they were given for, and with no other. */
function credentialsAfter(
  before: WebhookRow,
  authType: AuthType,
  given: string | null | undefined,
): string | null | undefined {
  if (given !== undefined && !(given === null && !before.has_credentials)) return given;
  return authType === before.auth_type || !before.has_credentials ? undefined : null;
}

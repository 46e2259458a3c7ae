import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { audit } from '../audit/index.ts';
import { canViewAllUsers } from '../contracts/caller.ts';
import type { Caller } from '../contracts/caller.ts';
import { ApiError } from '../contracts/errors.ts';
import type { FieldIssue } from '../contracts/errors.ts';
import type { CreateWebhookInput, WebhookView } from '../contracts/webhooks.ts';
import { recordAddressedEvent } from '../events/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction, Transaction } from '../../platform/db/transaction.ts';
import type { Vault } from '../../platform/crypto.ts';
import { isPublicAddress } from '../../platform/http/addresses.ts';
import { parseTarget } from '../../platform/http/guarded-client.ts';
import { queueDelivery } from './callbacks.service.ts';
import { WEBHOOK_CREDENTIALS_CONTEXT, WEBHOOK_SECRET_CONTEXT } from './endpoint.ts';
import { createSigningSecret, SHOWN_SECRET_CHARACTERS } from './signing.ts';
import { VERIFICATION_EVENT } from './verification.rules.ts';
import { credentialIssues, customHeaderIssues, eventBeyondTier, unknownEventIssues } from './webhook.rules.ts';
import { COLUMNS, viewOf } from './webhook.view.ts';
import type { WebhookRow } from './webhook.view.ts';

/** What creating a webhook needs besides the transaction. */
export interface WebhookDeps {
  vault: Vault;
  /** Development and closed networks may name private addresses. */
  allowPrivateTargets: boolean;
}

const LOCK_CLIENT = statement(`select pg_advisory_xact_lock(hashtextextended('webhooks', $1))`);
const INSERT = statement(`
  insert into webhooks (client_id, name, description, endpoint_url, http_method, auth_type, auth_credentials_ciphertext,
    custom_headers, events, item_type_filter, item_subtype_filter, status_filter, retry_count, retry_delay_seconds,
    timeout_seconds, is_active, verification_status, verified_at, payload_version, dlq_alert_enabled,
    dlq_alert_threshold, created_by_user_id, revision)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17::text,
    case when $17::text = 'verified' then now() end, $18, $19, $20, $21,
    (select coalesce(max(revision), 0) + 1 from webhooks where client_id = $1))
  returning ${COLUMNS}`);
const INSERT_KEY = statement(`
  insert into webhook_keys (client_id, webhook_id, key_version, secret_ciphertext, secret_prefix)
  values ($1, $2, 1, $3, $4)`);
const KEY_OF = `(select secret_prefix from webhook_keys k
  where k.webhook_id = webhooks.id and k.key_version = webhooks.current_key_version) as secret_prefix`;
const LIST = statement(`
  select ${COLUMNS}, ${KEY_OF} from webhooks
  where client_id = $1 and deleted_at is null and ($2::int is null or created_by_user_id = $2) order by id`);
const GET = statement(`
  select ${COLUMNS}, ${KEY_OF} from webhooks
  where client_id = $1 and id = $2 and deleted_at is null and ($3::int is null or created_by_user_id = $3)`);

/** Makes a webhook and its signing secret, which is returned here and nowhere else. */
export async function createWebhook(
  tx: TenantTransaction,
  caller: Caller,
  input: CreateWebhookInput,
  deps: WebhookDeps,
): Promise<{ webhook: WebhookView; secretKey: string }> {
  checkInput(caller, input, deps.allowPrivateTargets);
  lockWebhooks(tx, tx.clientId);
  const [row] = await tx.query<WebhookRow>(INSERT, insertValues(caller, input, deps.vault));
  if (row === undefined) throw new Error('insert into webhooks returned no row');
  const secretKey = createSigningSecret();
  const prefix = secretKey.slice(0, SHOWN_SECRET_CHARACTERS);
  tx.write(INSERT_KEY, [tx.clientId, row.id, deps.vault.seal(secretKey, WEBHOOK_SECRET_CONTEXT), prefix]);
  if (input.require_verification) challenge(tx, row.id);
  const details = { name: row.name, endpoint_url: row.endpoint_url, events: row.events };
  audit(tx, caller, { action: 'webhook.created', subjectType: 'webhook', subjectId: String(row.id), details });
  return { webhook: viewOf({ ...row, secret_prefix: prefix }), secretKey };
}

/** Every webhook that the caller may see: all of its client's for an owner or admin, else those it created. */
export async function listWebhooks(tx: TenantTransaction, caller: Caller): Promise<WebhookView[]> {
  const rows = await tx.query<WebhookRow>(LIST, [tx.clientId, onlyCreatedBy(caller)]);
  return rows.map(viewOf);
}

/** One webhook; 404 for one that the caller may not see. */
export async function getWebhook(tx: TenantTransaction, caller: Caller, webhookId: number): Promise<WebhookView> {
  const [row] = await tx.query<WebhookRow>(GET, [tx.clientId, webhookId, onlyCreatedBy(caller)]);
  if (row === undefined) throw ApiError.notFound('webhook', webhookId);
  return viewOf(row);
}

/**
 * Held until the commit by whoever changes a client's webhooks: revisions then rise in the order of the commits, and a
 * relay that has seen the highest has seen them all.
 */
export function lockWebhooks(tx: Transaction, clientId: number): void {
  tx.write(LOCK_CLIENT, [clientId]);
}

function onlyCreatedBy(caller: Caller): number | null {
  return canViewAllUsers(caller) ? null : (caller.userId ?? 0);
}

/** A `webhook.verification` delivery whose endpoint must answer with the challenge (decisions §7). */
function challenge(tx: TenantTransaction, webhookId: number): void {
  const data = { challenge: randomBytes(24).toString('base64url') };
  const eventId = recordAddressedEvent(tx, { name: VERIFICATION_EVENT, data });
  queueDelivery(tx, { eventId, eventType: VERIFICATION_EVENT, webhookId });
}

function checkInput(caller: Caller, input: CreateWebhookInput, allowPrivateTargets: boolean): void {
  const details: FieldIssue[] = [
    ...urlIssues(input.endpoint_url, allowPrivateTargets),
    ...unknownEventIssues(input.events),
    ...credentialIssues(input.auth_type, input.auth_credentials),
    ...customHeaderIssues(input.custom_headers, input.auth_type),
  ];
  if (details.length > 0) throw ApiError.ofFields(details);
  const beyond = eventBeyondTier(input.events, caller.client.finance_tier);
  if (beyond !== undefined) {
    throw ApiError.tierRestricted(
      `The event ${beyond} needs a higher finance tier than ${caller.client.finance_tier}.`,
    );
  }
}

/** What can be seen without a look-up; each connection checks the resolved addresses again. */
function urlIssues(url: string, allowPrivateTargets: boolean): FieldIssue[] {
  const field = 'endpoint_url';
  try {
    parseTarget(url);
  } catch (error) {
    return [{ field, issue: (error as Error).message }];
  }
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  const isPrivate = host === 'localhost' || host.endsWith('.localhost') || (isIP(host) !== 0 && !isPublicAddress(host));
  return isPrivate && !allowPrivateTargets ? [{ field, issue: `${host} is not a public address` }] : [];
}

function insertValues(caller: Caller, input: CreateWebhookInput, vault: Vault): unknown[] {
  const credentials = input.auth_credentials;
  return [
    caller.clientId,
    input.name,
    input.description,
    input.endpoint_url,
    input.http_method,
    input.auth_type,
    credentials === null ? null : vault.seal(credentials, WEBHOOK_CREDENTIALS_CONTEXT),
    JSON.stringify(input.custom_headers),
    [...new Set(input.events)],
    input.item_type_filter,
    input.item_subtype_filter,
    input.status_filter,
    input.retry_count,
    input.retry_delay_seconds,
    input.timeout_seconds,
    input.is_active,
    input.require_verification ? 'pending' : 'verified',
    input.payload_version,
    input.dlq_alert_enabled,
    input.dlq_alert_threshold,
    caller.userId,
  ];
}

import type { AuthType, Ordering } from '../contracts/webhooks.ts';
import type { Condition } from '../expressions/index.ts';
import { API_KEY_VAULT_CONTEXT } from '../keys/index.ts';
import { APPLICATION_VAULT_CONTEXT } from '../oauth/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { Statement } from '../../platform/db/statement.ts';
import type { Vault } from '../../platform/crypto.ts';
import { parseTarget } from '../../platform/http/guarded-client.ts';
import type { HttpTarget } from '../../platform/http/guarded-client.ts';
import type { RetryPolicy } from './delivery.rules.ts';
import { signingKey } from './signing.ts';
import type { SigningKey } from './signing.ts';
import type { Subscription } from './subscription.ts';

/** What binds a webhook's sealed secrets to their place (see `Vault`). */
export const WEBHOOK_SECRET_CONTEXT = 'webhook_keys.secret';
export const WEBHOOK_ED25519_CONTEXT = 'webhook_keys.ed25519';
export const WEBHOOK_CREDENTIALS_CONTEXT = 'webhooks.auth_credentials';

/** How a send proves where it comes from. `key` is a Document AI callback: the API key's plain text, or the application's secret, signs it. */
export type EndpointAuth =
  | { type: 'hmac'; keys: readonly SigningKey[] }
  | { type: 'bearer' | 'basic'; credentials: string }
  | { type: 'key'; secret: string }
  | { type: 'none' }
  /** Its secrets can't be opened (a master key is missing, a row is damaged): nothing is sent until they can. */
  | { type: 'sealed'; error: string };

/** Somewhere a delivery goes: a webhook, or the address that a Document AI call named. Holds secrets in the clear. */
export interface Endpoint {
  /** Deliveries of one lane share its slots; see `Delivery.lane`. */
  lane: string;
  webhookId: number | null;
  url: string;
  target: HttpTarget;
  method: string;
  customHeaders: Readonly<Record<string, string>>;
  auth: EndpointAuth;
  timeoutMs: number;
  retry: RetryPolicy;
  /** How its payload is made; null for a callback, whose body is the event's data. */
  payload: PayloadSettings | null;
  /** Sends a second; null: as many as it takes. */
  rateLimitPerSecond: number | null;
  /** `per_item`: the deliveries of one work item go one after the other, in the order of their events. */
  ordering: Ordering;
  /** Of the webhook, when these facts were read; 0 for a callback. */
  revision: number;
}

/** What of a webhook shapes its payload (spec, "Payload template"). */
export interface PayloadSettings {
  version: string;
  template: Readonly<Record<string, unknown>> | null;
}

export interface WebhookEndpoint extends Endpoint, Subscription {
  webhookId: number;
  clientId: number;
  isDeleted: boolean;
  /** Events that happened before are not for it, though they may be dispatched only now. */
  createdAt: Date;
  /** Milliseconds until its open circuit breaker may be probed, when this was read; null: it was closed. */
  probeInMs: number | null;
}

/** The one-off address of a delivery without a webhook. */
export interface CallbackTarget {
  url: string;
  api_key_id?: number;
  oauth_application_id?: number;
  /** Of a call in the sandbox. */
  is_sandbox?: true;
}

const CALLBACK_TIMEOUT_MS = 30_000;
const CALLBACK_RETRY: RetryPolicy = { retryCount: 5, retryDelaySeconds: 0 };

const COLUMNS = `w.id, w.client_id, w.endpoint_url, w.http_method, w.custom_headers, w.auth_type,
  w.auth_credentials_ciphertext, w.events, w.item_type_filter, w.item_subtype_filter, w.status_filter, w.retry_count,
  w.retry_delay_seconds, w.timeout_seconds, w.is_active, w.verification_status, w.deleted_at, w.created_at,
  w.payload_version, w.payload_template, w.filter, w.ordering, w.rate_limit_per_second, w.ed25519_enabled, w.revision,
  case when w.breaker_opened_at is not null
    then greatest(0, coalesce(extract(epoch from w.breaker_probe_at - now()) * 1000, 0))::float8 end as probe_in_ms,
  (select json_agg(json_build_object('version', k.key_version, 'secret', encode(k.secret_ciphertext, 'base64'),
     'ed25519', case when w.ed25519_enabled then encode(k.ed25519_ciphertext, 'base64') end,
     'expires_at', k.expires_at) order by k.key_version desc)
   from webhook_keys k where k.webhook_id = w.id and k.deactivated_at is null) as keys`;
const OF_CLIENT = statement(`
  select ${COLUMNS} from webhooks w where w.client_id = $1 and w.deleted_at is null order by w.id`);
const BY_ID = statement(`select ${COLUMNS} from webhooks w where w.client_id = $1 and w.id = $2`);
const API_KEY = statement(`select key_ciphertext as sealed from api_keys where client_id = $1 and id = $2`);
const APPLICATION = statement(`
  select secret_ciphertext as sealed from oauth_applications where client_id = $1 and id = $2`);

interface EndpointRow extends Record<string, unknown> {
  id: number;
  client_id: number;
  endpoint_url: string;
  http_method: string;
  custom_headers: Record<string, string>;
  auth_type: AuthType;
  auth_credentials_ciphertext: Buffer | null;
  events: string[];
  item_type_filter: string | null;
  item_subtype_filter: string | null;
  status_filter: string | null;
  retry_count: number;
  retry_delay_seconds: number;
  timeout_seconds: number;
  is_active: boolean;
  verification_status: string;
  deleted_at: Date | null;
  created_at: Date;
  payload_version: string;
  payload_template: Record<string, unknown> | null;
  filter: Condition | null;
  ordering: Ordering;
  rate_limit_per_second: number | null;
  ed25519_enabled: boolean;
  revision: number;
  probe_in_ms: number | null;
  keys: { version: number; secret: string; ed25519: string | null; expires_at: string | null }[] | null;
}

/** Whatever runs a prepared statement: a transaction, or the system's database. */
export interface Queryable {
  query<R extends Record<string, unknown>>(statement: Statement, values?: readonly unknown[]): Promise<R[]>;
}

/** Every webhook of a client, ready to send. */
export async function endpointsOfClient(db: Queryable, vault: Vault, clientId: number): Promise<WebhookEndpoint[]> {
  const rows = await db.query<EndpointRow>(OF_CLIENT, [clientId]);
  return rows.map((row) => endpointOf(row, vault));
}

/** One webhook, a deleted one too. */
export async function endpointOfWebhook(
  db: Queryable,
  vault: Vault,
  clientId: number,
  webhookId: number,
): Promise<WebhookEndpoint | undefined> {
  const [row] = await db.query<EndpointRow>(BY_ID, [clientId, webhookId]);
  return row === undefined ? undefined : endpointOf(row, vault);
}

/** The endpoint of a Document AI callback. Signed with the secret of the call's caller, also when that was deactivated since. */
export async function endpointOfCallback(
  db: Queryable,
  vault: Vault,
  clientId: number,
  target: CallbackTarget,
): Promise<Endpoint> {
  const auth = await callbackAuth(db, vault, clientId, target);
  return {
    lane: callbackLane(target.url),
    webhookId: null,
    url: target.url,
    target: parseTarget(target.url),
    method: 'POST',
    customHeaders: {},
    auth,
    timeoutMs: CALLBACK_TIMEOUT_MS,
    retry: CALLBACK_RETRY,
    payload: null,
    rateLimitPerSecond: null,
    ordering: 'none',
    revision: 0,
  };
}

async function callbackAuth(
  db: Queryable,
  vault: Vault,
  clientId: number,
  { api_key_id: keyId, oauth_application_id: applicationId }: CallbackTarget,
): Promise<EndpointAuth> {
  const id = keyId ?? applicationId;
  if (id === undefined) return { type: 'none' };
  const [find, context] =
    keyId === undefined ? [APPLICATION, APPLICATION_VAULT_CONTEXT] : [API_KEY, API_KEY_VAULT_CONTEXT];
  const [row] = await db.query<{ sealed: Buffer | null }>(find, [clientId, id]);
  const sealed = row?.sealed ?? undefined;
  if (sealed === undefined) return { type: 'none' };
  return orSealed(() => ({ type: 'key', secret: vault.open(sealed, context) }));
}

/** Secrets of one that are out of reach must not keep all others, of all clients, from being sent to. */
function orSealed(open: () => EndpointAuth): EndpointAuth {
  try {
    return open();
  } catch (error) {
    return { type: 'sealed', error: (error as Error).message };
  }
}

export function webhookLane(webhookId: number): string {
  return `webhook/${String(webhookId)}`;
}

/** Callbacks to one server share a lane, whoever asked for them. */
export function callbackLane(url: string): string {
  return `callback/${URL.parse(url)?.origin ?? 'invalid'}`;
}

function endpointOf(row: EndpointRow, vault: Vault): WebhookEndpoint {
  return {
    lane: webhookLane(row.id),
    webhookId: row.id,
    clientId: row.client_id,
    url: row.endpoint_url,
    target: parseTarget(row.endpoint_url),
    method: row.http_method,
    customHeaders: row.custom_headers,
    auth: orSealed(() => authOf(row, vault)),
    timeoutMs: row.timeout_seconds * 1_000,
    retry: { retryCount: row.retry_count, retryDelaySeconds: row.retry_delay_seconds },
    payload: { version: row.payload_version, template: row.payload_template },
    rateLimitPerSecond: row.rate_limit_per_second,
    ordering: row.ordering,
    revision: row.revision,
    events: new Set(row.events),
    filter: row.filter,
    itemTypeFilter: row.item_type_filter,
    itemSubtypeFilter: row.item_subtype_filter,
    statusFilter: row.status_filter,
    isActive: row.is_active,
    isVerified: row.verification_status === 'verified',
    isDeleted: row.deleted_at !== null,
    createdAt: row.created_at,
    probeInMs: row.probe_in_ms,
  };
}

function authOf(row: EndpointRow, vault: Vault): EndpointAuth {
  const { auth_type: type, auth_credentials_ciphertext: sealed } = row;
  if (type === 'bearer' || type === 'basic') {
    return { type, credentials: sealed === null ? '' : vault.open(sealed, WEBHOOK_CREDENTIALS_CONTEXT) };
  }
  if (type === 'none') return { type };
  const keys = (row.keys ?? []).map(({ version, secret, ed25519, expires_at }) =>
    signingKey(
      version,
      vault.open(Buffer.from(secret, 'base64'), WEBHOOK_SECRET_CONTEXT),
      expires_at === null ? null : Date.parse(expires_at),
      ed25519 === null ? null : vault.open(Buffer.from(ed25519, 'base64'), WEBHOOK_ED25519_CONTEXT),
    ),
  );
  return { type, keys };
}

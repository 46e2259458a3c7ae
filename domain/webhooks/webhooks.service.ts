import { audit } from '../audit/index.ts';
import { canViewAllUsers } from '../contracts/caller.ts';
import type { Caller } from '../contracts/caller.ts';
import { ApiError } from '../contracts/errors.ts';
import type { CreateWebhookInput, WebhookView } from '../contracts/webhooks.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction, Transaction } from '../../platform/db/transaction.ts';
import type { Vault } from '../../platform/crypto.ts';
import { WEBHOOK_CREDENTIALS_CONTEXT } from './endpoint.ts';
import { createKey } from './keys.service.ts';
import { sendChallenge } from './verification.service.ts';
import { checkSettings, SETTING_COLUMNS, settingValues } from './webhook-settings.ts';
import { credentialIssues } from './webhook.rules.ts';
import { COLUMNS, SECRET_PREFIX_COLUMN, viewOf } from './webhook.view.ts';
import type { WebhookRow } from './webhook.view.ts';

/** What creating or changing a webhook needs besides the transaction. */
export interface WebhookDeps {
  vault: Vault;
  /** Development and closed networks may name private addresses. */
  allowPrivateTargets: boolean;
  /** Throws where the client has had too many challenges sent lately. */
  admitChallenge?: () => Promise<void>;
}

/** Most webhooks of a client: each event is matched against all of them. */
export const MAX_WEBHOOKS = 100;

const LOCK_CLIENT = statement(`select pg_advisory_xact_lock(hashtextextended('webhooks', $1))`);
const COUNT = statement(`select count(*) as total from webhooks where client_id = $1 and deleted_at is null`);
/** The revision that a change of one of the client's webhooks ($1) gets, under {@link lockWebhooks}. */
export const NEXT_REVISION = `(select coalesce(max(revision), 0) + 1 from webhooks where client_id = $1)`;
const FIRST_SETTING = 6;
const INSERT = statement(`
  insert into webhooks (client_id, created_by_user_id, auth_credentials_ciphertext, requires_verification,
    verification_status, verified_at, revision, ${SETTING_COLUMNS.join(', ')})
  values ($1, $2, $3, $4::boolean, $5::text, case when $5::text = 'verified' then now() end, ${NEXT_REVISION},
    ${SETTING_COLUMNS.map((_, index) => `$${String(FIRST_SETTING + index)}`).join(', ')})
  returning ${COLUMNS}`);
const NOTE_REVISION = statement(`
  insert into webhook_revisions (webhook_id, revision, client_id, endpoint_url, http_method, custom_headers, auth_type,
    payload_version, payload_template)
  select id, revision, client_id, endpoint_url, http_method, custom_headers, auth_type, payload_version, payload_template
  from webhooks where client_id = $1 and id = $2`);
const LIST = statement(`
  select ${COLUMNS}, ${SECRET_PREFIX_COLUMN} from webhooks
  where client_id = $1 and deleted_at is null and ($2::int is null or created_by_user_id = $2) order by id`);
const VISIBLE = `where client_id = $1 and id = $2 and deleted_at is null and ($3::int is null or created_by_user_id = $3)`;
const GET = statement(`select ${COLUMNS}, ${SECRET_PREFIX_COLUMN} from webhooks ${VISIBLE}`);
const LOCK = statement(`select ${COLUMNS}, ${SECRET_PREFIX_COLUMN} from webhooks ${VISIBLE} for no key update`);

/** Makes a webhook and its signing secret, which is returned here and nowhere else. */
export async function createWebhook(
  tx: TenantTransaction,
  caller: Caller,
  input: CreateWebhookInput,
  deps: WebhookDeps,
): Promise<{ webhook: WebhookView; secretKey: string }> {
  const { require_verification: isToBeVerified, auth_credentials: credentials, ...settings } = input;
  const { auth_type: authType, custom_headers: customHeaders } = settings;
  checkSettings(
    caller,
    { given: settings, authType, customHeaders },
    { ...deps, credentials: credentialIssues(authType, credentials) },
  );
  if (isToBeVerified) await deps.admitChallenge?.();
  lockWebhooks(tx, tx.clientId);
  const [count] = await tx.query<{ total: number }>(COUNT, [tx.clientId]);
  if ((count?.total ?? 0) >= MAX_WEBHOOKS) {
    throw ApiError.unprocessable(`A client has at most ${String(MAX_WEBHOOKS)} webhooks; delete one first.`);
  }
  const [row] = await tx.query<WebhookRow>(INSERT, [
    tx.clientId,
    caller.userId,
    sealedCredentials(credentials, deps.vault),
    isToBeVerified,
    isToBeVerified ? 'pending' : 'verified',
    ...settingValues({ ...settings, events: [...new Set(settings.events)] }),
  ]);
  if (row === undefined) throw new Error('insert into webhooks returned no row');
  noteRevision(tx, row.id);
  const key = { vault: deps.vault, ed25519: settings.ed25519_enabled };
  const { secretKey, prefix } = createKey(tx, row.id, row.current_key_version, key);
  if (isToBeVerified) sendChallenge(tx, row.id);
  const details = { name: row.name, endpoint_url: row.endpoint_url, events: row.events };
  auditWebhook(tx, caller, row.id, 'webhook.created', details);
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

/** One webhook that the caller may see, for a change: nobody else changes it, or a webhook beside it, until the commit. */
export async function lockWebhook(tx: TenantTransaction, caller: Caller, webhookId: number): Promise<WebhookRow> {
  lockWebhooks(tx, tx.clientId);
  const [row] = await tx.query<WebhookRow>(LOCK, [tx.clientId, webhookId, onlyCreatedBy(caller)]);
  if (row === undefined) throw ApiError.notFound('webhook', webhookId);
  return row;
}

/**
 * Held until the commit by whoever changes a client's webhooks: revisions then rise in the order of the commits, and a
 * relay that has seen the highest has seen them all.
 */
export function lockWebhooks(tx: Transaction, clientId: number): void {
  tx.write(LOCK_CLIENT, [clientId]);
}

/** Keeps what requests look like from the webhook's present revision on, for the delivery log. */
export function noteRevision(tx: TenantTransaction, webhookId: number): void {
  tx.write(NOTE_REVISION, [tx.clientId, webhookId]);
}

export function sealedCredentials(credentials: string | null, vault: Vault): Buffer | null {
  return credentials === null ? null : vault.seal(credentials, WEBHOOK_CREDENTIALS_CONTEXT);
}

export function auditWebhook(
  tx: TenantTransaction,
  caller: Caller,
  webhookId: number,
  action: string,
  details: Record<string, unknown>,
): void {
  audit(tx, caller, { action, subjectType: 'webhook', subjectId: String(webhookId), details });
}

function onlyCreatedBy(caller: Caller): number | null {
  return canViewAllUsers(caller) ? null : (caller.userId ?? 0);
}

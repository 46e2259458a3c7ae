import { randomUUID } from 'node:crypto';
import { audit } from '../audit/index.ts';
import { canViewAllUsers } from '../contracts/caller.ts';
import type { Caller } from '../contracts/caller.ts';
import { ApiError } from '../contracts/errors.ts';
import type { FieldIssue } from '../contracts/errors.ts';
import { MAX_INBOUND_WEBHOOKS } from '../contracts/inbound-webhooks.ts';
import type {
  CreateInboundWebhookInput,
  InboundWebhookData,
  UpdateInboundWebhookInput,
} from '../contracts/inbound-webhooks.ts';
import type { Vault } from '../../platform/crypto.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { COLUMNS, viewOf } from './inbound-webhook.view.ts';
import type { InboundWebhookRow } from './inbound-webhook.view.ts';
import { createInboundSecret } from './secret.ts';
import type { ShownSecret } from './secret.ts';

// Held until the commit, it makes «count, then add» one step.
const LOCK_QUOTA = statement(`select pg_advisory_xact_lock(hashtextextended('inbound_webhooks', $1))`);
const COUNT = statement(`select count(*) as total from inbound_webhooks where client_id = $1 and deleted_at is null`);
const INSERT = statement(`
  insert into inbound_webhooks as w (id, client_id, name, description, webhook_type, auth_method, key_hash,
    secret_ciphertext, is_active, created_by)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning ${COLUMNS}`);
const VISIBLE = `w.client_id = $1 and w.deleted_at is null and ($2::int is null or w.created_by = $2)`;
const LIST = statement(`select ${COLUMNS} from inbound_webhooks w where ${VISIBLE} order by w.created_at desc, w.id`);
const GET = statement(`select ${COLUMNS} from inbound_webhooks w where ${VISIBLE} and w.id = $3`);
const LOCK = statement(`select ${COLUMNS} from inbound_webhooks w where ${VISIBLE} and w.id = $3 for no key update`);
const UPDATE = statement(`
  update inbound_webhooks as w set name = $3, description = $4, is_active = $5, updated_at = now()
  where w.client_id = $1 and w.id = $2 returning ${COLUMNS}`);
const DELETE = statement(`
  update inbound_webhooks set deleted_at = now(), is_active = false, updated_at = now()
  where client_id = $1 and id = $2`);
const ROTATE = statement(`
  update inbound_webhooks as w set key_hash = $3, secret_ciphertext = $4,
    previous_key_hash = case when $5::float8 > 0 then key_hash end,
    previous_secret_ciphertext = case when $5::float8 > 0 then secret_ciphertext end,
    previous_key_expires_at = case when $5::float8 > 0 then $6::timestamptz end, updated_at = now()
  where w.client_id = $1 and w.id = $2 returning ${COLUMNS}`);
const EXISTS = statement(`select from inbound_webhooks where client_id = $1 and id = $2 and deleted_at is null`);

const HOUR_MS = 3_600_000;

/** Makes an inbound webhook; its key or secret is returned here and nowhere else. */
export async function createInboundWebhook(
  tx: TenantTransaction,
  caller: Caller,
  input: CreateInboundWebhookInput,
  vault: Vault,
): Promise<{ webhook: InboundWebhookData; secret: ShownSecret }> {
  const [, [count]] = await Promise.all([
    tx.query(LOCK_QUOTA, [tx.clientId]),
    tx.query<{ total: number }>(COUNT, [tx.clientId]),
  ]);
  if ((count?.total ?? 0) >= MAX_INBOUND_WEBHOOKS) {
    throw ApiError.unprocessable(
      `There are ${String(MAX_INBOUND_WEBHOOKS)} inbound webhooks already; delete one first.`,
    );
  }
  const { stored, shown } = createInboundSecret(input.auth_method, vault);
  const { name, description, webhook_type, auth_method, is_active } = input;
  const values = [randomUUID(), tx.clientId, name, description, webhook_type, auth_method];
  const secrets = [stored.key_hash, stored.secret_ciphertext];
  const rows = await tx.query<InboundWebhookRow>(INSERT, [...values, ...secrets, is_active, caller.userId]);
  const webhook = only(rows, 'new');
  note(tx, caller, 'created', webhook.id, { name, webhook_type, auth_method });
  return { webhook, secret: shown };
}

/** Every inbound webhook that the caller may see, newest first: all of its client's for an owner or admin, else its own. */
export async function listInboundWebhooks(tx: TenantTransaction, caller: Caller): Promise<InboundWebhookData[]> {
  const rows = await tx.query<InboundWebhookRow>(LIST, [tx.clientId, onlyCreatedBy(caller)]);
  return rows.map(viewOf);
}

/** One inbound webhook; 404 for one that the caller may not see. */
export async function getInboundWebhook(
  tx: TenantTransaction,
  caller: Caller,
  id: string,
): Promise<InboundWebhookData> {
  return only(await tx.query<InboundWebhookRow>(GET, [tx.clientId, onlyCreatedBy(caller), id]), id);
}

/** Sets the fields that are given. What changes nothing is success, and noted nowhere. */
export async function updateInboundWebhook(
  tx: TenantTransaction,
  caller: Caller,
  id: string,
  input: UpdateInboundWebhookInput,
): Promise<InboundWebhookData> {
  const before = await lock(tx, caller, id);
  const after = { ...before, ...input };
  const changed = (['name', 'description', 'is_active'] as const).filter((field) => after[field] !== before[field]);
  if (changed.length === 0) return before;
  const values = [tx.clientId, id, after.name, after.description, after.is_active];
  const webhook = only(await tx.query<InboundWebhookRow>(UPDATE, values), id);
  const changes = Object.fromEntries(changed.map((field) => [field, { from: before[field], to: webhook[field] }]));
  note(tx, caller, 'updated', id, { changes });
  return webhook;
}

/** From now on its address answers as if it had never been; what was received stays until its time is over. */
export async function deleteInboundWebhook(
  tx: TenantTransaction,
  caller: Caller,
  id: string,
): Promise<InboundWebhookData> {
  const webhook = await lock(tx, caller, id);
  tx.write(DELETE, [tx.clientId, id]);
  note(tx, caller, 'deleted', id, { name: webhook.name });
  return { ...webhook, is_active: false };
}

/** A new key or secret; the one before works beside it for a while. */
export async function rotateInboundKey(
  tx: TenantTransaction,
  caller: Caller,
  id: string,
  { graceHours, vault, now }: { graceHours: number; vault: Vault; now: number },
): Promise<{ webhook: InboundWebhookData; secret: ShownSecret }> {
  const { auth_method } = await lock(tx, caller, id);
  if (auth_method === 'none') throw ApiError.unprocessable('This webhook has auth_method none, and so no key.');
  const { stored, shown } = createInboundSecret(auth_method, vault);
  const until = new Date(now + graceHours * HOUR_MS);
  const values = [tx.clientId, id, stored.key_hash, stored.secret_ciphertext, graceHours, until];
  const webhook = only(await tx.query<InboundWebhookRow>(ROTATE, values), id);
  note(tx, caller, 'key_rotated', id, { grace_period_hours: graceHours });
  return { webhook, secret: shown };
}

/** An issue where a field names an inbound webhook that the client doesn't have. */
export async function issuesOfInboundWebhook(
  tx: TenantTransaction,
  { id, field }: { id: string; field: string },
): Promise<FieldIssue[]> {
  const found = await tx.query(EXISTS, [tx.clientId, id]);
  return found.length > 0 ? [] : [{ field, issue: `there is no inbound webhook ${id}` }];
}

async function lock(tx: TenantTransaction, caller: Caller, id: string): Promise<InboundWebhookData> {
  return only(await tx.query<InboundWebhookRow>(LOCK, [tx.clientId, onlyCreatedBy(caller), id]), id);
}

function onlyCreatedBy(caller: Caller): number | null {
  return canViewAllUsers(caller) ? null : (caller.userId ?? 0);
}

function only(rows: readonly InboundWebhookRow[], id: string): InboundWebhookData {
  const [row] = rows;
  if (row === undefined) throw ApiError.notFound('inbound webhook', id);
  return viewOf(row);
}

function note(tx: TenantTransaction, caller: Caller, what: string, id: string, details: Record<string, unknown>): void {
  audit(tx, caller, { action: `inbound_webhook.${what}`, subjectType: 'inbound_webhook', subjectId: id, details });
}

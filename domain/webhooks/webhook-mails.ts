import { queueMail } from '../mails/index.ts';
import type { MailRequest } from '../mails/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { deadLettersText, disabledText, keyRotatedText, recoveredText } from './webhook-mail-texts.rules.ts';
import type { DisabledReason, KeyRotation, MailText, MailedWebhook } from './webhook-mail-texts.rules.ts';

/*
 * What is mailed about a webhook. Each function is called in the transaction of what it reports, so that neither is
 * there without the other; each mails once, however often it is called. None fails over the mail itself.
 */

interface WebhookRef {
  clientId: number;
  webhookId: number;
}

/** A webhook is told of to who made it, or to the client's owners and admins when that person has left. */
const OWNERS = `coalesce(
    (select array[u.email] from users u where u.client_id = w.client_id and u.id = w.created_by_user_id and u.is_active),
    (select array_agg(o.email order by o.rank, o.id) from (
       select u.id, u.email, case u.role when 'owner' then 0 else 1 end as rank from users u
       where u.client_id = w.client_id and u.is_active and u.role in ('owner', 'admin') order by rank, u.id limit 5) o),
    '{}')`;
const WEBHOOK = `w.id, w.name, w.endpoint_url, c.name as client_name, ${OWNERS} as owners`;
/** Who is told of trouble is told when it is over. */
const toBeTold = (addresses: string): string => `recovery_mail_due = true,
    recovery_mail_to = array(select distinct unnest(w.recovery_mail_to || ${addresses}))`;
const KEY_ROTATED = statement(`
  select ${WEBHOOK} from webhooks w join clients c on c.id = w.client_id
  where w.client_id = $1 and w.id = $2 and w.deleted_at is null`);
const DISABLED = statement(`
  update webhooks w set ${toBeTold(OWNERS)} from clients c
  where w.client_id = $1 and w.id = $2 and w.deleted_at is null and c.id = w.client_id
  returning ${WEBHOOK}, coalesce(w.disabled_at, now()) as since`);
// Whoever takes the flag down mails; all others find it down.
const RECOVERED = statement(`
  with told as (
    select id, recovery_mail_to from webhooks
    where client_id = $1 and id = $2 and recovery_mail_due and deleted_at is null for no key update)
  update webhooks w set recovery_mail_due = false, recovery_mail_to = '{}' from clients c, told
  where w.id = told.id and c.id = w.client_id
  returning ${WEBHOOK}, told.recovery_mail_to as told, now() as since`);

interface WebhookRow extends MailedWebhook, Record<string, unknown> {
  owners: string[];
}

/** The platform has switched a webhook off. Call it after `disabled_at` was set, in the same transaction. */
export async function webhookDisabled(
  tx: Transaction,
  { clientId, webhookId, reason }: WebhookRef & { reason: DisabledReason },
): Promise<void> {
  const [webhook] = await tx.query<WebhookRow & { since: Date }>(DISABLED, [clientId, webhookId]);
  if (webhook === undefined) return;
  const key = `webhook-disabled/${String(webhookId)}/${webhook.since.toISOString()}`;
  await mailTo(tx, clientId, webhook.owners, 'webhook_disabled', disabledText(webhook, reason, webhook.since), key);
}

/** A delivery has succeeded. Mails only where trouble was mailed before (`recovery_mail_due`), and takes that mark away. */
export async function webhookRecovered(tx: Transaction, { clientId, webhookId }: WebhookRef): Promise<void> {
  const [webhook] = await tx.query<WebhookRow & { since: Date; told: string[] }>(RECOVERED, [clientId, webhookId]);
  if (webhook === undefined) return;
  const key = `webhook-recovered/${String(webhookId)}/${webhook.since.toISOString()}`;
  const to = webhook.told.length > 0 ? webhook.told : webhook.owners;
  await mailTo(tx, clientId, to, 'webhook_recovered', recoveredText(webhook), key);
}

/** A signing key was rotated (spec, "Signing-key rotation"). Mailed once for each key version. */
export async function keyRotated(
  tx: Transaction,
  { clientId, webhookId, ...rotation }: WebhookRef & KeyRotation,
): Promise<void> {
  const [webhook] = await tx.query<WebhookRow>(KEY_ROTATED, [clientId, webhookId]);
  if (webhook === undefined) return;
  const key = `signing-key/${String(webhookId)}/${String(rotation.keyVersion)}`;
  await mailTo(tx, clientId, webhook.owners, 'signing_key_rotated', keyRotatedText(webhook, rotation), key);
}

// A relay that comes second waits here for the first one's commit and so counts its dead letters, or finds it alerted.
const WATCHED = statement(`
  select w.id, w.dlq_alert_threshold as threshold from webhooks w
  where w.client_id = $1 and w.id = any($2::int[]) and w.dlq_alert_enabled and w.deleted_at is null
    and (w.dlq_alerted_at is null or w.dlq_alerted_at <= coalesce($3, now()) - interval '1 hour')
  order by w.id for no key update`);
const ALERT = statement(`
  with dead as (
    select count(*) as letters from (
      select 1 from deliveries d where d.client_id = $1 and d.webhook_id = $2 and d.status = 'failed'
        and d.dlq_at > coalesce($3, now()) - interval '24 hours' limit $5) d)
  update webhooks w set dlq_alerted_at = coalesce($3, now()),
    ${toBeTold(`case when w.dlq_alert_email is null then ${OWNERS} else array[w.dlq_alert_email] end`)} from clients c, dead
  where w.client_id = $1 and w.id = $2 and c.id = w.client_id and dead.letters > $4
  returning ${WEBHOOK}, w.dlq_alert_email, w.dlq_alerted_at, dead.letters`);

interface AlertedRow extends WebhookRow {
  dlq_alert_email: string | null;
  dlq_alerted_at: Date;
  letters: number;
}

/** Beyond its threshold a webhook's dead letters are counted on for the mail, up to so many. */
const COUNTED_ON = 1_000;

/**
 * Deliveries of these webhooks have just moved to the DLQ (spec, "DLQ alerts"). Call it after that was written, in the same
 * transaction. Webhooks without alerts, and those alerted within the hour, cost one look-up in all.
 */
export async function deadLettered(
  tx: Transaction,
  { clientId, webhookIds, now }: { clientId: number; webhookIds: readonly number[]; now?: number },
): Promise<void> {
  const at = now === undefined ? null : new Date(now);
  const watched = await tx.query<{ id: number; threshold: number }>(WATCHED, [clientId, webhookIds, at]);
  await Promise.all(
    watched.map(async ({ id, threshold }) => {
      const most = threshold + COUNTED_ON;
      const [webhook] = await tx.query<AlertedRow>(ALERT, [clientId, id, at, threshold, most]);
      if (webhook !== undefined) await mailAlert(tx, clientId, webhook, { threshold, most });
    }),
  );
}

async function mailAlert(
  tx: Transaction,
  clientId: number,
  webhook: AlertedRow,
  { threshold, most }: { threshold: number; most: number },
): Promise<void> {
  const to = webhook.dlq_alert_email === null ? webhook.owners : [webhook.dlq_alert_email];
  const isMore = webhook.letters === most;
  const text = deadLettersText(webhook, { counted: webhook.letters, isMore, threshold });
  const key = `dlq-alert/${String(webhook.id)}/${webhook.dlq_alerted_at.toISOString()}`;
  await mailTo(tx, clientId, to, 'dlq_alert', text, key);
}

async function mailTo(
  tx: Transaction,
  clientId: number,
  addresses: readonly string[],
  kind: MailRequest['kind'],
  { subject, text }: MailText,
  key: string,
): Promise<void> {
  await Promise.all(
    addresses.map((to) => queueMail(tx, clientId, { kind, to, subject, text, dedupeKey: `${key}/${to}` })),
  );
}

import { statement } from '../../platform/db/statement.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { switchedOff } from './switched-off.service.ts';
import { deadLettered, webhookRecovered } from './webhook-mails.ts';
import { lockWebhooks } from './webhooks.service.ts';

/**
 * How an endpoint fares, kept in its webhook's row by the statements that record sends: what opens and closes its circuit
 * breaker, switches it off after a day of failures, and is mailed about (decisions §7).
 */

/** Sends that fail in a row, first ones and retries alike, before the breaker opens. */
const BREAKER_OPENS_AT = 10;
/** While it is open one delivery is sent this often, to see whether the endpoint is back. */
const PROBE_EVERY = `interval '30 seconds'`;
/** Deliveries that end in the DLQ in a row, over at least so long, before the webhook is switched off. */
const DISABLED_AT = 20;
const DISABLED_AFTER = `interval '24 hours'`;
const IS_FAILING = `w.is_active and w.failed_deliveries_in_row >= ${String(DISABLED_AT)}
  and w.failing_since <= now() - ${DISABLED_AFTER}`;

/** Rows of webhooks are locked in the order of their ids, so that two relays that count for the same ones never deadlock. */
export const LOCK_COUNTED = `locked as (
    select w.id, w.breaker_opened_at is not null as was_open, w.recovery_mail_due from webhooks w
    where w.id in (select webhook_id from counted) order by w.id for update)`;
/** What a success sets: any one closes the breaker. */
export const HEALTHY = `failed_sends_in_row = 0, breaker_opened_at = null, breaker_probe_at = null,
    failed_deliveries_in_row = 0, failing_since = null`;
/** What failures set; `inRow` counts the sends that failed since the last success, `dead` those that led to the DLQ. */
export function failing(inRow: string, dead: string): string {
  const opens = `w.failed_sends_in_row + ${inRow} >= ${String(BREAKER_OPENS_AT)}`;
  return `failed_sends_in_row = w.failed_sends_in_row + ${inRow},
    breaker_opened_at = case when ${opens} then coalesce(w.breaker_opened_at, now()) else w.breaker_opened_at end,
    breaker_probe_at = case when w.breaker_opened_at is null and ${opens} then now() + ${PROBE_EVERY}
      else w.breaker_probe_at end,
    failed_deliveries_in_row = w.failed_deliveries_in_row + ${dead},
    failing_since = case when ${dead} > 0 then coalesce(w.failing_since, now()) else w.failing_since end`;
}
/** Of an update of `webhooks w`: the facts of a {@link HealthRow}, but for what the row was before. */
export const HEALTH = `w.client_id, w.id as webhook_id, w.breaker_opened_at is not null as is_open,
    (extract(epoch from w.breaker_probe_at - now()) * 1000)::float8 as probe_in_ms, ${IS_FAILING} as is_failing`;

const NEXT_PROBE = statement(`update webhooks set breaker_probe_at = now() + ${PROBE_EVERY} where id = $1`);
const DISABLE = statement(`
  update webhooks w set is_active = false, disabled_at = now(), disabled_reason = 'failing', updated_at = now(),
    revision = (select coalesce(max(revision), 0) + 1 from webhooks where client_id = $1)
  where client_id = $1 and id = $2 and ${IS_FAILING} returning id`);

/** How a webhook stands after sends of it were recorded. */
export interface HealthRow extends Record<string, unknown> {
  client_id: number;
  webhook_id: number;
  /** Whether its breaker is open, and was before. */
  is_open: boolean;
  was_open: boolean;
  probe_in_ms: number | null;
  /** Whether it has failed for so long that it is to be switched off. */
  is_failing: boolean;
  /** Whether its owner is to be told that it works again. */
  is_recovered: boolean;
  /** Deliveries that have just moved to the DLQ. */
  dead_letters: number;
}

/** In the transaction that has moved deliveries to the DLQ: the alerts that are due. */
export async function alertDeadLetters(
  tx: Transaction,
  rows: readonly Pick<HealthRow, 'client_id' | 'webhook_id' | 'dead_letters'>[],
): Promise<void> {
  const dead = rows.filter((row) => row.dead_letters > 0);
  // In one order, whoever counts: alerts lock the rows of webhooks.
  const clients = [...new Set(dead.map((row) => row.client_id))].sort((a, b) => a - b);
  for (const clientId of clients) {
    const webhookIds = dead.filter((row) => row.client_id === clientId).map((row) => row.webhook_id);
    await deadLettered(tx, { clientId, webhookIds });
  }
}

/**
 * What follows from a webhook's health in transactions of its own, after the record: switching it off, telling its owner.
 * Where it is lost in a crash the next send of the webhook leads here again.
 */
export async function followUp(db: SystemDatabase, rows: readonly HealthRow[]): Promise<void> {
  for (const { client_id: clientId, webhook_id: webhookId, is_failing, is_recovered } of rows) {
    if (is_recovered) await db.transaction((tx) => webhookRecovered(tx, { clientId, webhookId }));
    if (is_failing) await disableFailing(db, clientId, webhookId);
  }
}

async function disableFailing(db: SystemDatabase, clientId: number, webhookId: number): Promise<void> {
  await db.transaction(async (tx) => {
    lockWebhooks(tx, clientId);
    const disabled = await tx.query(DISABLE, [clientId, webhookId]);
    if (disabled.length > 0) await switchedOff(tx, { clientId, webhookId, reason: 'failing' });
  });
}

/** Notes that a probe of an open breaker is under way: the next one is due when its time has come again. */
export function noteProbe(tx: Transaction, webhookId: number): void {
  tx.write(NEXT_PROBE, [webhookId]);
}

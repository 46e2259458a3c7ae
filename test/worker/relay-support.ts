import { recordEvent } from '../../domain/events/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { Tenant } from './tenant.ts';

/** Columns of a webhook that the tests of a relay set past its services. */
export interface WebhookColumns {
  ordering?: 'none' | 'per_item';
  rate_limit_per_second?: number | null;
  is_active?: boolean;
  breaker_opened_at?: Date | null;
  breaker_probe_at?: Date | null;
  verification_status?: 'pending' | 'verified';
  failing_since?: Date;
  failed_deliveries_in_row?: number;
  recovery_mail_due?: boolean;
}

export interface WebhookState extends Record<string, unknown> {
  is_active: boolean;
  failed_sends_in_row: number;
  breaker_opened_at: Date | null;
  breaker_probe_at: Date | null;
  failed_deliveries_in_row: number;
  failing_since: Date | null;
  disabled_at: Date | null;
  disabled_reason: string | null;
  recovery_mail_due: boolean;
  revision: number;
}

const STATE = statement(`
  select is_active, failed_sends_in_row, breaker_opened_at, breaker_probe_at, failed_deliveries_in_row, failing_since,
    disabled_at, disabled_reason, recovery_mail_due, revision
  from webhooks where id = $1`);
const WAKE = statement(`select pg_notify('deliveries', '')`);

/** Changes a webhook, and raises its revision so that relays see it. */
export async function setWebhook(tenant: Tenant, webhookId: number, columns: WebhookColumns): Promise<void> {
  const names = Object.keys(columns);
  const sets = names.map((name, index) => `${name} = $${String(index + 2)}`);
  const raised = `revision = (select max(revision) + 1 from webhooks)`;
  await tenant.system.query(statement(`update webhooks set ${[...sets, raised].join(', ')} where id = $1`), [
    webhookId,
    ...(Object.values(columns) as unknown[]),
  ]);
  await tenant.system.query(WAKE);
}

export async function webhookState(tenant: Tenant, webhookId: number): Promise<WebhookState> {
  const [row] = await tenant.system.query<WebhookState>(STATE, [webhookId]);
  if (row === undefined) throw new Error(`no webhook ${String(webhookId)}`);
  return row;
}

/** Waits until a webhook is as wished. */
export async function untilState(
  tenant: Tenant,
  webhookId: number,
  isReached: (state: WebhookState) => boolean,
): Promise<WebhookState> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const state = await webhookState(tenant, webhookId);
    if (isReached(state)) return state;
    if (Date.now() > deadline) throw new Error(`not reached: ${JSON.stringify(state)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** One event for each of `items`, in that order, each saying which it is of its item; in one transaction. */
export function itemEvents(tenant: Tenant, items: readonly number[], from = 0): Promise<string[]> {
  return tenant.tenants.transaction(tenant.clientId, (tx) =>
    Promise.resolve(
      items.map((item, index) =>
        recordEvent(tx, {
          name: 'job.created',
          data: { work_item: { id: item, nth: from + index } },
          workItemId: item,
        }),
      ),
    ),
  );
}

import type { Registry } from 'prom-client';
import type { SystemDatabase } from '../../platform/db/database.ts';
import { statement } from '../../platform/db/statement.ts';
import { scrapedGauges } from '../../platform/scraped-gauges.ts';

const STATE = statement(`
  select (select count(*) from webhooks where breaker_opened_at is not null and deleted_at is null) as breakers,
    (select count(*) from webhooks where disabled_at is not null and deleted_at is null) as switched_off,
    (select count(*) from (select 1 from deliveries where status = 'failed' limit 10000) d) as dead_letters,
    (select count(*) from (select 1 from mails where status = 'queued' limit 10000) m) as mails_queued,
    (select count(*) from (select 1 from mails where status = 'failed' limit 10000) m) as mails_failed`);

interface StateRow extends Record<string, unknown> {
  breakers: number;
  switched_off: number;
  dead_letters: number;
  mails_queued: number;
  mails_failed: number;
}

/** What an operator wants to be told of: endpoints in trouble, dead letters, and mail about them that does not leave. */
export function webhookGauges(registry: Registry, db: SystemDatabase): void {
  const help = {
    webhook_breakers_open: 'Webhooks whose circuit breaker is open',
    webhooks_switched_off: 'Webhooks that the platform has switched off (410, or a day of failures)',
    webhook_dead_letters: 'Deliveries in the DLQ, counted up to 10,000',
    mails_queued: 'Mails on their way, counted up to 10,000',
    mails_failed: 'Mails of the last 30 days that could not be sent, counted up to 10,000',
  };
  scrapedGauges(registry, help, async () => {
    const [row] = await db.query<StateRow>(STATE);
    return {
      webhook_breakers_open: row?.breakers ?? 0,
      webhooks_switched_off: row?.switched_off ?? 0,
      webhook_dead_letters: row?.dead_letters ?? 0,
      mails_queued: row?.mails_queued ?? 0,
      mails_failed: row?.mails_failed ?? 0,
    };
  });
}

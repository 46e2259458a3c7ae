import type { Registry } from 'prom-client';
import type { SystemDatabase } from '../../platform/db/database.ts';
import { scrapedGauges } from '../../platform/scraped-gauges.ts';
import { outboxState } from './starts.ts';

/** What waits in the outbox, on the metrics of every process: a worker that is gone can't tell of its own lag. */
export function outboxGauges(registry: Registry, db: SystemDatabase): void {
  const help = {
    outbox_events_pending: 'Events not dispatched yet, counted up to 10,000',
    outbox_oldest_seconds: 'Age of the oldest undispatched event',
    workflow_starts_pending: 'Workflows still to be started',
  };
  scrapedGauges(registry, help, async () => {
    const { pendingEvents, oldestEventSeconds, pendingStarts } = await outboxState(db);
    return {
      outbox_events_pending: pendingEvents,
      outbox_oldest_seconds: oldestEventSeconds,
      workflow_starts_pending: pendingStarts,
    };
  });
}

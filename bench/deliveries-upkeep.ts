import { randomUUID } from 'node:crypto';
import { entities } from '../domain/entities.ts';
import {
  insertDeliveries,
  purgeDeliveries,
  purgeEvents,
  recordFirstSuccesses,
  expireDeadLetters,
} from '../domain/webhooks/index.ts';
import { SystemDatabase } from '../platform/db/database.ts';
import { statement } from '../platform/db/statement.ts';
import { createLogger } from '../platform/log.ts';
import { COMMON_EVENT } from './deliveries-seed.ts';
import type { DeliverySizes } from './deliveries-seed.ts';
import type { BenchOptions } from './options.ts';
import { ms, printTable, rate } from './report.ts';
import { quantile } from './statistics.ts';

const AT_ONCE = 50;
const DAY_MS = 86_400_000;
const INSERT_EVENTS = statement(`
  insert into events (client_id, event_id, name, data, dispatched_at, automation_path)
  select $1, e, '${COMMON_EVENT}', '{"id": 1}', now(), '{}' from unnest($2::uuid[]) e returning id, event_id`);

interface Upkeep {
  name: string;
  /** A batch; answers what it removed, and whether there is more. */
  step: () => Promise<{ removed: number; isDone: boolean }>;
}

/**
 * Each job of the upkeep beside the work of a relay: events, deliveries in bulk, their outcomes in bulk. A batch is one
 * transaction, so that nobody waits for its locks longer than the batch takes.
 */
export async function benchUpkeep(
  systemUrl: string,
  { others }: Pick<DeliverySizes, 'others'>,
  { seconds }: BenchOptions,
): Promise<void> {
  const shared = { applicationName: 'bench', entities, log: createLogger('bench', 'warn') };
  const relay = new SystemDatabase({ ...shared, poolSize: 2, url: systemUrl });
  const keeper = new SystemDatabase({ ...shared, poolSize: 1, url: systemUrl });
  const now = Date.now();
  const cursor = { deliveries: 0, events: 0 };
  const jobs: Upkeep[] = [
    {
      name: 'nothing',
      step: () => new Promise((resolve) => setTimeout(() => resolve({ removed: 0, isDone: false }), 20)),
    },
    { name: 'expire dead letters', step: () => expireDeadLetters(keeper, { retentionDays: 12, now }) },
    {
      name: 'purge deliveries',
      step: async () => {
        const batch = await purgeDeliveries(keeper, now, cursor.deliveries);
        cursor.deliveries = batch.cursor;
        return batch;
      },
    },
    {
      name: 'purge events',
      // As if two months had passed: the events of the deliveries that are gone by then.
      step: async () => {
        const batch = await purgeEvents(keeper, now + 60 * DAY_MS, cursor.events);
        cursor.events = batch.cursor;
        return batch;
      },
    },
  ];
  try {
    const lines: string[][] = [];
    for (const job of jobs) lines.push(await rowOf(relay, others, job, seconds));
    printTable(
      ['upkeep', 'rows/s', 'batch p50 ms', 'max ms', 'deliveries/s beside', 'insert p95 ms', 'record p95 ms', 'max ms'],
      lines,
    );
  } finally {
    await Promise.all([relay.close(), keeper.close()]);
  }
}

async function rowOf(
  relay: SystemDatabase,
  others: DeliverySizes['others'],
  job: Upkeep,
  seconds: number,
): Promise<string[]> {
  const until = performance.now() + seconds * 1_000;
  const since = performance.now();
  const beside = relayUntil(relay, others, until);
  const batches: number[] = [];
  let removed = 0;
  while (performance.now() < until) {
    const begun = performance.now();
    const batch = await job.step();
    batches.push(performance.now() - begun);
    removed += batch.removed;
    if (batch.isDone) break;
  }
  const elapsed = (performance.now() - since) / 1_000;
  const { inserts, records, delivered } = await beside;
  const max = Math.max(...inserts, ...records);
  return [
    job.name,
    rate(removed / elapsed),
    ms(quantile(batches, 0.5)),
    ms(Math.max(...batches)),
    rate(delivered / seconds),
    ms(quantile(inserts, 0.95)),
    ms(quantile(records, 0.95)),
    ms(max),
  ];
}

/** What a relay writes, batch after batch, of all clients in turn. */
async function relayUntil(
  db: SystemDatabase,
  others: DeliverySizes['others'],
  until: number,
): Promise<{ inserts: number[]; records: number[]; delivered: number }> {
  const [inserts, records]: [number[], number[]] = [[], []];
  for (let n = 0; performance.now() < until; n += 1) {
    const { clientId, webhookIds } = others[n % others.length] ?? { clientId: 0, webhookIds: [0, 0] as const };
    const begun = performance.now();
    const queued = await db.transaction(async (tx) => {
      const events = await tx.query<{ id: number; event_id: string }>(INSERT_EVENTS, [
        clientId,
        Array.from({ length: AT_ONCE }, () => randomUUID()),
      ]);
      return insertDeliveries(
        tx,
        events.map(({ id, event_id: eventId }) => ({
          clientId,
          webhookId: webhookIds[0],
          eventId,
          eventType: COMMON_EVENT,
          workItemId: null,
          eventSeq: id,
          isOrdered: false,
          leased: true,
        })),
      );
    });
    const inserted = performance.now();
    inserts.push(inserted - begun);
    const outcome = { at: Date.now(), durationMs: 3, responseStatus: 200, responseBody: 'ok' };
    await recordFirstSuccesses(
      db,
      queued.map(({ id, event_id: eventId, webhook_id: webhookId }) => ({
        deliveryId: id,
        eventId,
        webhookId,
        round: 1,
        revision: 1,
        outcome: outcome as never,
      })),
    );
    records.push(performance.now() - inserted);
  }
  return { inserts, records, delivered: inserts.length * AT_ONCE };
}

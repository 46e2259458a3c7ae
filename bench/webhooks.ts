import { setTimeout as sleep } from 'node:timers/promises';
import { createLimitTables, startLimitServer } from './limits/tables.ts';
import type { BenchOptions } from './options.ts';
import { burst, payload, publisher, Sink, steady } from './publisher.ts';
import type { Publish } from './publisher.ts';
import { ms, printTable, rate, residentMegabytes, verdict, waitForQuiet } from './report.ts';
import { startStack } from './stack.ts';
import type { BenchStack } from './stack.ts';
import { median, quantile } from './statistics.ts';
import { BenchTenants } from './tenants.ts';

interface BurstFigures {
  accepted: number;
  delivered: number;
  limit: number;
  lost: number;
  duplicates: number;
}

interface LightFigures {
  fromAccepted: number[];
  fromSent: number[];
}

/** The peers on the same harness, on another day (shared/design/targets.md, 2026-11-21): constants, not measured here. */
const PEERS = {
  accepted: { Outpost: '1,489', Svix: '1,135', Convoy: '564' },
  delivered: { Outpost: '1,463', Svix: '1,134', Convoy: '210' },
  arrival: { Outpost: '24 / 49 / 51', Svix: '0.54 / 1.4 / 3.9', Convoy: '969 / 1,782 / 2,075' },
  sent: { Outpost: '26 / 54', Svix: '3.6 / 13', Convoy: '972 / 2,081' },
};
const TARGETS = { accepted: 1_500, delivered: 2_500, arrival: [1, 2, 4], sent: [4, 10] } as const;

const LIGHT_RATE = 20;
const WARMUP_EVENTS = 100;
const WARMUP_NUMBERS_FROM = 9_000_000;
const DELIVERY_TIMEOUT_MS = 120_000;

/** The work of shared/bench/webhooks: a burst, then a light load, to one endpoint of one client on this machine. */
export async function benchWebhooks(options: BenchOptions): Promise<void> {
  console.log('source of events: create-work-item (POST /api/v1/public/data) of one client with one key');
  console.log(
    'nothing is pinned, as in shared/bench/webhooks: client, sink, API, worker and PostgreSQL share the cores',
  );
  console.log('RATE_LIMIT_DISABLED=true: the limiter is not in these figures');
  const stack = await startStack({ workers: ['platform'], profileDir: options.profileDir });
  const sink = await Sink.start();
  await createLimitTables(stack.ownerUrl);
  const limit = await startLimitServer('insert', stack.ownerUrl, false);
  try {
    const publish = await subscribedPublisher(stack, sink, options.connections);
    const limitUrl = `http://127.0.0.1:${String(limit.port)}/insert`;
    const publishToLimit = publisher(limitUrl, options.connections, {}, workItem);
    await warmUp(publish, publishToLimit, sink);
    const bursts: BurstFigures[] = [];
    for (let run = 0; run < options.runs; run += 1)
      bursts.push(await measureBurst(publish, publishToLimit, sink, options));
    await sleep(3_000);
    await waitForQuiet(options);
    const light = await measureLight(publish, sink, options.lightSeconds);
    printBursts(bursts, options);
    printLight(light, options);
    printMemory(stack);
  } finally {
    await Promise.allSettled([sink.stop(), limit.stop()]);
    await stack.stop();
  }
}

function workItem(n: number): Record<string, unknown> {
  return { action: 'create-work-item', item_type: 'job', title: 'Invoice paid', custom_fields: payload(n) };
}

async function subscribedPublisher(stack: BenchStack, sink: Sink, connections: number): Promise<Publish> {
  const tenants = new BenchTenants(stack);
  const [key] = await tenants.create(1, 1);
  if (key === undefined) throw new Error('no client was made');
  await tenants.subscribe(key.clientId, sink.url, ['job.created']);
  await tenants.close();
  return publisher(`${stack.apiUrl}/api/v1/public/data`, connections, { 'x-api-key': key.apiKey }, workItem);
}

async function warmUp(publish: Publish, publishToLimit: Publish, sink: Sink): Promise<void> {
  for (let index = 0; index < WARMUP_EVENTS; index += 1) {
    await publish(WARMUP_NUMBERS_FROM + index);
    await publishToLimit(WARMUP_NUMBERS_FROM + index);
  }
  const { count } = await sink.until(WARMUP_EVENTS, 30_000);
  if (count < WARMUP_EVENTS)
    throw new Error(`${String(count)} of ${String(WARMUP_EVENTS)} warm-up events were delivered`);
}

async function measureBurst(
  publish: Publish,
  publishToLimit: Publish,
  sink: Sink,
  options: BenchOptions,
): Promise<BurstFigures> {
  const { events, connections } = options;
  await waitForQuiet(options);
  const limit = await burst(publishToLimit, events, connections);
  await sleep(1_000);
  await sink.ask('reset');
  await waitForQuiet(options);
  const ours = await burst(publish, events, connections);
  const { count, duplicates, lastAt } = await sink.until(events, DELIVERY_TIMEOUT_MS);
  return {
    accepted: (events / (ours.to - ours.from)) * 1_000,
    delivered: (count / (lastAt - ours.from)) * 1_000,
    limit: (events / (limit.to - limit.from)) * 1_000,
    lost: events - count,
    duplicates,
  };
}

async function measureLight(publish: Publish, sink: Sink, seconds: number): Promise<LightFigures> {
  await sink.ask('reset');
  const { sent, accepted } = await steady(publish, LIGHT_RATE, seconds);
  await sink.until(sent.size, 30_000);
  const { arrivals } = await sink.ask('dump');
  const since = (moments: Map<number, number>): number[] => arrivals.map(([n, at]) => at - (moments.get(n) ?? NaN));
  return { fromAccepted: since(accepted), fromSent: since(sent) };
}

const PEER_COLUMNS = ['Outpost*', 'Svix*', 'Convoy*'];

function printBursts(bursts: readonly BurstFigures[], { events, connections, runs }: BenchOptions): void {
  const of = (pick: (figures: BurstFigures) => number): number => median(bursts.map(pick));
  const limit = of((figures) => figures.limit);
  const line = (name: string, value: number, target: number, peers: Record<string, string>): string[] => [
    name,
    rate(value),
    rate(limit),
    (value / limit).toFixed(2),
    ...Object.values(peers),
    `≥ ${rate(target)}`,
    verdict(value >= target),
  ];
  const title = `burst of ${rate(events)} over ${String(connections)} connections, median of ${String(runs)}`;
  printTable(
    [title, 'ours', 'Express + INSERT', 'ratio', ...PEER_COLUMNS, 'target', ''],
    [
      line(
        'accepted events/s',
        of((figures) => figures.accepted),
        TARGETS.accepted,
        PEERS.accepted,
      ),
      line(
        'delivered/s end to end',
        of((figures) => figures.delivered),
        TARGETS.delivered,
        PEERS.delivered,
      ),
    ],
  );
  const total = (pick: (figures: BurstFigures) => number): number => bursts.reduce((sum, one) => sum + pick(one), 0);
  console.log(`lost ${String(total((one) => one.lost))}, duplicates ${String(total((one) => one.duplicates))}`);
}

function printLight({ fromAccepted, fromSent }: LightFigures, { lightSeconds }: BenchOptions): void {
  const line = (
    name: string,
    values: number[],
    quantiles: number[],
    target: readonly number[],
    peers: object,
  ): string[] => {
    const ours = quantiles.map((p) => quantile(values, p));
    const isReached = ours.every((value, index) => value <= (target[index] ?? 0));
    return [
      name,
      ours.map(ms).join(' / '),
      ...(Object.values(peers) as string[]),
      `≤ ${target.join(' / ')}`,
      verdict(isReached),
    ];
  };
  printTable(
    [`${String(LIGHT_RATE)} events/s for ${String(lightSeconds)} s`, 'ours', ...PEER_COLUMNS, 'target', ''],
    [
      line('accepted → arrival, p50 / p95 / p99 ms', fromAccepted, [0.5, 0.95, 0.99], TARGETS.arrival, PEERS.arrival),
      line('sent → arrival, p50 / p99 ms', fromSent, [0.5, 0.99], TARGETS.sent, PEERS.sent),
    ],
  );
  console.log('* reference constants of 2026-11-21 (shared/design/targets.md): same harness, not measured in this run');
}

function printMemory({ pids }: BenchStack): void {
  const api = residentMegabytes(pids['api'] ?? 0);
  const worker = residentMegabytes(pids['worker platform'] ?? 0);
  console.log(
    `memory of API + worker: ${api.toFixed(0)} + ${worker.toFixed(0)} = ${(api + worker).toFixed(0)} MB (target ≤ 500: ${verdict(api + worker <= 500)})`,
  );
}

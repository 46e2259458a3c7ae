import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSeconds, cpuSecondsOfFamily } from '../cpu.ts';
import { burst, payload } from '../publisher.ts';
import type { Publish } from '../publisher.ts';
import { printTable, rate, verdict, waitForQuiet } from '../report.ts';
import { median } from '../statistics.ts';
import { PEER_COLUMNS, PEERS } from './peers.ts';
import { NAME_OF, publisherOf, subscribed, warmUp } from './scene.ts';
import type { Scene, Source } from './scene.ts';

interface Figures {
  accepted: number;
  delivered: number;
  limit: number;
  lost: number;
  duplicates: number;
  /** Microseconds of CPU for each delivery: API, worker, PostgreSQL. */
  cpu: readonly number[];
}

const TARGETS: Readonly<Record<Source, { accepted: number; delivered: number }>> = {
  'POST /events': { accepted: 2_500, delivered: 2_500 },
  'create-work-item': { accepted: 1_500, delivered: 2_500 },
};

/** A burst of events of one client to one endpoint, from either source. */
export async function benchBurst(scene: Scene): Promise<void> {
  const { options } = scene;
  const counts = options.isQuick ? [options.events] : [options.events, 10 * options.events];
  for (const source of ['POST /events', 'create-work-item'] as const) {
    const publish = publisherOf(scene, await subscribed(scene, [NAME_OF[source]]), source);
    await warmUp(scene, publish);
    for (let n = 0; n < 50; n += 1) await scene.publishToLimit(n);
    for (const events of counts) {
      const runs: Figures[] = [];
      for (let run = 0; run < options.runs; run += 1) runs.push(await measure(scene, publish, events));
      print(scene, source, events, runs);
    }
  }
}

async function measure(scene: Scene, publish: Publish, events: number): Promise<Figures> {
  const { options } = scene;
  await waitForQuiet(options);
  const limit = await burst(scene.publishToLimit, events, options.connections);
  await sleep(1_000);
  await waitForQuiet(options);
  const ours = await delivered(scene, publish, events, events);
  return { ...ours, limit: (events / (limit.to - limit.from)) * 1_000 };
}

async function delivered(
  { options, sink, stack }: Scene,
  publish: Publish,
  events: number,
  deliveries: number,
): Promise<Omit<Figures, 'limit'>> {
  await sink.ask('reset');
  const used = (): number[] => {
    const { api = 0, worker = 0, postgres = 0 } = stack.pids;
    return [cpuSeconds(api), cpuSeconds(worker), cpuSecondsOfFamily(postgres)];
  };
  const before = used();
  const { from, to } = await burst(publish, events, options.connections);
  const { count, duplicates, lastAt } = await sink.until(deliveries);
  return {
    accepted: (events / (to - from)) * 1_000,
    delivered: (count / (lastAt - from)) * 1_000,
    lost: deliveries - count,
    duplicates,
    cpu: used().map((seconds, index) => ((seconds - (before[index] ?? 0)) / deliveries) * 1_000_000),
  };
}

function print({ options }: Scene, source: Source, events: number, runs: readonly Figures[]): void {
  const of = (pick: (figures: Figures) => number): number => median(runs.map(pick));
  const limit = of((figures) => figures.limit);
  const line = (name: string, value: number, target: number, peers: readonly string[]): string[] => [
    name,
    rate(value),
    rate(limit),
    (value / limit).toFixed(2),
    ...peers,
    `≥ ${rate(target)}`,
    verdict(value >= target),
  ];
  const isMany = events > options.events;
  const title = `${source}: burst of ${rate(events)} over ${String(options.connections)} connections, median of ${String(runs.length)}`;
  const { accepted, delivered: toDeliver } = TARGETS[source];
  printTable(
    [title, 'ours', 'Express + INSERT', 'ratio', ...PEER_COLUMNS, 'target', ''],
    [
      line(
        'accepted events/s',
        of((figures) => figures.accepted),
        accepted,
        isMany ? PEERS.none : PEERS.accepted,
      ),
      line(
        'delivered/s end to end',
        of((figures) => figures.delivered),
        toDeliver,
        isMany ? PEERS.deliveredMany : PEERS.delivered,
      ),
    ],
  );
  const cpu = [0, 1, 2].map((index) => rate(of((figures) => figures.cpu[index] ?? NaN)));
  console.log(
    `lost ${String(sum(runs, 'lost'))}, duplicates ${String(sum(runs, 'duplicates'))}; ` +
      `CPU for each delivery: API ${String(cpu[0])}, worker ${String(cpu[1])}, PostgreSQL ${String(cpu[2])} µs`,
  );
}

function sum(runs: readonly Figures[], field: 'lost' | 'duplicates'): number {
  return runs.reduce((total, run) => total + run[field], 0);
}

/** Events of one client to many endpoints: one of ten each, and all of a hundred. */
export async function benchFanOut(scene: Scene): Promise<void> {
  const { options } = scene;
  const rows = [
    await spread(scene, options.isQuick ? 2_000 : 10_000),
    await fanOut(scene, 10, options.isQuick ? 200 : 10_000, 2_500),
    await fanOut(scene, 100, options.isQuick ? 20 : 200, 1_700),
  ];
  printTable(
    ['many endpoints, POST /events', 'events/s accepted', 'deliveries/s', 'lost', 'duplicates', 'target', ''],
    rows,
  );
}

async function spread(scene: Scene, events: number): Promise<string[]> {
  const { tenants, sink } = scene;
  const [key] = await tenants.create(1, 1);
  if (key === undefined) throw new Error('no client was made');
  const name = (k: number): string => `custom.endpoint_${String(k)}`;
  for (let k = 0; k < 10; k += 1) await tenants.subscribe(key.clientId, sink.url(`/one/${String(k)}`), [name(k)]);
  const publish = publisherOf(scene, key, 'POST /events', (n) => ({ event: name(n % 10), data: payload(n) }));
  await warmUp(scene, publish);
  const figures = await delivered(scene, publish, events, events);
  return row(`${rate(events)} events, each to one of 10 endpoints`, figures, 2_500);
}

async function fanOut(scene: Scene, endpoints: number, events: number, target: number): Promise<string[]> {
  const paths = Array.from({ length: endpoints }, (_, k) => `/all/${String(k)}`);
  const publish = publisherOf(scene, await subscribed(scene, [NAME_OF['POST /events']], paths), 'POST /events');
  await warmUp(scene, publish, endpoints, 5);
  const figures = await delivered(scene, publish, events, events * endpoints);
  return row(`${rate(events)} events, each to all of ${String(endpoints)} endpoints`, figures, target);
}

function row(title: string, figures: Omit<Figures, 'limit'>, target: number): string[] {
  const { accepted, delivered: perSecond, lost, duplicates } = figures;
  const counts = [lost, duplicates].map(String);
  return [title, rate(accepted), rate(perSecond), ...counts, `≥ ${rate(target)}`, verdict(perSecond >= target)];
}

import { setTimeout as sleep } from 'node:timers/promises';
import { steady } from '../publisher.ts';
import type { Publish, Sink } from '../publisher.ts';
import { ms, printTable, waitForQuiet } from '../report.ts';
import { quantile } from '../statistics.ts';
import { atMost, PEER_COLUMNS, PEERS } from './peers.ts';
import { NAME_OF, publisherOf, subscribed, warmUp } from './scene.ts';
import type { Scene, Source } from './scene.ts';

/** Milliseconds from an event's acceptance, and from its sending, to its arrival. */
export interface Latencies {
  fromAccepted: number[];
  fromSent: number[];
  lost: number;
}

const LIGHT = { perSecond: 20, arrival: [1, 2, 4], sent: [4, 10], arrivalPeers: PEERS.arrival, sentPeers: PEERS.sent };
const BUSY = { perSecond: 200, arrival: [3, 5, 8], sent: [], arrivalPeers: PEERS.none, sentPeers: PEERS.none };

/** The time from the API's answer to the arrival, under loads far below the limit. */
export async function benchLatency(scene: Scene): Promise<void> {
  const { options } = scene;
  for (const source of ['POST /events', 'create-work-item'] as const) {
    const publish = publisherOf(scene, await subscribed(scene, [NAME_OF[source]]), source);
    await warmUp(scene, publish);
    for (const load of source === 'POST /events' ? [LIGHT, BUSY] : [LIGHT]) {
      await sleep(2_000);
      await waitForQuiet(options);
      print(
        source,
        load,
        options.lightSeconds,
        await measureLatencies(publish, scene.sink, load, options.lightSeconds),
      );
    }
  }
}

export async function measureLatencies(
  publish: Publish,
  sink: Sink,
  { perSecond }: { perSecond: number },
  seconds: number,
): Promise<Latencies> {
  await sink.ask('reset');
  const { sent, accepted } = await steady(publish, perSecond, seconds);
  await sink.until(sent.size, 30_000);
  const { arrivals } = await sink.ask('dump');
  const since = (moments: Map<number, number>): number[] => arrivals.map(([n, at]) => at - (moments.get(n) ?? NaN));
  return { fromAccepted: since(accepted), fromSent: since(sent), lost: sent.size - arrivals.length };
}

function print(source: Source, load: typeof LIGHT | typeof BUSY, seconds: number, latencies: Latencies): void {
  const { fromAccepted, fromSent, lost } = latencies;
  const line = (name: string, values: number[], p: number[], target: readonly number[], peers: readonly string[]) => {
    const ours = p.map((share) => quantile(values, share));
    const judged = target.length === 0 ? ['', ''] : atMost(ours, target);
    return [name, ours.map(ms).join(' / '), ...peers, ...judged];
  };
  printTable(
    [
      `${source}: ${String(load.perSecond)}/s for ${String(seconds)} s (lost ${String(lost)})`,
      'ours',
      ...PEER_COLUMNS,
      'target',
      '',
    ],
    [
      line('accepted → arrival, p50 / p95 / p99 ms', fromAccepted, [0.5, 0.95, 0.99], load.arrival, load.arrivalPeers),
      line('sent → arrival, p50 / p99 ms', fromSent, [0.5, 0.99], load.sent, load.sentPeers),
    ],
  );
}

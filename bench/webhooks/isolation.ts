import { burst } from '../publisher.ts';
import { ms, printTable } from '../report.ts';
import { quantile } from '../statistics.ts';
import { measureLatencies } from './latency.ts';
import { atMost, PEER_COLUMNS, PEERS } from './peers.ts';
import { EVENT, publisherOf, subscribed, warmUp } from './scene.ts';
import type { Scene } from './scene.ts';

const PENDING = 600;
const PER_SECOND = 20;

/** A healthy endpoint of one client while an endpoint of another accepts requests and never answers. */
export async function benchIsolation(scene: Scene): Promise<void> {
  const { options, sink } = scene;
  const seconds = options.isQuick ? 8 : 30;
  const healthy = publisherOf(scene, await subscribed(scene, [EVENT]), 'POST /events');
  const hung = publisherOf(scene, await subscribed(scene, [EVENT], ['/hang']), 'POST /events');
  await warmUp(scene, healthy, 1, 20);
  await burst(hung, PENDING, options.connections);
  const { hanging } = await sink.ask('count');
  const { fromAccepted, lost } = await measureLatencies(healthy, sink, { perSecond: PER_SECOND }, seconds);
  const ours = [0.5, 0.99].map((p) => quantile(fromAccepted, p));
  printTable(
    [
      `${String(PENDING)} events pending to a hung endpoint; ${String(PER_SECOND)}/s to a healthy one`,
      'ours',
      ...PEER_COLUMNS,
      'target',
      '',
    ],
    [['accepted → arrival, p50 / p99 ms', ours.map(ms).join(' / '), ...PEERS.healthy, ...atMost(ours, [2, 20])]],
  );
  console.log(`lost ${String(lost)}; requests that the hung endpoint held: ${String(hanging)}`);
}

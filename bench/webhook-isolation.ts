import { setTimeout as sleep } from 'node:timers/promises';
import { burst } from './publisher.ts';
import { ms, printTable, verdict, waitForQuiet } from './report.ts';
import { quantile } from './statistics.ts';
import { measureLatencies } from './webhooks/latency.ts';
import { EVENT, publisherOf, subscribed, warmUp } from './webhooks/scene.ts';
import type { Scene } from './webhooks/scene.ts';

const HEALTHY = 20;
const PENDING = 5_000;
/** Events a second, each to all healthy endpoints: 200 deliveries a second. */
const PER_SECOND = 10;
const MAX_RATIO = 1.5;
/** Below this a ratio of two medians of a few milliseconds says more about the machine's timer than about isolation. */
const SLACK_MS = 2;

/**
 * The case of isolation: twenty healthy endpoints, alone and then beside one of another client that accepts
 * requests, never answers within its 30 s, and has 5,000 deliveries pending.
 */
export async function benchHungBesideHealthy(scene: Scene): Promise<void> {
  const { options, sink } = scene;
  const seconds = options.isQuick ? 8 : 25;
  const paths = Array.from({ length: HEALTHY }, (_, index) => `/healthy/${String(index)}`);
  const healthy = publisherOf(scene, await subscribed(scene, [EVENT], paths), 'POST /events');
  const hung = publisherOf(scene, await subscribed(scene, [EVENT], ['/hang/30']), 'POST /events');
  const measure = async (): Promise<number[]> => {
    await waitForQuiet(options);
    await sink.ask('reset');
    const { fromAccepted } = await measureLatencies(healthy, sink, { perSecond: PER_SECOND }, seconds);
    return [0.5, 0.95, 0.99].map((p) => quantile(fromAccepted, p));
  };
  await warmUp(scene, healthy, HEALTHY, 20);
  const alone = await measure();
  await burst(hung, PENDING, options.connections);
  // Until the relay has found out that it hangs.
  await sleep(2_000);
  const { hanging } = await sink.ask('count');
  const beside = await measure();
  const [, p95Alone = NaN] = alone;
  const [, p95Beside = NaN] = beside;
  const most = Math.max(p95Alone * MAX_RATIO, p95Alone + SLACK_MS);
  printTable(
    [
      `${String(HEALTHY)} healthy endpoints at ${String(PER_SECOND)} events/s each`,
      'p50 / p95 / p99 ms',
      'target p95',
      '',
    ],
    [
      ['alone', alone.map(ms).join(' / '), '', ''],
      [
        `beside one that hangs with ${String(PENDING)} pending`,
        beside.map(ms).join(' / '),
        `≤ ${ms(most)}`,
        verdict(p95Beside <= most),
      ],
    ],
  );
  console.log(
    `p95 ${(p95Beside / p95Alone).toFixed(2)} times that of the same load alone; requests held open: ${String(hanging)}`,
  );
}

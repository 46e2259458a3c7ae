import { setTimeout as sleep } from 'node:timers/promises';
import { ms, printTable } from '../report.ts';
import { quantile } from '../statistics.ts';
import { atMost, PEER_COLUMNS, PEERS } from './peers.ts';
import { EVENT, publisherOf, subscribed } from './scene.ts';
import type { Scene } from './scene.ts';

const SPACING_MS = 50;
const TARGET_MS = 150;

/** How far from the asked 1 s and 5 s the retries of a refused delivery come. */
export async function benchRetry(scene: Scene): Promise<void> {
  const { options, sink } = scene;
  const events = options.isQuick ? 30 : 100;
  const publish = publisherOf(scene, await subscribed(scene, [EVENT], ['/third']), 'POST /events');
  await sink.ask('reset');
  for (let n = 0; n < events; n += 1) {
    await publish(n);
    await sleep(SPACING_MS);
  }
  await sink.until(events, 60_000);
  const { attempts } = await sink.ask('dump');
  const errors = (retry: number, asked: number): number[] =>
    attempts.flatMap(([, times]) => {
      const [before, at] = [times[retry - 1], times[retry]];
      return before === undefined || at === undefined ? [] : [Math.abs(at - before - asked)];
    });
  const line = (name: string, values: number[], peers: readonly string[]): string[] => {
    const p95 = values.length < events ? NaN : quantile(values, 0.95);
    return [name, ms(quantile(values, 0.5)), ms(p95), ...peers, ...atMost([p95], [TARGET_MS])];
  };
  printTable(
    [
      `${String(events)} deliveries refused twice`,
      'p50 ms',
      'p95 ms',
      ...PEER_COLUMNS.map((name) => `${name} p95`),
      'target p95',
      '',
    ],
    [
      line('error of the retry asked for at 1 s', errors(1, 1_000), PEERS.retryFirst),
      line('error of the retry asked for at 5 s', errors(2, 5_000), PEERS.retrySecond),
    ],
  );
  const extra = attempts.filter(([, times]) => times.length > 3).length;
  console.log(`deliveries sent more often than needed: ${String(extra)}`);
}

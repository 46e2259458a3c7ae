import { payload, steady } from '../publisher.ts';
import { ms, printTable, verdict } from '../report.ts';
import { quantile } from '../statistics.ts';
import { publisherOf } from './scene.ts';
import type { Scene } from './scene.ts';

const ENDPOINTS = 100;
const PER_SECOND = 200;
const FAILING = 0.05;
/** How long a failing endpoint fails: then others are drawn. */
const OUTAGE_MS = 3_000;
const WITHIN_MS = 30_000;
const TARGET = 0.995;

/** 200 events/s to a hundred endpoints, of which five at any moment, drawn at random, refuse everything. */
export async function benchFailing(scene: Scene): Promise<void> {
  const { tenants, sink, options } = scene;
  const [key] = await tenants.create(1, 1);
  if (key === undefined) throw new Error('no client was made');
  const path = (k: number): string => `/unsteady/${String(k)}`;
  const name = (k: number): string => `custom.endpoint_${String(k)}`;
  for (let k = 0; k < ENDPOINTS; k += 1) await tenants.subscribe(key.clientId, sink.url(path(k)), [name(k)]);
  const publish = publisherOf(scene, key, 'POST /events', (n) => ({ event: name(n % ENDPOINTS), data: payload(n) }));
  await sink.ask('reset');
  const draw = (): void => {
    const failing = new Set<string>();
    while (failing.size < ENDPOINTS * FAILING) failing.add(path(Math.floor(Math.random() * ENDPOINTS)));
    void sink.ask({ failing: [...failing] });
  };
  draw();
  const drawing = setInterval(draw, OUTAGE_MS);
  const seconds = Math.round(options.minutes * 60);
  const { accepted } = await steady(publish, PER_SECOND, seconds);
  // The outages go on, so that the retries of the last events meet what those of the first did.
  await sink.until(accepted.size, WITHIN_MS);
  clearInterval(drawing);
  const { arrivals } = await sink.ask('dump');
  const waits = arrivals.map(([n, at]) => at - (accepted.get(n) ?? NaN));
  const inTime = waits.filter((wait) => wait <= WITHIN_MS).length / accepted.size;
  await sink.ask({ failing: [] });
  printTable(
    [
      `${String(PER_SECOND)}/s for ${String(seconds)} s, 5% of ${String(ENDPOINTS)} endpoints failing (drawn anew every ${String(OUTAGE_MS / 1_000)} s)`,
      'ours',
      'target',
      '',
    ],
    [
      ['delivered within 30 s', `${(inTime * 100).toFixed(2)}%`, '≥ 99.5%', verdict(inTime >= TARGET)],
      [
        'accepted → arrival, p50 / p95 / p99 ms',
        [0.5, 0.95, 0.99].map((p) => ms(quantile(waits, p))).join(' / '),
        '',
        '',
      ],
    ],
  );
}

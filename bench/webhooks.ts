import { createLimitTables, startLimitServer } from './limits/tables.ts';
import type { BenchOptions } from './options.ts';
import { publisher, Sink } from './publisher.ts';
import { residentMegabytes, verdict } from './report.ts';
import { startStack } from './stack.ts';
import type { BenchStack } from './stack.ts';
import { BenchTenants } from './tenants.ts';
import { benchHungBesideHealthy } from './webhook-isolation.ts';
import { benchBurst, benchFanOut } from './webhooks/burst.ts';
import { benchCost } from './webhooks/cost.ts';
import { benchFailing } from './webhooks/failing.ts';
import { benchIsolation } from './webhooks/isolation.ts';
import { benchKill } from './webhooks/kill.ts';
import { benchLatency } from './webhooks/latency.ts';
import { PEER_NOTE, PEERS } from './webhooks/peers.ts';
import { benchRetry } from './webhooks/retry.ts';
import { workItem } from './webhooks/scene.ts';
import type { Scene } from './webhooks/scene.ts';

type Section = (scene: Scene) => Promise<void>;

/** Sections that share a stack; what one leaves behind (a hung endpoint, a crash) must not slow the next. */
const STACKS: readonly Readonly<Record<string, Section>>[] = [
  {
    burst: benchBurst,
    fanout: benchFanOut,
    latency: benchLatency,
    memory: benchMemory,
    retry: benchRetry,
    cost: benchCost,
  },
  { failing: benchFailing },
  { isolation: benchIsolation },
  { hung: benchHungBesideHealthy },
  { kill: benchKill },
];

/** The work of shared/bench/webhooks and more, on this machine: client, sink and stack share its cores. */
export async function benchWebhooks(options: BenchOptions): Promise<void> {
  console.log(
    'nothing is pinned, as in shared/bench/webhooks: client, sink, API, worker and PostgreSQL share the cores',
  );
  console.log('RATE_LIMIT_DISABLED=true: the limiter is not in these figures');
  const wanted = options.only === '' ? [] : options.only.split(',');
  const known = STACKS.flatMap((sections) => Object.keys(sections));
  const unknown = wanted.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`no section ${unknown.join(', ')}; there are ${known.join(', ')}`);
  for (const sections of STACKS) {
    const chosen = Object.entries(sections).filter(([name]) => wanted.length === 0 || wanted.includes(name));
    if (chosen.length > 0)
      await onOneStack(
        options,
        chosen.map(([, section]) => section),
      );
  }
  console.log(`\n${PEER_NOTE}`);
}

async function onOneStack(options: BenchOptions, sections: readonly Section[]): Promise<void> {
  const stack = await startStack({ workers: ['platform'], profileDir: options.profileDir });
  const sink = await Sink.start();
  await createLimitTables(stack.ownerUrl);
  const limit = await startLimitServer('insert', stack.ownerUrl, false);
  const tenants = new BenchTenants(stack);
  const limitUrl = `http://127.0.0.1:${String(limit.port)}/insert`;
  const publishToLimit = publisher(limitUrl, options.connections, {}, workItem);
  try {
    for (const section of sections) await section({ options, stack, tenants, sink, publishToLimit });
  } finally {
    await Promise.allSettled([sink.stop(), limit.stop(), tenants.close()]);
    await stack.stop();
  }
}

/** What the sections before it have made of the processes. */
function benchMemory({ stack }: { stack: BenchStack }): Promise<void> {
  const api = residentMegabytes(stack.pids['api'] ?? 0);
  const worker = residentMegabytes(stack.pids['worker'] ?? 0);
  console.log(
    `\nmemory of API + worker after this load: ${api.toFixed(0)} + ${worker.toFixed(0)} = ${(api + worker).toFixed(0)} MB ` +
      `(target ≤ 500: ${verdict(api + worker <= 500)}; Outpost, Svix, Convoy*: ${PEERS.memory.join(', ')})`,
  );
  return Promise.resolve();
}

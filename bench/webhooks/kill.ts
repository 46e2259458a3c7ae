import { setTimeout as sleep } from 'node:timers/promises';
import { clock } from '../publisher.ts';
import type { Publish, Sink } from '../publisher.ts';
import { printTable, verdict } from '../report.ts';
import type { StackPart } from '../stack.ts';
import { PEER_COLUMNS, PEERS } from './peers.ts';
import { EVENT, publisherOf, subscribed, warmUp } from './scene.ts';
import type { Scene } from './scene.ts';

const DOWN_MS = 2_000;
const COMPLETE_TIMEOUT_MS = 180_000;
const MOST_DUPLICATES = 5;
const MOST_SECONDS = 5;

interface Crash {
  lost: number;
  duplicates: number;
  errors: number;
  /** From the last acceptance (after the restart) to the last arrival. */
  secondsToComplete: number;
}

/** SIGKILL of one process in mid-burst, started again after 2 s: what was accepted arrives all the same. */
export async function benchKill(scene: Scene): Promise<void> {
  const { options } = scene;
  const publish = publisherOf(scene, await subscribed(scene, [EVENT]), 'POST /events');
  const rows: string[][] = [];
  for (const part of ['api', 'worker', 'temporal', 'postgres'] as const) {
    await warmUp(scene, publish, 1, 50);
    const crash = await measure(scene, publish, part, options.events);
    const { lost, duplicates, errors, secondsToComplete } = crash;
    const isReached = lost === 0 && duplicates <= MOST_DUPLICATES && secondsToComplete <= MOST_SECONDS;
    const ours = `${String(lost)} / ${String(duplicates)} / ${secondsToComplete.toFixed(1)}`;
    rows.push([part, ours, String(errors), ...PEERS.killed, '0 / ≤ 5 / ≤ 5', verdict(isReached)]);
  }
  printTable(
    [
      `SIGKILL in mid-burst of ${String(options.events)}: lost / duplicates / s to complete`,
      'ours',
      'refused calls',
      ...PEER_COLUMNS,
      'target',
      '',
    ],
    rows,
  );
}

/** As in shared/bench/webhooks/crash.mjs: a call that fails is not repeated, and waits until the process is back. */
async function measure(
  { stack, options, sink }: Scene,
  publish: Publish,
  part: StackPart,
  events: number,
): Promise<Crash> {
  const accepted = new Set<number>();
  let errors = 0;
  let next = 0;
  let restarted: Promise<void> | undefined;
  const lane = async (): Promise<void> => {
    while (next < events) {
      const n = next++;
      await publish(n).then(
        () => accepted.add(n),
        () => (errors += 1),
      );
      if (restarted === undefined && accepted.size >= events / 2) {
        stack.kill(part);
        restarted = sleep(DOWN_MS).then(() => stack.restart(part));
      }
      await restarted;
    }
  };
  await Promise.all(Array.from({ length: options.connections }, lane));
  const from = clock();
  const { lost, lastAt, duplicates } = await untilAll(sink, accepted);
  return { lost, duplicates, errors, secondsToComplete: Math.max(0, lastAt - from) / 1_000 };
}

/** Events whose call was cut off may arrive as well: only those that were accepted are waited for. */
async function untilAll(
  sink: Sink,
  accepted: ReadonlySet<number>,
): Promise<{ lost: number; lastAt: number; duplicates: number }> {
  const deadline = clock() + COMPLETE_TIMEOUT_MS;
  for (;;) {
    const { arrivals, lastAt } = await sink.ask('dump');
    const arrived = new Set(arrivals.map(([n]) => n));
    const lost = [...accepted].filter((n) => !arrived.has(n)).length;
    if (lost === 0 || clock() > deadline) {
      // Repetitions come when leases of the dead have run out, so they are counted a little later.
      await sleep(4_000);
      return { lost, lastAt, duplicates: (await sink.ask('count')).duplicates };
    }
    await sleep(200);
  }
}

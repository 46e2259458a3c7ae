import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withOwnStack } from '../../dev/own-stack.ts';
import { REPOSITORY } from '../support/run-stack.ts';
import { startReceiver } from '../support/stack.ts';
import type { Receiver } from '../support/stack.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { AnswerLedger, EventPublisher, Owner } from './event-ledger.ts';
import type { DeliveryRecord } from './event-ledger.ts';

const KILLS = 20;
const EVENTS_PER_SECOND = 50;
const VICTIMS = ['API', 'worker platform', 'Temporal', 'PostgreSQL'];
/** Between two kills; the supervisor takes no more than five deaths of one service in a minute. */
const PAUSE_MS = [1_000, 3_000] as const;
const SETTLED_WITHIN_MS = 200_000;

const varDir = join(temporaryFolder(), 'var');
const healthy = { ledger: new AnswerLedger(), webhookId: 0 };
const failing = { ledger: new AnswerLedger(), webhookId: 0 };
let receivers: Receiver[];

beforeAll(async () => {
  receivers = [
    await startReceiver(healthy.ledger.respond(() => 200)),
    await startReceiver(
      failing.ledger.respond((n, time) => (isHopeless(n) || (isSlowToTake(n) && time <= 2) ? 500 : 200)),
    ),
  ];
});
afterAll(async () => {
  await Promise.all(receivers.map((receiver) => receiver.close()));
});

/** Refused however often it comes: it ends in the DLQ. */
function isHopeless(n: number): boolean {
  return n % 40 === 7;
}

/** Taken at the third send. */
function isSlowToTake(n: number): boolean {
  return n % 40 === 13;
}

it('loses no accepted event, and records nothing that the endpoints did not see, whatever dies', async () => {
  const environment = { RATE_LIMIT_DISABLED: 'true' };
  await withOwnStack({ root: REPOSITORY, varDir, environment }, async ({ api_url: apiUrl, demo }) => {
    const owner = new Owner(apiUrl, demo);
    await owner.signIn();
    const hook = { events: ['custom.chaos'], timeout_seconds: 5 };
    healthy.webhookId = await owner.createWebhook({ ...hook, name: 'healthy', endpoint_url: receivers[0]?.url });
    const retry = { retry_count: 3, retry_delay_seconds: 1 };
    failing.webhookId = await owner.createWebhook({
      ...hook,
      ...retry,
      name: 'failing',
      endpoint_url: receivers[1]?.url,
    });

    const publisher = new EventPublisher(apiUrl, demo.api_key);
    let isOver = false;
    const publishing = publisher.run(EVENTS_PER_SECOND, () => isOver);
    for (const victim of victims()) {
      await sleep(randomInt(PAUSE_MS[0], PAUSE_MS[1]));
      await kill(victim);
    }
    isOver = true;
    const published = await publishing;
    await publisher.close();
    expect(publisher.accepted.size).toBe(published);
    expect(new Set(publisher.accepted.values()).size).toBe(published);

    await owner.signIn();
    await settled(owner, [healthy.webhookId, failing.webhookId]);
    const toHealthy = byEvent(await owner.deliveries(healthy.webhookId));
    const toFailing = byEvent(await owner.deliveries(failing.webhookId));
    expect([toHealthy.size, toFailing.size]).toEqual([published, published]);
    const contradictions = [...publisher.accepted].flatMap(([n, eventId]) => [
      ...contradiction(n, 'success', toHealthy.get(eventId), healthy.ledger.of(eventId)),
      ...contradiction(n, isHopeless(n) ? 'failed' : 'success', toFailing.get(eventId), failing.ledger.of(eventId)),
    ]);
    expect(contradictions).toEqual([]);
    expect(published).toBeGreaterThan(KILLS * EVENTS_PER_SECOND);
  });
}, 420_000);

/** Each of them as often as any other, in an order that chance gives. */
function victims(): string[] {
  const all = Array.from({ length: KILLS }, (_, index) => VICTIMS[index % VICTIMS.length] ?? '');
  for (let last = all.length - 1; last > 0; last -= 1) {
    const other = randomInt(last + 1);
    [all[last], all[other]] = [all[other] ?? '', all[last] ?? ''];
  }
  return all;
}

/** Kills the process that serves as `victim` now, waiting for it where it is still being started again. */
async function kill(victim: string): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const { pids } = JSON.parse(readFileSync(join(varDir, 'ready.json'), 'utf8')) as { pids: Record<string, number> };
    try {
      process.kill(pids[victim] ?? Number.NaN, 'SIGKILL');
      return;
    } catch (error) {
      if (Date.now() > deadline) throw new Error(`${victim} does not run`, { cause: error });
      await sleep(100);
    }
  }
}

/** Waits until no delivery is on its way any more. */
async function settled(owner: Owner, webhookIds: readonly number[]): Promise<void> {
  const deadline = Date.now() + SETTLED_WITHIN_MS;
  for (;;) {
    const open = await onTheirWay(owner, webhookIds);
    if (open.length === 0) return;
    if (Date.now() > deadline) throw new Error(`still on their way: ${JSON.stringify(open.slice(0, 5).map(words))}`);
    await sleep(1_000);
  }
}

function words(open: DeliveryRecord | Error): unknown {
  return open instanceof Error ? open.message : open;
}

async function onTheirWay(owner: Owner, webhookIds: readonly number[]): Promise<(DeliveryRecord | Error)[]> {
  const asked = webhookIds.flatMap((id) => ['pending', 'retrying'].map((status) => owner.deliveries(id, status)));
  const answers = await Promise.allSettled(asked);
  // Of what just died, and can't say, nothing is known to be done.
  return answers.flatMap<DeliveryRecord | Error>((answer) =>
    answer.status === 'fulfilled' ? answer.value : [answer.reason as Error],
  );
}

/** By event: two records of one event to one webhook would show as a missing one. */
function byEvent(deliveries: readonly DeliveryRecord[]): Map<string, DeliveryRecord> {
  const found = new Map(deliveries.map((delivery) => [delivery.event_id, delivery]));
  expect(found.size).toBe(deliveries.length);
  return found;
}

/** What a record says that its endpoint did not see, in words. A crash may have had a send made twice, never unmade. */
function contradiction(
  n: number,
  expected: string,
  delivery: DeliveryRecord | undefined,
  answers: readonly number[],
): string[] {
  if (delivery === undefined) return [`event ${String(n)} has no delivery`];
  const story = `event ${String(n)}: ${JSON.stringify(delivery)}, the endpoint answered ${JSON.stringify(answers)}`;
  const wasTaken = answers.includes(200);
  const isTrue =
    delivery.status === expected &&
    wasTaken === (expected === 'success') &&
    delivery.response_status === (wasTaken ? 200 : 500) &&
    delivery.sends <= answers.length;
  return isTrue ? [] : [story];
}

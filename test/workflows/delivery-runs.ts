import { expect } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';
import { recordHistory } from './histories.ts';

/** Seconds of each timer that the workflow started, from its history. */
export async function timersOf(handle: WorkflowHandle): Promise<number[]> {
  const { events = [] } = await handle.fetchHistory();
  return (events ?? []).flatMap(({ timerStartedEventAttributes: timer }) => {
    const fireAfter = timer?.startToFireTimeout;
    return fireAfter === undefined || fireAfter === null
      ? []
      : [Number(fireAfter.seconds ?? 0) + (fireAfter.nanos ?? 0) / 1e9];
  });
}

/** The first timer holds what was left of its wait when the workflow began: on a busy machine that is less. */
export async function expectTimers(handle: WorkflowHandle, first: number, later: readonly number[]): Promise<void> {
  const [left = 0, ...rest] = await timersOf(handle);
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThanOrEqual(first);
  expect(rest).toEqual(later);
}

/** Keeps a run for replay.test.ts, where that is asked for. */
export async function keepHistory(handle: WorkflowHandle, name: string): Promise<void> {
  await recordHistory(`deliver-webhook.${name}`, await handle.fetchHistory());
}

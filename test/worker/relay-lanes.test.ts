import { describe, expect, it } from '@jest/globals';
import type { Held } from '../../worker/relay/held.ts';
import { Lanes } from '../../worker/relay/lanes.ts';

const LARGE = 'x'.repeat(262_144);

/** Lanes whose sends take until they are told to end. */
function lanesOf() {
  const ends: (() => void)[] = [];
  const lanes = new Lanes({
    send: () => new Promise((resolve) => ends.push(() => resolve({ timedOut: false }))),
    onRoom: () => undefined,
    maySend: () => true,
  });
  return { lanes, ends };
}

/** Takes as many deliveries of large events as it is let, over many endpoints; answers how many. */
function fill(lanes: Lanes, dataText: string): number {
  let taken = 0;
  for (let endpoint = 0; endpoint < 50; endpoint += 1) {
    const lane = `webhook/${String(endpoint)}`;
    while (!lanes.isSaturated && lanes.reserve(lane)) {
      taken += 1;
      lanes.add({ lane, event: { dataText } } as unknown as Held);
    }
  }
  return taken;
}

describe('what a relay holds in memory', () => {
  it('is bounded by its size too: large events of one client do not fill the memory of all', async () => {
    expect(fill(lanesOf().lanes, '{}')).toBe(2_000);
    const { lanes, ends } = lanesOf();
    expect(fill(lanes, LARGE)).toBe(256);
    expect(lanes.isSaturated).toBe(true);
    expect(lanes.claimable(lanes.lane('webhook/0'))).toBe(0);
    // One at a time goes on, so that none waits for ever behind others.
    expect(lanes.claimable(lanes.lane('webhook/99'))).toBe(1);
    const { length } = ends;
    for (const end of ends.splice(0)) end();
    await new Promise((resolve) => setImmediate(resolve));
    expect(lanes.isSaturated).toBe(false);
    expect(fill(lanes, LARGE)).toBe(length);
    expect(lanes.drain().length + lanes.inFlight).toBe(256);
    expect(lanes.isSaturated).toBe(false);
  });

  it('does not count endpoints that hang, so that they hold up nobody else', () => {
    const { lanes } = lanesOf();
    fill(lanes, LARGE);
    const given = lanes.review(performance.now() + 1_000);
    expect(given.length).toBeGreaterThan(0);
    expect(lanes.isSaturated).toBe(false);
  });
});

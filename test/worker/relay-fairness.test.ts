import { describe, expect, it } from '@jest/globals';
import { startReceiver } from '../support/stack.ts';
import { relayFixture } from './relay-fixture.ts';

const fixture = relayFixture();

const FLOOD = 500;
const ENDPOINTS = 10;

describe("a client's flood of events", () => {
  it("does not make another client's event wait behind it", async () => {
    const { tenant, receiver } = fixture;
    for (let index = 0; index < ENDPOINTS; index += 1) await tenant.webhook(`${receiver.url}/${String(index)}`);
    await tenant.events(FLOOD);
    const neighbour = await fixture.neighbour();
    const theirs = await startReceiver();
    await neighbour.webhook(theirs.url);
    await neighbour.event();
    await fixture.startRelay();
    await theirs.waitFor(1);
    expect(receiver.requests.length).toBeLessThan((FLOOD * ENDPOINTS) / 2);
    await receiver.waitFor(FLOOD * ENDPOINTS);
    await theirs.close();
  });
});

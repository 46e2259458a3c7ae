import { describe, expect, it } from '@jest/globals';
import { startReceiver } from '../support/stack.ts';
import { relayFixture } from './relay-fixture.ts';

const fixture = relayFixture();

const PENDING = 5_000;
const HEALTHY = 20;
const EVENTS = 15;
/** The window that a lane begins with: an endpoint that has never answered gets no more. */
const FIRST_CAP = 8;

describe('an endpoint that hangs, with thousands pending', () => {
  it('takes a few slots and no memory, while everything for twenty others is delivered', async () => {
    const { tenant, receiver } = fixture;
    const hung = await startReceiver('hang');
    await tenant.webhook(hung.url, { events: ['task.created'], timeout_seconds: 30 });
    for (let index = 0; index < HEALTHY; index += 1) await tenant.webhook(`${receiver.url}/${String(index)}`);
    const relay = await fixture.startRelay();
    for (let index = 0; index < PENDING / 500; index += 1) await tenant.events(500, 'task.created');
    await tenant.until((rows) => rows.length === PENDING);
    await hung.waitFor(FIRST_CAP);
    for (let index = 0; index < EVENTS; index += 1) await tenant.event();
    await receiver.waitFor(HEALTHY * EVENTS);
    expect(hung.requests).toHaveLength(FIRST_CAP);
    const perEndpoint = Map.groupBy(receiver.requests, ({ path }) => path);
    expect([...perEndpoint.values()].map((requests) => requests.length)).toEqual(Array<number>(HEALTHY).fill(EVENTS));
    const rows = await tenant.until((all) => all.filter((row) => row.status === 'success').length === HEALTHY * EVENTS);
    const waiting = rows.filter((row) => row.status === 'pending');
    expect(waiting).toHaveLength(PENDING);
    // What hangs is leased; all the rest lies in PostgreSQL.
    expect(waiting.filter((row) => row.leased_until !== null).length).toBeLessThanOrEqual(FIRST_CAP);
    expect(relay.load.held).toBeLessThanOrEqual(FIRST_CAP);
    await hung.close();
  });
});

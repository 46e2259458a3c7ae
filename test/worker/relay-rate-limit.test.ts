import { describe, expect, it } from '@jest/globals';
import { takeToken } from '../../domain/webhooks/index.ts';
import { statement } from '../../platform/db/statement.ts';
import { relayFixture } from './relay-fixture.ts';
import { setWebhook } from './relay-support.ts';

const fixture = relayFixture();

describe('rate_limit_per_second', () => {
  it('is kept by two relays together, and reached', async () => {
    const { tenant, receiver } = fixture;
    const { webhook } = await tenant.webhook(receiver.url);
    await setWebhook(tenant, webhook.id, { rate_limit_per_second: 20 });
    await Promise.all([fixture.startRelay(), fixture.startRelay()]);
    await tenant.events(100);
    const requests = await receiver.waitFor(100);
    const from = requests[0]!.receivedAt;
    for (const [index, { receivedAt }] of requests.entries()) {
      // The bucket holds a second's worth; half a second for what was admitted and came late.
      expect(index + 1).toBeLessThanOrEqual(20 + (20 * (receivedAt - from + 500)) / 1_000);
    }
    // 20 at once and 80 at 20/s are 4 s; a relay that only looked each second would need longer.
    expect(requests.at(-1)!.receivedAt - from).toBeLessThan(6_500);
    await tenant.until((rows) => rows.every((row) => row.status === 'success'));
    expect(receiver.requests).toHaveLength(100);
  });

  it('counts retries, and promises them their turn', async () => {
    const { tenant, receiver } = fixture;
    const { webhook } = await tenant.webhook(receiver.url);
    await setWebhook(tenant, webhook.id, { rate_limit_per_second: 2 });
    const waits: number[] = [];
    for (let index = 0; index < 6; index += 1) waits.push((await takeToken(tenant.system, webhook.id)).waitMs);
    expect(waits.slice(0, 2)).toEqual([0, 0]);
    expect(waits[5]).toBeGreaterThan(1_000);
    expect(waits[5]).toBeLessThanOrEqual(2_000);
    await fixture.startRelay();
    const startedAt = Date.now();
    await tenant.event();
    const [request] = await receiver.waitFor(1);
    // Four sends are promised to retries, so that a first send waits until they had theirs.
    expect(request!.receivedAt - startedAt).toBeGreaterThan(1_000);
  });

  it('promises no more than ten seconds of the rate', async () => {
    const { tenant, receiver } = fixture;
    const { webhook } = await tenant.webhook(receiver.url);
    await setWebhook(tenant, webhook.id, { rate_limit_per_second: 1 });
    const taken = [];
    for (let index = 0; index < 15; index += 1) taken.push((await takeToken(tenant.system, webhook.id)).isTaken);
    expect(taken.filter(Boolean).length).toBeLessThanOrEqual(12);
    expect(taken.at(-1)).toBe(false);
  });

  it('stops nobody when the clock was set back, or the limit lowered', async () => {
    const { tenant, receiver } = fixture;
    const { webhook } = await tenant.webhook(receiver.url);
    const refilled = statement(`update webhooks set rate_tokens = $2, rate_refilled_at = $3 where id = $1`);
    await setWebhook(tenant, webhook.id, { rate_limit_per_second: 5 });
    await tenant.system.query(refilled, [webhook.id, 0, new Date(Date.now() + 3_600_000)]);
    expect(await takeToken(tenant.system, webhook.id)).toEqual({ isTaken: true, waitMs: 0 });
    await tenant.system.query(refilled, [webhook.id, 0, new Date(Date.now() + 3_600_000)]);
    await fixture.startRelay();
    await tenant.events(12);
    await receiver.waitFor(12);
    await tenant.system.query(refilled, [webhook.id, -5_000, new Date(Date.now() - 13_000)]);
    expect(await takeToken(tenant.system, webhook.id)).toEqual({ isTaken: true, waitMs: 0 });
  });

  it('holds for deliveries that waited when it was set', async () => {
    const { tenant, receiver } = fixture;
    const { webhook } = await tenant.webhook(receiver.url);
    await setWebhook(tenant, webhook.id, { is_active: true, rate_limit_per_second: 5 });
    await tenant.events(15);
    const startedAt = Date.now();
    await fixture.startRelay();
    const requests = await receiver.waitFor(15);
    // Five at once and ten at 5/s are two seconds, however late this process comes to look at the first.
    expect(requests.at(-1)!.receivedAt - startedAt).toBeGreaterThan(1_200);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { recordEvent } from '../../domain/events/index.ts';
import { endpointOfWebhook } from '../../domain/webhooks/endpoint.ts';
import type { Queryable } from '../../domain/webhooks/endpoint.ts';
import { runRecoveryBatch } from '../../domain/webhooks/index.ts';
import { findMissed } from '../../domain/webhooks/recover-missed.service.ts';
import { statement } from '../../platform/db/statement.ts';
import type { Statement } from '../../platform/db/statement.ts';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';
import { DeliveryStand } from './webhook-deliveries-support.ts';

let api: ApiFixture;
let stand: DeliveryStand;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
  stand = new DeliveryStand(api);
});
afterAll(() => api.close());

const DISPATCHED = statement(`
  update events set occurred_at = $2, dispatched_at = $2::timestamptz + interval '5 milliseconds' where event_id = $1`);
const CREATED = statement('update webhooks set created_at = $2 where id = $1');
const PAUSES = statement('select paused_at, resumed_at from webhook_pauses where webhook_id = $1 order by paused_at');
const PAUSE = statement(`
  insert into webhook_pauses (client_id, webhook_id, paused_at, resumed_at) values ($1, $2, $3, $4)`);
const STARTED = statement(`select count(*) as n from workflow_starts where workflow_type = 'recoverWebhook'`);

const LARGE = statement(`
  insert into events (client_id, event_id, name, data, occurred_at, dispatched_at)
  select $1, gen_random_uuid(), 'job.created', jsonb_build_object('n', n, 'text', repeat('x', 20000)), $2::timestamptz, $2
  from generate_series(1, 200) n`);

const DAY_MS = 86_400_000;
const ago = (days: number): Date => new Date(Date.now() - days * DAY_MS);

/** An event of some days ago, which the relay has dispatched. */
async function event(daysAgo: number, name = 'job.created', data: Record<string, unknown> = { work_item: { id: 1 } }) {
  const { tenants, system } = api.services;
  const id = await tenants.transaction(api.acme.clientId, (tx) => Promise.resolve(recordEvent(tx, { name, data })));
  await system.query(DISPATCHED, [id, ago(daysAgo)]);
  return id;
}

const recover = (id: number, body: object) => stand.call('post', `/${String(id)}/recover`, body);

async function recovered(id: number, since: Date): Promise<Record<string, unknown>> {
  const answer = await recover(id, { since: since.toISOString() });
  expect(answer.status).toBe(202);
  const recoveryId = answer.body.data.recovery_id as string;
  const input = { client_id: api.acme.clientId, recovery_id: recoveryId, webhook_id: id, kind: 'recover' };
  for (let batch = 0; batch < 50; batch += 1) {
    if ((await runRecoveryBatch(api.services.system, api.services.vault, input)).is_done) break;
  }
  return (await stand.call('get', `/${String(id)}/recoveries/${recoveryId}`)).body.data as Record<string, unknown>;
}

/** A webhook of long ago that received nothing from one day to another. */
async function pausedWebhook(from: number, to: number, input: object = {}): Promise<number> {
  const id = await stand.webhook(input);
  await api.services.system.query(CREATED, [id, ago(80)]);
  await api.services.system.query(PAUSE, [api.acme.clientId, id, ago(from), ago(to)]);
  return id;
}

describe('POST …/{id}/recover', () => {
  it('sends what failed since, and the events of the time in which the webhook was inactive', async () => {
    const id = await pausedWebhook(10, 8);
    const [before, during, unwanted] = [await event(11), await event(9), await event(9, 'job.completed')];
    const after = await event(7);
    const failedBefore = await stand.delivery(id, { dlq_at: ago(30) });
    const failed = await stand.delivery(id, { dlq_at: ago(9) });
    const dry = await recover(id, { since: ago(20).toISOString(), dry_run: true });
    expect(dry.status).toBe(200);
    expect(dry.body.data).toEqual({ dry_run: true, failed: 1, missed: 1, counts_are_exact: true, recovery_id: null });
    const done = await recovered(id, ago(20));
    expect(done).toMatchObject({ status: 'completed', kind: 'recover', replayed: 1, created: 1, error: null });
    const rows = await stand.stored(id);
    expect(rows.map(({ event_id, status, round }) => ({ event_id, status, round }))).toEqual([
      { event_id: failedBefore.eventId, status: 'failed', round: 1 },
      { event_id: failed.eventId, status: 'pending', round: 2 },
      { event_id: during, status: 'pending', round: 1 },
    ]);
    expect(rows[2]).toMatchObject({ lane: stand.lane(id), event_seq: expect.any(Number), is_ordered: false });
    expect([before, unwanted, after]).not.toContain(rows[2]?.event_id);
    expect(await recovered(id, ago(20))).toMatchObject({ replayed: 0, created: 0 });
  });

  it('heeds the filters, the since, and deliveries that exist already', async () => {
    const id = await pausedWebhook(10, 5, { item_type_filter: 'job', ordering: 'per_item' });
    const of = (item_type: string) => ({ work_item: { id: 1, item_type } });
    await event(9, 'job.created', of('job'));
    await event(6, 'job.created', of('task'));
    const wanted = await event(6, 'job.created', of('job'));
    const { eventId } = await stand.delivery(id, { status: 'success', dlq_at: null }, { data: of('job') });
    await api.services.system.query(DISPATCHED, [eventId, ago(6)]);
    expect(await recovered(id, ago(7))).toMatchObject({ replayed: 0, created: 1 });
    expect((await stand.stored(id)).map((row) => row.event_id)).toEqual([eventId, wanted]);
  });

  it('finds a pause far behind many other events, batch by batch', async () => {
    const many = statement(`
      insert into events (client_id, event_id, name, work_item_id, data, occurred_at, dispatched_at)
      select $1, gen_random_uuid(), 'job.created', n, '{"work_item":{"id":1}}', at, at
      from (select n, $2::timestamptz + n * interval '1 second' as at from generate_series(1, $3::int) n) e`);
    // In the order of time, as the log is.
    const tenant = await api.tenant('many');
    const theirs = new DeliveryStand(api, tenant);
    const id = await theirs.webhook();
    await api.services.system.query(CREATED, [id, ago(80)]);
    for (const [daysAgo, count] of [
      [40, 5_000],
      [20, 3_000],
      [10, 2_500],
    ] as const) {
      await api.services.system.query(many, [tenant.clientId, ago(daysAgo), count]);
    }
    await api.services.system.query(PAUSE, [tenant.clientId, id, ago(20.5), ago(19)]);
    const answer = await theirs.call('post', `/${String(id)}/recover`, { since: ago(60).toISOString() });
    expect(answer.body.data).toMatchObject({ missed: 3_000, counts_are_exact: true });
    const recovery_id = answer.body.data.recovery_id as string;
    const input = { client_id: tenant.clientId, recovery_id, webhook_id: id, kind: 'recover' };
    let batches = 0;
    for (; batches < 50; batches += 1) {
      if ((await runRecoveryBatch(api.services.system, api.services.vault, input)).is_done) break;
    }
    // One for the dead letters, then two of events and the one that sees their end: not the five thousand before.
    expect(batches).toBeLessThanOrEqual(4);
    const rows = await theirs.stored(id);
    expect(rows).toHaveLength(3_000);
    expect(new Set(rows.map((row) => row.event_id)).size).toBe(3_000);
  });

  it('knows when a webhook received nothing, whatever switched it off or on', async () => {
    const id = await stand.webhook();
    expect(await api.services.system.query(PAUSES, [id])).toEqual([]);
    await stand.call('patch', `/${String(id)}`, { is_active: false });
    await stand.call('patch', `/${String(id)}`, { name: 'still inactive' });
    expect(await api.services.system.query(PAUSES, [id])).toEqual([{ paused_at: expect.any(Date), resumed_at: null }]);
    expectRefusal(await recover(id, { since: ago(1).toISOString() }), 409, 'CONFLICT');
    await stand.call('patch', `/${String(id)}`, { is_active: true });
    const pauses = await api.services.system.query(PAUSES, [id]);
    expect(pauses).toEqual([{ paused_at: expect.any(Date), resumed_at: expect.any(Date) }]);
    const unverified = await stand.webhook({ require_verification: true });
    expect(await api.services.system.query(PAUSES, [unverified])).toHaveLength(1);
    expectRefusal(await recover(unverified, { since: ago(1).toISOString() }), 409, 'CONFLICT');
  });

  it.each<[string, object, string]>([
    ['a since of 91 days ago', { since: ago(91).toISOString() }, 'VALIDATION_ERROR'],
    ['a since that is still to come', { since: ago(-1).toISOString() }, 'VALIDATION_ERROR'],
    ['no since', {}, 'BAD_REQUEST'],
    ['a since that is no date', { since: 'last week' }, 'VALIDATION_ERROR'],
  ])('refuses %s', async (_what, body, code) => {
    const before = await api.services.system.query(STARTED);
    expectRefusal(await recover(await stand.webhook(), body), 400, code);
    expect(await api.services.system.query(STARTED)).toEqual(before);
  });

  it('is one at a time for a webhook', async () => {
    const id = await stand.webhook();
    const since = ago(1).toISOString();
    const answers = await Promise.all([recover(id, { since }), recover(id, { since }), recover(id, { since })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409]);
    expect((await recover(id, { since, dry_run: true })).status).toBe(200);
    const recovery_id = String(answers.find(({ status }) => status === 202)?.body.data.recovery_id);
    const refused = await recover(id, { since });
    expectRefusal(refused, 409, 'CONFLICT');
    expect(refused.body.error.message).toContain(recovery_id);
    expect((await recover(await stand.webhook(), { since })).status).toBe(202);
    const input = { client_id: api.acme.clientId, recovery_id, webhook_id: id, kind: 'recover' } as const;
    while (!(await runRecoveryBatch(api.services.system, api.services.vault, input)).is_done);
    expect((await recover(id, { since })).status).toBe(202);
  });

  it.each<[string, object, number]>([
    ['no filter', {}, 0],
    ['a filter', { filter: { 'data.n': { $lt: 150 } } }, 64],
  ])('holds the data of few events at a time: %s', async (_what, input, most) => {
    const tenant = await api.tenant(`large ${String(most)}`);
    const id = await new DeliveryStand(api, tenant).webhook(input);
    const { system, vault } = api.services;
    await system.query(CREATED, [id, ago(80)]);
    await system.query(PAUSE, [tenant.clientId, id, ago(20), ago(10)]);
    await system.query(LARGE, [tenant.clientId, ago(15)]);
    const endpoint = await endpointOfWebhook(system, vault, tenant.clientId, id);
    if (endpoint === undefined) throw new Error('no webhook');
    let largest = 0;
    const watched: Queryable = {
      query: async <R extends Record<string, unknown>>(sql: Statement, values?: readonly unknown[]) => {
        const rows = await system.query<R>(sql, values);
        largest = Math.max(largest, rows.filter((row) => JSON.stringify(row).length > 10_000).length);
        return rows;
      },
    };
    const { missed } = await findMissed(watched, endpoint, { since: ago(30), until: new Date(), cursor: 0 });
    expect(missed).toHaveLength(most === 0 ? 200 : 149);
    expect(largest).toBe(most);
  });

  it("shows no recovery of another webhook or another client's", async () => {
    const id = await stand.webhook();
    const { recovery_id } = (await recover(id, { since: ago(1).toISOString() })).body.data;
    const path = `/recoveries/${String(recovery_id)}`;
    expectRefusal(await stand.call('get', `/${String(await stand.webhook())}${path}`), 404, 'NOT_FOUND');
    expectRefusal(await stand.call('get', `/${String(id)}${path}`, undefined, api.rival), 404, 'NOT_FOUND');
  });
});

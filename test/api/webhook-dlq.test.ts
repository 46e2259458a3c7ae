import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expireDeadLetters, runRecoveryBatch } from '../../domain/webhooks/index.ts';
import { statement } from '../../platform/db/statement.ts';
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

const FILL = statement(`
  with e as (
    insert into events (client_id, event_id, name, work_item_id, data, dispatched_at)
    select $1, gen_random_uuid(), 'job.created', n, '{"work_item":{"id":1}}', now() from generate_series(1, $3::int) n
    returning id, event_id, work_item_id)
  insert into deliveries (client_id, webhook_id, event_id, event_type, work_item_id, event_seq, lane, status, dlq_at)
  select $1, $2, event_id, 'job.created', work_item_id, id, 'webhook/' || $2::int, 'failed', now() from e`);

const replay = (id: number, body: object) => stand.call('post', `/${String(id)}/dlq/replay`, body);
const days = (count: number): string => new Date(Date.now() - count * 86_400_000).toISOString();
const soon = (): string => new Date(Date.now() + 3_600_000).toISOString();

/** What the workflow does, without it. */
async function finish(recoveryId: string): Promise<void> {
  const input = { client_id: api.acme.clientId, recovery_id: recoveryId, webhook_id: 0, kind: '' };
  for (let batch = 0; batch < 50; batch += 1) {
    if ((await runRecoveryBatch(api.services.system, api.services.vault, input)).is_done) return;
  }
  throw new Error('the recovery does not end');
}

describe('GET …/{id}/dlq', () => {
  it('lists what failed, newest or oldest first, by event and by when it was dead-lettered', async () => {
    const id = await stand.webhook();
    const first = await stand.delivery(id, { dlq_at: days(3) });
    const second = await stand.delivery(id, { dlq_at: days(1) }, { name: 'job.completed' });
    await stand.delivery(id, { status: 'expired' });
    await stand.delivery(id, { status: 'success', dlq_at: null });
    const ids = async (query: string): Promise<number[]> => {
      const { body } = await stand.call('get', `/${String(id)}/dlq?${query}`);
      expect(body.meta.pagination.total).toBe(body.data.length);
      return body.data.map((row: { id: number }) => row.id);
    };
    expect(await ids('')).toEqual([second.id, first.id]);
    expect(await ids('order=oldest')).toEqual([first.id, second.id]);
    expect(await ids('event=job.completed')).toEqual([second.id]);
    expect(await ids(`from=${days(4)}&to=${days(2)}`)).toEqual([first.id]);
    expectRefusal(await stand.call('get', `/${String(id)}/dlq?order=random`), 400, 'VALIDATION_ERROR');
    expectRefusal(await stand.call('get', `/${String(id)}/dlq`, undefined, api.rival), 404, 'NOT_FOUND');
  });
});

describe('POST …/{id}/dlq/replay', () => {
  it('replays by ids, and names those that are not in the queue', async () => {
    const id = await stand.webhook();
    const failed = await stand.delivery(id);
    const expired = await stand.delivery(id, { status: 'expired' });
    const elsewhere = await stand.delivery(await stand.webhook());
    const ids = [failed.id, failed.id, expired.id, elsewhere.id];
    const dry = await replay(id, { ids, dry_run: true });
    expect(dry.body.data).toMatchObject({ dry_run: true, matched: 1, replayed: 0 });
    const answer = await replay(id, { ids });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({
      dry_run: false,
      matched: 1,
      matched_is_exact: true,
      replayed: 1,
      skipped_ids: [expired.id, elsewhere.id],
      recovery_id: null,
    });
    const [stored, untouched] = await stand.stored(id);
    expect(stored).toMatchObject({ status: 'pending', round: 2, sends: 0, event_id: failed.eventId, dlq_at: null });
    expect(stored).toMatchObject({ dlq_reason: null, lane: stand.lane(id) });
    expect(untouched).toMatchObject({ status: 'expired', round: 1 });
  });

  it('replays a time range, of one event if asked; dry_run only counts', async () => {
    const id = await stand.webhook();
    await stand.delivery(id, { dlq_at: days(3) });
    await stand.delivery(id, { dlq_at: days(1) });
    await stand.delivery(id, { dlq_at: days(1) }, { name: 'job.completed' });
    const range = { from: days(2), to: soon() };
    expect((await replay(id, { ...range, dry_run: true })).body.data).toMatchObject({ matched: 2, replayed: 0 });
    const one = await replay(id, { ...range, event: 'job.completed' });
    expect(one.body.data).toMatchObject({ matched: 1, replayed: 1 });
    expect((await replay(id, range)).body.data).toMatchObject({ matched: 1, replayed: 1 });
    expect((await replay(id, range)).body.data).toMatchObject({ matched: 0, replayed: 0 });
    expect((await stand.stored(id)).map(({ status }) => status)).toEqual(['failed', 'pending', 'pending']);
  });

  it.each<[string, object, string, string]>([
    ['neither ids nor a range', {}, 'BAD_REQUEST', 'ids'],
    ['half a range', { from: '2026-11-01' }, 'BAD_REQUEST', 'to'],
    ['ids and a range', { ids: [1], from: '2026-11-01' }, 'VALIDATION_ERROR', 'from'],
    ['a range that ends before it begins', { from: '2026-11-02', to: '2026-11-01' }, 'VALIDATION_ERROR', 'to'],
    ['no ids', { ids: [] }, 'VALIDATION_ERROR', 'ids'],
    ['too many ids', { ids: Array.from({ length: 1_001 }, (_, index) => index + 1) }, 'VALIDATION_ERROR', 'ids'],
    ['an id that is text', { ids: ['1'] }, 'BAD_REQUEST', 'ids[0]'],
  ])('refuses %s', async (_what, body, code, field) => {
    const answer = await replay(await stand.webhook(), body);
    expectRefusal(answer, 400, code);
    expect(answer.body.error.details).toEqual([expect.objectContaining({ field })]);
  });

  it('refuses an inactive webhook, and shows none of another client', async () => {
    const id = await stand.webhook({ is_active: false });
    const { id: deliveryId } = await stand.delivery(id);
    expectRefusal(await replay(id, { ids: [deliveryId] }), 409, 'CONFLICT');
    const theirs = await stand.call('post', `/${String(id)}/dlq/replay`, { ids: [deliveryId] }, api.rival);
    // The rival's owner may write webhooks, only not this one.
    expectRefusal(theirs, 404, 'NOT_FOUND');
  });

  it('two replays of the same ones at once replay each once', async () => {
    const id = await stand.webhook();
    await api.services.system.query(FILL, [api.acme.clientId, id, 300]);
    const ids = (await stand.stored(id)).map((row) => row.id);
    const range = { from: days(1), to: soon() };
    const answers = await Promise.all([
      replay(id, { ids }),
      replay(id, range),
      replay(id, { ids: ids.toReversed() }),
      replay(id, range),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(answers.reduce((sum, { body }) => sum + Number(body.data.replayed), 0)).toBe(300);
    for (const row of await stand.stored(id)) expect(row).toMatchObject({ status: 'pending', round: 2 });
  });

  it('beside the expiry of the same ones each either expires or is replayed', async () => {
    const id = await stand.webhook();
    await api.services.system.query(FILL, [api.acme.clientId, id, 300]);
    const ids = (await stand.stored(id)).map((row) => row.id);
    const now = Date.now() + 40 * 86_400_000;
    const [answer, { removed }] = await Promise.all([
      replay(id, { ids }),
      expireDeadLetters(api.services.system, { retentionDays: 30, now }),
    ]);
    const rows = await stand.stored(id);
    const replayed = rows.filter(({ status, round }) => status === 'pending' && round === 2).length;
    expect(replayed).toBe(answer.body.data.replayed);
    const expired = rows.filter(({ status, round }) => status === 'expired' && round === 1);
    expect(expired.length + replayed).toBe(300);
    expect(removed).toBeGreaterThanOrEqual(expired.length);
    expect((await replay(id, { ids })).body.data.skipped_ids).toHaveLength(300);
  });

  it('leaves more than a thousand to a workflow, which replays each once however often a batch is run', async () => {
    const id = await stand.webhook();
    await api.services.system.query(FILL, [api.acme.clientId, id, 2_300]);
    const answer = await replay(id, { from: days(1), to: soon() });
    expect(answer.status).toBe(202);
    const { recovery_id: recoveryId } = answer.body.data;
    expect(answer.body.data).toMatchObject({ matched: 2_300, replayed: 0, recovery_id: expect.any(String) });
    const start = statement('select workflow_id, workflow_type from workflow_starts where client_id = $1');
    expect(await api.services.system.query(start, [api.acme.clientId])).toContainEqual({
      workflow_id: `webhook-recovery/${String(recoveryId)}`,
      workflow_type: 'recoverWebhook',
    });
    const progress = async () => (await stand.call('get', `/${String(id)}/recoveries/${String(recoveryId)}`)).body.data;
    expect(await progress()).toMatchObject({ status: 'queued', kind: 'replay', replayed: 0 });
    // Two workers at it: an activity that was thought dead, and the one in its place.
    await Promise.all([finish(recoveryId), finish(recoveryId)]);
    expect(await progress()).toMatchObject({ status: 'completed', replayed: 2_300, created: 0, error: null });
    const rows = await stand.stored(id);
    expect(rows.filter(({ status, round }) => status === 'pending' && round === 2)).toHaveLength(2_300);
  });

  it('a replay in the background ends when the webhook is switched off, and says why', async () => {
    const id = await stand.webhook();
    await api.services.system.query(FILL, [api.acme.clientId, id, 1_001]);
    const { recovery_id: recoveryId } = (await replay(id, { from: days(1), to: soon() })).body.data;
    await stand.call('patch', `/${String(id)}`, { is_active: false });
    await finish(recoveryId);
    const { body } = await stand.call('get', `/${String(id)}/recoveries/${String(recoveryId)}`);
    expect(body.data).toMatchObject({ status: 'failed', error: 'the webhook is inactive', replayed: 0 });
    expect(body.data.finished_at).toEqual(expect.any(String));
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { purgeDeliveries, purgeEvents, purgeRecoveries, purgeRevisions } from '../../../domain/webhooks/index.ts';
import { statement } from '../../../platform/db/statement.ts';
import { startApi } from '../../api/support.ts';
import type { ApiFixture } from '../../api/support.ts';
import { DeliveryStand } from '../../api/webhook-deliveries-support.ts';

let api: ApiFixture;
let stand: DeliveryStand;
beforeAll(async () => {
  api = await startApi();
  stand = new DeliveryStand(api);
});
afterAll(() => api.close());

const ago = (days: number): Date => new Date(Date.now() - days * 86_400_000);
const REVISIONS = statement('select revision from webhook_revisions where webhook_id = $1 order by revision');
const REVISED = statement('update webhook_revisions set created_at = $2 where webhook_id = $1');
const PAUSED = statement(`
  insert into webhook_pauses (client_id, webhook_id, paused_at, resumed_at) values ($1, $2, $3, $4)`);
const PAUSES = statement('select resumed_at from webhook_pauses where webhook_id = $1');

describe('what is kept for a while only', () => {
  it('goes along the table batch by batch, beside what it may not remove', async () => {
    const id = await stand.webhook();
    const fill = statement(`
      insert into deliveries (client_id, webhook_id, event_id, event_type, lane, status, created_at)
      select $1, $2, gen_random_uuid(), 'job.created', 'webhook/0', case when n % 3 = 0 then 'failed' else 'success' end, $3
      from generate_series(1, 4500) n`);
    await api.services.system.query(fill, [api.acme.clientId, id, ago(40)]);
    let [cursor, removed, batches] = [0, 0, 0];
    for (let isDone = false; !isDone; batches += 1) {
      const batch = await purgeDeliveries(api.services.system, Date.now(), cursor);
      ({ cursor, isDone } = batch);
      removed += batch.removed;
    }
    expect({ removed, batches }).toEqual({ removed: 3_000, batches: 3 });
    expect(await stand.stored(id)).toHaveLength(1_500);
  });

  it('keeps a revision for as long as a delivery may have been sent by it', async () => {
    const id = await stand.webhook();
    const { clientId } = api.acme;
    await stand.call('patch', `/${String(id)}`, { endpoint_url: 'https://two.example/hooks' });
    await stand.call('patch', `/${String(id)}`, { endpoint_url: 'https://three.example/hooks' });
    const before = await api.services.system.query(REVISIONS, [id]);
    expect(before).toHaveLength(3);
    await api.services.system.query(REVISED, [id, ago(20)]);
    await stand.delivery(id, { created_at: ago(21) });
    await purgeRevisions(api.services.system, Date.now());
    expect(await api.services.system.query(REVISIONS, [id])).toEqual(before);
    await stand.set((await stand.stored(id))[0]?.id ?? 0, { status: 'failed', created_at: ago(5) });
    await purgeRevisions(api.services.system, Date.now());
    expect(await api.services.system.query(REVISIONS, [id])).toEqual([before[2]]);
    await api.services.system.query(PAUSED, [clientId, id, ago(100), ago(91)]);
    await api.services.system.query(PAUSED, [clientId, id, ago(90), ago(80)]);
    await purgeRecoveries(api.services.system, Date.now());
    expect(await api.services.system.query(PAUSES, [id])).toHaveLength(1);
  });

  it('an event that nobody has dispatched yet stays, however old', async () => {
    const insert = statement(`
      insert into events (client_id, event_id, name, data, occurred_at, dispatched_at)
      values ($1, gen_random_uuid(), 'x.y', '{}', $2, $3) returning id`);
    const [waiting] = await api.services.system.query<{ id: number }>(insert, [api.acme.clientId, ago(100), null]);
    await api.services.system.query(insert, [api.acme.clientId, ago(100), ago(100)]);
    expect(await purgeEvents(api.services.system, Date.now(), 0)).toMatchObject({ removed: 1, isDone: true });
    const left = await api.services.system.query(statement(`select id from events where name = 'x.y'`));
    expect(left).toEqual([{ id: waiting?.id }]);
  });
});

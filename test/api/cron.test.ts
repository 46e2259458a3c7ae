import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { statement } from '../../platform/db/statement.ts';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';
import { DeliveryStand } from './webhook-deliveries-support.ts';

const PATH = '/api/v1/cron/webhook-maintenance';
const SECRET = 'a cron secret of the operator';

let api: ApiFixture;
let stand: DeliveryStand;
beforeAll(async () => {
  api = await startApi({ CRON_SECRET: SECRET });
  stand = new DeliveryStand(api);
});
afterAll(() => api.close());

const days = (count: number): Date => new Date(Date.now() - count * 86_400_000);
const cron = (body?: object) => api.http().post(PATH).set('x-cron-secret', SECRET).send(body);

const OLD_KEY = statement(`
  insert into webhook_keys (client_id, webhook_id, key_version, secret_ciphertext, secret_prefix, expires_at)
  values ($1, $2, 99, '', 'whsec_', $3)`);
const KEYS = statement(
  'select key_version, deactivated_at from webhook_keys where webhook_id = $1 order by key_version',
);

describe('POST /api/v1/cron/webhook-maintenance', () => {
  it('expires dead letters older than 30 days, with the reason appended, and deactivates keys past their grace', async () => {
    const id = await stand.webhook();
    const old = await stand.delivery(id, { dlq_at: days(31) });
    await stand.delivery(id, { dlq_at: days(29) });
    await stand.delivery(id, { status: 'retrying', dlq_at: null, created_at: days(31) });
    await api.services.system.query(OLD_KEY, [api.acme.clientId, id, days(1)]);
    const answer = await cron();
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({ dlq_expired: 1, keys_deactivated: 1, is_complete: true });
    const rows = await stand.stored(id);
    expect(rows.map(({ status }) => status)).toEqual(['expired', 'failed', 'retrying']);
    expect(rows[0]).toMatchObject({
      id: old.id,
      dlq_reason: '6 sends failed; last: HTTP 500; expired: in the dead-letter queue for over 30 days',
    });
    const keys = await api.services.system.query(KEYS, [id]);
    expect(keys).toEqual([
      { key_version: 1, deactivated_at: null },
      { key_version: 99, deactivated_at: expect.any(Date) },
    ]);
    expect((await cron({})).body.data).toEqual({ dlq_expired: 0, keys_deactivated: 0, is_complete: true });
  });

  it('takes the retention from the body, 1 to 365 days', async () => {
    await cron({ dlq_retention_days: 1 });
    const id = await stand.webhook();
    await stand.delivery(id, { dlq_at: days(20) });
    expect((await cron({ dlq_retention_days: 21 })).body.data.dlq_expired).toBe(0);
    expect((await cron({ dlq_retention_days: 19 })).body.data.dlq_expired).toBe(1);
    const refusals: [unknown, string][] = [
      [0, 'VALIDATION_ERROR'],
      [366, 'VALIDATION_ERROR'],
      [1.5, 'BAD_REQUEST'],
      ['30', 'BAD_REQUEST'],
    ];
    for (const [dlq_retention_days, code] of refusals) expectRefusal(await cron({ dlq_retention_days }), 400, code);
  });

  it('two at once expire each dead letter once', async () => {
    const id = await stand.webhook();
    for (let n = 0; n < 20; n += 1) await stand.delivery(id, { dlq_at: days(40) });
    const answers = await Promise.all([cron(), cron(), cron()]);
    expect(answers.reduce((sum, { body }) => sum + Number(body.data.dlq_expired), 0)).toBe(20);
    for (const row of await stand.stored(id)) expect(String(row.dlq_reason).match(/expired/g)).toHaveLength(1);
  });

  it('refuses a wrong or missing secret with 401, before it looks at the body', async () => {
    for (const secret of [undefined, '', 'wrong', `${SECRET} `.repeat(2), SECRET.slice(0, -1)]) {
      const request = api.http().post(PATH).set('Content-Type', 'application/json');
      if (secret !== undefined) void request.set('x-cron-secret', secret);
      expectRefusal(await request.send('{"no JSON'), 401, 'UNAUTHORIZED');
    }
    expect(api.logLines.join('\n')).not.toContain(SECRET);
  });

  it('answers 503 while no secret is set, whatever comes', async () => {
    const other = await startApi({ CRON_SECRET: '' });
    try {
      for (const secret of ['', SECRET]) {
        const answer = await other.http().post(PATH).set('x-cron-secret', secret).send({});
        expectRefusal(answer, 503, 'SERVICE_UNAVAILABLE');
      }
    } finally {
      await other.close();
    }
  });
});

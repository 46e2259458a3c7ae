import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';
import { webhooksOf } from './webhooks-support.ts';
import type { Webhooks } from './webhooks-support.ts';

let api: ApiFixture;
let webhooks: Webhooks;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
  webhooks = webhooksOf(api);
});
afterAll(() => api.close());

const ROW = 'select deleted_at, revision from webhooks where id = $1';
const KEYS = 'select deactivated_at from webhook_keys where webhook_id = $1';
const AUDIT = `select action, actor_id, details from audit_entries
  where subject_type = 'webhook' and subject_id = $1 order by id desc limit 1`;

describe('DELETE /api/v1/work-items/webhooks/{id}', () => {
  it('answers 200 with the envelope; then the webhook is gone for every call', async () => {
    const id = await webhooks.made();
    const answer = await webhooks.remove(id);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ success: true, data: { id, deleted: true } });
    for (const repeated of [
      await webhooks.remove(id),
      await webhooks.get(id),
      await webhooks.patch(id, { name: 'x' }),
      await webhooks.test(id),
    ])
      expectRefusal(repeated, 404, 'NOT_FOUND');
    const listed = (await webhooks.list()).body.data as { id: number }[];
    expect(listed.map((webhook) => webhook.id)).not.toContain(id);
  });

  it('keeps the record, deactivates its keys, and tells the relays by a new revision', async () => {
    const id = await webhooks.made();
    const [before] = await webhooks.rows<{ revision: number }>(ROW, [id]);
    await webhooks.remove(id);
    const [after] = await webhooks.rows<{ revision: number }>(ROW, [id]);
    expect(after).toMatchObject({ deleted_at: expect.any(Date) });
    expect(after?.revision).toBeGreaterThan(before?.revision ?? 0);
    expect(await webhooks.rows(KEYS, [id])).toEqual([{ deactivated_at: expect.any(Date) }]);
  });

  it('is noted with who did it', async () => {
    const id = await webhooks.made({ name: 'Short-lived' });
    await webhooks.remove(id);
    expect(await webhooks.rows(AUDIT, [String(id)])).toEqual([
      {
        action: 'webhook.deleted',
        actor_id: String(api.acme.users.owner.id),
        details: { name: 'Short-lived', endpoint_url: 'https://erp.example/hooks' },
      },
    ]);
  });

  it('of several at once, one succeeds', async () => {
    const id = await webhooks.made();
    const answers = await Promise.all(Array.from({ length: 4 }, () => webhooks.remove(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404]);
  });
});

describe('GET and POST of webhooks', () => {
  it('show everything that the spec names, and nothing secret', async () => {
    const { body } = await webhooks.create({ auth_type: 'bearer', auth_credentials: 'their-own-token' });
    const { data, secret_key: secret } = body;
    const NAMED = [
      ...[
        'id',
        'name',
        'description',
        'endpoint_url',
        'http_method',
        'auth_type',
        'auth_credentials',
        'custom_headers',
      ],
      ...['events', 'item_type_filter', 'item_subtype_filter', 'status_filter', 'retry_count', 'retry_delay_seconds'],
      ...['timeout_seconds', 'is_active', 'verification_status', 'verified_at', 'last_triggered_at', 'last_success_at'],
      ...['last_failure_at', 'success_count', 'failure_count', 'payload_version', 'payload_template'],
      ...['current_key_version', 'grace_period_ends_at', 'dlq_alert_enabled', 'dlq_alert_threshold', 'dlq_alert_email'],
      ...['created_by_user_id', 'created_at', 'updated_at'],
    ];
    expect(Object.keys(data)).toEqual(expect.arrayContaining(NAMED));
    expect(data).toMatchObject({ auth_credentials: '...', secret_key: `${String(secret).slice(0, 10)}...` });
    expect(data).toMatchObject({ dlq_alert_enabled: false, dlq_alert_threshold: 10, dlq_alert_email: null });
    expect(data).toMatchObject({ breaker: { state: 'closed', opened_at: null }, disabled_at: null, ordering: 'none' });
    const read = await webhooks.get(data.id as number);
    expect(read.body.data).toEqual(data);
    expect(read.text).not.toContain('their-own-token');
  });

  it('a create takes all that a change takes, and drops an event that is named twice', async () => {
    const input = {
      events: ['job.created', 'custom.order_shipped', 'job.created'],
      filter: { 'data.work_item.priority': 'urgent' },
      ordering: 'per_item',
      rate_limit_per_second: 1_000,
      payload_template: { mode: 'per_event', per_event: { 'job.created': { mode: 'fields', fields: ['event'] } } },
      ed25519_enabled: true,
      dlq_alert_enabled: true,
      dlq_alert_email: 'ops@kruger.example',
    };
    const { body } = await webhooks.create(input);
    expect(body.data).toMatchObject({ ...input, events: ['job.created', 'custom.order_shipped'] });
    const keys = await webhooks.rows('select ed25519_public from webhook_keys where webhook_id = $1', [body.data.id]);
    expect(keys).toEqual([{ ed25519_public: expect.stringMatching(/^whpk_/) }]);
  });

  it('a key made without ed25519 gets its pair when that is switched on', async () => {
    const id = await webhooks.made();
    await webhooks.patch(id, { ed25519_enabled: true });
    const keys = await webhooks.rows('select ed25519_public from webhook_keys where webhook_id = $1', [id]);
    expect(keys).toEqual([{ ed25519_public: expect.stringMatching(/^whpk_/) }]);
  });

  it('the creator is the user who called', async () => {
    const { body } = await webhooks.create({}, { role: 'admin' });
    expect(body.data.created_by_user_id).toBe(api.acme.users.admin.id);
  });
});

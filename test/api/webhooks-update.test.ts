import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';
import { webhooksOf } from './webhooks-support.ts';
import type { Webhooks } from './webhooks-support.ts';

let api: ApiFixture;
let webhooks: Webhooks;
beforeAll(async () => {
  api = await startApi({ ALLOW_PRIVATE_TARGETS: 'false', RATE_LIMIT_DISABLED: 'true' });
  webhooks = webhooksOf(api);
});
afterAll(() => api.close());

const AUDIT = `select details from audit_entries where subject_type = 'webhook' and subject_id = $1
  and action = 'webhook.updated' order by id`;
const REVISIONS = `select r.revision, r.endpoint_url, r.http_method, r.auth_type, r.custom_headers, r.payload_template
  from webhook_revisions r where r.webhook_id = $1 order by r.revision`;
const CHALLENGES = `select status, dlq_reason from deliveries
  where webhook_id = $1 and event_type = 'webhook.verification' order by id`;

const audits = async (id: number) =>
  (await webhooks.rows<{ details: object }>(AUDIT, [String(id)])).map((r) => r.details);
const revisionOf = async (id: number): Promise<number> =>
  (await webhooks.rows<{ revision: number }>('select revision from webhooks where id = $1', [id]))[0]?.revision ?? 0;

/** A value for every field that PATCH takes, none of them what a create without it sets. */
const EVERYTHING = {
  name: 'Renamed',
  description: 'For the ERP',
  endpoint_url: 'https://new.example/in',
  http_method: 'PUT',
  events: ['job.completed', 'invoice.paid', 'custom.order_shipped'],
  auth_type: 'bearer',
  auth_credentials: 'their-own-token',
  custom_headers: { 'x-tenant': 'north' },
  item_type_filter: 'job',
  item_subtype_filter: 'repair',
  status_filter: 'open',
  filter: { 'data.work_item.priority': { $in: ['high', 'urgent'] } },
  ordering: 'per_item',
  rate_limit_per_second: 20,
  retry_count: 2,
  retry_delay_seconds: 60,
  timeout_seconds: 10,
  is_active: false,
  payload_version: '2026-07-01',
  payload_template: { mode: 'fields', fields: ['event', 'data.work_item.id'] },
  ed25519_enabled: true,
  dlq_alert_enabled: true,
  dlq_alert_threshold: 3,
  dlq_alert_email: 'ops@kruger.example',
};

describe('PATCH /api/v1/work-items/webhooks/{id}', () => {
  it('changes every field that a create takes, and reads show it', async () => {
    const id = await webhooks.made();
    const answer = await webhooks.patch(id, EVERYTHING);
    expect(answer.status).toBe(200);
    const { auth_credentials: _, ...shown } = EVERYTHING;
    expect(answer.body.data).toMatchObject({ ...shown, auth_credentials: '...' });
    expect((await webhooks.get(id)).body.data).toEqual(answer.body.data);
  });

  it.each(Object.keys(EVERYTHING).filter((field) => !field.startsWith('auth_')))(
    'takes %s alone and leaves the rest as it is',
    async (field) => {
      const id = await webhooks.made();
      const before = (await webhooks.get(id)).body.data;
      const change = { [field]: EVERYTHING[field as keyof typeof EVERYTHING] };
      const { body } = await webhooks.patch(id, change);
      const stays = { ...before, ...change, updated_at: body.data.updated_at };
      expect(body.data).toEqual(stays);
    },
  );

  it.each([
    'description',
    'item_type_filter',
    'item_subtype_filter',
    'status_filter',
    'filter',
    'rate_limit_per_second',
    'payload_template',
    'dlq_alert_email',
  ] as const)('null clears %s', async (field) => {
    const id = await webhooks.made({ [field]: EVERYTHING[field] });
    expect((await webhooks.patch(id, { [field]: null })).body.data[field]).toBeNull();
  });

  it('raises the revision with each change, and leaves no trace of one that changes nothing', async () => {
    const id = await webhooks.made({ events: ['job.created', 'job.created'] });
    const first = await revisionOf(id);
    const same = { name: 'ERP', events: ['job.created'], is_active: true, endpoint_url: 'https://erp.example/hooks' };
    expect((await webhooks.patch(id, same)).status).toBe(200);
    expect(await revisionOf(id)).toBe(first);
    expect(await audits(id)).toEqual([]);
    await webhooks.patch(id, { name: 'Other' });
    expect(await revisionOf(id)).toBeGreaterThan(first);
    expect(await audits(id)).toEqual([{ changes: { name: { from: 'ERP', to: 'Other' } } }]);
  });

  it('keeps what requests look like from each revision on, and only where that changes', async () => {
    const id = await webhooks.made();
    await webhooks.patch(id, { retry_count: 1 });
    await webhooks.patch(id, { endpoint_url: 'https://new.example/', http_method: 'PUT' });
    await webhooks.patch(id, { payload_template: { mode: 'fields', fields: ['event'] } });
    const rows = await webhooks.rows<{ revision: number }>(REVISIONS, [id]);
    expect(rows).toMatchObject([
      { endpoint_url: 'https://erp.example/hooks', http_method: 'POST', payload_template: null },
      { endpoint_url: 'https://new.example/', http_method: 'PUT', payload_template: null },
      { endpoint_url: 'https://new.example/', payload_template: { mode: 'fields', fields: ['event'] } },
    ]);
    expect(rows.at(-1)?.revision).toBe(await revisionOf(id));
  });

  it('the audit trail holds no credentials and no header of theirs', async () => {
    const id = await webhooks.made();
    const secret = { auth_type: 'bearer', auth_credentials: 'sesame-1', custom_headers: { 'x-key': 'sesame-2' } };
    await webhooks.patch(id, secret);
    await webhooks.patch(id, { auth_credentials: 'sesame-3' });
    const [first, second] = await audits(id);
    expect(first).toMatchObject({ changes: { auth_credentials: 'changed', custom_headers: 'changed' } });
    expect(second).toEqual({ changes: { auth_credentials: 'changed' } });
    expect(JSON.stringify([first, second])).not.toContain('sesame');
    expect(api.logLines.join('\n')).not.toContain('sesame');
  });
});

describe('auth_type and auth_credentials are checked together with what is stored', () => {
  const bearer = { auth_type: 'bearer', auth_credentials: 'token' };
  it.each<[string, object, object, string | null]>([
    ['a type that needs credentials, without', {}, { auth_type: 'basic' }, 'auth_credentials'],
    ['credentials that the stored type has no use for', {}, { auth_credentials: 'x' }, 'auth_credentials'],
    ['another type than the stored credentials are for', bearer, { auth_type: 'basic' }, 'auth_credentials'],
    ['credentials taken away that are needed', bearer, { auth_credentials: null }, 'auth_credentials'],
    ['the mask sent back', bearer, { auth_credentials: '...' }, 'auth_credentials'],
    [
      'a stored header that now is ours',
      { custom_headers: { Authorization: 'x' } },
      bearer,
      'custom_headers.Authorization',
    ],
    ['new credentials for the stored type', bearer, { auth_credentials: 'next' }, null],
    ['the stored type named again', bearer, { auth_type: 'bearer', name: 'x' }, null],
    ['both at once', {}, { auth_type: 'basic', auth_credentials: 'user:password' }, null],
    ['a type without credentials, which drops them', bearer, { auth_type: 'hmac' }, null],
    ['null where there are none', {}, { auth_credentials: null, name: 'x' }, null],
  ])('%s', async (_what, stored, change, field) => {
    const id = await webhooks.made(stored);
    const answer = await webhooks.patch(id, change);
    if (field === null) {
      expect(answer.status).toBe(200);
      const { auth_type: type, auth_credentials: credentials } = answer.body.data;
      expect(credentials).toBe(type === 'bearer' || type === 'basic' ? '...' : null);
    } else {
      expectRefusal(answer, 400, 'VALIDATION_ERROR');
      expect(answer.body.error.details).toEqual([expect.objectContaining({ field })]);
    }
  });
});

describe('a new address', () => {
  it('of a webhook made with require_verification must prove itself again; the old challenge ends', async () => {
    const id = await webhooks.made({ require_verification: true });
    expect((await webhooks.patch(id, { name: 'Other' })).body.data.verification_status).toBe('pending');
    expect(await webhooks.rows(CHALLENGES, [id])).toEqual([{ status: 'pending', dlq_reason: null }]);
    await webhooks.rows(`update webhooks set verification_status = 'verified', verified_at = now() where id = $1`, [
      id,
    ]);
    const { body } = await webhooks.patch(id, { endpoint_url: 'https://new.example/' });
    expect(body.data).toMatchObject({ require_verification: true, verification_status: 'pending', verified_at: null });
    expect(await webhooks.rows(CHALLENGES, [id])).toEqual([
      { status: 'failed', dlq_reason: 'a newer challenge took its place' },
      { status: 'pending', dlq_reason: null },
    ]);
  });

  it('named again, is challenged again while it is not verified', async () => {
    const id = await webhooks.made({ require_verification: true });
    await webhooks.rows(`update webhooks set verification_status = 'failed' where id = $1`, [id]);
    const { body } = await webhooks.patch(id, { endpoint_url: 'https://erp.example/hooks' });
    expect(body.data.verification_status).toBe('pending');
    expect(await webhooks.rows(CHALLENGES, [id])).toHaveLength(2);
  });

  it('of a webhook that never had to prove itself stays verified', async () => {
    const id = await webhooks.made();
    const { body } = await webhooks.patch(id, { endpoint_url: 'https://new.example/' });
    expect(body.data).toMatchObject({ verification_status: 'verified', verified_at: expect.any(String) });
    expect(await webhooks.rows(CHALLENGES, [id])).toEqual([]);
  });
});

describe('a webhook in trouble', () => {
  const TROUBLE = `update webhooks set is_active = false, disabled_at = now(), disabled_reason = 'failing',
    failed_sends_in_row = 12, breaker_opened_at = now(), breaker_probe_at = now(), failed_deliveries_in_row = 20,
    failing_since = now() - interval '1 day' where id = $1`;
  const COUNTERS = `select failed_sends_in_row, failed_deliveries_in_row, failing_since, breaker_probe_at
    from webhooks where id = $1`;
  const CLEAN = { failed_sends_in_row: 0, failed_deliveries_in_row: 0, failing_since: null, breaker_probe_at: null };

  it('shows that we switched it off, and why; is_active true starts afresh', async () => {
    const id = await webhooks.made();
    await webhooks.rows(TROUBLE, [id]);
    expect((await webhooks.get(id)).body.data).toMatchObject({
      is_active: false,
      disabled_reason: 'failing',
      disabled_at: expect.any(String),
      breaker: { state: 'open', opened_at: expect.any(String) },
    });
    expect((await webhooks.patch(id, { is_active: true })).body.data).toMatchObject({
      is_active: true,
      disabled_reason: null,
      disabled_at: null,
      breaker: { state: 'closed', opened_at: null },
    });
    expect(await webhooks.rows(COUNTERS, [id])).toEqual([CLEAN]);
  });

  it('that is active has its breaker closed by is_active true', async () => {
    const id = await webhooks.made();
    await webhooks.rows(`update webhooks set breaker_opened_at = now(), failed_sends_in_row = 10 where id = $1`, [id]);
    const { body } = await webhooks.patch(id, { is_active: true });
    expect(body.data.breaker.state).toBe('closed');
    expect(await audits(id)).toEqual([{ changes: {}, restarted: true }]);
  });

  it('gets a fresh start by a new address, but stays off until it is switched on', async () => {
    const id = await webhooks.made();
    await webhooks.rows(TROUBLE, [id]);
    const { body } = await webhooks.patch(id, { endpoint_url: 'https://new.example/' });
    expect(body.data).toMatchObject({ is_active: false, disabled_reason: 'failing', breaker: { state: 'closed' } });
    expect(await webhooks.rows(COUNTERS, [id])).toEqual([CLEAN]);
  });

  it('switched off by its owner was not disabled by us', async () => {
    const id = await webhooks.made();
    const { body } = await webhooks.patch(id, { is_active: false });
    expect(body.data).toMatchObject({ is_active: false, disabled_at: null, disabled_reason: null });
  });
});

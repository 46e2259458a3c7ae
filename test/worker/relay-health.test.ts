import { describe, expect, it } from '@jest/globals';
import { statement } from '../../platform/db/statement.ts';
import { relayFixture } from './relay-fixture.ts';
import { setWebhook, untilState, webhookState } from './relay-support.ts';

const fixture = relayFixture();
const DAY_MS = 24 * 3_600_000;

const MAILS = statement(`select kind from mails where client_id = $1 order by mail_id`);
const AUDIT = statement(`
  select action, actor_type, details from audit_entries where client_id = $1 and action = 'webhook.disabled'`);
const REVISIONS = statement(`
  select d.status, d.webhook_revision, a.webhook_revision as attempt_revision
  from deliveries d left join delivery_attempts a on a.delivery_id = d.id where d.client_id = $1 order by d.id`);

/** Kinds of the mails that were queued; they follow the record, in transactions of their own. */
async function untilMails(count: number): Promise<unknown[]> {
  const { tenant } = fixture;
  const deadline = Date.now() + 5_000;
  for (;;) {
    const rows = await tenant.system.query(MAILS, [tenant.clientId]);
    if (rows.length >= count || Date.now() > deadline) return rows.map(({ kind }) => kind);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('how a webhook fares', () => {
  it('switches off a webhook with twenty failed deliveries in a row over a day, and tells its owner', async () => {
    const { tenant, receiver } = fixture;
    receiver.respondWith(500);
    const { webhook } = await tenant.webhook(receiver.url, { retry_count: 0 });
    const failing_since = new Date(Date.now() - DAY_MS - 1_000);
    await setWebhook(tenant, webhook.id, { failed_deliveries_in_row: 19, failing_since });
    const { revision } = await webhookState(tenant, webhook.id);
    await fixture.startRelay();
    await tenant.event();
    const state = await untilState(tenant, webhook.id, ({ is_active }) => !is_active);
    expect(state).toMatchObject({ disabled_reason: 'failing', disabled_at: expect.any(Date), revision: revision + 1 });
    expect(await untilMails(1)).toEqual(['webhook_disabled']);
    expect(await tenant.system.query(AUDIT, [tenant.clientId])).toEqual([
      {
        action: 'webhook.disabled',
        actor_type: 'system',
        details: { reason: 'failing', changes: { is_active: { from: true, to: false } } },
      },
    ]);
    await tenant.event();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(receiver.requests).toHaveLength(1);
  });

  it('leaves one on that has failed as often, but not for a day', async () => {
    const { tenant, receiver } = fixture;
    receiver.respondWith(500);
    const { webhook } = await tenant.webhook(receiver.url, { retry_count: 0 });
    const failing_since = new Date(Date.now() - DAY_MS + 60_000);
    await setWebhook(tenant, webhook.id, { failed_deliveries_in_row: 30, failing_since });
    await fixture.startRelay();
    await tenant.event();
    const state = await untilState(tenant, webhook.id, (now) => now.failed_deliveries_in_row === 31);
    expect(state).toMatchObject({ is_active: true, disabled_at: null, failing_since });
  });

  it('counts anew after a success', async () => {
    const { tenant, receiver } = fixture;
    const { webhook } = await tenant.webhook(receiver.url);
    await setWebhook(tenant, webhook.id, { failed_deliveries_in_row: 19, failing_since: new Date(0) });
    await fixture.startRelay();
    await tenant.event();
    const state = await untilState(tenant, webhook.id, (now) => now.failed_deliveries_in_row === 0);
    expect(state.failing_since).toBeNull();
  });

  it('switches off at once what answers 410, and tells its owner', async () => {
    const { tenant, receiver } = fixture;
    receiver.respondWith(410);
    const { webhook } = await tenant.webhook(receiver.url);
    await fixture.startRelay();
    await tenant.event();
    const state = await untilState(tenant, webhook.id, ({ is_active }) => !is_active);
    expect(state).toMatchObject({ disabled_reason: 'gone', disabled_at: expect.any(Date), recovery_mail_due: true });
    expect(await untilMails(1)).toEqual(['webhook_disabled']);
    const audited = await tenant.system.query(AUDIT, [tenant.clientId]);
    expect(audited).toEqual([expect.objectContaining({ details: expect.objectContaining({ reason: 'gone' }) })]);
  });

  it('tells the owner once when a webhook works again that there was a mail about', async () => {
    const { tenant, receiver } = fixture;
    const { webhook } = await tenant.webhook(receiver.url);
    await setWebhook(tenant, webhook.id, { recovery_mail_due: true });
    await fixture.startRelay();
    await tenant.events(5);
    await untilState(tenant, webhook.id, (state) => !state.recovery_mail_due);
    await tenant.event();
    await tenant.until((rows) => rows.length === 6 && rows.every((row) => row.status === 'success'));
    expect(await untilMails(1)).toEqual(['webhook_recovered']);
  });

  it('alerts when more dead letters than the threshold have come', async () => {
    const { tenant, receiver } = fixture;
    receiver.respondWith(500);
    await tenant.webhook(receiver.url, { retry_count: 0, dlq_alert_enabled: true, dlq_alert_threshold: 3 });
    await fixture.startRelay();
    await tenant.events(5);
    await tenant.until((rows) => rows.length === 5 && rows.every((row) => row.status === 'failed'));
    expect(await untilMails(1)).toEqual(['dlq_alert']);
  });

  it('notes which revision of its webhook made a request', async () => {
    const { tenant, receiver } = fixture;
    receiver.respondWith((_request, index) => (index === 0 ? 200 : 500));
    const { webhook } = await tenant.webhook(receiver.url);
    await setWebhook(tenant, webhook.id, { is_active: true });
    const { revision } = await webhookState(tenant, webhook.id);
    await fixture.startRelay();
    await tenant.event();
    await tenant.until((rows) => rows[0]?.status === 'success');
    await tenant.event();
    await tenant.until((rows) => rows[1]?.status === 'retrying');
    expect(await tenant.system.query(REVISIONS, [tenant.clientId])).toEqual([
      { status: 'success', webhook_revision: revision, attempt_revision: null },
      { status: 'retrying', webhook_revision: revision, attempt_revision: revision },
    ]);
  });
});

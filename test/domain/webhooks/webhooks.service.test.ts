import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DeliveryDetail, ListDeliveries } from '../../../domain/contracts/deliveries.ts';
import { CreateWebhook, WebhookView } from '../../../domain/contracts/webhooks.ts';
import { ApiError } from '../../../domain/contracts/errors.ts';
import {
  createWebhook,
  getDelivery,
  getWebhook,
  insertDeliveries,
  listDeliveries,
  listWebhooks,
  recordFirstSuccesses,
} from '../../../domain/webhooks/index.ts';
import { statement } from '../../../platform/db/statement.ts';
import { testDatabase } from '../../support/stack.ts';
import type { TestDatabase } from '../../support/stack.ts';
import { Tenant } from '../../worker/tenant.ts';

let database: TestDatabase;
let tenant: Tenant;
let other: Tenant;

beforeAll(async () => {
  database = await testDatabase();
  tenant = await Tenant.create(database, 'acme');
  other = await Tenant.create(database, 'globex');
});

afterAll(async () => {
  await Promise.all([tenant.close(), other.close()]);
  await database.drop();
});

async function refusal(making: Promise<unknown>): Promise<ApiError> {
  return making.then(
    () => {
      throw new Error('it was accepted');
    },
    (error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      return error;
    },
  );
}

const URL_OK = 'https://hooks.example.com/in';

describe('createWebhook', () => {
  it('answers the whole record and, once, the signing secret', async () => {
    const { webhook, secretKey } = await tenant.webhook(URL_OK, { retry_count: 3, retry_delay_seconds: 60 });
    expect(() => WebhookView.parse(webhook)).not.toThrow();
    expect(secretKey).toMatch(/^whsec_/);
    expect(webhook).toMatchObject({
      endpoint_url: URL_OK,
      retry_count: 3,
      verification_status: 'verified',
      verified_at: expect.any(String),
      current_key_version: 1,
      secret_key: `${secretKey.slice(0, 10)}...`,
    });
    const read = await tenant.tenants.transaction(tenant.clientId, (tx) => getWebhook(tx, tenant.caller, webhook.id));
    expect(read).toEqual(webhook);
  });

  it('keeps secrets and credentials encrypted', async () => {
    const { secretKey } = await tenant.webhook(URL_OK, { auth_type: 'bearer', auth_credentials: 'very-secret-token' });
    const rows = await tenant.system.query<{ row: string }>(
      statement(`select w::text as row from webhooks w union all select k::text from webhook_keys k`),
    );
    const text = rows
      .map(({ row }) =>
        row.replaceAll(/\\x([0-9a-f]+)/g, (_, hex: string) => Buffer.from(hex, 'hex').toString('latin1')),
      )
      .join('\n');
    expect(text).not.toContain('very-secret-token');
    expect(text).not.toContain(secretKey);
  });

  it.each([
    ['an address that is none', { endpoint_url: 'nonsense' }, 'endpoint_url'],
    ['another protocol', { endpoint_url: 'ftp://example.com/' }, 'endpoint_url'],
    ['a password in the address', { endpoint_url: 'https://a:b@example.com/' }, 'endpoint_url'],
    ['an unknown event', { events: ['job.exploded'] }, 'events[0]'],
    ['bearer without a token', { auth_type: 'bearer' }, 'auth_credentials'],
    ['a custom header of ours', { custom_headers: { Host: 'x' } }, 'custom_headers.Host'],
  ])('refuses %s', async (_what, input, field) => {
    const error = await refusal(tenant.webhook(URL_OK, input));
    expect(error.code).toBe('VALIDATION_ERROR');
    expect(error.details?.[0]?.field).toBe(field);
  });

  it.each([
    'http://127.0.0.1/',
    'http://localhost:8080/',
    'http://[::1]/',
    'http://169.254.169.254/latest',
    'http://2130706433/',
  ])('refuses %s where private targets are not allowed', async (url) => {
    const error = await refusal(tenant.webhook(url, {}, false));
    expect(error.details).toMatchObject([
      { field: 'endpoint_url', issue: expect.stringContaining('not a public address') },
    ]);
  });

  it.each([
    ['retry_count', 6],
    ['retry_count', -1],
    ['retry_delay_seconds', 3_601],
    ['timeout_seconds', 0],
    ['timeout_seconds', 31],
    ['events', []],
    ['unknown_field', 1],
  ])('the schema refuses %s = %j', (field, value) => {
    const base = { name: 'x', endpoint_url: URL_OK, events: ['job.created'] };
    expect(CreateWebhook.safeParse({ ...base, [field]: value }).success).toBe(false);
  });

  it('refuses finance events outside the tier with TIER_RESTRICTED', async () => {
    const caller = { ...tenant.caller, client: { ...tenant.caller.client, finance_tier: 'basic' } };
    const input = CreateWebhook.parse({ name: 'x', endpoint_url: URL_OK, events: ['invoice.paid', 'bill.created'] });
    const deps = { vault: tenant.vault, allowPrivateTargets: false };
    const error = await refusal(
      tenant.tenants.transaction(tenant.clientId, (tx) => createWebhook(tx, caller, input, deps)),
    );
    expect(error).toMatchObject({ code: 'TIER_RESTRICTED', message: expect.stringContaining('bill.created') });
  });

  it('gives concurrent webhooks of a client revisions of their own', async () => {
    await Promise.all(Array.from({ length: 8 }, () => other.webhook(URL_OK)));
    const rows = await other.system.query<{ revision: number }>(
      statement(`select revision from webhooks where client_id = $1 order by revision`),
      [other.clientId],
    );
    expect(rows.map(({ revision }) => revision)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });
});

describe('reading webhooks', () => {
  it('shows a member only its own, an owner all of its client, and nobody another client’s', async () => {
    const { webhook } = await tenant.webhook(URL_OK);
    const member = { ...tenant.caller, role: 'member' as const, userId: 999_999 };
    const read = (who: typeof tenant.caller) =>
      tenant.tenants.transaction(tenant.clientId, (tx) => listWebhooks(tx, who));
    expect(await read(member)).toEqual([]);
    expect((await read(tenant.caller)).map(({ id }) => id)).toContain(webhook.id);
    const foreign = await other.tenants.transaction(other.clientId, (tx) => listWebhooks(tx, other.caller));
    expect(foreign.map(({ id }) => id)).not.toContain(webhook.id);
    const error = await refusal(
      other.tenants.transaction(other.clientId, (tx) => getWebhook(tx, other.caller, webhook.id)),
    );
    expect(error.code).toBe('NOT_FOUND');
  });
});

describe('the delivery log', () => {
  it('lists deliveries newest first, filters them, and shows request and attempts', async () => {
    const { webhook, secretKey } = await tenant.webhook(URL_OK);
    const eventIds = await tenant.events(3);
    const rows = await tenant.system.transaction((tx) =>
      insertDeliveries(
        tx,
        eventIds.map((eventId) => ({
          clientId: tenant.clientId,
          webhookId: webhook.id,
          eventId,
          eventType: 'job.created',
          workItemId: null,
          eventSeq: 1,
          isOrdered: false,
          leased: true,
        })),
      ),
    );
    const outcome = {
      verdict: 'success',
      at: Date.now(),
      durationMs: 12,
      responseStatus: 202,
      responseBody: 'ok',
      error: null,
      retryAfterMs: null,
    } as const;
    const [first] = rows;
    const sent = { deliveryId: first!.id, webhookId: webhook.id, round: 1, revision: 1, outcome };
    // Sent before a crash of PostgreSQL took their rows back: the id is another delivery's by now.
    await recordFirstSuccesses(tenant.system, [
      { ...sent, eventId: rows[1]!.event_id },
      { ...sent, eventId: first!.event_id, webhookId: webhook.id + 1 },
    ]);
    expect((await tenant.deliveries()).map(({ status }) => status)).toEqual(['pending', 'pending', 'pending']);
    await recordFirstSuccesses(tenant.system, [{ ...sent, eventId: first!.event_id }]);
    const list = (query: Record<string, unknown>) =>
      tenant.tenants.transaction(tenant.clientId, (tx) => listDeliveries(tx, webhook.id, ListDeliveries.parse(query)));
    const all = await list({});
    expect(all.pagination).toEqual({ total: 3, limit: 50, offset: 0 });
    expect(all.deliveries.map(({ id }) => id)).toEqual(rows.map(({ id }) => id).sort((a, b) => b - a));
    expect((await list({ status: 'success' })).deliveries).toMatchObject([
      { id: rows[0]!.id, response_status: 202, attempt_number: 1 },
    ]);
    expect((await list({ search: eventIds[1] })).pagination.total).toBe(1);
    expect((await list({ search: '100%' })).pagination.total).toBe(0);
    expect((await list({ event: 'task.created' })).pagination.total).toBe(0);
    const detail = await tenant.tenants.transaction(tenant.clientId, (tx) =>
      getDelivery(tx, tenant.vault, webhook.id, rows[0]!.id),
    );
    expect(() => DeliveryDetail.parse(detail)).not.toThrow();
    expect(detail.attempts).toMatchObject([{ round: 1, send_number: 1, response_status: 202, response_body: 'ok' }]);
    expect(detail.request).toMatchObject({ method: 'POST', url: URL_OK });
    expect(JSON.parse(detail.request.body)).toMatchObject({
      event: 'job.created',
      metadata: { delivery_id: rows[0]!.id },
    });
    expect(JSON.stringify(detail)).not.toContain(secretKey);
    expect(JSON.stringify(detail.request.headers).toLowerCase()).not.toContain('signature');
    const foreign = other.tenants.transaction(other.clientId, (tx) =>
      getDelivery(tx, other.vault, webhook.id, rows[0]!.id),
    );
    expect((await refusal(foreign)).code).toBe('NOT_FOUND');
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Caller } from '../../../domain/contracts/caller.ts';
import type { UpdateWebhookInput, WebhookView } from '../../../domain/contracts/webhooks.ts';
import { deleteWebhook, endpointsOfClient, updateWebhook } from '../../../domain/webhooks/index.ts';
import { statement } from '../../../platform/db/statement.ts';
import { testDatabase } from '../../support/stack.ts';
import type { TestDatabase } from '../../support/stack.ts';
import { Tenant } from '../../worker/tenant.ts';

let database: TestDatabase;
let tenant: Tenant;
beforeAll(async () => {
  database = await testDatabase();
  tenant = await Tenant.create(database, 'acme');
});
afterAll(async () => {
  await tenant.close();
  await database.drop();
});

const URL_OK = 'https://hooks.example.com/in';
const CREDENTIALS = statement('select auth_credentials_ciphertext as sealed from webhooks where id = $1');
const REVISIONS = statement('select revision from webhook_revisions where webhook_id = $1 order by revision');
const REVISION = statement('select revision from webhooks where id = $1');

const change = (id: number, input: UpdateWebhookInput, caller: Caller = tenant.caller): Promise<WebhookView> => {
  const deps = { vault: tenant.vault, allowPrivateTargets: false };
  return tenant.tenants.transaction(tenant.clientId, (tx) => updateWebhook(tx, caller, id, input, deps));
};
const remove = (id: number, caller: Caller = tenant.caller): Promise<void> =>
  tenant.tenants.transaction(tenant.clientId, (tx) => deleteWebhook(tx, caller, id));

const endpoint = async (id: number) => {
  const endpoints = await endpointsOfClient(tenant.system, tenant.vault, tenant.clientId);
  return endpoints.find(({ webhookId }) => webhookId === id);
};

describe('updateWebhook', () => {
  it('many at once lose nothing, and each request that they change has a revision of its own', async () => {
    const { webhook } = await tenant.webhook(URL_OK);
    await Promise.all([
      change(webhook.id, { http_method: 'PUT' }),
      change(webhook.id, { custom_headers: { 'x-a': '1' } }),
      change(webhook.id, { retry_count: 1 }),
      change(webhook.id, { payload_template: { mode: 'fields', fields: ['event'] } }),
      change(webhook.id, { endpoint_url: 'https://new.example/' }),
      change(webhook.id, { rate_limit_per_second: 7 }),
    ]);
    expect(await endpoint(webhook.id)).toMatchObject({
      url: 'https://new.example/',
      method: 'PUT',
      customHeaders: { 'x-a': '1' },
      retry: { retryCount: 1 },
      payload: { template: { mode: 'fields', fields: ['event'] } },
      rateLimitPerSecond: 7,
    });
    const [now] = await tenant.system.query<{ revision: number }>(REVISION, [webhook.id]);
    const noted = await tenant.system.query<{ revision: number }>(REVISIONS, [webhook.id]);
    expect(noted).toHaveLength(5);
    expect(new Set(noted.map(({ revision }) => revision)).size).toBe(5);
    expect(now?.revision).toBeGreaterThanOrEqual(noted.at(-1)?.revision ?? 0);
  });

  it('keeps new credentials encrypted, and drops them with the type that they were for', async () => {
    const { webhook } = await tenant.webhook(URL_OK);
    await change(webhook.id, { auth_type: 'basic', auth_credentials: 'user:very-secret' });
    const [row] = await tenant.system.query<{ sealed: Buffer }>(CREDENTIALS, [webhook.id]);
    expect(row?.sealed.toString('latin1')).not.toContain('very-secret');
    expect((await endpoint(webhook.id))?.auth).toEqual({ type: 'basic', credentials: 'user:very-secret' });
    await change(webhook.id, { timeout_seconds: 5 });
    expect((await endpoint(webhook.id))?.auth).toEqual({ type: 'basic', credentials: 'user:very-secret' });
    await change(webhook.id, { auth_type: 'none' });
    expect(await tenant.system.query(CREDENTIALS, [webhook.id])).toEqual([{ sealed: null }]);
  });

  it('lets a user without sight of all touch only what it made', async () => {
    const { webhook } = await tenant.webhook(URL_OK);
    const other = { ...tenant.caller, role: 'member' as const, userId: 999_999 };
    await expect(change(webhook.id, { name: 'x' }, other)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(remove(webhook.id, other)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const own = { ...tenant.caller, role: 'member' as const };
    expect((await change(webhook.id, { name: 'Mine' }, own)).name).toBe('Mine');
    await remove(webhook.id, own);
    expect(await endpoint(webhook.id)).toBeUndefined();
  });
});

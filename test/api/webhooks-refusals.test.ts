import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture, ApiTenant } from './support.ts';
import { webhooksOf } from './webhooks-support.ts';
import type { Webhooks } from './webhooks-support.ts';

let api: ApiFixture;
let webhooks: Webhooks;
let id: number;
beforeAll(async () => {
  api = await startApi({ ALLOW_PRIVATE_TARGETS: 'false', RATE_LIMIT_DISABLED: 'true' });
  webhooks = webhooksOf(api);
  id = await webhooks.made();
});
afterAll(() => api.close());

/** What neither a create nor a change takes: the input, the code, the fields that are named. */
const REFUSED: [string, object, string, string[]][] = [
  ['a private address', { endpoint_url: 'http://127.0.0.1/x' }, 'VALIDATION_ERROR', ['endpoint_url']],
  ['an address in IPv6 loopback', { endpoint_url: 'http://[::1]/' }, 'VALIDATION_ERROR', ['endpoint_url']],
  ['a metadata address', { endpoint_url: 'http://169.254.169.254/' }, 'VALIDATION_ERROR', ['endpoint_url']],
  ['localhost', { endpoint_url: 'http://api.localhost/' }, 'VALIDATION_ERROR', ['endpoint_url']],
  ['a password in the address', { endpoint_url: 'https://a:b@erp.example' }, 'VALIDATION_ERROR', ['endpoint_url']],
  ['another protocol', { endpoint_url: 'ftp://erp.example' }, 'VALIDATION_ERROR', ['endpoint_url']],
  ['an address with a line break', { endpoint_url: 'https://a.example/\r\nx' }, 'VALIDATION_ERROR', ['endpoint_url']],
  [
    'an address too long',
    { endpoint_url: `https://a.example/${'x'.repeat(2_048)}` },
    'VALIDATION_ERROR',
    ['endpoint_url'],
  ],
  ['no events', { events: [] }, 'VALIDATION_ERROR', ['events']],
  [
    'unknown events, each by its place',
    { events: ['job.created', 'job.exploded', 'custom.Bad', 'webhook.verification'] },
    'VALIDATION_ERROR',
    ['events[1]', 'events[2]', 'events[3]'],
  ],
  ['events that are no list', { events: 'job.created' }, 'BAD_REQUEST', ['events']],
  ['an event that is no text', { events: [1] }, 'BAD_REQUEST', ['events[0]']],
  ['a blank name', { name: '  ' }, 'VALIDATION_ERROR', ['name']],
  ['an unknown auth type', { auth_type: 'digest' }, 'VALIDATION_ERROR', ['auth_type']],
  ['GET as the method', { http_method: 'GET' }, 'VALIDATION_ERROR', ['http_method']],
  [
    'headers of ours',
    { custom_headers: { Host: 'x', 'webhook-id': 'y' } },
    'VALIDATION_ERROR',
    ['custom_headers.Host', 'custom_headers.webhook-id'],
  ],
  ['a header with a line break', { custom_headers: { 'x-a': 'a\r\nb' } }, 'VALIDATION_ERROR', ['custom_headers.x-a']],
  ['a header that is no text', { custom_headers: { 'x-a': 1 } }, 'BAD_REQUEST', ['custom_headers.x-a']],
  ['a filter with an unknown operator', { filter: { 'data.a': { $near: 1 } } }, 'VALIDATION_ERROR', ['filter.data.a']],
  ['a filter whose term is malformed', { filter: { event: 'x', $or: [] } }, 'VALIDATION_ERROR', ['filter.$or']],
  [
    'a filter that begins elsewhere',
    { filter: { 'work_item.priority': 'high' } },
    'VALIDATION_ERROR',
    ['filter.work_item.priority'],
  ],
  ['a filter that is no object', { filter: 'data.a' }, 'BAD_REQUEST', ['filter']],
  [
    'a filter with too many terms',
    { filter: Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`data.f${String(n)}`, n])) },
    'VALIDATION_ERROR',
    ['filter'],
  ],
  ['a filter too large', { filter: { 'data.a': 'x'.repeat(20_000) } }, 'VALIDATION_ERROR', ['filter']],
  ['an order that is none', { ordering: 'strict' }, 'VALIDATION_ERROR', ['ordering']],
  ['a rate of nothing', { rate_limit_per_second: 0 }, 'VALIDATION_ERROR', ['rate_limit_per_second']],
  ['a rate too high', { rate_limit_per_second: 1_001 }, 'VALIDATION_ERROR', ['rate_limit_per_second']],
  ['a rate with a fraction', { rate_limit_per_second: 1.5 }, 'BAD_REQUEST', ['rate_limit_per_second']],
  ['too many retries', { retry_count: 6 }, 'VALIDATION_ERROR', ['retry_count']],
  ['a delay too long', { retry_delay_seconds: 3_601 }, 'VALIDATION_ERROR', ['retry_delay_seconds']],
  ['no time at all', { timeout_seconds: 0 }, 'VALIDATION_ERROR', ['timeout_seconds']],
  ['an unknown payload version', { payload_version: '2020-01-01' }, 'VALIDATION_ERROR', ['payload_version']],
  [
    'a template of an unknown mode',
    { payload_template: { mode: 'xml' } },
    'VALIDATION_ERROR',
    ['payload_template.mode'],
  ],
  [
    'a template with a path that is none',
    { payload_template: { mode: 'fields', fields: ['event', 'data.__proto__'] } },
    'VALIDATION_ERROR',
    ['payload_template.fields[1]'],
  ],
  ['an alert address that is none', { dlq_alert_email: 'ops' }, 'VALIDATION_ERROR', ['dlq_alert_email']],
  ['a threshold beyond all', { dlq_alert_threshold: 10_001 }, 'VALIDATION_ERROR', ['dlq_alert_threshold']],
  ['a threshold of nothing', { dlq_alert_threshold: 0 }, 'VALIDATION_ERROR', ['dlq_alert_threshold']],
  ['a word for a switch', { is_active: 'yes' }, 'BAD_REQUEST', ['is_active']],
  ['null for what can not be empty', { name: null }, 'BAD_REQUEST', ['name']],
  ['a NUL character', { description: 'a\u0000' }, 'VALIDATION_ERROR', ['description']],
  ['an unknown field', { url: 'https://erp.example' }, 'VALIDATION_ERROR', ['url']],
  ['several at once', { retry_count: 9, timeout_seconds: 99 }, 'VALIDATION_ERROR', ['retry_count', 'timeout_seconds']],
];

describe('neither a create nor a change takes', () => {
  it.each(REFUSED)('%s', async (_what, input, code, fields) => {
    for (const answer of [await webhooks.create(input), await webhooks.patch(id, input)]) {
      expectRefusal(answer, 400, code);
      expect(answer.body.error.details.map(({ field }: { field: string }) => field)).toEqual(fields);
    }
  });
});

describe('a change', () => {
  it('of require_verification is refused: it is for good', async () => {
    const answer = await webhooks.patch(id, { require_verification: true });
    expectRefusal(answer, 400, 'VALIDATION_ERROR');
    expect(answer.body.error.details).toEqual([expect.objectContaining({ field: 'require_verification' })]);
  });

  it('of nothing is a bad request', async () => {
    expectRefusal(await webhooks.patch(id, {}), 400, 'BAD_REQUEST');
  });

  it.each(['secret_key', 'success_count', 'verification_status', 'created_by_user_id'])(
    'of %s is refused',
    async (field) => {
      expectRefusal(await webhooks.patch(id, { [field]: 1 }), 400, 'VALIDATION_ERROR');
    },
  );

  it('leaves a refused webhook as it was', async () => {
    const before = (await webhooks.get(id)).body.data;
    await webhooks.patch(id, { name: 'Changed', retry_count: 9 });
    expect((await webhooks.get(id)).body.data).toEqual(before);
  });
});

describe('who may', () => {
  it("nobody touches another client's webhook, or one that was never made", async () => {
    const asRival = { tenant: api.rival };
    for (const answer of [
      await webhooks.get(id, asRival),
      await webhooks.patch(id, { name: 'Mine' }, asRival),
      await webhooks.remove(id, asRival),
      await webhooks.patch(7_000_000, { name: 'x' }),
      await webhooks.remove(7_000_000),
    ])
      expectRefusal(answer, 404, 'NOT_FOUND');
    expect((await webhooks.get(id)).body.data.name).toBe('ERP');
  });

  it.each(['member', 'auditor'] as const)('a %s changes nothing', async (role) => {
    for (const answer of [
      await webhooks.create({}, { role }),
      await webhooks.patch(id, { name: 'Mine' }, { role }),
      await webhooks.remove(id, { role }),
      await webhooks.test(id, {}, { role }),
    ])
      expectRefusal(answer, 403, 'SCOPE_REQUIRED');
  });

  it('an admin changes what the owner made', async () => {
    const made = await webhooks.made();
    expect((await webhooks.patch(made, { name: 'By the admin' }, { role: 'admin' })).status).toBe(200);
    expect((await webhooks.remove(made, { role: 'admin' })).status).toBe(200);
  });
});

describe('the finance tier', () => {
  it.each([
    ['none', [], 'quote.created'],
    ['basic', ['quote.created', 'invoice.paid'], 'credit_note.issued'],
    ['standard', ['invoice.paid', 'credit_note.issued', 'delivery_note.created'], 'bill.created'],
    ['full', ['bill.created', 'purchase_order.issued'], null],
  ])('%s offers its own events, and takes no others', async (tier, within, beyond) => {
    const tenant: ApiTenant = await api.tenant(`tier-${tier}`, { finance_tier: tier });
    const offered = (await webhooks.list({ tenant })).body.available_events as string[];
    expect(offered).toEqual(expect.arrayContaining(['job.created', 'payment.received', ...within]));
    const made = await webhooks.made({ events: ['job.created', ...within] }, { tenant });
    if (beyond === null) return;
    expect(offered).not.toContain(beyond);
    for (const answer of [
      await webhooks.create({ events: ['job.created', beyond] }, { tenant }),
      await webhooks.patch(made, { events: ['job.created', beyond] }, { tenant }),
    ]) {
      expectRefusal(answer, 403, 'TIER_RESTRICTED');
      expect(answer.body.error.message).toContain(beyond);
    }
  });

  it('that sank since leaves a webhook changeable, but for its events', async () => {
    const tenant = api.rival;
    const made = await webhooks.made({}, { tenant });
    await webhooks.rows(`update webhooks set events = '{bill.created}' where id = $1`, [made]);
    expect((await webhooks.patch(made, { name: 'Still mine' }, { tenant })).status).toBe(200);
    const again = await webhooks.patch(made, { events: ['bill.created', 'job.created'] }, { tenant });
    expectRefusal(again, 403, 'TIER_RESTRICTED');
  });
});

describe('the limit of webhooks', () => {
  const FILL = `insert into webhooks (client_id, name, endpoint_url, events, created_by_user_id)
    select $1, 'n', 'https://erp.example/', '{job.created}', $2 from generate_series(1, 99)`;

  it('is 100 for a client, also when many are made at once; a deleted one makes room', async () => {
    const tenant = await api.tenant('busy');
    await webhooks.rows(FILL, [tenant.clientId, tenant.users.owner.id]);
    const answers = await Promise.all(Array.from({ length: 5 }, () => webhooks.create({}, { tenant })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422]);
    const made = answers.find(({ status }) => status === 201)?.body.data.id as number;
    expect((await webhooks.remove(made, { tenant })).status).toBe(200);
    expect((await webhooks.create({}, { tenant })).status).toBe(201);
  });
});

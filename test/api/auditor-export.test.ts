import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomUUID } from 'node:crypto';
import { sealAuditEntries } from '../../domain/audit/index.ts';
import { canonicalJson } from '../../domain/finance/export/canonical-json.ts';
import { untilSealable } from '../support/audit-horizon.ts';
import { PERIOD, startBooks } from './auditor-export-support.ts';
import type { BookKeeper, Books } from './auditor-export-support.ts';
import { expectRefusal } from './support.ts';
import type { ApiFixture } from './support.ts';

let books: Books;
let api: ApiFixture;
beforeAll(async () => {
  books = await startBooks();
  api = books.api;
});
afterAll(() => books.close());

describe('who may have the books', () => {
  it.each(['owner', 'admin', 'auditor'] as const)('%s may', async (role) => {
    const answer = await books.exported(api.acme, PERIOD, role);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ success: true, bundle: { period: PERIOD, format: 'json' } });
  });

  it('a member may not, and nobody without a token', async () => {
    expectRefusal(await books.exported(api.acme, PERIOD, 'member'), 403, 'FORBIDDEN');
    expectRefusal(await api.http().post('/api/v1/finance/auditor-export').send(PERIOD), 401, 'UNAUTHORIZED');
    const bare = api.http().get(`/api/v1/finance/auditor-export/${randomUUID()}`);
    expectRefusal(await bare.auth(await api.acme.token('member'), { type: 'bearer' }), 403, 'FORBIDDEN');
  });

  it('the finance tier says which types; none is 403', async () => {
    expectRefusal(await books.exported(api.rival, PERIOD, 'owner'), 403, 'TIER_RESTRICTED');
    const basic = await books.keeper('basic');
    const answer = await basic.exported(PERIOD);
    expect(answer.body.bundle.document_types).toEqual(['quote', 'invoice']);
    expectRefusal(await basic.exported({ ...PERIOD, document_types: ['bill'] }), 403, 'TIER_RESTRICTED');
  });
});

describe('what is refused', () => {
  it.each<[string, object, string, string]>([
    ['no dates', {}, 'BAD_REQUEST', 'date_from'],
    ['a date that is a number', { ...PERIOD, date_from: 1 }, 'BAD_REQUEST', 'date_from'],
    ['a day that is none', { ...PERIOD, date_to: '2026-02-30' }, 'VALIDATION_ERROR', 'date_to'],
    ['the wrong way round', { date_from: '2026-02-02', date_to: '2026-02-01' }, 'VALIDATION_ERROR', 'date_to'],
    ['more than ten years', { date_from: '2016-02-02', date_to: '2026-02-02' }, 'VALIDATION_ERROR', 'date_to'],
    ['an unknown format', { ...PERIOD, format: 'xml' }, 'VALIDATION_ERROR', 'format'],
    ['no types', { ...PERIOD, document_types: [] }, 'VALIDATION_ERROR', 'document_types'],
    ['an unknown part', { ...PERIOD, include: ['secrets'] }, 'VALIDATION_ERROR', 'include[0]'],
    ['an unknown field', { ...PERIOD, fromat: 'csv' }, 'VALIDATION_ERROR', 'fromat'],
  ])('%s', async (_what, body, code, field) => {
    const answer = await books.exported(api.acme, body);
    expectRefusal(answer, 400, code);
    expect(answer.body.error.details).toEqual(expect.arrayContaining([expect.objectContaining({ field })]));
  });
});

describe('the bundle', () => {
  let keeper: BookKeeper;
  beforeAll(async () => {
    keeper = await books.keeper();
  });

  it('holds the issued documents of the period with their lines, sums, trail and digest', async () => {
    const invoice = await keeper.issued();
    await keeper.issued({ document_date: '2026-06-30' });
    await keeper.issued({ document_type: 'bill', currency: 'USD', document_date: '2026-09-30' });
    await keeper.act('create-finance-document', {
      document_type: 'invoice',
      contact_name: 'Draft',
      document_date: '2026-08-01',
      lines: [{ description: 'x', unit_price: 1 }],
    });
    await keeper.act('record-finance-payment', { document_type: 'invoice', document_id: invoice.id, amount: 14.99 });
    await untilSealable(books.superuser, keeper.tenant.clientId);
    await sealAuditEntries(api.services.system, () => undefined);
    const { bundle } = (await keeper.exported(PERIOD)).body;
    expect(bundle.documents.map((document: { document_type: string }) => document.document_type)).toEqual([
      'invoice',
      'bill',
    ]);
    expect(bundle.documents[0]).toMatchObject({
      id: invoice.id,
      document_number: 'INV-000001',
      status: 'partially_paid',
      amount_paid: 14.99,
      amount_due: 100,
      issued_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(bundle.line_items[0]).toMatchObject({
      document_id: invoice.id,
      document_number: invoice.document_number,
      net_amount: 99.99,
    });
    expect(bundle.totals).toEqual([
      {
        document_type: 'bill',
        currency: 'USD',
        count: 1,
        subtotal: 99.99,
        tax_total: 15,
        total: 114.99,
        amount_paid: 0,
        amount_credited: 0,
        amount_due: 114.99,
        amount_to_refund: 0,
      },
      {
        document_type: 'invoice',
        currency: 'ZAR',
        count: 1,
        subtotal: 99.99,
        tax_total: 15,
        total: 114.99,
        amount_paid: 14.99,
        amount_credited: 0,
        amount_due: 100,
        amount_to_refund: 0,
      },
    ]);
    expect(bundle.compliance_violations).toEqual([]);
    expect(bundle.period).toEqual({ ...PERIOD, timezone: 'Africa/Johannesburg' });
    const { sha256, ...rest } = bundle;
    expect(sha256).toBe(createHash('sha256').update(canonicalJson(rest)).digest('hex'));
  });

  it('shows the trail of the period, and that its seals hold', async () => {
    // The client's day: Johannesburg is two hours ahead of UTC.
    const today = new Date(Date.now() + 2 * 3_600_000).toISOString().slice(0, 10);
    const now = { date_from: today, date_to: today };
    const { bundle } = (await keeper.exported(now)).body;
    const actions = bundle.audit_trail.map((entry: { action: string }) => entry.action);
    expect(actions).toEqual(
      expect.arrayContaining(['invoice.created', 'invoice.issued', 'bill.issued', 'payment.received']),
    );
    expect(actions).not.toContain('api_key.created');
    expect(bundle.audit_trail[0]).toMatchObject({ actor_type: 'api_key', subject_type: 'finance_document' });
    expect(bundle.audit_seals).toMatchObject({
      status: 'intact',
      unsealed: 0,
      last_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const bills = (await keeper.exported({ ...now, document_types: ['bill'] })).body.bundle;
    expect(new Set(bills.audit_trail.map((entry: { action: string }) => entry.action.split('.')[0]))).toEqual(
      new Set(['bill']),
    );
    await books.superuser.query(`update audit_entries set details = '{}' where id = $1`, [bundle.audit_trail[1].id]);
    const broken = await keeper.exported(now);
    expect(broken.body.bundle.audit_seals.status).toBe('broken');
    expect(broken.body.bundle.compliance_violations[0]).toMatchObject({
      rule: 'audit_trail_broken',
      message: expect.stringContaining(`Audit entry ${String(bundle.audit_trail[1].id)} was changed`),
    });
  });

  it('names who did it: the key, the user, the application, and nobody where the platform did', async () => {
    const named = await books.keeper();
    const { tenant } = named;
    const { id } = await named.issued();
    const { rows } = await books.superuser.query<{ id: number }>(
      `insert into oauth_applications (client_id, oauth_client_id, name, created_by_user_id) values ($1, $2, 'Ledger Sync', 1)
       returning id`,
      [tenant.clientId, randomUUID()],
    );
    const actors = [
      ['user', String(tenant.users.admin.id)],
      ['oauth_application', String(rows[0]?.id)],
      ['system', 'inbound-webhook/7'],
      // Somebody of another client: its name is not for these books.
      ['user', String(api.acme.users.owner.id)],
    ];
    for (const [type, actor] of actors) {
      await books.superuser.query(
        `insert into audit_entries (client_id, actor_type, actor_id, action, subject_type, subject_id)
         values ($1, $2, $3, 'invoice.updated', 'finance_document', $4)`,
        [tenant.clientId, type, actor, String(id)],
      );
    }
    const today = new Date(Date.now() + 2 * 3_600_000).toISOString().slice(0, 10);
    const of = { date_from: today, date_to: today, include: ['audit_trail'] };
    const { bundle } = (await books.exported(tenant, of)).body;
    const names = bundle.audit_trail.map((entry: { actor_type: string; actor_name: string | null }) => [
      entry.actor_type,
      entry.actor_name,
    ]);
    expect(names).toEqual([
      ['api_key', 'key 1'],
      ['api_key', 'key 1'],
      ['user', 'admin'],
      ['oauth_application', 'Ledger Sync'],
      ['system', null],
      ['user', null],
    ]);
    const csv = (await books.exported(tenant, { ...of, format: 'csv' })).body.bundle.audit_trail;
    expect(csv).toContain(',api_key,');
    expect(csv).toContain(',key 1,');
  });

  it('is one client’s own', async () => {
    const { bundle } = (await books.exported(api.acme, PERIOD, 'auditor')).body;
    expect(bundle.documents).toEqual([]);
    expect(bundle.audit_trail).toEqual([]);
  });

  it('holds only the parts that are wanted', async () => {
    const { bundle } = (await keeper.exported({ ...PERIOD, include: ['documents'] })).body;
    expect(bundle.documents).toHaveLength(2);
    for (const part of ['line_items', 'audit_trail', 'compliance_violations']) expect(bundle).not.toHaveProperty(part);
  });

  it('is in csv one text a part, and no cell is a formula', async () => {
    await keeper.issued({
      contact_name: '=HYPERLINK("http://evil")',
      reference: '+1',
      notes: 'a "quoted",\nline',
      document_date: '2026-02-01',
    });
    const february = { date_from: '2026-02-01', date_to: '2026-02-28', format: 'csv' };
    const { bundle } = (await keeper.exported(february, 'owner')).body;
    expect(bundle.format).toBe('csv');
    const [heading, row] = bundle.documents.split('\r\n');
    expect(heading).toMatch(/^id,document_type,document_number,status,document_date/);
    expect(row).toContain(`"'=HYPERLINK(""http://evil"")"`);
    expect(row).toContain(`,'+1,`);
    expect(bundle.documents).toContain('"a ""quoted"",\nline"');
    expect(bundle.line_items.split('\r\n')).toHaveLength(3);
    expect(bundle.compliance_violations).toMatch(/^rule,severity,/);
    const { sha256, ...rest } = bundle;
    expect(sha256).toBe(createHash('sha256').update(canonicalJson(rest)).digest('hex'));
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import type { Response } from 'supertest';
import { canonicalJson } from '../../domain/finance/export/canonical-json.ts';
import { processEnvironment, spawnProcess } from '../support/stack.ts';
import type { SpawnedProcess } from '../support/stack.ts';
import { recordHistory } from '../workflows/histories.ts';
import { startBooks } from './auditor-export-support.ts';
import type { Books } from './auditor-export-support.ts';
import { expectRefusal } from './support.ts';
import type { ApiFixture, ApiTenant } from './support.ts';

let books: Books;
let api: ApiFixture;
beforeAll(async () => {
  books = await startBooks();
  api = books.api;
});
afterAll(() => books.close());

describe('a long period', () => {
  const YEAR = { date_from: '2026-01-01', date_to: '2026-12-31' };
  let tenant: ApiTenant;
  let exportId: string;
  let worker: SpawnedProcess | undefined;
  beforeAll(async () => {
    const keeper = await books.keeper();
    tenant = keeper.tenant;
    for (const document_date of ['2026-01-01', '2026-12-31', '2026-08-15']) await keeper.issued({ document_date });
  });
  afterAll(() => worker?.stop());

  const ask = async (idempotencyKey: string): Promise<Response> =>
    api
      .http()
      .post('/api/v1/finance/auditor-export')
      .auth(await tenant.token('auditor'), { type: 'bearer' })
      .set('Idempotency-Key', idempotencyKey)
      .timeout(70_000)
      .send(YEAR);
  const fetched = async (of = tenant): Promise<Response> =>
    api
      .http()
      .get(`/api/v1/finance/auditor-export/${exportId}`)
      .auth(await of.token('auditor'), { type: 'bearer' });

  it('answers 504 with the id after 60 s, under which it waits to be had', async () => {
    const asked = ask('year');
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    // Nobody works on it yet: the budget is over before its time.
    api.clock.advance(61);
    const answer = await asked;
    expectRefusal(answer, 504, 'GATEWAY_TIMEOUT');
    const [detail] = answer.body.error.details;
    expect(detail).toEqual({ field: 'export_id', issue: expect.any(String) });
    exportId = detail.issue;
    const waiting = await fetched();
    expect(waiting.status).toBe(202);
    expect(waiting.body).toMatchObject({ success: true, export_id: exportId, status: 'queued', documents_done: 0 });
    expectRefusal(await fetched(api.acme), 404, 'NOT_FOUND');
  });

  it('is made by the worker; the same call again joins it, and both ways give the same bundle', async () => {
    worker = await spawnProcess('worker/main.ts', processEnvironment(api.database, {}), {
      args: ['--queue', 'platform'],
    });
    const joined = await ask('year');
    expect(joined.status).toBe(200);
    expect(joined.body.bundle.documents.map((document: { document_date: string }) => document.document_date)).toEqual([
      '2026-01-01',
      '2026-08-15',
      '2026-12-31',
    ]);
    expect(joined.body.bundle.audit_trail).toHaveLength(6);
    expect(joined.body.bundle.compliance_violations).toEqual([
      expect.objectContaining({ rule: 'dates_out_of_order', severity: 'warning', actual: '2026-08-15' }),
    ]);
    const done = await fetched();
    expect(done.status).toBe(200);
    expect(done.body).toMatchObject({ export_id: exportId, status: 'completed', documents_done: 3 });
    expect(done.body.bundle).toEqual(joined.body.bundle);
    const { sha256, ...rest } = done.body.bundle;
    expect(sha256).toBe(createHash('sha256').update(canonicalJson(rest)).digest('hex'));
  }, 60_000);

  it('is one of 93 days; 92 are answered at once', async () => {
    const made = async (): Promise<number> => {
      const { rows } = await books.superuser.query<{ made: number }>(
        'select count(*)::int as made from auditor_exports where client_id = $1',
        [of92.tenant.clientId],
      );
      return rows[0]?.made ?? -1;
    };
    const of92 = await books.keeper();
    await of92.issued({ document_date: '2026-07-01' });
    expect((await of92.exported({ date_from: '2026-07-01', date_to: '2026-09-30' })).status).toBe(200);
    expect(await made()).toBe(0);
    const longer = await of92.exported({ date_from: '2026-07-01', date_to: '2026-10-01' });
    expect({ status: longer.status, documents: longer.body.bundle.documents.length, made: await made() }).toEqual({
      status: 200,
      documents: 1,
      made: 1,
    });
  });

  it('is one export for one key, noted once in the audit trail', async () => {
    const { rows } = await books.superuser.query(
      `select actor_type, subject_id, details from audit_entries where client_id = $1 and action = 'finance.exported'`,
      [tenant.clientId],
    );
    expect(rows).toEqual([
      {
        actor_type: 'user',
        subject_id: exportId,
        details: expect.objectContaining({ date_from: '2026-01-01', format: 'json' }),
      },
    ]);
    const exports = await books.superuser.query('select status from auditor_exports where client_id = $1', [
      tenant.clientId,
    ]);
    expect(exports.rows).toEqual([{ status: 'completed' }]);
  });

  it('leaves a history that tomorrow’s workflow must be able to follow', async () => {
    const client = await api.services.temporal.client();
    const history = await client.workflow.getHandle(`auditor-export/${exportId}`).fetchHistory();
    expect(history.events?.length).toBeGreaterThan(10);
    await recordHistory('export-for-auditor.completed', history);
  });

  it('is also made by the worker where it is short and heavy; heavier than a bundle may be is 422', async () => {
    const fat = (entries: number): Promise<unknown> =>
      books.superuser.query(
        `insert into audit_entries (client_id, actor_type, actor_id, action, subject_type, subject_id, details)
         select $1, 'user', '1', 'invoice.updated', 'finance_document', n::text, jsonb_build_object('notes', repeat('x', 100000))
         from generate_series(1, $2::int) n`,
        [tenant.clientId, entries],
      );
    // The client's day: Johannesburg is two hours ahead of UTC.
    const day = new Date(Date.now() + 2 * 3_600_000).toISOString().slice(0, 10);
    const exported = () => books.exported(tenant, { date_from: day, date_to: day, include: ['audit_trail'] });
    await fat(180);
    const heavy = await exported();
    expect(heavy.status).toBe(200);
    expect(heavy.body.bundle.audit_trail.length).toBeGreaterThan(180);
    const { rows } = await books.superuser.query(`select status from auditor_exports where client_id = $1`, [
      tenant.clientId,
    ]);
    expect(rows).toEqual([{ status: 'completed' }, { status: 'completed' }]);
    await fat(520);
    const tooHeavy = await exported();
    expectRefusal(tooHeavy, 422, 'UNPROCESSABLE_ENTITY');
    expect(tooHeavy.body.error.message).toMatch(/64 MiB/);
  }, 90_000);
});

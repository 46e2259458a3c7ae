import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { statement } from '../../platform/db/statement.ts';
import { TemporalGateway } from '../../platform/temporal.ts';
import { PlatformProcesses } from '../chaos/platform-processes.ts';
import { temporalAddress } from '../support/stack.ts';
import type { SpawnedProcess } from '../support/stack.ts';
import { recordHistory } from '../workflows/histories.ts';
import { billPage, LearningClient } from './vision-learning-support.ts';
import type { Answer, Bill } from './vision-learning-support.ts';

const LESSONS = statement(`select count(*)::int as count from vision_lessons where client_id = $1`);
const SUPPLIER = statement(`
  insert into contacts (client_id, name, contact_type) values ($1, $2, 'supplier') returning id`);
const EXPIRE = statement(`
  update vision_requests set finished_at = now() - interval '31 days' where client_id = $1 and request_id = $2`);

let platform: PlatformProcesses;
let api: SpawnedProcess;

beforeAll(async () => {
  platform = await PlatformProcesses.create({ DOCUMENT_PROCESSES: '1' });
  [api] = await Promise.all([platform.startApi(), platform.startWorker('documents')]);
});
afterAll(() => platform.close());

/** Keeps a run for `replay.test.ts`, when asked to. */
async function keepRun(workflowId: string): Promise<void> {
  const temporal = new TemporalGateway({ address: temporalAddress(), namespace: 'default', taskQueuePrefix: '' });
  const handle = (await temporal.client()).workflow.getHandle(workflowId);
  await recordHistory('learn-correction.validated', await handle.fetchHistory());
  await temporal.close();
}

const clients: LearningClient[] = [];
afterAll(() => Promise.all(clients.map((client) => client.close())));

async function client(slug: string): Promise<LearningClient> {
  const made = await LearningClient.create(platform, api.url, slug);
  clients.push(made);
  return made;
}

const bill = (issuer: Bill['issuer'], n: number): Bill => ({
  issuer,
  number: `${issuer === 'karoo' ? 'KWS' : 'ARC'}/${String(70_310 + n * 211)}/${String(n)}`,
  date: `2026-0${String(1 + n)}-1${String(n)}`,
  total: 1_150 + n * 345,
});

/** A corrected result once its checks are made again. */
async function checkedAgain(of: LearningClient, requestId: string): Promise<Answer> {
  for (;;) {
    const shown = await of.call('GET', `results/${requestId}`);
    if ((shown.body['validation'] as { checks?: unknown }).checks !== undefined) return shown;
    await sleep(100);
  }
}

/** What an extraction says of a bill's number. */
async function numberOf(of: LearningClient, one: Bill): Promise<unknown> {
  const { fields } = await of.extract(await billPage(one), { document_type: 'invoice' });
  return fields['invoice_number']?.value;
}

describe('PATCH /results/{id}', () => {
  it('teaches: the next three documents of the issuer are right in that field; other issuers and other clients see nothing of it', async () => {
    const [teacher, neighbour] = [await client('teacher'), await client('neighbour')];
    const [first, ...next] = [1, 2, 3, 4].map((n) => bill('karoo', n)) as [Bill, ...Bill[]];
    const others = [1, 2].map((n) => bill('atlantic', n));
    const before = await Promise.all(others.map(async (one) => teacher.extract(await billPage(one))));

    const result = await teacher.extract(await billPage(first), { document_type: 'invoice' });
    const wrong = result.fields['invoice_number']?.value;
    expect(wrong).not.toBe(first.number);
    const path = `results/${result.request_id}`;
    const answer = await teacher.call('PATCH', path, { corrections: { invoice_number: first.number } });
    await keepRun(`learn/${(answer.body['meta'] as { request_id: string }).request_id}`);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        success: true,
        request_id: result.request_id,
        corrected_fields: ['invoice_number'],
        fields: { invoice_number: { value: first.number, confidence: 1, corrected: true } },
      },
    });
    const stored = await teacher.call('GET', path);
    expect(stored.body['fields']).toEqual(answer.body['fields']);

    for (const one of next) expect(await numberOf(teacher, one)).toBe(one.number);
    for (const [index, one] of others.entries()) {
      const after = await teacher.extract(await billPage(one));
      expect(after.fields).toEqual(before[index]?.fields);
    }
    expect(await numberOf(neighbour, next[0] as Bill)).not.toBe(next[0]?.number);
  }, 120_000);

  it('what was learned outlives the retention of its result, and goes when somebody deletes that', async () => {
    const pupil = await client('pupil');
    const { clientId, system } = pupil.tenant;
    const [first, second] = [bill('karoo', 5), bill('karoo', 6)];
    const { request_id: id } = await pupil.extract(await billPage(first), { document_type: 'invoice' });
    await pupil.call('PATCH', `results/${id}`, { corrections: { invoice_number: first.number } });
    expect(await numberOf(pupil, second)).toBe(second.number);
    await system.query(EXPIRE, [clientId, id]);
    expect(await system.query(LESSONS, [clientId])).toEqual([{ count: 1 }]);
    expect(await pupil.call('DELETE', `results/${id}`)).toMatchObject({ status: 200 });
    expect(await system.query(LESSONS, [clientId])).toEqual([{ count: 0 }]);
    expect(await numberOf(pupil, second)).not.toBe(second.number);
    expect(await pupil.call('PATCH', `results/${id}`, { corrections: { total: 1 } })).toMatchObject({ status: 404 });
  }, 120_000);

  it('the account that is chosen for a line is suggested for the next line like it, for this client only', async () => {
    const [keeper, other] = [await client('keeper'), await client('other')];
    const line = 'Borehole sleeve refit';
    const options = { document_type: 'invoice', validation: { gl_code_suggestion: true } };
    const suggestion = async (of: LearningClient, n: number) => {
      const file = await billPage({ ...bill('atlantic', n), line });
      return of.extract(file, options);
    };
    const first = await suggestion(keeper, 1);
    expect(first.line_items[0]?.['description']?.value).toBe(line);
    expect(first.validation.gl_code_suggestions?.[0]?.gl_code).not.toBe('5300');
    const corrections = { 'line_items[0].gl_code': '5300' };
    const answer = await keeper.call('PATCH', `results/${first.request_id}`, { corrections });
    expect(answer).toMatchObject({ status: 200, body: { corrected_fields: ['line_items[0].gl_code'] } });
    const shown = await checkedAgain(keeper, first.request_id);
    expect(shown.body).toMatchObject({
      line_items: [{ gl_code: { value: '5300', corrected: true } }],
      validation: { gl_code_suggestions: [{ line: 1, gl_code: '5300', confidence: 1 }] },
    });
    const [again] = (await suggestion(keeper, 2)).validation.gl_code_suggestions ?? [];
    expect(again?.gl_code).toBe('5300');
    expect(again?.confidence).toBeGreaterThanOrEqual(0.8);
    expect((await suggestion(other, 2)).validation.gl_code_suggestions?.[0]?.gl_code).not.toBe('5300');
    const unknown = await keeper.call('PATCH', `results/${first.request_id}`, {
      corrections: { 'line_items[0].gl_code': '99999' },
    });
    expect(unknown.status).toBe(400);
  }, 120_000);

  it('makes the checks again that the call had asked for; a vendor that is a contact’s is that contact’s from then on', async () => {
    const buyer = await client('buyer');
    const [contact] = await buyer.tenant.system.query<{ id: number }>(SUPPLIER, [
      buyer.tenant.clientId,
      'Great Karoo Pumps (Pty) Ltd',
    ]);
    const custom_rules = [{ field: 'total', rule: 'max', value: 2_000 }];
    const validation = { check_vendor_against_master: true, custom_rules };
    const options = { document_type: 'invoice', validation };
    const first = await buyer.extract(await billPage(bill('karoo', 1)), options);
    expect(first.validation).toMatchObject({ vendor_verified: false, rule_results: [{ passed: true }] });
    const corrections = { vendor_name: 'Great Karoo Pumps (Pty) Ltd', total: 2_500 };
    const answer = await buyer.call('PATCH', `results/${first.request_id}`, { corrections });
    const shown = await checkedAgain(buyer, first.request_id);
    expect(shown.body['validation']).toMatchObject({
      checks: expect.arrayContaining([
        expect.objectContaining({ rule: 'subtotal_plus_tax_equals_total', passed: false }),
      ]),
      vendor_verified: true,
      vendor: { contact_id: contact?.id, matched_by: 'name' },
      rule_results: [{ field: 'total', rule: 'max', passed: false }],
    });
    expect(shown.body).toMatchObject({ fields: answer.body['fields'], credits_used: 1 });
    // The answer waits two seconds for them.
    expect([shown.body['validation'], undefined]).toContainEqual(answer.body['validation']);
    const next = await buyer.extract(await billPage(bill('karoo', 2)), options);
    expect(next.validation).toMatchObject({ vendor_verified: true, vendor: { contact_id: contact?.id } });
    const other = await buyer.extract(await billPage(bill('atlantic', 2)), options);
    expect(other.validation).toMatchObject({ vendor_verified: false });
    const { body } = await buyer.call('GET', 'credits');
    expect(body['credits_used_total']).toBe(3);
  }, 120_000);
});

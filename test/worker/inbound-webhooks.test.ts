import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { book, completeRequest, eraseRequest } from '../../domain/vision/index.ts';
import { within } from '../support/within.ts';
import { recordHistory } from '../workflows/histories.ts';
import { call, draftInvoice, ended, issue, makeInbound, processed, reprocess } from './inbound-support.ts';
import { TemplateStand } from './template-stand.ts';
import type { Tenant } from './tenant.ts';

let stand: TemplateStand;
let tenant: Tenant;
beforeAll(async () => {
  stand = await TemplateStand.start();
  tenant = stand.tenant;
});
afterAll(() => stand.close());

async function eventNames(like: string): Promise<unknown[]> {
  const rows = await stand.rows(
    'select name from events where client_id = $1 and name like $2 order by id',
    tenant.clientId,
    like,
  );
  return rows.map(({ name }) => name);
}

async function recordRun(id: string, name: string): Promise<void> {
  const handle = stand.client.workflow.getHandle(id);
  await handle.result();
  await recordHistory(name, await handle.fetchHistory());
}

describe('payment_notification', () => {
  it('settles its invoice, once, however often the bank tells of it', async () => {
    const webhook = await makeInbound(tenant, 'payment_notification');
    const invoice = await issue(tenant, await draftInvoice(tenant));
    const body = { transaction_id: 'FNB-1', amount: 1_150, currency: 'ZAR', document_number: invoice.document_number };
    const calls = await Promise.all(Array.from({ length: 5 }, () => processed(tenant, webhook, body)));
    expect(calls.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'processed'));
    const payments = new Set(calls.map(({ result }) => result?.['payment_id']));
    expect(payments.size).toBe(1);
    expect(calls.filter(({ result }) => result?.['repeats_receipt_id'] === undefined)).toHaveLength(1);
    expect(calls[0]?.result).toMatchObject({ document_id: invoice.id, document_status: 'paid', amount_due: 0 });
    expect(await eventNames('%paid')).toEqual(['invoice.paid']);
    expect(await eventNames('payment.%')).toEqual(['payment.received']);
    await recordRun(`inbound/${calls[0]?.id ?? ''}`, 'process-inbound-webhook.processed');
  });

  it('that cannot be booked says why, and can be processed again once it can', async () => {
    const webhook = await makeInbound(tenant, 'payment_notification');
    const draft = await draftInvoice(tenant);
    const failed = await processed(tenant, webhook, { transaction_id: 'FNB-2', amount: 150, document_id: draft.id });
    expect(failed).toMatchObject({ status: 'failed', result: null, error_message: expect.stringContaining('draft') });
    await recordRun(`inbound/${failed.id}`, 'process-inbound-webhook.failed');
    await issue(tenant, draft);
    await reprocess(tenant, webhook, failed.id);
    const again = await ended(tenant, webhook, failed.id);
    expect(again).toMatchObject({ status: 'processed', processing_round: 2, error_message: null });
    expect(again.result).toMatchObject({ document_status: 'partially_paid', amount_due: 1_000 });
  });

  it.each([
    ['an unknown number', { document_number: 'INV-999999' }, 'there is no invoice INV-999999'],
    ['an unknown id', { document_id: 999_999 }, 'no invoice 999999'],
    ['another currency', { currency: 'EUR' }, 'the document is in ZAR'],
    ['too much', { amount: 2_000 }, 'more than the 1150'],
  ])('fails with %s', async (_, change, reason) => {
    const webhook = await makeInbound(tenant, 'payment_notification');
    const { id } = await issue(tenant, await draftInvoice(tenant));
    const hasOther = 'document_number' in change;
    const body = { transaction_id: randomUUID(), amount: 1_150, ...(hasOther ? {} : { document_id: id }), ...change };
    expect(await processed(tenant, webhook, body)).toMatchObject({
      status: 'failed',
      error_message: expect.stringContaining(reason),
    });
  });
});

/** The call of Document AI that is open, once there is one. */
function openCall(): Promise<string> {
  return within(10_000, async () => {
    const [request] = await stand.rows(
      `select request_id from vision_requests where client_id = $1 and status in ('queued', 'running')`,
      tenant.clientId,
    );
    return String(request!['request_id']);
  });
}

describe('supplier_invoice', () => {
  it('becomes one draft bill of the supplier that is known', async () => {
    const webhook = await makeInbound(tenant, 'supplier_invoice');
    const [contact] = await stand.rows(
      `insert into contacts (client_id, name, contact_type, tax_number) values ($1, 'Pump Parts', 'supplier', '4123') returning id`,
      tenant.clientId,
    );
    const body = {
      supplier_name: 'Pump Parts (Pty) Ltd',
      supplier_tax_number: '4123',
      invoice_number: 'PP-1',
      lines: [{ description: 'Seal kit', quantity: 2, unit_price: 450, tax_rate: 15 }],
    };
    const first = await processed(tenant, webhook, body);
    expect(first.result).toMatchObject({ document_type: 'bill', contact_id: contact?.['id'], total: 1_035 });
    const second = await processed(tenant, webhook, body);
    expect(second.result).toMatchObject({ repeats_receipt_id: first.id, document_id: first.result?.['document_id'] });
    expect(await eventNames('bill.%')).toEqual(['bill.created']);
  });

  it('of a file is a bill of what Document AI has read', async () => {
    const webhook = await makeInbound(tenant, 'supplier_invoice');
    const grant = { clientId: tenant.clientId, reference: 'test', step: 'grant', amount: 1 } as const;
    await tenant.system.transaction((tx) => book(tx, grant));
    const id = await call(tenant, webhook, { file_base64: 'QUJD', supplier_name: 'Cold Parts' });
    const requestId = await openCall();
    const value = (text: unknown) => ({
      value: text,
      confidence: 0.9,
      bbox: { x: 0, y: 0, width: 1, height: 1, page: 1 },
    });
    const read = {
      document_type: 'bill',
      document_type_confidence: 0.9,
      fields: { invoice_number: value('CP-7'), subtotal: value(200), tax: value(30), total: value(230) },
      line_items: [],
    };
    await completeRequest(tenant.tenants, tenant.clientId, requestId, read, Date.now());
    const receipt = await ended(tenant, webhook, id);
    expect(receipt.result).toMatchObject({ document_type: 'bill', total: 230, vision_request_id: requestId });
  });

  it('fails when its file is deleted from Document AI, instead of waiting for it', async () => {
    const webhook = await makeInbound(tenant, 'supplier_invoice');
    const grant = { clientId: tenant.clientId, reference: 'test deleted', step: 'grant', amount: 1 } as const;
    await tenant.system.transaction((tx) => book(tx, grant));
    const id = await call(tenant, webhook, { file_base64: 'QUJD', supplier_name: 'Cold Parts' });
    const requestId = await openCall();
    await tenant.tenants.transaction(tenant.clientId, (tx) => eraseRequest(tx, tenant.caller, requestId));
    const { status, error_message } = await ended(tenant, webhook, id);
    expect({ status, error_message }).toEqual({ status: 'failed', error_message: expect.stringContaining(requestId) });
  });

  it('needs a finance tier with bills', async () => {
    const webhook = await makeInbound(tenant, 'supplier_invoice');
    const body = { supplier_name: 'P', lines: [{ description: 'Kit', unit_price: 1 }] };
    await stand.rows(`update clients set finance_tier = 'basic' where id = $1`, tenant.clientId);
    try {
      const [plain, file] = [
        await processed(tenant, webhook, body),
        await processed(tenant, webhook, { file_base64: 'QUJD' }),
      ];
      expect(plain.error_message).toContain('does not include bills');
      expect(file.error_message).toContain('does not include bills');
    } finally {
      await stand.rows(`update clients set finance_tier = 'full' where id = $1`, tenant.clientId);
    }
  });
});

describe('locations', () => {
  it('are kept once each', async () => {
    const one = await makeInbound(tenant, 'vehicle_location');
    const many = await makeInbound(tenant, 'fleet_webview');
    const at = (recorded_at: string) => ({ vehicle_id: 'T-1', latitude: -26.2, longitude: 28, recorded_at });
    expect((await processed(tenant, one, at('2026-11-21T08:00:00Z'))).result).toEqual({ stored: 1, already_known: 0 });
    const vehicles = [at('2026-11-21T08:00:00Z'), at('2026-11-21T10:05:00+02:00'), at('2026-11-21T08:05:00')];
    expect((await processed(tenant, many, { vehicles })).result).toEqual({ stored: 1, already_known: 2 });
  });
});

describe('data_sync', () => {
  it('finds contacts by external id, then by e-mail, and makes the rest', async () => {
    const webhook = await makeInbound(tenant, 'data_sync');
    const sync = async (...contacts: object[]) => (await processed(tenant, webhook, { contacts })).result;
    const made = await sync(
      { external_id: 'A', name: 'Ann', email: 'Ann@x.example' },
      { external_id: 'B', name: 'Bob' },
      { name: 'Ann again', email: 'ann@X.example' },
    );
    expect(made).toMatchObject({ created: 2, matched: 1, contact_ids: [expect.any(Number), expect.any(Number)] });
    const [ann, bob] = made?.['contact_ids'] as number[];
    const next = await sync(
      { external_id: 'A', name: 'Anna', phone: '1' },
      { external_id: 'C', name: 'Bob', email: 'b@x.example' },
    );
    expect(next).toMatchObject({ created: 1, matched: 1 });
    const rows = await stand.rows('select name, email, phone from contacts where id = $1', ann);
    expect(rows).toEqual([{ name: 'Anna', email: 'ann@X.example', phone: '1' }]);
    await stand.rows('update contacts set deleted_at = now() where id = $1', bob);
    expect(await sync({ external_id: 'B', name: 'Bob anew' })).toMatchObject({ created: 1, matched: 0 });
    expect(await sync({ external_id: 'B', name: 'Bob anew' })).toMatchObject({ created: 0, matched: 1 });
  });
});

describe('messages', () => {
  it('reach the users in their threads', async () => {
    const notification = await makeInbound(tenant, 'notification');
    const told = await processed(tenant, notification, { message: 'The cold room is warm.' });
    const [thread] = await stand.rows('select subject from threads where thread_id = $1', told.result?.['thread_id']);
    expect(thread).toEqual({ subject: 'Inbound' });
    const unknown = await processed(tenant, notification, { message: 'm', user_ids: [999] });
    expect(unknown).toMatchObject({ status: 'failed', error_message: expect.stringContaining('no active user 999') });

    const whatsapp = await makeInbound(tenant, 'whatsapp_message');
    const from = { from: '+27825550101', from_name: 'Thandi' };
    const [a, b, c, d] = [
      await processed(tenant, whatsapp, { ...from, text: 'one', message_id: 'w1' }),
      await processed(tenant, whatsapp, { ...from, text: 'two', media_urls: ['https://x.example/a.jpg'] }),
      await processed(tenant, whatsapp, { ...from, text: 'one', message_id: 'w1' }),
      await processed(tenant, whatsapp, { from: '+27825550102', text: 'other' }),
    ];
    const threadId = a.result?.['thread_id'];
    expect(b.result?.['thread_id']).toBe(threadId);
    expect(c.result?.['repeats_receipt_id']).toBe(a.id);
    expect(d.result?.['thread_id']).not.toBe(threadId);
    const messages = await stand.rows('select body from thread_messages where thread_id = $1 order by id', threadId);
    expect(messages).toEqual([{ body: 'one' }, { body: 'two\nhttps://x.example/a.jpg' }]);
  });
});

describe('custom', () => {
  it('starts the workflow template that waits on it, and no other', async () => {
    const [webhook, other] = [await makeInbound(tenant, 'custom'), await makeInbound(tenant, 'custom')];
    const config = (id: string) => ({
      inbound_webhook_id: id,
      condition: { 'receipt.body.level': 3 },
      steps: [{ type: 'create_item', item: { item_type: 'ticket', title: 'Alarm at {{ receipt.body.site }}' } }],
    });
    const waiting = await stand.template(config(webhook.id), { trigger_type: 'webhook' });
    const elsewhere = await stand.template(config(other.id), { trigger_type: 'webhook' });
    await processed(tenant, webhook, { site: 'north', level: 1 });
    expect((await processed(tenant, webhook, { site: 'north', level: 3 })).status).toBe('processed');
    const run = await stand.onlyRun(waiting);
    const [item] = await stand.rows('select title from work_items where client_id = $1', tenant.clientId);
    expect(item).toEqual({ title: 'Alarm at north' });
    expect(run.status).toBe('completed');
    expect(await stand.runsOf(elsewhere)).toEqual([]);
    await expect(stand.template(config(randomUUID()), { trigger_type: 'webhook' })).rejects.toThrow(
      /config.inbound_webhook_id: there is no inbound webhook/,
    );
  });
});

it('a worker killed in the middle of it all leaves each effect once', async () => {
  const webhook = await makeInbound(tenant, 'payment_notification');
  const invoice = await issue(tenant, await draftInvoice(tenant));
  const ids = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      call(tenant, webhook, { transaction_id: `K-${String(index)}`, amount: 10, document_id: invoice.id }),
    ),
  );
  await stand.worker.kill9();
  await stand.startWorker();
  for (const id of ids) expect(await ended(tenant, webhook, id, 100_000)).toMatchObject({ status: 'processed' });
  const [paid] = await stand.rows(
    'select count(*) as payments, sum(amount_minor) as minor from payments where document_id = $1',
    invoice.id,
  );
  expect(paid).toEqual({ payments: 40, minor: expect.anything() });
  expect(Number(paid?.['minor'])).toBe(40_000);
}, 150_000);

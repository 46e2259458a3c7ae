import { afterAll, beforeAll, it } from '@jest/globals';
import { startApi } from './support.ts';
import { FinanceDesk, refOf } from './finance-support.ts';
let api: any, desk: FinanceDesk;
beforeAll(async () => { api = await startApi({ RATE_LIMIT_DISABLED: 'true' }); desk = new FinanceDesk(api, await api.acme.key()); });
afterAll(() => api.close());
const out: string[] = [];
const say = (name: string, a: any) => out.push(`${name}: ${a.status} ${JSON.stringify(a.body?.error ?? a.body?.data ?? a.body).slice(0, 260)}`);
it('hostile', async () => {
  const L = (o: any = {}) => [{ description: 'x', quantity: 1, unit_price: 100, tax_rate: 15, ...o }];
  say('date 0000', await desk.create({ document_date: '0000-01-01' }));
  say('date 0001', await desk.create({ document_date: '0001-01-01' }));
  say('date 9999', await desk.create({ document_date: '9999-12-31', due_date: '9999-12-31' }));
  say('due 0000', await desk.create({ document_date: '0000-01-01', due_date: '0000-01-02' }));
  say('list from 0000', await desk.act('list-invoices', { date_from: '0000-01-01' }));
  say('list search from 0000', await desk.act('list-invoices', { date_from: '0000-01-01', search: 'a' }));
  say('list-payments 0000', await desk.act('list-payments', { date_from: '0000-01-01' }));
  say('list-payments contact big', await desk.act('list-payments', { contact_id: 3000000000 }));
  say('list-payments doc big', await desk.act('list-payments', { document_id: Number.MAX_SAFE_INTEGER }));
  say('list-invoices contact big', await desk.act('list-invoices', { contact_id: 3000000000 }));
  say('get big', await desk.act('get-finance-document', { document_type: 'invoice', document_id: Number.MAX_SAFE_INTEGER }));
  say('invoice_id big', await desk.create({ document_type: 'credit_note', invoice_id: Number.MAX_SAFE_INTEGER }));
  say('NUL', await desk.create({ contact_name: 'a\u0000b' }));
  say('NUL line', await desk.create({ lines: L({ description: 'a\u0000b' }) }));
  say('NUL custom', await desk.create({ custom_fields: { a: '\u0000' } }));
  say('NUL custom key', await desk.create({ custom_fields: { '\u0000': 1 } }));
  say('NUL search', await desk.act('list-invoices', { search: '\u0000' }));
  const raw = (body: string) => api.http().post('/api/v1/public/data').set('X-API-Key', desk.key).set('content-type', 'application/json').send(body);
  say('surrogate name', await raw('{"action":"create-finance-document","document_type":"invoice","contact_name":"a\\ud800b","lines":[{"description":"x","unit_price":1}]}'));
  say('surrogate line', await raw('{"action":"create-finance-document","document_type":"invoice","contact_name":"ab","lines":[{"description":"x\\ud800","unit_price":1}]}'));
  say('surrogate custom', await raw('{"action":"create-finance-document","document_type":"invoice","contact_name":"ab","custom_fields":{"a":"\\udc00"},"lines":[{"description":"x","unit_price":1}]}'));
  say('proto custom', await raw('{"action":"create-finance-document","document_type":"invoice","contact_name":"ab","custom_fields":{"__proto__":{"a":1},"constructor":1},"lines":[{"description":"x","unit_price":1}]}'));
  say('1e308', await raw('{"action":"create-finance-document","document_type":"invoice","contact_name":"ab","lines":[{"description":"x","unit_price":1e308}]}'));
  say('-0', await raw('{"action":"create-finance-document","document_type":"invoice","contact_name":"ab","lines":[{"description":"x","quantity":-0,"unit_price":-0,"tax_rate":-0,"discount_percent":-0}]}'));
  say('surrogate search', await raw('{"action":"list-invoices","search":"a\\ud800"}'));
  say('big', await desk.create({ lines: L({ quantity: 1e9, unit_price: 1e9 }) }));
  say('KWD big', await desk.create({ currency: 'KWD', lines: L({ quantity: 999, unit_price: 999999999.999, tax_rate: 0 }) }));
  say('neg total', await desk.create({ lines: L({ unit_price: -1 }) }));
  say('neg line ok', await desk.create({ lines: [...L(), ...L({ unit_price: -50, tax_rate: 0, discount_percent: 10 })] }));
  say('JPY', await desk.create({ currency: 'JPY', lines: L({ unit_price: 0.5, quantity: 1 }) }));
  // flows
  const inv: any = await desk.issued({ lines: L({ unit_price: 100, tax_rate: 0 }) });
  say('pay 60', await desk.pay(inv, 60));
  const cn: any = (await desk.convert(inv, 'credit_note')).body.data;
  say('update cn', await desk.act('update-finance-document', { ...refOf(cn), lines: L({ unit_price: 40, tax_rate: 0 }) }));
  const ev = await desk.eventsOf(() => desk.issue(cn));
  out.push('cn events ' + JSON.stringify(ev.map((e: any) => [e.name, e.data.document.status, e.data.document.amount_due])));
  say('pay again', await desk.pay(inv, 1));
  const pays: any = (await desk.act('list-payments', { document_id: inv.id })).body.data.payments;
  say('refund', await desk.act('refund-payment', { payment_id: pays[0].id }));
  say('pay 60 again', await desk.pay(inv, 60, { payment_date: '0000-01-01' }));
  say('pay 60 again', await desk.pay(inv, 60, { payment_date: '2026-01-01' }));
  // quote paid -> convert -> refund on draft -> delete draft
  const q: any = await desk.issued({ document_type: 'quote', lines: L({ unit_price: 100, tax_rate: 0 }) });
  const p1: any = (await desk.pay(q, 30)).body.data.payment;
  const p2 = await desk.pay(q, 10, { status: 'failed', failure_reason: 'no' });
  const qi: any = (await desk.convert(q, 'invoice')).body.data;
  say('pay draft', await desk.pay(qi, 1));
  say('refund on draft', await desk.act('refund-payment', { payment_id: p1.id }));
  say('delete draft', await desk.act('delete-finance-document', refOf(qi)));
  say('payments of gone doc', await desk.act('list-payments', { document_id: qi.id }));
  say('quote now', { status: 200, body: { data: (({ status, amount_paid }: any) => ({ status, amount_paid }))(await desk.get(q)) } });
  // export hostile
  const ex = async (b: any) => api.http().post('/api/v1/finance/auditor-export').auth(await api.acme.token('auditor'), { type: 'bearer' }).send(b);
  say('ex 0000', await ex({ date_from: '0000-01-01', date_to: '0000-01-31' }));
  say('ex 9999', await ex({ date_from: '9999-12-01', date_to: '9999-12-31' }));
  say('ex 0001', await ex({ date_from: '0001-01-01', date_to: '0001-01-31' }));
  say('pdf bad locale', await desk.act('generate-finance-document-pdf', { ...refOf(inv), locale: 'x' }));
  say('pdf locale u', await desk.act('generate-finance-document-pdf', { ...refOf(inv), locale: 'en-u-nu-arab-ca-islamic' }));
  const slow = async (name: string, doc: any) => { const t = Date.now(); const a = await desk.act('generate-finance-document-pdf', refOf(doc)); out.push(`${name}: ${a.status} ${Date.now() - t}ms size ${a.body.data?.size}`); };
  const d500: any = await desk.draft({ lines: Array.from({ length: 450 }, (_, i) => ({ description: 'W'.repeat(2000), unit_price: 1 })) });
  await slow('450 x 2000 W', d500);
  const d2: any = await desk.draft({ notes: '\n'.repeat(5000), terms: 'Ж '.repeat(2500), contact_address: 'a\n'.repeat(500) });
  await slow('newlines', d2);
  const t0 = Date.now();
  const many = await Promise.all(Array.from({ length: 100 }, () => desk.draft({ document_type: 'quote' })));
  const issued = await Promise.all(many.map((m: any) => desk.issue(m)));
  out.push('100 issues ' + JSON.stringify(Object.entries(Object.groupBy(issued, (r: any) => String(r.status))).map(([k, v]: any) => [k, v.length])) + (Date.now() - t0) + 'ms');
  // storm
  for (let round = 0; round < 8; round++) {
    const i: any = await desk.issued({ lines: L({ unit_price: 100, tax_rate: 0 }) });
    const c: any = await desk.draft({ document_type: 'credit_note', invoice_id: i.id, lines: L({ unit_price: 40, tax_rate: 0 }) });
    const c2: any = await desk.draft({ document_type: 'credit_note', invoice_id: i.id, lines: L({ unit_price: 70, tax_rate: 0 }) });
    const pay0: any = (await desk.pay(i, 20)).body.data.payment;
    const rs = await Promise.all([desk.pay(i, 50), desk.issue(c), desk.issue(c2), desk.pay(i, 30), desk.act('refund-payment', { payment_id: pay0.id }), desk.convert(i, 'credit_note'), desk.convert(i, 'delivery_note'), desk.act('delete-finance-document', refOf(c)), desk.act('refund-payment', { payment_id: pay0.id }), desk.pay(i, 50),
      desk.act('cancel-finance-document', refOf(i))]);
    out.push('storm ' + rs.map((r: any) => r.status).join(' ') + JSON.stringify((({ status, amount_paid, amount_credited, amount_due }: any) => ({ status, amount_paid, amount_credited, amount_due }))(await desk.get(i))));
    const qq: any = await desk.issued({ document_type: 'quote', lines: L() });
    const pq: any = (await desk.pay(qq, 20)).body.data.payment;
    const conv: any = (await desk.convert(qq, 'purchase_order')).body.data;
    const rs2 = await Promise.all([desk.pay(qq, 5), desk.convert(qq, 'invoice'), desk.act('refund-payment', { payment_id: pq.id }), desk.act('cancel-finance-document', refOf(qq)), desk.act('delete-finance-document', refOf(conv)), desk.convert(qq, 'purchase_order'), desk.convert(qq, 'invoice'), desk.issue(conv), desk.act('update-finance-document', { ...refOf(conv), lines: L({ unit_price: 3 }) })]);
    out.push('storm2 ' + rs2.map((r: any) => r.status + (r.status >= 409 ? r.body.error.message : '')).join(' | '));
  }
  const rep: any = await ex({ date_from: '2026-11-01', date_to: '2026-12-31' });
  out.push('violations ' + JSON.stringify(rep.body.bundle?.compliance_violations?.slice(0, 5)) + JSON.stringify(rep.body.bundle?.audit_seals));
}, 180000);
afterAll(() => { require_write(); });
import { writeFileSync } from 'node:fs';
function require_write() { writeFileSync('/tmp/review-b.out', out.join('\n')); }

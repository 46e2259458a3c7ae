import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { openApiDocument } from '../../api/adapters/openapi.ts';
import { actions } from '../../api/registry.ts';
import { CUSTOM_EVENTS } from '../../domain/contracts/event-names.ts';
import { EVENT_FAMILIES } from '../../domain/contracts/event-catalogue.ts';
import { completeRequest, failRequest, openRequest } from '../../domain/vision/index.ts';
import { statement } from '../../platform/db/statement.ts';
import { startApi } from '../api/support.ts';
import type { ApiFixture } from '../api/support.ts';
import { cases } from './action-cases.ts';
import { World } from './world.ts';

const EVENTS = statement(`select name, data from events where client_id = $1`);
const ONE_PAGE = statement(`update vision_requests set pages_total = 1 where request_id = $1`);

interface Sent extends Record<string, unknown> {
  name: string;
  data: Record<string, unknown>;
}

const AUDITED = statement(
  `select count(*) as entries from audit_entries where client_id = $1 and actor_type = 'user' and actor_id is not null`,
);
/** Changes over REST that left no trace of who made them. */
const unaudited: string[] = [];

let api: ApiFixture;
let world: World;
let sent: Sent[];

/** What a REST call as the owner answers; it must succeed. */
async function call(
  method: 'post' | 'put' | 'patch' | 'delete',
  path: string,
  body?: object,
): Promise<{ data: Record<string, unknown> }> {
  const token = await world.tenant.token();
  const request = api.http()[method](`/api/v1${path}`).set('Authorization', `Bearer ${token}`);
  const before = await audited();
  const { status, text, body: answer } = await (body === undefined ? request : request.send(body));
  if (status >= 300) throw new Error(`${method} ${path} was refused: ${text}`);
  if ((await audited()) === before) unaudited.push(`${method} ${path}`);
  return answer as { data: Record<string, unknown> };
}

/** How many entries of users the audit trail has. */
async function audited(): Promise<number> {
  const [row] = await api.services.system.query<{ entries: number }>(AUDITED, [world.tenant.clientId]);
  return row?.entries ?? 0;
}

/** What no action does. */
async function restOnly(): Promise<void> {
  const item = await world.item();
  const of = `/work-items/${item}`;
  const { id } = await world.does('create-comment', { work_item_id: item, body: 'Seals ordered' });
  await call('put', `${of}/comments?comment_id=${String(id)}`, { body: 'Seals are here' });
  await call('patch', `${of}/comments/${String(id)}`, { is_internal: true });
  await call('delete', `${of}/comments?comment_id=${String(id)}`);
  const token = await world.tenant.token();
  const upload = api.http().post(`/api/v1${of}/attachments`).set('Authorization', `Bearer ${token}`);
  expect((await upload.attach('file', Buffer.from('4711'), 'pump.txt')).status).toBe(201);
  await call('delete', `/contacts/${String(await world.contact())}`);
  const fields = [
    { field_key: 'state', field_label: 'State', field_type: 'text' },
    { field_key: 'photo', field_label: 'Photo', field_type: 'file' },
  ];
  await call('post', '/forms', { form_key: 'state', form_name: 'State', fields });
  const photo = { file_name: 'p.txt', content_base64: Buffer.from('x').toString('base64') };
  await call('post', '/forms/submissions', { form_key: 'state', data: { state: 'good', photo } });
  for (const action of ['clock_in', 'break_start', 'break_end', 'clock_out']) {
    await call('post', '/time-attendance/clock', { action });
  }
}

/** Every type of work item and document through its life, beside what the cases of the actions do. */
async function everyType(): Promise<void> {
  for (const item_type of ['task', 'ticket', 'project', 'milestone', 'job']) {
    const work_item_id = await world.item({ item_type });
    await world.does('close-work-item', { work_item_id });
    await world.does('delete-work-item', { work_item_id });
  }
  for (const type of ['quote', 'credit_note', 'bill', 'purchase_order', 'delivery_note', 'invoice']) {
    const draft = await world.document(type);
    await world.does('update-finance-document', { ...draft, notes: 'By the end of the week' });
    await world.does('issue-finance-document', draft);
    if (!['quote', 'bill', 'invoice'].includes(type)) continue;
    await world.does('record-finance-payment', { ...draft, amount: 50, status: 'failed', failure_reason: 'No funds' });
    await world.does('record-finance-payment', { ...draft, amount: 200 });
  }
  for (const [source_type, target_type] of [
    ['invoice', 'delivery_note'],
    ['purchase_order', 'bill'],
  ] as const) {
    const { document_id } = await world.issued(source_type);
    await world.does('convert-finance-document', { source_type, source_id: document_id, target_type });
  }
}

/** What the engine would do with two files, one of which it can't read. */
async function documents(): Promise<void> {
  const { tenants, clock } = api.services;
  const { clientId } = world.tenant;
  const [read, refused] = [await extraction(), await extraction()];
  const field = { value: 1164.38, confidence: 0.9, bbox: { x: 1, y: 2, width: 3, height: 4, page: 1 } };
  const found = { document_type: 'invoice', document_type_confidence: 0.9, fields: { total: field }, line_items: [] };
  await completeRequest(tenants, clientId, read, found, clock.now());
  await failRequest(tenants, clientId, refused, { code: 'ENCRYPTED', message: 'It is encrypted.' }, clock.now());
}

async function extraction(): Promise<string> {
  const requestId = randomUUID();
  const { tenants, system, clock } = api.services;
  const { clientId, caller } = world.tenant;
  const request = { requestId, operation: 'extract' as const, options: {}, sourceBlob: 'none', isAsync: true };
  await tenants.transaction(clientId, (tx) => openRequest(tx, caller, { ...request, now: clock.now() }));
  await system.query(ONE_PAGE, [requestId]);
  return requestId;
}

/** A webhook that proves itself, another that is tested, and one that is called. */
async function webhooks(): Promise<void> {
  const endpoint_url = 'http://127.0.0.1:9/hook';
  const settings = { name: 'Any', endpoint_url, events: ['job.created'] };
  await call('post', '/work-items/webhooks', { ...settings, require_verification: true });
  const { data } = await call('post', '/work-items/webhooks', settings);
  await call('post', `/work-items/webhooks/${String(data.id)}/test`, { event: 'webhook.test', data: { hello: 'you' } });
  const inbound = { name: 'Bank', webhook_type: 'custom', auth_method: 'none' };
  const made = await call('post', '/integrations/inbound-webhooks', inbound);
  const told = await api
    .http()
    .post(`/api/v1/webhooks/inbound/${String(made.data.id)}`)
    .send({ said: 'this' });
  expect(told.status).toBe(200);
}

beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
  world = await World.of(api, 'sender');
  for (const [name, action] of actions) {
    if (action.effects !== 'read') await world.does(name, await cases[name]!.input(world));
  }
  await restOnly();
  await everyType();
  await documents();
  await webhooks();
  sent = await api.services.system.query<Sent>(EVENTS, [world.tenant.clientId]);
}, 120_000);
afterAll(() => api.close());

/** No document of ours converts to these; no model can be trained yet. */
const NEVER = [
  ...['credit_note.converted', 'bill.converted', 'delivery_note.converted'],
  ...['vision.model.ready', 'vision.model.failed'],
];

it('every change over REST is in the audit trail, with the user who made it', () => {
  expect(unaudited).toEqual([]);
});

function isOf(name: string, events: readonly string[]): boolean {
  return events.includes(name.startsWith('custom.') ? CUSTOM_EVENTS : name);
}

it('every event that the document describes happens', () => {
  const described = EVENT_FAMILIES.flatMap(({ events }) => events);
  const missing = described.filter((event) => !sent.some(({ name }) => isOf(name, [event])));
  expect(missing.filter((event) => !NEVER.includes(event))).toEqual([]);
});

it.each(EVENT_FAMILIES.map(({ id, events }) => [id, events] as const))('%s: its data is as described', (id, events) => {
  const document = openApiDocument('https://api.business.test');
  const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true });
  (formats as unknown as (ajv: Ajv2020) => void)(ajv);
  ajv.addSchema(document, 'openapi');
  const $ref = `openapi#/webhooks/${id}/post/requestBody/content/application~1json/schema/properties/data`;
  const validate = ajv.compile({ $ref });
  const ofFamily = sent.filter(({ name }) => isOf(name, events));
  const wrong = ofFamily.flatMap(({ name, data }) => (validate(data) ? [] : [{ name, errors: validate.errors }]));
  expect(wrong).toEqual([]);
});

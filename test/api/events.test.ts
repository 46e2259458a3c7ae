import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { statement } from '../../platform/db/statement.ts';
import { startApi } from './support.ts';
import type { ApiFixture } from './support.ts';

const EVENT_OF = statement(`select event_id from events where client_id = $1 and name = $2 order by id desc limit 1`);
const INSERT_DELIVERY = statement(`
  insert into deliveries (client_id, webhook_id, event_id, event_type, lane, status) values ($1, 4, $2, 'job.created', 'x', 'success')`);

let api: ApiFixture;
let token: string;
let item: { id: number; work_item_id: string };

beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
  token = await api.acme.token('admin');
  const key = await api.acme.key(['*']);
  const made = await api.act(key, { action: 'create-work-item', item_type: 'job', title: 'Pump', priority: 'high' });
  item = made.body.data as typeof item;
  await api.act(key, { action: 'create-contact', name: 'Kruger Farms' });
});
afterAll(() => api.close());

function get(path: string, as = token): Promise<Response> {
  return api.http().get(`/api/v1${path}`).set('Authorization', `Bearer ${as}`);
}

function preview(body: object, as = token): Promise<Response> {
  return api
    .http()
    .post('/api/v1/work-items/webhooks/template-preview')
    .set('Authorization', `Bearer ${as}`)
    .send(body);
}

async function eventId(name: string): Promise<string> {
  const [row] = await api.services.system.query<{ event_id: string }>(EVENT_OF, [api.acme.clientId, name]);
  return row?.event_id ?? '';
}

function names({ body }: Response): string[] {
  return (body.data as { event: string }[]).map(({ event }) => event);
}

describe('GET /events', () => {
  it('lists what happened, newest first, without the data', async () => {
    const answer = await get('/events');
    expect(answer.status).toBe(200);
    expect(names(answer)).toEqual(['contact.created', 'job.created']);
    expect(answer.body.data[1]).toMatchObject({ event_id: await eventId('job.created'), work_item_id: item.id });
    expect(answer.body.meta.pagination).toEqual({ total: 2, limit: 50, offset: 0 });
  });

  it('filters by name, time, and work item, whichever id it is named by', async () => {
    expect(names(await get('/events?event=job.created'))).toEqual(['job.created']);
    expect(names(await get(`/events?work_item_id=${item.work_item_id}`))).toEqual(['job.created']);
    expect(names(await get(`/events?work_item_id=${String(item.id)}`))).toEqual(['job.created']);
    expect(names(await get('/events?work_item_id=JOB-000001'))).toEqual(['job.created']);
    expect(names(await get('/events?work_item_id=JOB-000999'))).toEqual([]);
    expect(names(await get(`/events?work_item_id=${randomUUID()}`))).toEqual([]);
    expect(names(await get('/events?to=2020-01-01'))).toEqual([]);
    expect(names(await get('/events?from=2020-01-01&limit=1&offset=1'))).toEqual(['job.created']);
  });

  it('is for owners and admins, each of its own client', async () => {
    const [member, other] = await Promise.all([api.acme.token('member'), api.rival.token('owner')]);
    const refused = await get('/events', member);
    expect([refused.status, refused.body.error.code]).toEqual([403, 'FORBIDDEN']);
    expect(names(await get('/events', other))).toEqual([]);
  });
});

describe('GET /events/{event_id}', () => {
  it('has the data and the deliveries', async () => {
    const id = await eventId('job.created');
    await api.services.system.query(INSERT_DELIVERY, [api.acme.clientId, id]);
    const { status, body } = await get(`/events/${id}`);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ event: 'job.created', data: { work_item: { title: 'Pump' } } });
    expect(body.data.deliveries).toMatchObject([{ webhook_id: 4, status: 'success', delivered_at: null }]);
  });

  it("does not know another client's", async () => {
    const id = await eventId('job.created');
    expect((await get(`/events/${id}`, await api.rival.token('owner'))).status).toBe(404);
    expect((await get(`/events/${randomUUID()}`)).status).toBe(404);
  });
});

describe('GET /event-types', () => {
  it('lists every event with schema and sample', async () => {
    const { status, body } = await get('/event-types?limit=100');
    expect(status).toBe(200);
    expect(body.meta.pagination.total).toBe(83);
    expect(body.data[0]).toMatchObject({ event: 'job.created', is_available: true, schema: { type: 'object' } });
    expect(body.data[0].sample_payload.data.work_item.item_type).toBe('job');
  });

  it('tells what the finance tier leaves out', async () => {
    const free = await get('/event-types?event=invoice.paid', await api.rival.token('owner'));
    expect(free.body.data).toMatchObject([{ event: 'invoice.paid', is_available: false }]);
    expect((await get('/event-types?event=invoice.paid')).body.data[0].is_available).toBe(true);
    expect((await get('/event-types?event=webhook.verification')).body.data[0].is_available).toBe(false);
  });
});

describe('POST /work-items/webhooks/template-preview', () => {
  it('shows the sample and what the template makes of it, at the top level', async () => {
    const template = { mode: 'template', template: { text: '{{ event }}: {{ data.work_item.title }}' } };
    const { status, body } = await preview({ event: 'job.created', template });
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual([
      'event',
      'matches',
      'meta',
      'rendered_payload',
      'sample_payload',
      'success',
    ]);
    expect(body).toMatchObject({
      success: true,
      event: 'job.created',
      sample_payload: { event: 'job.created', version: '2026-07-01', metadata: { client_id: api.acme.clientId } },
      rendered_payload: { text: 'job.created: Replace the pump at the north gate' },
      matches: null,
    });
  });

  it('takes a stored event, and a filter', async () => {
    const stored = {
      event: 'job.created',
      event_id: await eventId('job.created'),
      template: { mode: 'fields', fields: ['data.work_item.title'] },
    };
    const { body } = await preview({ ...stored, filter: { 'data.work_item.priority': 'high' } });
    expect(body).toMatchObject({ rendered_payload: { data: { work_item: { title: 'Pump' } } }, matches: true });
    expect((await preview({ ...stored, filter: { 'data.work_item.priority': 'low' } })).body.matches).toBe(false);
    expect((await preview(stored, await api.rival.token('owner'))).status).toBe(404);
    expect((await preview({ ...stored, event: 'job.deleted' })).body.error.code).toBe('VALIDATION_ERROR');
  });

  it('goes for events of your own', async () => {
    const { status, body } = await preview({ event: 'custom.order.shipped', template: null });
    expect(status).toBe(200);
    expect(body.rendered_payload).toEqual(body.sample_payload);
  });

  it('names the field that is wrong', async () => {
    const template = { mode: 'per_event', per_event: { 'job.created': { mode: 'fields', fields: ['event', '..'] } } };
    const { status, body } = await preview({ event: 'job.created', template });
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(body.error.details).toMatchObject([{ field: 'template.per_event.job.created.fields[1]' }]);
    const unknown = await preview({ event: 'job.made', template: null });
    expect(unknown.body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field: 'event' }] });
    const missing = await preview({ event: 'job.created' });
    expect(missing.body.error).toMatchObject({ code: 'BAD_REQUEST', details: [{ field: 'template' }] });
    const filter = { 'work_item.priority': 'high' };
    const stray = await preview({ event: 'job.created', template: null, filter });
    expect(stray.body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field: 'filter' }] });
  });

  it('is refused for events beyond the finance tier', async () => {
    const { status, body } = await preview({ event: 'bill.created', template: null }, await api.rival.token('owner'));
    expect([status, body.error.code]).toEqual([403, 'TIER_RESTRICTED']);
  });
});

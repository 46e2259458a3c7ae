import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Response } from 'supertest';
import { INBOUND_AUTH_METHODS, INBOUND_TYPES } from '../../domain/contracts/inbound-webhooks.ts';
import { statement } from '../../platform/db/statement.ts';
import { makeInbound, PATH, post } from './inbound-webhooks-support.ts';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture, ApiTenant } from './support.ts';

let api: ApiFixture;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
});
afterAll(() => api.close());

async function as(tenant: ApiTenant, role: 'owner' | 'admin' | 'member' | 'auditor' = 'owner') {
  const token = await tenant.token(role);
  const call = (method: 'get' | 'post' | 'patch' | 'delete') => (path: string, body?: object) => {
    const request = api.http()[method](path).auth(token, { type: 'bearer' });
    return body === undefined ? request : request.send(body);
  };
  return { get: call('get'), post: call('post'), patch: call('patch'), delete: call('delete') };
}

describe('creating', () => {
  it.each([
    ['api_key', /^svc_wh_/, 'api_key'],
    ['hmac', /^whsec_/, 'secret_key'],
  ])('with %s answers its secret, once', async (auth_method, pattern, field) => {
    const { post: create, get } = await as(api.acme);
    const made = await create(PATH, { name: 'Bank', webhook_type: 'payment_notification', auth_method });
    expect(made.status).toBe(201);
    expect(made.body[field]).toMatch(pattern);
    expect(made.body[field === 'api_key' ? 'secret_key' : 'api_key']).toBeUndefined();
    expect(made.body.data).toMatchObject({
      name: 'Bank',
      description: null,
      webhook_type: 'payment_notification',
      auth_method,
      is_active: true,
      receive_count: 0,
      last_received_at: null,
      created_by: api.acme.users.owner.id,
    });
    const read = await get(`${PATH}/${String(made.body.data.id)}`);
    expect(read.body.data).toEqual(made.body.data);
    expect(JSON.stringify(read.body)).not.toContain(made.body[field]);
  });

  it('keeps the secret out of the database', async () => {
    const { secret } = await makeInbound(api, api.acme, { auth_method: 'hmac' });
    const { secret: key } = await makeInbound(api, api.acme);
    const rows = await api.services.system.query(
      statement('select inbound_webhooks::text as row from inbound_webhooks'),
    );
    const text = JSON.stringify(rows);
    expect(text).not.toContain(Buffer.from(secret).toString('hex'));
    expect(text).not.toContain(Buffer.from(key).toString('hex'));
  });

  it('with none has no secret', async () => {
    const { post: create } = await as(api.acme);
    const made = await create(PATH, { name: 'Open', webhook_type: 'custom', auth_method: 'none' });
    expect(made.status).toBe(201);
    expect(made.body).not.toHaveProperty('api_key');
    expect(made.body).not.toHaveProperty('secret_key');
  });

  it.each([
    [{ webhook_type: 'custom' }, 'BAD_REQUEST', 'name'],
    [{ name: 'x' }, 'BAD_REQUEST', 'webhook_type'],
    [{ name: 'x', webhook_type: 'fax' }, 'VALIDATION_ERROR', 'webhook_type'],
    [{ name: 'x', webhook_type: 'custom', auth_method: 'basic' }, 'VALIDATION_ERROR', 'auth_method'],
  ])('refuses %j', async (body, code, field) => {
    const { post: create } = await as(api.acme);
    const answer = await create(PATH, body);
    expectRefusal(answer, 400, code);
    expect(answer.body.error.details[0].field).toBe(field);
  });

  it('is for those who may manage webhooks, and stops at 100', async () => {
    const { post: asMember } = await as(api.acme, 'member');
    expectRefusal(await asMember(PATH, { name: 'x', webhook_type: 'custom' }), 403, 'SCOPE_REQUIRED');
    const crowd = await api.tenant('crowd');
    const { post: create } = await as(crowd);
    const answers: Response[] = [];
    for (let round = 0; round < 15; round += 1) {
      const seven = Array.from({ length: 7 }, () => create(PATH, { name: 'x', webhook_type: 'custom' }));
      answers.push(...(await Promise.all(seven)));
    }
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(100);
    expectRefusal(
      answers.find(({ status }) => status !== 201)!,
      422,
      'UNPROCESSABLE_ENTITY',
    );
  });
});

describe('reading', () => {
  it('lists the newest first, with what there can be', async () => {
    const first = await makeInbound(api, api.acme);
    const second = await makeInbound(api, api.acme);
    const { get } = await as(api.acme, 'admin');
    const { body } = await get(PATH);
    const ids = body.data.map(({ id }: { id: string }) => id);
    expect(ids.indexOf(second.id)).toBeLessThan(ids.indexOf(first.id));
    expect(body).toMatchObject({
      available_types: [...INBOUND_TYPES],
      available_auth_methods: [...INBOUND_AUTH_METHODS],
      can_view_all_users: true,
    });
  });

  it('shows nobody those of another client, and an auditor none of others', async () => {
    const { id } = await makeInbound(api, api.acme);
    for (const { get } of [await as(api.rival), await as(api.acme, 'auditor')]) {
      expectRefusal(await get(`${PATH}/${id}`), 404, 'NOT_FOUND');
      expectRefusal(await get(`${PATH}/${id}/receipts`), 404, 'NOT_FOUND');
      const { body } = await get(PATH);
      expect(body.data.map((webhook: { id: string }) => webhook.id)).not.toContain(id);
    }
    const rival = await as(api.rival);
    expectRefusal(await rival.patch(`${PATH}/${id}`, { name: 'mine' }), 404, 'NOT_FOUND');
    expectRefusal(await rival.delete(`${PATH}/${id}`), 404, 'NOT_FOUND');
    expectRefusal(await rival.post(`${PATH}/${id}/rotate-key`, {}), 404, 'NOT_FOUND');
  });

  it('names each type with a schema and a sample that is taken', async () => {
    const { get } = await as(api.acme);
    const { body } = await get(`${PATH}/types`);
    expect(body.data.map(({ type }: { type: string }) => type)).toEqual([...INBOUND_TYPES]);
    for (const { type, schema, sample } of body.data) {
      const fits = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
      expect({ type, fits: fits(sample), errors: fits.errors }).toEqual({ type, fits: true, errors: null });
      // Of supplier_invoice no field is needed in every case: lines or a file.
      expect(fits({})).toBe(type === 'custom' || type === 'supplier_invoice');
      const { receivePath } = await makeInbound(api, api.acme, { webhook_type: type, auth_method: 'none' });
      expect((await post(api, receivePath, sample)).status).toBe(200);
    }
  });
});

describe('changing', () => {
  it('sets what is given and notes it', async () => {
    const { id } = await makeInbound(api, api.acme);
    const { patch } = await as(api.acme);
    const changed = await patch(`${PATH}/${id}`, { name: 'New', description: 'd' });
    expect(changed.body.data).toMatchObject({ name: 'New', description: 'd', is_active: true });
    const entries = await api.services.system.query<{ action: string; details: object }>(
      statement(
        `select action, details from audit_entries where subject_type = 'inbound_webhook' and subject_id = $1 order by id`,
      ),
      [id],
    );
    expect(entries.map(({ action }) => action)).toEqual(['inbound_webhook.created', 'inbound_webhook.updated']);
    expect(entries[1]?.details).toEqual({
      changes: { name: { from: 'Alarms', to: 'New' }, description: { from: null, to: 'd' } },
    });
    expectRefusal(await patch(`${PATH}/${id}`, { webhook_type: 'notification' }), 400, 'VALIDATION_ERROR');
  });

  it('an inactive and a deleted one answer as one that never was', async () => {
    const unknown = '0198c5d1-6f0e-7d5a-9a43-2f0d8c6b1e77';
    const { patch, delete: remove, get } = await as(api.acme);
    const paused = await makeInbound(api, api.acme);
    await patch(`${PATH}/${paused.id}`, { is_active: false });
    const gone = await makeInbound(api, api.acme);
    const deleted = await remove(`${PATH}/${gone.id}`);
    expect(deleted.status).toBe(200);
    expect(deleted.body.data).toMatchObject({ id: gone.id, is_active: false });
    expectRefusal(await get(`${PATH}/${gone.id}`), 404, 'NOT_FOUND');
    for (const { id, secret } of [paused, gone, { id: unknown, secret: 'svc_wh_x' }]) {
      const answer = await post(api, `/api/v1/webhooks/inbound/${id}`, {}, { 'X-API-Key': secret });
      expectRefusal(answer, 404, 'NOT_FOUND');
      expect(answer.body.error.message).toBe(`There is no inbound webhook ${id}.`);
    }
    await patch(`${PATH}/${paused.id}`, { is_active: true });
    expect((await post(api, paused.receivePath, {}, { 'X-API-Key': paused.secret })).status).toBe(200);
  });
});

describe('rotating the key', () => {
  it('lets the old one work for the grace period, and no longer', async () => {
    const made = await makeInbound(api, api.acme);
    const { post: call } = await as(api.acme);
    const rotated = await call(`${PATH}/${made.id}/rotate-key`, { grace_period_hours: 2 });
    expect(rotated.body.api_key).toMatch(/^svc_wh_/);
    expect(rotated.body.data.previous_key_expires_at).toEqual(expect.any(String));
    const statusWith = async (key: string) => (await post(api, made.receivePath, {}, { 'X-API-Key': key })).status;
    expect([await statusWith(made.secret), await statusWith(rotated.body.api_key)]).toEqual([200, 200]);
    api.clock.advance(2 * 3_600 + 1);
    expect([await statusWith(made.secret), await statusWith(rotated.body.api_key)]).toEqual([401, 200]);
    const { post: callLater } = await as(api.acme);
    const again = await callLater(`${PATH}/${made.id}/rotate-key`, { grace_period_hours: 0 });
    expect([await statusWith(rotated.body.api_key), await statusWith(again.body.api_key)]).toEqual([401, 200]);
  });

  it('is refused where there is none', async () => {
    const { id } = await makeInbound(api, api.acme, { auth_method: 'none' });
    const { post: call } = await as(api.acme);
    expectRefusal(await call(`${PATH}/${id}/rotate-key`, {}), 422, 'UNPROCESSABLE_ENTITY');
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { statement } from '../../platform/db/statement.ts';
import { clientToken, register, signIn } from './oauth-support.ts';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';
import { withoutPeople } from './work-items-support.ts';

let api: ApiFixture;
let key: string;
let owner: string;
let member: string;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
  key = await api.acme.key();
  [owner, member] = await Promise.all([api.acme.token('owner'), api.acme.token('member')]);
});
afterAll(() => api.close());

type Item = Record<string, unknown> & { id: number; work_item_id: string };

async function newItem(): Promise<Item> {
  const answer = await api.act(key, { action: 'create-work-item', item_type: 'job', title: 'Service the pump' });
  return withoutPeople(answer.body.data as Item) as Item;
}

const create = (input: Record<string, unknown>, apiKey = key) =>
  api.act(apiKey, { action: 'create-comment', body: 'The pump is ordered', ...input });
const path = (item: Item | string) =>
  `/api/v1/work-items/${typeof item === 'string' ? item : item.work_item_id}/comments`;
type Method = 'post' | 'put' | 'patch' | 'delete';
const write = (method: Method, address: string, { token = owner, body }: { token?: string; body?: object } = {}) => {
  const request = api.http()[method](address).set('Authorization', `Bearer ${token}`);
  return body === undefined ? request : request.send(body);
};

const EVENTS = statement(`
  select name, data from events
  where client_id = $1 and work_item_id = $2 and name like 'work_item.comment%' order by id`);
const eventsOf = (item: Item) =>
  api.services.system.query<{ name: string; data: Record<string, unknown> }>(EVENTS, [api.acme.clientId, item.id]);
const ACTIVITY = statement(`
  select action, actor_type, details from audit_entries
  where client_id = $1 and subject_type = 'work_item' and subject_id = $2 and action like 'work_item.comment%' order by id`);
const activityOf = (item: Item) =>
  api.services.system.query<Record<string, unknown>>(ACTIVITY, [api.acme.clientId, item.work_item_id]);

describe('create-comment', () => {
  it("adds a comment in the name of the key's owner, with its event and its activity entry", async () => {
    const item = await newItem();
    const answer = await create({ work_item_id: item.work_item_id, is_internal: true, comment_type: 'customer' });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({
      id: expect.any(Number),
      work_item_id: item.work_item_id,
      body: 'The pump is ordered',
      comment_type: 'customer',
      is_internal: true,
      user_id: api.acme.users.owner.id,
      author_name: 'owner',
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const [event, ...more] = await eventsOf(item);
    expect(more).toEqual([]);
    expect(event).toEqual({
      name: 'work_item.comment_added',
      data: { work_item: item, comment: answer.body.data },
    });
    expect(await activityOf(item)).toEqual([
      {
        action: 'work_item.comment_added',
        actor_type: 'api_key',
        details: { comment_id: answer.body.data.id, comment_type: 'customer', is_internal: true },
      },
    ]);
  });

  it('answers 201 over REST, by the UUID and by the integer id, with the defaults', async () => {
    const item = await newItem();
    for (const ref of [item.work_item_id, String(item.id)]) {
      const answer = await write('post', path(ref), { token: member, body: { body: 'Ünïcode 🛠️' } });
      expect(answer.status).toBe(201);
      expect(answer.body.data).toMatchObject({
        body: 'Ünïcode 🛠️',
        comment_type: 'general',
        is_internal: false,
        user_id: api.acme.users.member.id,
      });
    }
  });

  it('needs comments:write or work_items:write', async () => {
    const { work_item_id } = await newItem();
    for (const scope of ['comments:write', 'work_items:write']) {
      expect((await create({ work_item_id }, await api.acme.key([scope]))).status).toBe(200);
    }
    expectRefusal(await create({ work_item_id }, await api.acme.key(['work_items:read'])), 403, 'SCOPE_REQUIRED');
    const token = await api.acme.token('auditor');
    expectRefusal(await write('post', path(work_item_id), { token, body: { body: 'x' } }), 403, 'SCOPE_REQUIRED');
  });

  it("answers 404 for another client's item, a deleted one and one that never was", async () => {
    const { work_item_id } = await newItem();
    expectRefusal(await create({ work_item_id }, await api.rival.key()), 404, 'NOT_FOUND');
    expectRefusal(await create({ work_item_id: randomUUID() }), 404, 'NOT_FOUND');
  });

  it.each([
    [{ body: undefined }, 'BAD_REQUEST', 'body'],
    [{ body: 7 }, 'BAD_REQUEST', 'body'],
    [{ body: '' }, 'VALIDATION_ERROR', 'body'],
    [{ body: 'x'.repeat(20_001) }, 'VALIDATION_ERROR', 'body'],
    [{ body: 'a\0b' }, 'VALIDATION_ERROR', 'body'],
    [{ comment_type: 'private' }, 'VALIDATION_ERROR', 'comment_type'],
    [{ is_internal: 'yes' }, 'BAD_REQUEST', 'is_internal'],
    [{ work_item_id: 'JOB 1' }, 'VALIDATION_ERROR', 'work_item_id'],
    [{ author: 3 }, 'VALIDATION_ERROR', 'author'],
  ])('refuses case %#', async (input, code, field) => {
    const { work_item_id } = await newItem();
    const answer = await create({ work_item_id, ...input });
    expectRefusal(answer, 400, code);
    expect(answer.body.error.details[0].field).toBe(field);
  });
});

describe('get-work-item-comments', () => {
  it('lists them newest first, in windows, internal ones too, without the deleted ones', async () => {
    const item = await newItem();
    const ids: number[] = [];
    for (const body of ['one', 'two', 'three']) {
      const comment = { work_item_id: item.work_item_id, body, is_internal: body === 'one' };
      ids.unshift((await create(comment)).body.data.id as number);
    }
    await write('delete', `${path(item)}?comment_id=${String(ids[1])}`);
    const all = await api.act(key, { action: 'get-work-item-comments', work_item_id: item.work_item_id });
    expect(all.body.data.comments.map((comment: { id: number }) => comment.id)).toEqual([ids[0], ids[2]]);
    expect(all.body.meta.pagination).toEqual({ total: 2, limit: 50, offset: 0 });
    const rest = await api
      .http()
      .get(`${path(item)}?limit=1&offset=1`)
      .set('Authorization', `Bearer ${member}`);
    expect(rest.body.data).toMatchObject([{ id: ids[2], body: 'one', is_internal: true }]);
    expect(rest.body.meta.pagination).toEqual({ total: 2, limit: 1, offset: 1 });
  });

  it('needs work_items:read or comments:read, and is 404 for another client', async () => {
    const { work_item_id } = await newItem();
    const list = async (apiKey: string) => api.act(apiKey, { action: 'get-work-item-comments', work_item_id });
    for (const scope of ['work_items:read', 'comments:read']) {
      expect((await list(await api.acme.key([scope]))).status).toBe(200);
    }
    expectRefusal(await list(await api.acme.key(['contacts:read'])), 403, 'SCOPE_REQUIRED');
    expectRefusal(await list(await api.rival.key()), 404, 'NOT_FOUND');
  });
});

describe('PUT and DELETE of a comment', () => {
  it('changes the text, with comment_id in the query, and tells old and new in the activity', async () => {
    const item = await newItem();
    const { id } = (await create({ work_item_id: item.work_item_id })).body.data;
    const address = `${path(item)}?comment_id=${String(id)}`;
    const answer = await write('put', address, { body: { body: 'It arrived' } });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({ id, body: 'It arrived' });
    const events = await eventsOf(item);
    expect(events.map((event) => event.name)).toEqual(['work_item.comment_added', 'work_item.comment_updated']);
    expect(events[1]?.data).toEqual({ work_item: item, comment: answer.body.data });
    expect((await activityOf(item))[1]).toMatchObject({
      actor_type: 'user',
      details: { comment_id: id, changes: { body: { from: 'The pump is ordered', to: 'It arrived' } } },
    });
    await write('put', address, { body: { body: 'It arrived' } });
    expect(await eventsOf(item)).toHaveLength(2);
  });

  it('deletes once; then the comment is gone for all', async () => {
    const item = await newItem();
    const { id } = (await create({ work_item_id: item.work_item_id })).body.data;
    const address = `${path(item)}?comment_id=${String(id)}`;
    const answer = await write('delete', address);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({ id });
    expect(answer.body.data.body).toBe('The pump is ordered');
    expect((await eventsOf(item))[1]).toEqual({
      name: 'work_item.comment_deleted',
      data: { work_item: item, comment: answer.body.data },
    });
    expectRefusal(await write('delete', address), 404, 'NOT_FOUND');
    expectRefusal(await write('put', address, { body: { body: 'x' } }), 404, 'NOT_FOUND');
    expectRefusal(
      await write('patch', `${path(item)}/${String(id)}`, { body: { is_internal: true } }),
      404,
      'NOT_FOUND',
    );
  });

  it('is for the author, owner and admin only', async () => {
    const item = await newItem();
    const { id } = (await create({ work_item_id: item.work_item_id })).body.data;
    const address = `${path(item)}?comment_id=${String(id)}`;
    for (const refused of [
      await write('put', address, { token: member, body: { body: 'x' } }),
      await write('patch', `${path(item)}/${String(id)}`, { token: member, body: { is_internal: true } }),
      await write('delete', address, { token: member }),
    ]) {
      expectRefusal(refused, 403, 'FORBIDDEN');
    }
    const own = (await write('post', path(item), { token: member, body: { body: 'mine' } })).body.data;
    const ownAddress = `${path(item)}?comment_id=${String(own.id)}`;
    expect((await write('put', ownAddress, { token: member, body: { body: 'still mine' } })).status).toBe(200);
    const admin = await api.acme.token('admin');
    expect((await write('delete', ownAddress, { token: admin })).status).toBe(200);
  });

  it("is 404 on another item's comment and for another client", async () => {
    const [item, other] = [await newItem(), await newItem()];
    const { id } = (await create({ work_item_id: item.work_item_id })).body.data;
    const query = `?comment_id=${String(id)}`;
    expectRefusal(await write('delete', path(other) + query), 404, 'NOT_FOUND');
    const token = await api.rival.token();
    expectRefusal(await write('delete', path(item) + query, { token }), 404, 'NOT_FOUND');
    expectRefusal(await write('put', path(item) + query, { token, body: { body: 'x' } }), 404, 'NOT_FOUND');
  });

  it('wants comment_id from the query and the text from the body', async () => {
    const item = await newItem();
    const { id } = (await create({ work_item_id: item.work_item_id })).body.data;
    expectRefusal(await write('put', path(item), { body: { body: 'x' } }), 400, 'BAD_REQUEST');
    expectRefusal(await write('delete', path(item)), 400, 'BAD_REQUEST');
    expectRefusal(await write('put', `${path(item)}?comment_id=abc`, { body: { body: 'x' } }), 400, 'BAD_REQUEST');
    expectRefusal(await write('put', `${path(item)}?comment_id=${String(id)}&body=x`), 400, 'BAD_REQUEST');
    expect((await write('put', `${path(item)}?comment_id=${'9'.repeat(20)}`, { body: { body: 'x' } })).status).toBe(
      400,
    );
  });

  it('an Idempotency-Key counts for the comment that the query names', async () => {
    const item = await newItem();
    const [a, b] = [
      (await create({ work_item_id: item.work_item_id })).body.data.id as number,
      (await create({ work_item_id: item.work_item_id })).body.data.id as number,
    ];
    const idempotencyKey = randomUUID();
    const put = (id: number) =>
      write('put', `${path(item)}?comment_id=${String(id)}`, { body: { body: 'new' } }).set(
        'Idempotency-Key',
        idempotencyKey,
      );
    expect((await put(a)).status).toBe(200);
    expect((await put(a)).headers['idempotency-replayed']).toBe('true');
    expectRefusal(await put(b), 409, 'IDEMPOTENCY_CONFLICT');
  });
});

describe('through OAuth', () => {
  it('an application that acts for itself changes its own comments only, and for a user those of the user', async () => {
    const item = await newItem();
    const scopes = ['comments:write', 'work_items:read'];
    const [one, other] = [await register(api, { scopes }), await register(api, { scopes })];
    const [token, strange] = [await clientToken(api, one), await clientToken(api, other)];
    const created = await write('post', path(item), { token, body: { body: 'by a program' } });
    expect(created.status).toBe(201);
    expect(created.body.data).toMatchObject({ user_id: null, author_name: null });
    const address = `${path(item)}?comment_id=${String(created.body.data.id)}`;
    expectRefusal(await write('put', address, { token: strange, body: { body: 'x' } }), 403, 'FORBIDDEN');
    expect((await write('put', address, { token, body: { body: 'better' } })).status).toBe(200);
    const { access_token } = await signIn(api, one, { role: 'member', scopes });
    const mine = await write('post', path(item), { token: access_token, body: { body: 'for a user' } });
    expect(mine.body.data).toMatchObject({ user_id: api.acme.users.member.id });
    const own = `${path(item)}?comment_id=${String(mine.body.data.id)}`;
    expect((await write('put', own, { token: member, body: { body: 'as the user' } })).status).toBe(200);
    expectRefusal(await write('delete', own, { token }), 403, 'FORBIDDEN');
  });
});

describe('the visibility of a comment', () => {
  it('is changed with an event that holds the old and the new one', async () => {
    const item = await newItem();
    const { id } = (await create({ work_item_id: item.work_item_id })).body.data;
    const address = `${path(item)}/${String(id)}`;
    const answer = await write('patch', address, { body: { is_internal: true, comment_type: 'internal' } });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({ is_internal: true, comment_type: 'internal' });
    expect((await eventsOf(item))[1]).toEqual({
      name: 'work_item.comment_visibility_changed',
      data: {
        work_item: item,
        comment: answer.body.data,
        old_visibility: { is_internal: false, comment_type: 'general' },
        new_visibility: { is_internal: true, comment_type: 'internal' },
      },
    });
    expect((await write('patch', address, { body: { is_internal: true } })).status).toBe(200);
    expect(await eventsOf(item)).toHaveLength(2);
  });

  it('takes one of the two fields, and makes no comment a billing one', async () => {
    const item = await newItem();
    const { id } = (await create({ work_item_id: item.work_item_id })).body.data;
    const address = `${path(item)}/${String(id)}`;
    expectRefusal(await write('patch', address, { body: {} }), 400, 'BAD_REQUEST');
    expectRefusal(await write('patch', address, { body: { comment_type: 'billing' } }), 400, 'VALIDATION_ERROR');
  });
});

describe.each(['billing', 'finance'])('a %s comment', (comment_type) => {
  it('is 409 CONFLICT to PUT, PATCH and DELETE, even for the owner, and tells nothing', async () => {
    const item = await newItem();
    const { id } = (await create({ work_item_id: item.work_item_id, comment_type })).body.data;
    const address = `${path(item)}?comment_id=${String(id)}`;
    expectRefusal(await write('put', address, { body: { body: 'x' } }), 409, 'CONFLICT');
    expectRefusal(await write('delete', address), 409, 'CONFLICT');
    const patched = await write('patch', `${path(item)}/${String(id)}`, { body: { is_internal: true } });
    expectRefusal(patched, 409, 'CONFLICT');
    expect((await eventsOf(item)).map((event) => event.name)).toEqual(['work_item.comment_added']);
    const list = await api.act(key, { action: 'get-work-item-comments', work_item_id: item.work_item_id });
    expect(list.body.data.comments).toMatchObject([{ id, body: 'The pump is ordered', comment_type }]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { MAX_ATTACHMENT_BYTES } from '../../domain/contracts/attachments.ts';
import { removeUnclaimed } from '../../domain/attachments/index.ts';
import { mayDelete } from '../../domain/attachments/may-delete.ts';
import { statement } from '../../platform/db/statement.ts';
import { AttachmentsFixture, bytesOf, head, NOTHING, PNG, TAIL } from './attachments-support.ts';
import { expectRefusal } from './support.ts';
import type { ApiFixture } from './support.ts';

let files: AttachmentsFixture;
let api: ApiFixture;
beforeAll(async () => {
  files = await AttachmentsFixture.start();
  api = files.api;
});
afterAll(() => api.close());

describe('POST of a file', () => {
  it('stores it, finds out its type, and records who added it, with an event', async () => {
    const fresh = await files.newItem();
    const answer = await files.upload(PNG, {
      ref: fresh.work_item_id,
      name: 'Pömp "vor" repair.png',
      type: 'text/html',
    });
    expect(answer.status).toBe(201);
    const sha256 = createHash('sha256').update(PNG).digest('hex');
    expect(answer.body.data).toEqual({
      id: expect.any(Number),
      work_item_id: fresh.work_item_id,
      file_name: 'Pömp "vor" repair.png',
      content_type: 'image/png',
      size: PNG.length,
      sha256,
      user_id: api.acme.users.owner.id,
      download_path: `${files.path(fresh.work_item_id)}/${String(answer.body.data.id)}`,
      created_at: expect.any(String),
    });
    const events = await api.services.system.query<{ data: unknown }>(
      statement(
        `select data from events where client_id = $1 and name = 'work_item.attachment_added' and work_item_id = $2`,
      ),
      [api.acme.clientId, fresh.id],
    );
    expect(events).toMatchObject([{ data: { work_item: { id: fresh.id }, attachment: answer.body.data } }]);
    const activity = await api.services.system.query(
      statement(`select action, details from audit_entries where subject_id = $1 and action like '%attachment%'`),
      [fresh.work_item_id],
    );
    expect(activity).toMatchObject([{ action: 'work_item.attachment_added', details: { sha256, size: PNG.length } }]);
    expect(await files.left()).toEqual(NOTHING);
  });

  it('takes exactly 25 MiB, and 413 for one byte more, whether or not the length is told first', async () => {
    const whole = randomBytes(MAX_ATTACHMENT_BYTES);
    const answer = await files.upload(whole, { ref: files.item.id, name: 'whole.bin' });
    expect(answer.status).toBe(201);
    expect(answer.body.data).toMatchObject({ size: MAX_ATTACHMENT_BYTES, content_type: 'application/octet-stream' });
    const over = Buffer.concat([whole, Buffer.from([0])]);
    expectRefusal(await files.upload(over), 413, 'PAYLOAD_TOO_LARGE');
    expect(await files.sendRaw([head('x.bin'), over, TAIL])).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE' });
    const announced = { 'Content-Length': String(100 * 1024 * 1024) };
    expect(await files.sendRaw([], { headers: announced, isOpen: true })).toMatchObject({ status: 413 });
    expect(await files.left()).toEqual(NOTHING);
  });

  it('needs work_items:write, and says so before it takes the bytes', async () => {
    expectRefusal(await files.upload(PNG, { token: await api.acme.token('auditor') }), 403, 'SCOPE_REQUIRED');
    expectRefusal(await api.http().post(files.path()).attach('file', PNG, 'x.png'), 401, 'UNAUTHORIZED');
    expect(await files.left()).toEqual(NOTHING);
  });

  it("is 404 for another client's item and one that never was, and leaves nothing", async () => {
    const rival = await api.rival.token();
    expectRefusal(await files.upload(PNG, { token: rival }), 404, 'NOT_FOUND');
    expectRefusal(await files.upload(PNG, { ref: randomUUID() }), 404, 'NOT_FOUND');
    expect(await files.unclaimed()).toEqual([]);
    expect(await files.left()).toEqual(NOTHING);
  });

  it('is done once for an Idempotency-Key, by the bytes and the name', async () => {
    const fresh = await files.newItem();
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await files.upload(PNG, { ref: fresh.id, headers });
    const again = await files.upload(PNG, { ref: fresh.id, headers });
    expect(again.status).toBe(201);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.body.data).toEqual(first.body.data);
    const others = [
      await files.upload(Buffer.from('other'), { ref: fresh.id, headers }),
      await files.upload(PNG, { ref: fresh.id, name: 'other.png', headers }),
    ];
    for (const other of others) expectRefusal(other, 409, 'IDEMPOTENCY_CONFLICT');
    expectRefusal(
      await files.upload(PNG, { ref: fresh.id, headers: { 'Idempotency-Key': 'x'.repeat(256) } }),
      400,
      'VALIDATION_ERROR',
    );
    const list = await files.get(files.path(fresh.id));
    expect(JSON.parse(list.body.toString()).meta.pagination.total).toBe(1);
    expect(await files.left()).toEqual(NOTHING);
  });
});

describe('the files of a work item', () => {
  const ids = (answer: Response): number[] => answer.body.data.attachments.map(({ id }: { id: number }) => id);

  it('are listed newest first, in windows, over REST too', async () => {
    const { work_item_id } = await files.newItem();
    const sent: number[] = [];
    for (const name of ['a.png', 'b.png', 'c.png']) {
      sent.unshift((await files.upload(PNG, { ref: work_item_id, name })).body.data.id as number);
    }
    const all = await api.act(files.key, { action: 'get-work-item-attachments', work_item_id });
    expect(ids(all)).toEqual(sent);
    expect(all.body.meta.pagination).toEqual({ total: 3, limit: 50, offset: 0 });
    const rest = await api
      .http()
      .get(`${files.path(work_item_id)}?limit=1&offset=1`)
      .set('Authorization', `Bearer ${files.owner}`);
    expect(rest.body.data).toMatchObject([{ id: sent[1], file_name: 'b.png' }]);
  });

  it('need work_items:read, and are 404 for another client', async () => {
    const { work_item_id } = files.item;
    const list = (apiKey: string) => api.act(apiKey, { action: 'get-work-item-attachments', work_item_id });
    expect((await list(await api.acme.key(['work_items:read']))).status).toBe(200);
    expectRefusal(await list(await api.acme.key(['contacts:read'])), 403, 'SCOPE_REQUIRED');
    expectRefusal(await list(await api.rival.key()), 404, 'NOT_FOUND');
    expectRefusal(
      await api.act(files.key, { action: 'get-work-item-attachments', work_item_id: 7.5 }),
      400,
      'BAD_REQUEST',
    );
  });

  it('come back byte for byte, with length and ETag; 304 for who has them, no body for HEAD', async () => {
    const bytes = randomBytes(300_000);
    const { id, download_path, sha256 } = (await files.upload(bytes)).body.data;
    const answer = await files.get(download_path);
    expect(answer.status).toBe(200);
    expect(answer.body.equals(bytes)).toBe(true);
    expect(answer.headers).toMatchObject({ etag: `"${String(sha256)}"`, 'content-length': '300000' });
    const kept = await files.get(download_path).set('If-None-Match', `"x", W/"${String(sha256)}"`);
    expect({ status: kept.status, length: kept.body.length }).toEqual({ status: 304, length: 0 });
    const head = await api
      .http()
      .head(`${files.path(files.item.id)}/${String(id)}`)
      .set('Authorization', `Bearer ${files.owner}`);
    expect(head.status).toBe(200);
    expect(head.headers['content-length']).toBe('300000');
  });

  it('are added, listed, fetched and deleted with an API key too, within its scopes', async () => {
    const [reader, writer] = [await api.acme.key(['work_items:read']), await api.acme.key(['work_items:write'])];
    const { work_item_id } = await files.newItem();
    const add = (apiKey: string) =>
      api.http().post(files.path(work_item_id)).set('X-API-Key', apiKey).attach('file', PNG, { filename: 'pump.png' });
    const get = (path: string, apiKey: string) => api.http().get(path).set('X-API-Key', apiKey);
    expectRefusal(await add(reader), 403, 'SCOPE_REQUIRED');
    const added = await add(writer);
    expect(added.status).toBe(201);
    const { id, download_path: path } = added.body.data as { id: number; download_path: string };
    expect((await get(files.path(work_item_id), reader)).body.data).toMatchObject([{ id }]);
    const fetched = await get(path, reader)
      .buffer(true)
      .parse(bytesOf as never);
    expect(fetched.body.equals(PNG)).toBe(true);
    expectRefusal(await get(path, writer), 403, 'SCOPE_REQUIRED');
    expectRefusal(await get(path, await api.rival.key()), 404, 'NOT_FOUND');
    expectRefusal(await get(path, 'svc_sk_unknown'), 401, 'INVALID_API_KEY');
    expect((await api.http().delete(path).set('X-API-Key', writer)).status).toBe(200);
    expect(await removeUnclaimed(api.services, Date.now() + 1000)).toEqual({ removed: 1, isDone: true });
  });

  it("are not another client's, nor another item's", async () => {
    const { id, download_path } = (await files.upload(PNG)).body.data;
    const refused = await api
      .http()
      .get(download_path)
      .set('Authorization', `Bearer ${await api.rival.token()}`);
    expectRefusal(refused, 404, 'NOT_FOUND');
    const other = await files.newItem();
    const wrong = await api
      .http()
      .get(`${files.path(other.id)}/${String(id)}`)
      .set('Authorization', `Bearer ${files.owner}`);
    expectRefusal(wrong, 404, 'NOT_FOUND');
  });

  it('are deleted by who added them, an owner or an admin, and nobody else', async () => {
    const remove = (path: string, token: string) => api.http().delete(path).set('Authorization', `Bearer ${token}`);
    const member = await api.acme.token('member');
    const ofOwner = (await files.upload(PNG)).body.data.download_path as string;
    expectRefusal(await remove(ofOwner, member), 403, 'FORBIDDEN');
    expect((await files.get(ofOwner)).status).toBe(200);
    expect((await remove(ofOwner, await api.acme.token('admin'))).status).toBe(200);
    const ofMember = (await files.upload(PNG, { token: member })).body.data.download_path as string;
    expect((await remove(ofMember, member)).status).toBe(200);
    expect(await removeUnclaimed(api.services, Date.now() + 1000)).toEqual({ removed: 2, isDone: true });
  });

  it.each([
    ['member', 'member', ['work_items:write'], true],
    ['owner', 'member', ['work_items:write'], false],
    ['admin', 'member', ['work_items:delete'], true],
    ['owner', 'member', ['*'], true],
    ['member', 'owner', ['work_items:write', 'work_items:delete'], false],
  ] as const)('may a token that acts for a %s delete a file of a %s with %j: %s', async (role, of, scopes, may) => {
    const { users, clientId } = api.acme;
    const caller = { ...api.acme.caller, role: null, userId: users[role].id, scopes: new Set<string>(scopes) };
    const added = { user_id: users[of].id, created_by_type: 'user', created_by_id: String(users[of].id) };
    expect(await api.services.tenants.transaction(clientId, (tx) => mayDelete(tx, caller, added))).toBe(may);
  });

  it('of a program that acts for nobody are its own', async () => {
    const actor = { type: 'oauth_application', id: '5' } as const;
    const caller = { ...api.acme.caller, actor, role: null, userId: null };
    const may = (id: string) =>
      api.services.tenants.transaction(api.acme.clientId, (tx) =>
        mayDelete(tx, caller, { user_id: null, created_by_type: 'oauth_application', created_by_id: id }),
      );
    expect([await may('5'), await may('6')]).toEqual([true, false]);
  });

  it('are deleted for good: the bytes go with the next maintenance', async () => {
    const { download_path } = (await files.upload(PNG)).body.data;
    const remove = (token: string) => api.http().delete(download_path).set('Authorization', `Bearer ${token}`);
    expectRefusal(await remove(await api.rival.token()), 404, 'NOT_FOUND');
    expectRefusal(await remove(await api.acme.token('auditor')), 403, 'SCOPE_REQUIRED');
    const before = files.blobs().length;
    expectRefusal(await remove(await api.acme.token('member')), 403, 'FORBIDDEN');
    expect((await remove(files.owner)).status).toBe(200);
    expectRefusal(await remove(files.owner), 404, 'NOT_FOUND');
    const gone = await api.http().get(download_path).set('Authorization', `Bearer ${files.owner}`);
    expectRefusal(gone, 404, 'NOT_FOUND');
    expect(await removeUnclaimed(api.services, Date.now() + 1000)).toEqual({ removed: 1, isDone: true });
    expect(files.blobs()).toHaveLength(before - 1);
    expect(await files.unclaimed()).toEqual([]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';
import { actor, auditOf, eventsOf } from './work-items-support.ts';

let api: ApiFixture;
let we: ReturnType<typeof actor>;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
  we = actor(api, await api.acme.key());
});
afterAll(() => api.close());

interface Item {
  id: number;
  work_item_id: string;
}
const link = (item: Item, relationship_type: string, related: Item) => ({
  work_item_id: item.work_item_id,
  related_work_item_id: related.work_item_id,
  relationship_type,
});
const add = (item: Item, type: string, related: Item) =>
  we.act('add-work-item-relationship', link(item, type, related));
const added = (item: Item, type: string, related: Item) =>
  we.done('add-work-item-relationship', link(item, type, related));
const list = async (item: Item, window: Record<string, unknown> = {}) =>
  (await we.done('get-work-item-relationships', { work_item_id: item.work_item_id, ...window })).relationships;
const seen = async (item: Item) =>
  (await list(item)).map((found: { relationship_type: string; direction: string; related_item: Item }) => [
    found.relationship_type,
    found.direction,
    found.related_item.id,
  ]);

describe('add-work-item-relationship', () => {
  it('relates two items, which both show it from their side', async () => {
    const [child, parent] = [await we.item({ item_type: 'task', priority: 'high' }), await we.item()];
    expect(await added(child, 'child_of', parent)).toEqual({
      relationship_type: 'child_of',
      direction: 'outgoing',
      related_item: {
        id: parent.id,
        work_item_id: parent.work_item_id,
        item_number: parent.item_number,
        item_type: 'job',
        title: parent.title,
        status: 'open',
        priority: 'medium',
      },
      created_at: expect.any(String),
      already_existed: false,
    });
    expect(await seen(child)).toEqual([['child_of', 'outgoing', parent.id]]);
    expect(await seen(parent)).toEqual([['child_of', 'incoming', child.id]]);
    expect((await we.done('get-work-item', { work_item_id: parent.work_item_id })).relationships_count).toBe(1);
    const to = { relationship_type: 'child_of', work_item_id: parent.work_item_id };
    expect((await eventsOf(api, child.id)).at(-1)).toMatchObject({
      name: 'task.updated',
      data: { work_item: { id: child.id }, changes: { relationship: { from: null, to } } },
    });
    expect((await auditOf(api, child.work_item_id)).at(-1)).toEqual({
      action: 'work_item.relationship_added',
      details: { changes: { relationship: { from: null, to } }, direction: 'outgoing' },
    });
    expect((await auditOf(api, parent.work_item_id)).at(-1)).toMatchObject({ details: { direction: 'incoming' } });
  });

  it('a second time is told so and changes nothing; relates_to is one relationship from both sides', async () => {
    const [a, b] = [await we.item(), await we.item()];
    await added(a, 'duplicates', b);
    expect(await added(a, 'duplicates', b)).toMatchObject({ already_existed: true });
    await added(b, 'relates_to', a);
    expect(await added(a, 'relates_to', b)).toMatchObject({ already_existed: true, direction: 'both' });
    expect(await seen(a)).toEqual([
      ['relates_to', 'both', b.id],
      ['duplicates', 'outgoing', b.id],
    ]);
    expect(await auditOf(api, a.work_item_id)).toHaveLength(3);
  });

  it('refuses an item of itself and a chain that leads back, of child_of and blocks', async () => {
    const [a, b, c] = [await we.item(), await we.item(), await we.item()];
    expectRefusal(await add(a, 'relates_to', a), 422, 'UNPROCESSABLE_ENTITY');
    for (const type of ['child_of', 'blocks']) {
      await added(a, type, b);
      await added(b, type, c);
      const answer = await add(c, type, a);
      expectRefusal(answer, 422, 'UNPROCESSABLE_ENTITY');
      expect(answer.body.error.message).toContain(c.item_number);
    }
    await added(c, 'duplicates', a);
  });

  it('lets of additions that together make a cycle not all through', async () => {
    for (let round = 0; round < 5; round += 1) {
      const items: Item[] = await Promise.all([we.item(), we.item(), we.item(), we.item()]);
      const answers = await Promise.all(
        items.map((item, index) => add(item, 'child_of', items[(index + 1) % items.length]!)),
      );
      const statuses = answers.map((answer) => answer.status).sort((a, b) => a - b);
      expect(statuses).toEqual([200, 200, 200, 422]);
    }
  });

  it('twenty times at once makes one', async () => {
    const [a, b] = [await we.item(), await we.item()];
    const answers = await Promise.all(Array.from({ length: 20 }, () => added(a, 'relates_to', b)));
    expect(answers.filter((answer) => answer.already_existed === false)).toHaveLength(1);
    expect(await list(b)).toHaveLength(1);
  });

  it('names what is unknown, and keeps clients apart', async () => {
    const item = await we.item();
    const ghost = { id: 0, work_item_id: randomUUID() };
    expectRefusal(await add(ghost, 'blocks', item), 404, 'NOT_FOUND');
    const rival = actor(api, await api.rival.key());
    const foreign = await rival.item();
    for (const related of [ghost, foreign]) {
      const answer = await add(item, 'blocks', related);
      expectRefusal(answer, 400, 'VALIDATION_ERROR');
      expect(answer.body.error.details).toEqual([expect.objectContaining({ field: 'related_work_item_id' })]);
    }
    const unknownType = await add(item, 'sibling_of', await we.item());
    expect(unknownType.body.error.details).toEqual([expect.objectContaining({ field: 'relationship_type' })]);
    const relationships = await rival.act('get-work-item-relationships', { work_item_id: item.work_item_id });
    expectRefusal(relationships, 404, 'NOT_FOUND');
    expectRefusal(await rival.act('add-work-item-relationship', link(item, 'blocks', foreign)), 404, 'NOT_FOUND');
    expectRefusal(await rival.act('remove-work-item-relationship', link(item, 'blocks', item)), 404, 'NOT_FOUND');
  });

  it('needs work_items:write, and a list work_items:read', async () => {
    const [a, b] = [await we.item(), await we.item()];
    const reader = actor(api, await api.acme.key(['work_items:read']));
    const writer = actor(api, await api.acme.key(['work_items:write']));
    for (const action of ['add-work-item-relationship', 'remove-work-item-relationship'])
      expectRefusal(await reader.act(action, link(a, 'blocks', b)), 403, 'SCOPE_REQUIRED');
    const answer = await writer.act('get-work-item-relationships', { work_item_id: a.work_item_id });
    expectRefusal(answer, 403, 'SCOPE_REQUIRED');
  });
});

describe('get-work-item-relationships', () => {
  it('pages newest first, without deleted items', async () => {
    const parent = await we.item();
    const children: Item[] = [];
    for (let n = 0; n < 4; n += 1) children.push(await we.item({ parent_id: parent.work_item_id }));
    await we.done('delete-work-item', { work_item_id: children[3]!.work_item_id });
    const answer = await we.act('get-work-item-relationships', {
      work_item_id: parent.work_item_id,
      limit: 2,
      offset: 1,
    });
    const ids = answer.body.data.relationships.map((found: { related_item: Item }) => found.related_item.id);
    expect(ids).toEqual([children[1]!.id, children[0]!.id]);
    expect(answer.body.meta.pagination).toEqual({ total: 3, limit: 2, offset: 1 });
    expect((await we.done('get-work-item', { work_item_id: parent.work_item_id })).relationships_count).toBe(3);
  });
});

describe('remove-work-item-relationship', () => {
  it('takes one away, once, and leaves the items', async () => {
    const [a, b] = [await we.item(), await we.item()];
    await added(a, 'blocks', b);
    await added(b, 'relates_to', a);
    const remove = (item: Item, type: string, related: Item) =>
      we.act('remove-work-item-relationship', link(item, type, related));
    expectRefusal(await remove(b, 'blocks', a), 404, 'NOT_FOUND');
    expect((await remove(a, 'blocks', b)).body.data).toEqual({ removed: true });
    expectRefusal(await remove(a, 'blocks', b), 404, 'NOT_FOUND');
    expect(await seen(b)).toEqual([['relates_to', 'both', a.id]]);
    expect((await remove(a, 'relates_to', b)).status).toBe(200);
    expect(await seen(a)).toEqual([]);
    expect((await auditOf(api, b.work_item_id)).at(-1)).toMatchObject({ action: 'work_item.relationship_removed' });
    // The way is free again for what was a cycle.
    await added(b, 'blocks', a);
  });

  it('REST: POST, GET and DELETE under the item', async () => {
    const [a, b] = [await we.item(), await we.item()];
    const authorization = ['Authorization', `Bearer ${await api.acme.token()}`] as const;
    const path = `/api/v1/work-items/${String(a.id)}/relationships`;
    const body = { related_work_item_id: String(b.id), relationship_type: 'blocks' };
    const created = await api
      .http()
      .post(path)
      .set(...authorization)
      .send(body);
    expect(created.status).toBe(201);
    const again = await api
      .http()
      .post(path)
      .set(...authorization)
      .send(body);
    expect({ status: again.status, existed: again.body.data.already_existed }).toEqual({ status: 200, existed: true });
    const listed = await api
      .http()
      .get(path)
      .set(...authorization);
    expect(listed.body.data).toMatchObject([{ relationship_type: 'blocks', related_item: { id: b.id } }]);
    const removed = await api
      .http()
      .delete(`${path}/blocks/${String(b.work_item_id)}`)
      .set(...authorization);
    expect(removed.body.data).toEqual({ removed: true });
    const gone = await api
      .http()
      .delete(`${path}/blocks/${String(b.work_item_id)}`)
      .set(...authorization);
    expectRefusal(gone, 404, 'NOT_FOUND');
  });
});

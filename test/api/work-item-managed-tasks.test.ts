import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { AddWorkItemToManagedTask } from '../../domain/contracts/managed-tasks.ts';
import { statement } from '../../platform/db/statement.ts';
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

const get = (work_item_id: string) => we.done('get-work-item', { work_item_id });

describe('create-managed-task', () => {
  it('takes every parameter', async () => {
    const parent = await we.item();
    const { owner, member } = api.acme.users;
    const input = {
      title: 'Check the cold store',
      description: 'Twice a day',
      priority: 'urgent',
      due_date: '2026-12-05',
      assigned_to: owner.id,
      assigned_users: [member.id],
      module_context: 'facilities',
      tags: ['cold'],
      custom_fields: { a: 1 },
      notes: 'n',
    };
    const task = await we.done('create-managed-task', { ...input, parent_id: parent.work_item_id });
    expect(await get(task.work_item_id)).toMatchObject({
      ...input,
      item_type: 'task',
      item_number: expect.stringMatching(/^TASK-/),
      status: 'open',
      due_date: '2026-12-05T00:00:00.000Z',
      assigned_users: [owner.id, member.id],
      relationships_count: 1,
    });
  });

  it('defaults to the operations module and medium priority; the first of assigned_users becomes the assignee', async () => {
    const { member, admin } = api.acme.users;
    const task = await we.done('create-managed-task', { title: 'Sweep', assigned_users: [member.id, admin.id] });
    expect(task).toMatchObject({ module_context: 'operations', priority: 'medium', assigned_to: member.id });
    expect((await eventsOf(api, task.id)).map((event) => event.name)).toEqual(['task.created', 'work_item.assigned']);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['an unknown user', { assigned_to: 999_999 }, 'assigned_to'],
    ['an unknown parent', { parent_id: randomUUID() }, 'parent_id'],
    ['a priority that only updates know', { priority: 'critical' }, 'priority'],
    ['a field of other work items', { status: 'done' }, 'status'],
  ])('refuses %s and names the field', async (_what, input, field) => {
    const answer = await we.act('create-managed-task', { title: 'x', ...input });
    expectRefusal(answer, 400, 'VALIDATION_ERROR');
    expect(answer.body.error.details).toEqual([expect.objectContaining({ field })]);
  });
});

describe('add-work-item-to-managed-task', () => {
  const addTask = (work_item_id: string, target_user_id: number, input: Record<string, unknown> = {}) =>
    we.done('add-work-item-to-managed-task', { work_item_id, target_user_id, ...input });

  it('makes a task about the item for the user', async () => {
    const item = await we.item({ title: 'Leaking valve' });
    const { member } = api.acme.users;
    const task = await addTask(item.work_item_id, member.id, {
      priority: 'high',
      due_date: '2026-12-05',
      custom_fields: { own: true, reference: 'mine' },
    });
    expect(task).toMatchObject({
      item_type: 'task',
      title: 'Leaking valve',
      priority: 'high',
      module_context: 'operations',
      assigned_to: member.id,
      due_date: '2026-12-05T00:00:00.000Z',
      already_existed: false,
      custom_fields: {
        own: true,
        reference: {
          work_item_id: item.work_item_id,
          item_number: item.item_number,
          item_type: 'job',
          title: 'Leaking valve',
        },
      },
    });
    const read = await get(task.work_item_id);
    expect(read.assigned_users).toEqual([member.id]);
    const { relationships } = await we.done('get-work-item-relationships', { work_item_id: item.work_item_id });
    expect(relationships).toMatchObject([
      { relationship_type: 'child_of', direction: 'incoming', related_item: { id: task.id } },
    ]);
    expect((await auditOf(api, item.work_item_id)).at(-1)).toEqual({
      action: 'work_item.managed_task_added',
      details: { task_id: task.work_item_id, target_user_id: member.id },
    });
    expect((await eventsOf(api, task.id)).map((event) => event.name)).toEqual(['task.created', 'work_item.assigned']);
  });

  it('takes every parameter', async () => {
    const item = await we.item();
    const input = {
      title: 'Look at the valve',
      description: 'Before noon',
      priority: 'low',
      due_date: '2026-12-05',
      module_context: 'facilities',
      tags: ['valve'],
      custom_fields: { a: 1 },
      notes: 'Take gloves',
    };
    const parameters = Object.keys(AddWorkItemToManagedTask.shape).sort();
    expect(Object.keys({ ...input, work_item_id: '', target_user_id: 0 }).sort()).toEqual(parameters);
    const task = await addTask(item.work_item_id, api.acme.users.member.id, input);
    expect(await get(task.work_item_id)).toMatchObject({ ...input, due_date: '2026-12-05T00:00:00.000Z' });
    const plain = await addTask((await we.item()).work_item_id, api.acme.users.member.id);
    expect(plain).toMatchObject({ priority: 'medium', due_date: null, tags: [], notes: null });
  });

  it('returns the task that is there, unchanged; each user has an own one', async () => {
    const item = await we.item();
    const { member, admin } = api.acme.users;
    const { already_existed: _, ...task } = await addTask(item.work_item_id, member.id, { title: 'First' });
    const again = await addTask(item.work_item_id, member.id, { title: 'Second', priority: 'urgent' });
    expect(again).toEqual({ ...task, already_existed: true });
    expect((await addTask(item.work_item_id, admin.id)).already_existed).toBe(false);
    expect(await eventsOf(api, task.id)).toHaveLength(2);
  });

  it('twenty times at once makes one task', async () => {
    const item = await we.item();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => addTask(item.work_item_id, api.acme.users.member.id)),
    );
    expect(answers.filter((answer) => !answer.already_existed)).toHaveLength(1);
    expect(new Set(answers.map((answer) => answer.work_item_id)).size).toBe(1);
    const children = statement('select count(*) as n from work_item_relationships where related_id = $1');
    expect(await api.services.system.query(children, [item.id])).toEqual([{ n: 1 }]);
  });

  it('makes a new one when the task was deleted', async () => {
    const item = await we.item();
    const { id } = api.acme.users.member;
    const first = await addTask(item.work_item_id, id);
    await we.done('delete-work-item', { work_item_id: first.work_item_id });
    const second = await addTask(item.work_item_id, id);
    expect(second).toMatchObject({ already_existed: false });
    expect(second.id).not.toBe(first.id);
  });

  it('goes with its work item', async () => {
    const item = await we.item();
    const task = await addTask(item.work_item_id, api.acme.users.member.id);
    expect((await we.done('delete-work-item', { work_item_id: item.work_item_id })).deleted_count).toBe(2);
    expectRefusal(await we.act('get-work-item', { work_item_id: task.work_item_id }), 404, 'NOT_FOUND');
  });

  it('refuses an unknown user by its field, and leaves no claim behind', async () => {
    const item = await we.item();
    for (const target_user_id of [999_999, api.rival.users.owner.id]) {
      const answer = await we.act('add-work-item-to-managed-task', { work_item_id: item.work_item_id, target_user_id });
      expectRefusal(answer, 400, 'VALIDATION_ERROR');
      expect(answer.body.error.details).toEqual([expect.objectContaining({ field: 'target_user_id' })]);
    }
    const claims = statement('select count(*) as n from managed_tasks where work_item_id = $1');
    expect(await api.services.system.query(claims, [item.id])).toEqual([{ n: 0 }]);
    expectRefusal(
      await we.act('add-work-item-to-managed-task', { work_item_id: item.work_item_id }),
      400,
      'BAD_REQUEST',
    );
    const rival = actor(api, await api.rival.key());
    const target_user_id = api.rival.users.owner.id;
    const answer = await rival.act('add-work-item-to-managed-task', {
      work_item_id: item.work_item_id,
      target_user_id,
    });
    expectRefusal(answer, 404, 'NOT_FOUND');
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createAppointment } from '../../domain/appointments/index.ts';
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

const close = (work_item_id: string, input: Record<string, unknown> = {}) =>
  we.done('close-work-item', { work_item_id, ...input });
const remove = (work_item_id: string) => we.done('delete-work-item', { work_item_id });

describe('close-work-item', () => {
  it('completes an item, with its note in the activity log', async () => {
    const item = await we.item();
    const closed = await close(item.work_item_id, { completion_note: 'Pump replaced.' });
    expect(closed).toMatchObject({
      status: 'completed',
      completed_at: closed.updated_at,
      closed_at: closed.updated_at,
    });
    expect((await eventsOf(api, item.id)).map((event) => event.name)).toEqual([
      'job.created',
      'job.updated',
      'job.status_changed',
      'job.completed',
    ]);
    expect((await auditOf(api, item.work_item_id)).slice(1)).toEqual([
      {
        action: 'work_item.status_changed',
        details: { changes: { status: { from: 'open', to: 'completed' } }, completion_note: 'Pump replaced.' },
      },
    ]);
  });

  it.each(['completed', 'closed', 'done', 'resolved', 'cancelled', 'canceled'])('closes as %s', async (status) => {
    const { work_item_id, id } = await we.item({ item_type: 'milestone' });
    const closed = await close(work_item_id, { closure_status: status });
    expect(closed).toMatchObject({ status, completed_at: expect.any(String), closed_at: expect.any(String) });
    const isCompleted = (await eventsOf(api, id)).some((event) => event.name === 'milestone.completed');
    expect(isCompleted).toBe(!status.startsWith('cancel'));
  });

  it('of an item closed like that succeeds and logs nothing; as something else it is a change', async () => {
    const item = await we.item();
    const first = await close(item.work_item_id);
    expect(await close(item.work_item_id, { completion_note: 'again' })).toEqual(first);
    expect(await eventsOf(api, item.id)).toHaveLength(4);
    expect(await auditOf(api, item.work_item_id)).toHaveLength(2);
    const other = await close(item.work_item_id, { closure_status: 'cancelled' });
    expect(other).toMatchObject({ status: 'cancelled', completed_at: first.completed_at });
    expect(await auditOf(api, item.work_item_id)).toHaveLength(3);
  });

  it('twenty times at once closes once', async () => {
    const item = await we.item();
    await Promise.all(Array.from({ length: 20 }, () => close(item.work_item_id)));
    expect((await eventsOf(api, item.id)).map((event) => event.name)).toEqual([
      'job.created',
      'job.updated',
      'job.status_changed',
      'job.completed',
    ]);
  });

  it('refuses a status that ends nothing, and an unknown item', async () => {
    const { work_item_id } = await we.item();
    const answer = await we.act('close-work-item', { work_item_id, closure_status: 'open' });
    expectRefusal(answer, 400, 'VALIDATION_ERROR');
    expect(answer.body.error.details).toEqual([expect.objectContaining({ field: 'closure_status' })]);
    expectRefusal(await we.act('close-work-item', { work_item_id: randomUUID() }), 404, 'NOT_FOUND');
    expectRefusal(await we.act('close-work-item', {}), 400, 'BAD_REQUEST');
    const rival = actor(api, await api.rival.key());
    expectRefusal(await rival.act('close-work-item', { work_item_id }), 404, 'NOT_FOUND');
  });
});

describe('delete-work-item', () => {
  const appointment = async (itemId: number, title: string): Promise<string> => {
    const insert = statement(`
      insert into appointments (client_id, work_item_id, title, scheduled_start, created_by_type, created_by_id)
      values ($1, $2, $3, now(), 'user', '1') returning id`);
    const [row] = await api.services.system.query<{ id: number }>(insert, [api.acme.clientId, itemId, title]);
    return String(row!.id);
  };
  const deletedRows = (table: string, ids: readonly unknown[]) =>
    api.services.system.query<{ id: number; deleted_by: string | null }>(
      statement(
        `select id, deleted_by from ${table} where id = any($1::bigint[]) and deleted_at is not null order by id`,
      ),
      [ids],
    );

  it('deletes an item for good: 404 everywhere, and success again', async () => {
    const item = await we.item();
    const first = await remove(item.work_item_id);
    expect(first).toEqual({
      id: item.id,
      work_item_id: item.work_item_id,
      deleted: true,
      deleted_at: expect.any(String),
      deleted_count: 1,
    });
    expect(await remove(item.work_item_id)).toEqual({ ...first, deleted_count: 0 });
    const { work_item_id } = item;
    const link = { related_work_item_id: (await we.item()).work_item_id, relationship_type: 'blocks' };
    for (const [action, input] of [
      ['get-work-item', {}],
      ['update-work-item', { title: 'x' }],
      ['close-work-item', {}],
      ['get-work-item-relationships', {}],
      ['add-work-item-relationship', link],
      ['remove-work-item-relationship', link],
      ['add-work-item-to-managed-task', { target_user_id: api.acme.users.owner.id }],
      ['create-comment', { body: 'x' }],
      ['get-work-item-comments', {}],
      ['get-work-item-attachments', {}],
      ['create-time-entry', { duration_minutes: 5 }],
      ['get-work-item-time-entries', {}],
      ['list-appointments', {}],
    ] as const) {
      const answer = await we.act(action, { work_item_id, ...input });
      expect({ action, status: answer.status }).toEqual({ action, status: 404 });
    }
    const { data } = { data: await we.done('list-work-items', { limit: 500 }) };
    expect(data.work_items.map((listed: { id: number }) => listed.id)).not.toContain(item.id);
    expect((await eventsOf(api, item.id)).map((event) => event.name)).toEqual(['job.created', 'job.deleted']);
    expect((await auditOf(api, work_item_id)).map((entry) => entry.action)).toEqual([
      'work_item.created',
      'work_item.deleted',
    ]);
  });

  it('takes children five levels deep and all appointments with it, and nothing else', async () => {
    const project = await we.item({ item_type: 'project' });
    const chain = [project];
    for (let depth = 1; depth <= 5; depth += 1) {
      chain.push(await we.item({ item_type: 'task', parent_id: chain.at(-1).work_item_id }));
    }
    const sideways = await we.item({ project_id: project.work_item_id, parent_id: chain[2].work_item_id });
    const blocked = await we.item();
    const outer = await we.item();
    const link = (work_item_id: string, relationship_type: string, related_work_item_id: string) =>
      we.done('add-work-item-relationship', { work_item_id, relationship_type, related_work_item_id });
    await link(project.work_item_id, 'blocks', blocked.work_item_id);
    await link(project.work_item_id, 'child_of', outer.work_item_id);
    const appointments = [
      await appointment(project.id, 'of the project'),
      await appointment(chain[5].id, 'of the deepest'),
    ];
    const kept = await appointment(blocked.id, 'of another');

    const doomed = [...chain, sideways];
    expect((await remove(project.work_item_id)).deleted_count).toBe(doomed.length);
    const ids = [...doomed, blocked, outer].map((item) => item.id);
    const by = expect.stringMatching(/^api_key:\d+$/);
    expect(await deletedRows('work_items', ids)).toEqual(doomed.map(({ id }) => ({ id, deleted_by: by })));
    expect(await deletedRows('appointments', [...appointments, kept])).toEqual(
      appointments.map((id) => ({ id: Number(id), deleted_by: by })),
    );
    for (const item of doomed) {
      const [last] = (await eventsOf(api, item.id)).slice(-1);
      expect(last).toMatchObject({ name: `${String(item.item_type)}.deleted`, data: { work_item: { id: item.id } } });
    }
    expect((await auditOf(api, chain[5].work_item_id)).at(-1)).toEqual({
      action: 'work_item.deleted',
      details: { deleted_with: project.work_item_id },
    });
    expect(await auditOf(api, appointments[1]!, 'appointment')).toEqual([
      { action: 'appointment.deleted', details: { deleted_with: project.work_item_id } },
    ]);
  });

  it('leaves no living child below a deleted parent, whatever is created at that moment', async () => {
    const parent = await we.item();
    const child = await we.item({ parent_id: parent.work_item_id });
    const creates = Array.from({ length: 15 }, () =>
      we.act('create-work-item', { item_type: 'task', title: 'late', parent_id: child.work_item_id }),
    );
    const deletion = remove(parent.work_item_id);
    for (const answer of await Promise.all(creates)) {
      if (answer.status !== 200) expectRefusal(answer, 400, 'VALIDATION_ERROR');
    }
    await deletion;
    const living = statement(`
      select count(*) as n from work_item_relationships r join work_items w on w.id = r.work_item_id
      where r.related_id = any($1::bigint[]) and w.deleted_at is null`);
    expect(await api.services.system.query(living, [[parent.id, child.id]])).toEqual([{ n: 0 }]);
  });

  it('waits for an appointment that is being made, and takes it with the item', async () => {
    const item = await we.item();
    const { tenants, system } = api.services;
    const waiting = statement(`select 1 as found from pg_locks where locktype = 'advisory' and not granted`);
    let deletion: Promise<unknown> = Promise.resolve();
    const made = await tenants.transaction(api.acme.clientId, async (tx) => {
      const input = { title: 'late', scheduled_start: '2027-01-04', work_item_id: item.work_item_id };
      const { id } = await createAppointment(tx, api.acme.caller, input);
      const over = new AbortController();
      deletion = remove(item.work_item_id).finally(() => {
        over.abort();
      });
      while (!over.signal.aborted && (await system.query(waiting)).length === 0) await sleep(5);
      return id;
    });
    await deletion;
    expect(await deletedRows('appointments', [made])).toEqual([{ id: made, deleted_by: expect.any(String) }]);
    const late = { title: 'too late', scheduled_start: '2027-01-04', work_item_id: item.work_item_id };
    expectRefusal(await we.act('create-appointment', late), 400, 'VALIDATION_ERROR');
  });

  it('among changes of all kinds at the same moment waits and is waited for: no call fails of it', async () => {
    const root = await we.item();
    const children = await Promise.all([1, 2, 3, 4].map(() => we.item({ parent_id: root.work_item_id })));
    const { member, owner } = api.acme.users;
    const of = (work_item_id: string, index: number) => [
      we.act('update-work-item', { work_item_id, assigned_users: [index % 2 === 0 ? member.id : owner.id] }),
      we.act('close-work-item', { work_item_id }),
      we.act('create-work-item', { item_type: 'task', title: 'below', parent_id: work_item_id }),
      we.act('add-work-item-to-managed-task', { work_item_id, target_user_id: member.id }),
      we.act('add-work-item-relationship', {
        work_item_id,
        related_work_item_id: children[(index + 1) % 4].work_item_id,
        relationship_type: 'blocks',
      }),
      ...(index === 2 ? [remove(root.work_item_id), remove(children[0].work_item_id)] : []),
    ];
    const calls = [root, ...children].flatMap((item, index) => of(item.work_item_id, index));
    const answers = (await Promise.all(calls)) as { status?: number }[];
    expect(answers.filter(({ status }) => status !== undefined && ![200, 400, 404, 422].includes(status))).toEqual([]);
  });

  it('may be done with work_items:delete alone, not with reading', async () => {
    const [first, second] = [await we.item(), await we.item()];
    const remover = actor(api, await api.acme.key(['work_items:delete']));
    await remover.done('delete-work-item', { work_item_id: first.work_item_id });
    const reader = actor(api, await api.acme.key(['work_items:read']));
    const refusal = await reader.act('delete-work-item', { work_item_id: second.work_item_id });
    expectRefusal(refusal, 403, 'SCOPE_REQUIRED');
  });

  it("does not find another client's item, nor one that never was", async () => {
    const item = await we.item();
    const rival = actor(api, await api.rival.key());
    expectRefusal(await rival.act('delete-work-item', { work_item_id: item.work_item_id }), 404, 'NOT_FOUND');
    expectRefusal(await we.act('delete-work-item', { work_item_id: randomUUID() }), 404, 'NOT_FOUND');
    expectRefusal(await we.act('delete-work-item', { work_item_id: 'x' }), 400, 'VALIDATION_ERROR');
    await we.done('get-work-item', { work_item_id: item.work_item_id });
  });

  it('is reached by DELETE with either id, and answers with the envelope', async () => {
    const items = [await we.item(), await we.item()];
    const token = await api.acme.token();
    for (const ref of [items[0].id, items[1].work_item_id]) {
      const answer = await api
        .http()
        .delete(`/api/v1/work-items/${String(ref)}`)
        .set('Authorization', `Bearer ${token}`);
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({ success: true, data: { deleted: true, deleted_count: 1 } });
    }
  });

  it('deletes a project of many thousand tasks, each with its event and its activity', async () => {
    const many = 20_000;
    const project = await we.item({ item_type: 'project', title: 'Irrigation' });
    const superuser = new pg.Client({ connectionString: api.database.superuserUrl });
    await superuser.connect();
    await superuser.query(
      `with tasks as (
         insert into work_items (work_item_id, client_id, item_number, item_type, title, status, priority, created_by_type,
           created_by_id)
         select gen_random_uuid(), $1, 'TASK-9' || i, 'task', 'Lay a pipe', 'open', 'low', 'user', '1'
         from generate_series(1, $3::int) i returning client_id, id)
       insert into work_item_relationships (client_id, work_item_id, related_id, relationship_type)
       select client_id, id, $2, 'child_of' from tasks`,
      [api.acme.clientId, project.id, many],
    );
    expect(await remove(project.work_item_id)).toMatchObject({ deleted_count: many + 1 });
    const { rows } = await superuser.query(
      `select (select count(*)::int from events where name = 'task.deleted' and data -> 'work_item' ->> 'title' = 'Lay a pipe'
           and work_item_id is not null) as events,
         (select count(*)::int from audit_entries where action = 'work_item.deleted'
           and details ->> 'deleted_with' = $1) as audited`,
      [project.work_item_id],
    );
    await superuser.end();
    expect(rows).toEqual([{ events: many, audited: many }]);
  });
});

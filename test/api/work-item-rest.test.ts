import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { clientToken, register } from './oauth-support.ts';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';
import { actor, everyCreateField } from './work-items-support.ts';

let api: ApiFixture;
let we: ReturnType<typeof actor>;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
  we = actor(api, await api.acme.key());
});
afterAll(() => api.close());

describe('/api/v1/work-items', () => {
  it('POST takes every parameter that create-work-item takes, and GET reads all of it back, as the action does', async () => {
    const [parent, project] = [await we.item(), await we.item({ item_type: 'project' })];
    const related = { parent_id: parent.work_item_id, project_id: project.work_item_id };
    const { input, shown } = await everyCreateField(api, related);
    const authorization = ['Authorization', `Bearer ${await api.acme.token('member')}`] as const;
    const created = await api
      .http()
      .post('/api/v1/work-items')
      .set(...authorization)
      .send(input);
    expect(created.status).toBe(201);
    const { id, work_item_id } = created.body.data as { id: number; work_item_id: string };
    for (const ref of [id, work_item_id]) {
      const { body } = await api
        .http()
        .get(`/api/v1/work-items/${String(ref)}`)
        .set(...authorization);
      expect(body.data).toMatchObject(shown);
      expect(body.data).toEqual(await we.done('get-work-item', { work_item_id }));
    }
  });

  it('GET lists what the spec names of each item, 50 at a time, 500 at most, of one type and status', async () => {
    const tenant = await api.tenant('rest-list', { tier: 'enterprise' });
    const theirs = actor(api, await tenant.key());
    for (let count = 0; count < 51; count += 1) await theirs.item({ assigned_to: tenant.users.owner.id });
    await theirs.item({ item_type: 'task', status: 'on_hold', description: 'Wait for parts' });
    const token = await tenant.token();
    const list = (query: string) =>
      api
        .http()
        .get(`/api/v1/work-items${query}`)
        .set({ Authorization: `Bearer ${token}`, 'X-API-Version': '2026-07-01' });
    const all = await list('');
    expect(all.body.data).toHaveLength(50);
    expect(all.body.meta.pagination).toEqual({ total: 52, limit: 50, offset: 0 });
    expect(all.body.data[1]).toMatchObject({
      id: expect.any(Number),
      item_number: 'JOB-000051',
      item_type: 'job',
      title: 'Service the pump',
      description: null,
      status: 'open',
      priority: 'medium',
      client_id: tenant.clientId,
      assigned_to: tenant.users.owner.id,
      created_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/),
      updated_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/),
    });
    const filtered = await list('?item_type=task&status=on_hold&limit=500&offset=0');
    expect(filtered.body).toMatchObject({
      data: [{ item_number: 'TASK-000001', description: 'Wait for parts' }],
      meta: { pagination: { total: 1, limit: 500, offset: 0 } },
    });
    expectRefusal(await list('?limit=501'), 400, 'VALIDATION_ERROR');
    expect((await list('?offset=51')).body.data).toHaveLength(1);
  });
});

describe('PATCH /api/v1/work-items/{work_item_id}', () => {
  it('updates as the action does, by either id', async () => {
    const item = await we.item();
    const token = await api.acme.token('member');
    for (const ref of [item.work_item_id, item.id]) {
      const answer = await api
        .http()
        .patch(`/api/v1/work-items/${String(ref)}`)
        .set('Authorization', `Bearer ${token}`)
        .send({ title: `By ${String(ref)}` });
      expect(answer.body.data).toMatchObject({ id: item.id, title: `By ${String(ref)}` });
    }
  });

  it('shows the changes in the activity of the item, newest first, with who made them', async () => {
    const item = await we.item();
    const authorization = ['Authorization', `Bearer ${await api.acme.token('member')}`] as const;
    const path = `/api/v1/work-items/${String(item.work_item_id)}`;
    await api
      .http()
      .patch(path)
      .set(...authorization)
      .send({ title: 'First' });
    await api
      .http()
      .post(`${path}/close`)
      .set(...authorization)
      .send({ completion_note: 'All done.' });
    const { body } = await api
      .http()
      .get(`${path}/activity?limit=2`)
      .set(...authorization);
    const { member } = api.acme.users;
    expect(body.data).toMatchObject([
      {
        action: 'work_item.status_changed',
        actor: { type: 'user', id: String(member.id), name: 'member' },
        details: { changes: { status: { from: 'open', to: 'completed' } }, completion_note: 'All done.' },
      },
      { action: 'work_item.updated', details: { changes: { title: { from: 'Service the pump', to: 'First' } } } },
    ]);
    expect(body.meta.pagination).toEqual({ total: 3, limit: 2, offset: 0 });
    const foreign = await api
      .http()
      .get(`${path}/activity`)
      .set('Authorization', `Bearer ${await api.rival.token()}`);
    expectRefusal(foreign, 404, 'NOT_FOUND');
  });

  it('names the API key and the application that acted', async () => {
    const key = await api.acme.key(['work_items:write'], { key_name: 'ERP sync' });
    const made = await api.act(key, { action: 'create-work-item', item_type: 'job', title: 'By a key' });
    const { work_item_id: ref } = made.body.data as { work_item_id: string };
    const path = `/api/v1/work-items/${ref}`;
    const application = await register(api, { name: 'Fleet planner', scopes: ['work_items:write'] });
    const patched = await api
      .http()
      .patch(path)
      .set('Authorization', `Bearer ${await clientToken(api, application)}`)
      .send({ title: 'By an application' });
    expect(patched.status).toBe(200);
    const { body } = await api
      .http()
      .get(`${path}/activity`)
      .set('Authorization', `Bearer ${await api.acme.token()}`);
    expect(body.data).toMatchObject([
      { action: 'work_item.updated', actor: { type: 'oauth_application', name: 'Fleet planner' } },
      { action: 'work_item.created', actor: { type: 'api_key', name: 'ERP sync' } },
    ]);
  });
});

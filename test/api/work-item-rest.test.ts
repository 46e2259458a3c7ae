import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { clientToken, register } from './oauth-support.ts';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';
import { actor } from './work-items-support.ts';

let api: ApiFixture;
let we: ReturnType<typeof actor>;
beforeAll(async () => {
  api = await startApi();
  we = actor(api, await api.acme.key());
});
afterAll(() => api.close());

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
